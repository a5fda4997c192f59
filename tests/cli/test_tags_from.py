"""`--tags-from`: trees over the tags of a tagger, with what is said and saved of it."""

from __future__ import annotations

import json

import numpy as np
import pytest

import treegauge as tg
from tests.unit.systems.test_tag_source import ByLength, Recorder
from treegauge.systems import SystemEntry, registry, systems

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def stubs(monkeypatch):
    entries = {
        cls.name: SystemEntry(cls.name, cls.__module__, cls.__name__, cls.task, "?", "Stub.")
        for cls in (ByLength, Recorder)
    }
    monkeypatch.setattr(registry, "systems", lambda: {**systems(), **entries})


def test_induced_trees_over_induced_tags(run, tmp_path):
    tg.write(tg.toy_treebank("toy:svo", tokens=300), tmp_path / "text.conllu")
    options = ("--tags-from", "by-length:3", "--set", "max_length=6", "--json")
    result = run("induce", "dmv", "text.conllu", *options, "-o", "o.conllu", "--save", "m")
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    assert document["system"] == "tags-then-trees"
    assert document["settings"] == {"tags_from": "by-length:3", "inducer": "dmv?max_length=6"}
    assert document["iterations"] > 0
    answer = tg.read(tmp_path / "o.conllu")
    assert set(answer.upos) == {"c0", "c1", "c2"}
    # The model is used by the name of the inducer, and without being told of tags again.
    again = run("induce", "dmv", "text.conllu", "--model", "m", "-o", "again.conllu")
    assert again.returncode == 0, again.stderr
    assert tg.read(tmp_path / "again.conllu") == answer
    other = run("induce", "evg", "text.conllu", "--model", "m")
    assert other.stderr == "m: this is a model of tags-then-trees, not of evg\n"
    both = run("induce", "dmv", "text.conllu", "--model", "m", "--tags-from", "by-length:3")
    assert both.returncode == 2
    shown = run("induce", "dmv", "text.conllu", "--model", "m", "-o", "o", "--show-grammar")
    assert "c0" in shown.stdout


def test_a_supervised_tagger_under_an_inducer_is_trained(run, tmp_path):
    refused = run("induce", "dmv", "toy:svo", "--tags-from", "most-frequent-tag")
    assert refused.returncode == 2
    assert "most-frequent-tag learns from gold annotation" in " ".join(refused.stderr.split())
    trained = run("train", "dmv", "toy:svo", "--tags-from", "most-frequent-tag", "-o", "m")
    assert trained.returncode == 0, trained.stderr
    annotated = run("annotate", "m", "toy:svo", "-o", "o.conllu", "--json")
    settings = json.loads(annotated.stdout)["settings"]
    assert settings == {"tags_from": "most-frequent-tag", "inducer": "dmv"}


def test_parsers_have_it_as_a_setting(run, tmp_path, birds):
    text = birds.read_text().replace("1\tBirds", "1\tBird")
    trained = run(
        "train", "recorder", "birds.conllu", "--tags-from", "by-length:2", "-o", "m", "--json"
    )
    assert trained.returncode == 0, trained.stderr
    assert json.loads(trained.stdout)["settings"]["tags_from"] == "by-length:2"
    (tmp_path / "text.conllu").write_text(text)
    annotated = run("annotate", "m", "text.conllu", "-o", "o.conllu", "--json")
    document = json.loads(annotated.stdout)
    assert (document["settings"]["tags_from"], document["seed"]) == ("by-length:2", 0)
    answer = tg.read(tmp_path / "o.conllu")
    assert np.array_equal(answer.head, [0, 1, 1])
    assert list(answer.upos) == ["NOUN", "VERB", "PUNCT"]


def test_mistakes_are_said_in_a_line(run):
    for options, message in [
        (["dmv", "--tags-from", "dmv"], "tags_from: dmv annotates dependencies, not tags\n"),
        (["by-length", "--tags-from", "by-length"], "by-length annotates tags; only trees are"),
        (["dmv", "--tags-from", "by-length:x"], "expected SYSTEM, SYSTEM:N or SYSTEM?key=value"),
        (["dmv", "--tags-from", "by-lenght"], "unknown system 'by-lenght'; did you mean by-length"),
    ]:
        result = run("train", *options, "toy:svo", "-o", "m")
        assert result.returncode == 1
        assert result.stderr.startswith(message)

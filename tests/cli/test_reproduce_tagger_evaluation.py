"""`treegauge reproduce tagger-evaluation`."""

from __future__ import annotations

import json

import pytest

import treegauge as tg
from treegauge.dictionaries import TagDictionary, write_dictionary
from treegauge.toys import toy_dictionary

pytestmark = pytest.mark.long


@pytest.mark.slow
def test_a_small_reproduction_end_to_end(run, tmp_path):
    done = run("reproduce", "tagger-evaluation", "--small", "--workers", "1")
    assert done.returncode == 0, done.stderr
    for title in (
        "What differs from the paper",
        "Table 1: dictionaries and what they say of supervised taggers",
        "Which tagger is best?",
        "How many annotated sentences rank as well?",
        "Estimated accuracy, calibrated on the other languages",
    ):
        assert title in done.stdout
    assert "14/25" in done.stdout
    assert "55 ± 27" in done.stdout
    place = tmp_path / "runs" / "tagger-evaluation-small"
    assert (place / "figure-1.svg").read_bytes().startswith(b"<svg")


@pytest.mark.slow
def test_treebanks_and_dictionaries_of_ones_own(run, tmp_path):
    for name, language in (("birds", "toy:svo"), ("fish", "toy:sov")):
        (tmp_path / "data" / name).mkdir(parents=True)
        for part in ("train", "test"):
            tg.write(
                tg.toy_treebank(language, tokens=200, part=part),
                tmp_path / "data" / name / f"{part}.conllu",
            )
        words = TagDictionary.from_mapping(toy_dictionary(language))
        write_dictionary(words, tmp_path / f"{name}.tsv")
    done = run(
        *("reproduce", "tagger-evaluation", "--all", "--data", "data", "--json"),
        *("--dictionary", "birds=birds.tsv", "--dictionary", "fish=fish.tsv"),
        *("--taggers", "most-frequent-tag", "--cross-lingual", "none", "--workers", "1"),
    )
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert made["schema"] == 2
    assert [one["treebank"] for one in made["frames"]["treebanks"]] == ["birds", "fish"]
    assert {one["group"] for one in made["frames"]["scores"] if one["treebank"] == "birds"} == {
        "supervised",
        "corrupted, any wrong tag",
        "corrupted, as taggers err",
    }


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "no dictionaries: give"),
        (("--small", "-t", "toy:svo"), 2, "--small has its own treebanks"),
        (("--small", "--all"), 2, "--small has its own treebanks and dictionaries"),
        (("--all", "-t", "toy:svo"), 2, "--all takes all treebanks"),
        (("--dictionary", "da_ddt"), 2, "--dictionary: expected TREEBANK=FILE"),
        (("--dictionary", "da=da.tsv", "--all"), 2, "no available treebank has a dictionary"),
        (("--dictionaries", "."), 1, "no manifest.json says which file is of which language"),
        (("--small", "--taggers", "tntt"), 1, "unknown system 'tntt'"),
        (("--small", "--set", "dmv.iterations=3"), 2, "dmv is not a tagger of this experiment"),
    ],
)
def test_what_cannot_be_done_is_said(run, arguments, code, message):
    done = run("reproduce", "tagger-evaluation", *arguments)
    assert done.returncode == code
    # Words are wrapped in a frame.
    assert message in " ".join(done.stderr.replace("│", " ").split())

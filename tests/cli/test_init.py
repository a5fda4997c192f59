"""`treegauge init`: an experiment file that runs as it is written, and can be changed."""

from __future__ import annotations

import io
import json
import re
import sys

import pytest

from tests.in_process import cells_in_process
from treegauge.cli import init as init_verb
from treegauge.runs import Experiment
from treegauge.runs.experiment import TRACKS

SMALL = ("--treebanks", "small")


@pytest.fixture
def small(tmp_path):
    """A treebank of a few sentences, in three parts."""
    from treegauge.formats import write
    from treegauge.toys import toy_parts

    (tmp_path / "small").mkdir()
    for part, treebank in toy_parts("toy:svo", tokens=600).items():
        write(treebank, tmp_path / "small" / f"{part}.conllu")


def test_without_a_terminal_nothing_is_asked_and_one_line_is_said(run, tmp_path):
    result = run("init")
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr == (
        "wrote experiment.toml: 3 systems on 2 treebanks; `treegauge run experiment.toml` runs it\n"
    )
    experiment = Experiment.from_toml(tmp_path / "experiment.toml")
    assert experiment.treebanks == ("toy:svo", "toy:sov")
    assert experiment.name == "experiment"


@pytest.mark.parametrize("track", TRACKS)
def test_what_is_written_can_be_planned_and_run(run, small, tmp_path, track):
    assert run("init", "look.toml", "--track", track, *SMALL).returncode == 0
    plan = run("run", "look.toml", "--dry-run")
    assert plan.returncode == 0, plan.stderr
    assert track in plan.stdout
    with cells_in_process():
        done = run("run", "look.toml", "--quiet")
    assert done.returncode == 0, done.stderr
    assert track in done.stdout
    assert (tmp_path / "runs" / "look" / "results.parquet").exists()


@pytest.mark.parametrize("systems", ["dmv,udp", "tnt", "transition", "bmmm,pyp-hmm", "joint"])
def test_every_line_that_is_commented_out_can_be_used(run, small, tmp_path, systems):
    assert run("init", "look.toml", "--systems", systems, *SMALL).returncode == 0
    text = (tmp_path / "look.toml").read_text("utf-8")
    used = re.sub(r"^# (?=[a-z_]+ = |\[)", "", text, flags=re.MULTILINE)
    assert used.count("[systems.settings]") == len(systems.split(","))
    (tmp_path / "used.toml").write_text(used, encoding="utf-8")
    assert run("run", "used.toml", "--dry-run").returncode == 0
    assert max(map(len, text.splitlines())) <= 140


def test_a_file_that_is_there_stays_unless_it_is_to_be_replaced(run, tmp_path):
    (tmp_path / "mine.toml").write_text("mine", encoding="utf-8")
    refused = run("init", "mine.toml")
    assert refused.returncode == 1
    assert refused.stderr == "mine.toml: it exists already; --force replaces it\n"
    assert (tmp_path / "mine.toml").read_text("utf-8") == "mine"
    assert run("init", "mine.toml", "--force").returncode == 0
    assert Experiment.from_toml(tmp_path / "mine.toml").name == "mine"


def test_names_that_there_are_not_are_answered_with_those_that_are(run, tmp_path):
    refused = run("init", "--systems", "dvm")
    assert refused.returncode == 1
    assert "did you mean dmv" in refused.stderr
    refused = run("init", "--systems", "dmv", "--track", "tags")
    assert "dmv takes part in dependencies, not in tags" in refused.stderr
    assert not (tmp_path / "experiment.toml").exists()
    assert "dmv" in run("init", "--systems", "dmv,dmv").stderr
    assert not (tmp_path / "experiment.toml").exists()
    later = run("init", "--treebanks", "toy:svo,not_here_yet")
    assert later.returncode == 0
    assert "not_here_yet" in later.stderr


def test_a_summary_can_be_had_as_json(run):
    document = json.loads(run("init", "a.toml", "--systems", "dmv,brown", "--json").stdout)
    assert document["systems"] == ["dmv", "brown"]
    assert document["tracks"] == ["dependencies", "tags"]


def test_on_a_terminal_three_questions_are_asked(run, tmp_path, monkeypatch):
    monkeypatch.setattr(init_verb, "_can_ask", lambda: True)
    result = run("init", stdin="tags\ntoy:vso\n\n")
    assert result.returncode == 0, result.stderr
    assert result.stdout == ""
    assert "By which systems? [brown,mkcls]" in result.stderr
    assert result.stderr.count("?") == 3
    experiment = Experiment.from_toml(tmp_path / "experiment.toml")
    assert (experiment.tracks, experiment.treebanks) == (("tags",), ("toy:vso",))
    assert [choice.system for choice in experiment.systems] == ["brown", "mkcls"]


def test_an_answer_that_is_no_track_writes_nothing(run, tmp_path, monkeypatch):
    monkeypatch.setattr(init_verb, "_can_ask", lambda: True)
    result = run("init", stdin="tag\n\ndmv\n")
    assert result.returncode == 1
    assert "unknown track 'tag'; did you mean tags?" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_options_say_is_not_asked(run, monkeypatch):
    monkeypatch.setattr(init_verb, "_can_ask", lambda: True)
    options = ("--treebanks", "toy:svo", "--systems", "dmv")
    assert "?" not in run("init", *options).stderr


def test_a_name_that_needs_quotes_is_no_trouble(run, small, tmp_path):
    (tmp_path / "my plans").mkdir()
    refused = run("init", "my plans/a look\n.toml", *SMALL)
    assert "cannot be an experiment's name" in refused.stderr
    assert list((tmp_path / "my plans").iterdir()) == []
    assert run("init", "my plans/a look.toml", *SMALL).returncode == 0
    text = (tmp_path / "my plans" / "a look.toml").read_text("utf-8")
    assert "#     treegauge run 'my plans/a look.toml'\n" in text
    assert "#     treegauge report 'runs/a look'\n" in text


def test_nobody_is_asked_through_a_pipe(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert not init_verb._can_ask()

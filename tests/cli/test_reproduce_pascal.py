"""`treegauge reproduce pascal`."""

from __future__ import annotations

import json

import pytest

from tests.in_process import cells_in_process

pytestmark = pytest.mark.long


def test_remarks_need_no_data(run):
    done = run("reproduce", "pascal", "--remarks")
    assert done.returncode == 0, done.stderr
    assert "Who wins" in done.stdout
    assert "does not hold" in done.stdout


def test_remarks_as_json(run):
    done = run("reproduce", "pascal", "--remarks", "--json")
    made = json.loads(done.stdout)
    assert {one["verdict"] for one in made["remarks"]} == {"holds", "partly", "does not hold"}
    assert len(made["winners"]) == 20


@pytest.mark.slow
def test_a_small_challenge_end_to_end(run, tmp_path):
    done = run("reproduce", "pascal", "--small", "--full")
    assert done.returncode == 0, done.stderr
    for title in (*(f"Table {number}" for number in range(1, 10)), "Figure 1", "alike?"):
        assert title in done.stdout
    place = tmp_path / "runs" / "pascal-small"
    assert "<html" in (place / "report.html").read_text(encoding="utf-8")
    assert "about" in done.stderr
    assert "Table 9: " in (place / "tables.md").read_text(encoding="utf-8")
    again = run("reproduce", "pascal", "--small", "--no-html", "--json")
    assert again.returncode == 0, again.stderr
    assert "26 finished already" in again.stderr
    assert json.loads(again.stdout)["references"]


@pytest.mark.slow
def test_small_scaling(run):
    done = run("reproduce", "pascal", "--small", "--scaling")
    assert done.returncode == 0, done.stderr
    assert "classes" in done.stdout


def test_small_uses_of_classes(run):
    pytest.importorskip("pycrfsuite")
    with cells_in_process():
        done = run("reproduce", "pascal", "--small", "--extrinsic")
        again = run("reproduce", "pascal", "--small", "--extrinsic", "--json")
    assert done.returncode == 0, done.stderr
    assert "1 treebank, 21 cells, about 1 min on one core" in done.stderr
    for title in ("good for", "Which words", "rank inducers"):
        assert title in done.stdout
    made = json.loads(again.stdout)
    assert "12 finished already" in again.stderr
    scores = {row["classes"]: row["tasks"]["parsing"]["all"] for row in made["rows"]}
    # What is told the answer knows more than what is told nothing.
    assert scores["gold tags"] > scores["no classes"]
    assert {one["inducers"] for one in made["agreement"]} == {2}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--small", "-t", "toy:svo"), "--small brings its own treebanks"),
        (("--remarks", "--scaling"), "choose one of --remarks"),
        (("--set", "quick"), "quick"),
    ],
)
def test_what_cannot_be_asked(run, arguments, message):
    done = run("reproduce", "pascal", *arguments)
    assert done.returncode == 2
    assert message in done.stderr

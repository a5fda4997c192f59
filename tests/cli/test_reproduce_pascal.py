"""`treegauge reproduce pascal`, `pascal-extrinsic` and `pascal-scaling`."""

from __future__ import annotations

import json

import pytest

from tests.commands_of_pages import assert_numbers_come_again, blocks_of, type_command
from tests.in_process import cells_in_process

pytestmark = pytest.mark.long


def test_remarks_need_no_data(run):
    done = run("reproduce", "pascal", "--published")
    assert done.returncode == 0, done.stderr
    assert "Winners" in done.stdout
    assert "does not hold" in done.stdout


def test_remarks_as_json(run):
    done = run("reproduce", "pascal", "--published", "--json")
    made = json.loads(done.stdout)
    verdicts = {one["published"]["verdict"] for one in made["remarks"]}
    assert verdicts == {"holds", "partly", "does not hold"}
    (winners,) = made["tables"]
    assert len(winners["rows"]) == 20


@pytest.mark.slow
def test_a_small_challenge_end_to_end(run, tmp_path):
    done = run("reproduce", "pascal", "--small", "--full")
    assert done.returncode == 0, done.stderr
    for title in (
        *(f"Table {number}" for number in range(1, 10)),
        "Figure 1",
        "Rank correlation",
        "Claims",
    ):
        assert title in done.stdout
    place = tmp_path / "runs" / "pascal-small"
    assert "<html" in (place / "report.html").read_text(encoding="utf-8")
    assert "<svg" in (place / "figure-1-average.svg").read_text(encoding="utf-8")
    assert "about" in done.stderr
    assert "Table 9: " in (place / "tables.md").read_text(encoding="utf-8")
    again = run("reproduce", "pascal", "--small", "--no-html", "--json", "-o", "challenge.json")
    assert again.returncode == 0, again.stderr
    assert "28 finished already" in again.stderr
    made = json.loads((tmp_path / "challenge.json").read_text(encoding="utf-8"))
    assert made["frames"]["references"]
    # The treebanks are in the folder, where the report of a run finds them.
    report = run("report", str(place), "-o", "page.html", "--trials", "10")
    assert report.returncode == 0, report.stderr
    assert "no trees" not in report.stderr
    # Every number can be made again from any folder, and the page from where it was made.
    (tmp_path / "other").mkdir()
    assert assert_numbers_come_again(place / "report.html", tmp_path / "other")
    (whole,) = blocks_of(place / "report.html")
    assert whole == "treegauge reproduce pascal --full --small"
    type_command(whole, tmp_path)


@pytest.mark.slow
def test_small_scaling(run):
    done = run("reproduce", "pascal-scaling", "--small")
    assert done.returncode == 0, done.stderr
    assert "classes" in done.stdout


@pytest.mark.slow
def test_small_uses_of_classes(run):
    pytest.importorskip("pycrfsuite")
    with cells_in_process():
        done = run("reproduce", "pascal-extrinsic", "--small")
        again = run("reproduce", "pascal-extrinsic", "--small", "--json")
    assert done.returncode == 0, done.stderr
    assert "1 treebank, 21 cells, about 1 min on one core" in done.stderr
    for title in ("The use of", "Which words", "Rank correlation"):
        assert title in done.stdout
    frames = json.loads(again.stdout)["frames"]
    assert "12 finished already" in again.stderr
    scores = {row["classes"]: row["value"] for row in frames["tasks"] if row["task"] == "parsing"}
    # What is told the answer knows more than what is told nothing.
    assert scores["gold tags"] > scores["no classes"]
    assert {one["inducers"] for one in frames["agreement"]} == {2}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--small", "-t", "toy:svo"), "--small has its own treebanks"),
        (("--systems", "quick"), "quick"),
        (("--small", "--set", "bmmm.iterations=3"), "bmmm is not a system of this experiment"),
    ],
)
def test_what_cannot_be_asked(run, arguments, message):
    done = run("reproduce", "pascal", *arguments)
    assert done.returncode == 2
    assert message in done.stderr


def test_a_system_that_is_not_there_cannot_be_left_out(run):
    done = run("reproduce", "pascal", "--small", "--skip", "nobody")
    assert done.returncode == 1
    assert "no system of this set is called 'nobody'" in done.stderr

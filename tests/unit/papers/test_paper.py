"""A sixth paper gets its verb, its JSON, its remarks and its files by a line in the table."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.commands_of_pages import blocks_of
from tests.in_process import cells_in_process, run_in_process
from tests.unit.papers.sixth_paper import Branching
from treegauge import papers
from treegauge.cli.reproduce import app as _app  # noqa: F401  the verbs are made from PAPERS


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(papers.PAPERS, "branching", "branching:Branching")
    monkeypatch.setattr("treegauge.cli.reproduce.find_paper", lambda _name: Branching())


def reproduce(folder: Path, *arguments: str):
    with cells_in_process():
        return run_in_process(["reproduce", "branching", *arguments], folder=folder)


def test_the_verb_has_the_settings_as_options(tmp_path: Path) -> None:
    result = reproduce(tmp_path, "--help")
    assert result.returncode == 0
    for option in ("--treebank", "--systems", "--punctuation", "--longest", "--shout", "--small"):
        assert option in result.stdout
    assert "left or right?" in result.stdout


def test_small_needs_no_data_and_keeps_its_tables(tmp_path: Path) -> None:
    result = reproduce(tmp_path, "--small", "--quiet")
    assert result.returncode == 0, result.stderr
    assert "Table 1: who branches best" in result.stdout
    assert "Right-branching trees are better." in result.stdout
    assert "30.0 against 20.0" in result.stdout
    kept = (tmp_path / "runs" / "branching-small" / "tables.md").read_text(encoding="utf-8")
    assert "**Table 1: who branches best**" in kept


def test_the_page_has_tables_remarks_and_the_command(tmp_path: Path) -> None:
    result = reproduce(tmp_path, "--small", "--longest", "20", "-o", "page.html")
    assert result.returncode == 0, result.stderr
    assert result.stdout == ""
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "Table 1: who branches best" in page
    assert "Right-branching trees are better." in page
    assert "treegauge reproduce branching --longest 20 --small" in page
    kept = tmp_path / "runs" / "branching-small" / "report.html"
    assert kept.read_text(encoding="utf-8") == page
    # Typed again, the command makes the same page.
    (command,) = blocks_of(kept)
    kept.unlink()
    assert reproduce(tmp_path, *shlex.split(command)[3:]).returncode == 0
    assert kept.read_text(encoding="utf-8") == page


def test_json_has_settings_frames_and_remarks(tmp_path: Path) -> None:
    result = reproduce(tmp_path, "--small", "--json", "--systems", "left-branching")
    document = json.loads(result.stdout)
    assert document["paper"] == "branching"
    assert document["settings"]["longest"] == 10
    assert [row["system"] for row in document["frames"]["scores"]] == ["left-branching"]
    (remark,) = document["remarks"]
    assert remark["published"] == {"verdict": "holds", "evidence": "30.0 against 20.0"}
    assert remark["run"] is None  # one system is no comparison


def test_published_runs_nothing(tmp_path: Path) -> None:
    result = reproduce(tmp_path, "--published")
    assert result.returncode == 0, result.stderr
    assert "30.0 against 20.0" in result.stdout
    assert not (tmp_path / "runs").exists()


def test_lists_may_be_repeated_and_hold_commas(tmp_path: Path) -> None:
    one = reproduce(tmp_path, "--small", "--json", "--systems", "left-branching,random")
    two = reproduce(
        tmp_path, "--small", "--json", "--systems", "left-branching", "--systems", "random"
    )
    assert json.loads(one.stdout)["settings"] == json.loads(two.stdout)["settings"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--small", "-t", "toy:sov"], 2, "--small"),
        (["-t", "toy:svo:train"], 2, "toy:svo"),
        (["--punctuation", "none"], 2, "punctuation"),
        (["--longest", "0"], 2, "longest"),
        (["--small", "--systems", "lefty"], 1, "lefty"),
        (["--small", "--set", "x=1"], 2, "SYSTEM.KEY=VALUE"),
    ],
)
def test_bad_settings_are_refused(
    tmp_path: Path, arguments: list[str], code: int, message: str
) -> None:
    result = reproduce(tmp_path, *arguments)
    assert result.returncode == code, result.stderr
    assert message in result.stderr
    assert "Traceback" not in result.stderr

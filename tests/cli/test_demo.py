from __future__ import annotations

import contextlib
import doctest
import re
import shlex
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from markupsafe import escape

from tests.in_process import cells_in_process, run_in_process

pytestmark = pytest.mark.long

Tour = tuple[Path, "CompletedProcess[str]"]


@pytest.fixture(scope="module")
def tour(tmp_path_factory) -> Tour:
    """The folder where the tour was taken, and what was said there."""
    folder = tmp_path_factory.mktemp("demo")
    with cells_in_process():
        result = run_in_process(
            ["demo", "--into", "tour"], folder=folder, environment={"COLUMNS": "100"}
        )
    return folder, result


def assert_report(folder: Path, result: CompletedProcess[str]) -> None:
    assert result.returncode == 0, result.stderr
    assert "the report of the challenge is tour/challenge/report.html" in result.stderr
    assert "<!doctype html>" in (folder / "tour/challenge/report.html").read_text(encoding="utf-8")
    page = (folder / "tour" / "index.html").read_text(encoding="utf-8")
    titles = [line.removeprefix("== ") for line in result.stdout.splitlines() if line[:3] == "== "]
    assert len(titles) >= 6
    assert all(title in page for title in titles)
    assert (folder / "tour" / "toy_svo" / "train.conllu").exists()


def test_the_tour_ends_in_a_report(tour):
    assert_report(*tour)


@pytest.mark.slow
def test_so_it_does_in_processes_of_their_own(run_program, tour, tmp_path):
    result = run_program("demo", "--into", "tour")
    assert_report(tmp_path, result)
    first, second = (without_costs(text) for text in (tour[1].stdout, result.stdout))
    assert first == second


def without_costs(shown: str) -> str:
    """Return what the tour shows but the time and memory that its run took."""
    return re.sub(r"(?m)^((?:\S.*(?:supervised|rules|tuned)|all) +\d+ +0 +0) .*$", r"\1", shown)


def answers(shown: str) -> dict[str, str]:
    """Return the commands of a tour, and what stands below each."""
    blocks = re.split(r"(?m)^(?:\$ |== |>>> )", shown)
    marks = re.findall(r"(?m)^(?:\$ |== |>>> )", shown)
    below = [block.partition("\n") for block in blocks[1:]]
    return {
        command: output
        for mark, (command, _, output) in zip(marks, below, strict=True)
        if mark == "$ "
    }


@pytest.mark.slow
def test_every_command_of_the_tour_prints_what_stands_below_it(tour):
    folder, result = tour
    shown = answers(result.stdout)
    assert len(shown) > 15
    for command, below in shown.items():
        with cells_in_process():
            result = run_in_process(
                shlex.split(command)[1:], folder=folder, environment={"COLUMNS": "100"}
            )
        # A file that is damaged, and a challenge that is there already.
        is_refused = "broken" in command or "challenge init" in command
        assert result.returncode == int(is_refused), command
        assert result.stdout.strip() == below.strip(), command
    page = (folder / "tour" / "index.html").read_text(encoding="utf-8")
    for output in filter(None, map(str.strip, shown.values())):
        assert escape(output) in page


def test_what_the_tour_does_in_python_is_true(tour):
    folder, result = tour
    sessions = doctest.DocTestParser().get_doctest(result.stdout, {}, "tour", None, None)
    assert len(sessions.examples) == 9
    with contextlib.chdir(folder):
        assert doctest.DocTestRunner(verbose=False).run(sessions).failed == 0


def test_a_page_needs_nothing_from_the_network(tour):
    folder, _ = tour
    page = (folder / "tour" / "index.html").read_text(encoding="utf-8")
    assert "http://" not in page
    assert "https://" not in page


@pytest.mark.slow
def test_a_quiet_tour_says_nothing(run, tmp_path, monkeypatch):
    monkeypatch.setattr("treegauge.cli.demo.TOKENS", 500)
    with cells_in_process():
        result = run("demo", "--into", "tour", "--quiet")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert (tmp_path / "tour" / "index.html").exists()

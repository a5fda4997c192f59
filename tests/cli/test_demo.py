from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

import pytest

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
    assert result.stdout == tour[1].stdout


def test_the_commands_of_the_tour_do_what_it_shows(tour):
    folder, result = tour
    shown = result.stdout
    commands = [line[len("$ treegauge ") :] for line in shown.splitlines() if line[:2] == "$ "]
    assert commands
    for command in commands:
        result = run_in_process(command.split(), folder=folder, environment={"COLUMNS": "100"})
        assert result.returncode == (1 if "broken" in command else 0), command
        if command.startswith(("validate", "describe")):
            assert result.stdout.strip() in shown


def test_a_page_needs_nothing_from_the_network(tour):
    folder, _ = tour
    page = (folder / "tour" / "index.html").read_text(encoding="utf-8")
    assert "http://" not in page
    assert "https://" not in page


def test_a_quiet_tour_says_nothing(run, tmp_path, monkeypatch):
    monkeypatch.setattr("treegauge.cli.demo.TOKENS", 500)
    with cells_in_process():
        result = run("demo", "--into", "tour", "--quiet")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert (tmp_path / "tour" / "index.html").exists()

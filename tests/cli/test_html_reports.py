from __future__ import annotations

import contextlib
import io

import pytest

from treegauge.cli import console
from treegauge.formats import write
from treegauge.reports.pages import Page
from treegauge.systems import make_system
from treegauge.toys import toy_parts


@pytest.fixture
def files(tmp_path):
    gold = toy_parts("toy:svo", tokens=1500)["test"]
    write(gold, tmp_path / "gold.conllu")
    for name in ("left-branching", "right-branching"):
        write(make_system(name).annotate(gold), tmp_path / f"{name}.conllu")
    return tmp_path


SYSTEMS = ("gold.conllu", "left-branching.conllu", "right-branching.conllu")


@pytest.mark.parametrize("verb", ["evaluate", "compare"])
def test_the_name_of_the_file_decides(run, files, verb):
    result = run(verb, *SYSTEMS, "-m", "uas", "-o", "report.html")
    assert result.returncode == 0, result.stderr
    page = (files / "report.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert f"treegauge {verb} gold.conllu left-branching.conllu right-branching.conllu" in page
    assert result.stdout == ""
    assert "wrote report.html" in result.stderr


def test_the_command_of_a_report_makes_the_same_report(run, files):
    run("evaluate", *SYSTEMS, "-m", "uas", "--preset", "pascal", "--seed", "3", "-o", "a.html")
    first = (files / "a.html").read_text("utf-8")
    command = first.partition('<pre class="command" tabindex="0">')[2].partition("</pre>")[0]
    run(*command.replace("a.html", "b.html").split()[1:])
    second = (files / "b.html").read_text("utf-8").replace("b.html", "a.html")
    # The time that it took is another.
    kept = [
        [line for line in page.splitlines() if "seconds for reading" not in line]
        for page in (first, second)
    ]
    assert kept[0] == kept[1]


def test_a_page_on_standard_output(run, files):
    result = run("evaluate", *SYSTEMS[:2], "--format", "html")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("<!doctype html>")
    assert sorted(path.suffix for path in files.iterdir()) == [".conllu"] * 3


def test_figures(run, files):
    result = run("evaluate", *SYSTEMS, "-m", "uas", "-o", "report.html", "--figures", "figures")
    assert result.returncode == 0, result.stderr
    names = {path.name for path in (files / "figures").glob("*.svg")}
    assert {"scores-uas.svg", "uas-by-edge-length.svg", "uas-by-sentence-length.svg"} <= names


def test_no_figures_is_said_where_there_are_none(tmp_path):
    page = Page("empty", "", [])
    with contextlib.redirect_stderr(io.StringIO()) as said:
        console.emit_page(page, str(tmp_path / "page.html"), str(tmp_path / "figures"))
    assert "no figures: this page has none" in said.getvalue()
    assert not (tmp_path / "figures").exists()


def test_scores_that_are_no_shares_are_not_drawn_as_an_empty_chart(run, tmp_path):
    write(toy_parts("toy:svo", tokens=300)["test"], tmp_path / "gold.conllu")
    run("induce", "brown", "gold.conllu", "--set", "classes=3", "-o", "classes.conllu")
    files = ("gold.conllu", "classes.conllu", "-o", "page.html", "--figures", "figures")
    result = run("evaluate", *files, "-m", "vi", "--preset", "pascal")
    assert result.returncode == 0, result.stderr
    assert "no figures" not in result.stderr
    assert not list((tmp_path / "figures").glob("scores-*"))


def test_figures_without_a_report_are_misuse(run, files):
    result = run("evaluate", *SYSTEMS, "--figures", "figures")
    assert result.returncode == 2
    assert "add -o report.html" in result.stderr


def test_json_into_a_file_of_any_name(run, files):
    result = run("evaluate", *SYSTEMS, "-m", "uas", "--json", "-o", "odd.html")
    assert result.returncode == 0, result.stderr
    assert (files / "odd.html").read_text("utf-8").startswith("{")

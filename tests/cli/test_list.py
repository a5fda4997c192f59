from __future__ import annotations

import json

import pytest

from treegauge.formats import FORMATS, KINDS, REPAIRS


def test_every_format_is_listed(run):
    document = json.loads(run("list", "formats", "--json").stdout)
    assert [row["format"] for row in document["formats"]] == list(FORMATS)


def test_every_finding_is_listed_with_its_severities(run):
    document = json.loads(run("list", "findings", "--json").stdout)
    assert [row["finding"] for row in document["findings"]] == [*KINDS, *REPAIRS]
    cycle = next(row for row in document["findings"] if row["finding"] == "cycle")
    assert (cycle["gold"], cycle["gold, strict"], cycle["prediction"]) == (
        "warning",
        "error",
        "warning",
    )


def test_a_terminal_gets_a_table(run):
    shown = run("list", "formats").stdout
    assert shown.splitlines()[0].split() == ["format", "extensions", "summary"]


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("list.md", "| format | extensions |"),
        ("list.TEX", r"\begin{table}"),
        ("list.tsv", "format\textensions\tsummary\n"),
        ("list.json", "{\n"),
        ("list.txt", "format "),
    ],
)
def test_the_name_of_a_file_chooses_the_form_unless_one_is_given(run, tmp_path, name, beginning):
    assert run("list", "formats", "-o", name).returncode == 0
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(beginning)
    run("list", "formats", "-o", name, "-f", "table")
    assert (tmp_path / name).read_text(encoding="utf-8").startswith("format ")
    run("list", "formats", "-o", name, "--json")
    assert json.loads((tmp_path / name).read_text(encoding="utf-8"))["schema"] == 1

from __future__ import annotations

import json

from treegauge.formats import FORMATS, KINDS


def test_every_format_is_listed(run):
    document = json.loads(run("list", "formats", "--json").stdout)
    assert [row["format"] for row in document["formats"]] == list(FORMATS)


def test_every_finding_is_listed_with_its_severities(run):
    document = json.loads(run("list", "findings", "--json").stdout)
    assert [row["finding"] for row in document["findings"]] == list(KINDS)
    cycle = next(row for row in document["findings"] if row["finding"] == "cycle")
    assert (cycle["gold"], cycle["gold, strict"], cycle["prediction"]) == (
        "warning",
        "error",
        "warning",
    )


def test_a_terminal_gets_a_table(run):
    shown = run("list", "formats").stdout
    assert shown.splitlines()[0].split() == ["format", "extensions", "summary"]

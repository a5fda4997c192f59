from __future__ import annotations

import json
import re

from tests.unit.reports.pages.test_page import check, report_of
from tests.unit.results.made_up import results, row
from treegauge.reports.pages import RunAnnotations, make_run_page
from treegauge.reports.pages.grid import (
    MOST_COLUMNS,
    UNKNOWN,
    Grid,
    GridSystem,
    GridTable,
    described,
    grid_document,
)
from treegauge.tables import PERCENT, Cell


def test_treebanks_are_described_by_their_names():
    assert described("ar_padt") == {
        "language": "Arabic",
        "family": "Afro-Asiatic",
        "genus": "Semitic",
        "script": "Arabic",
    }
    assert set(described("toy:svo").values()) == {UNKNOWN}
    assert set(described("it_works", "whole").values()) == {UNKNOWN}


def test_a_grid_is_columns_of_numbers():
    cells = {
        ("ours", "ar_padt"): Cell(0.5, 0.4, 0.6000000001, n=10, signature="uas|x", command="do it"),
        ("theirs", "da_ddt"): Cell(0.25, letters="a"),
        ("theirs", "ar_padt"): Cell(note="timeout"),
    }
    systems = [GridSystem("ours", "unsupervised", "a"), GridSystem("theirs", "supervised", "b")]
    table = GridTable("UAS", PERCENT, True, systems, cells, ["a note"])
    grid = Grid({name: described(name) for name in ("ar_padt", "da_ddt")}, [table])
    document = grid_document(grid, lambda _: 7, lambda _: "8 9")
    assert [one[0] for one in document["treebanks"]] == ["ar_padt", "da_ddt"]
    (shown,) = document["tables"]
    assert (shown["scale"], shown["decimals"], shown["higher"]) == (100, 2, True)
    ours, theirs = shown["systems"]
    assert ours == {
        "name": "ours",
        "supervision": "unsupervised",
        "letter": "a",
        "value": [0.5, None],
        "low": [0.4, None],
        "high": [0.6, None],
        "n": [10, None],
        "signature": [7, None],
        "command": ["8 9", None],
    }
    assert theirs["value"] == [None, 0.25]
    assert theirs["letters"] == [None, "a"]
    assert theirs["note"] == ["timeout", None]
    assert "low" not in theirs


def test_many_treebanks_are_a_grid_and_few_are_columns(tmp_path):
    nothing = RunAnnotations({}, {})

    def html(treebanks: int) -> str:
        rows = [
            row(f"en_corpus{i}", system, 0.5 + i / 1000)
            for i in range(treebanks)
            for system in ("dmv", "<b>ours")
        ]
        return make_run_page(report_of(results(*rows), tmp_path), nothing).to_html()

    few, many = html(MOST_COLUMNS), html(MOST_COLUMNS + 1)
    check(many)
    assert 'class="grid"' not in few
    assert "Languages</h2>" in few
    assert many.count('class="grid"') == 1
    assert "Languages</h2>" not in many
    assert "en_corpus30" not in few
    of_grid = r'class="grid">.*?<script type="application/json">(.*?)</script>'
    data = re.search(of_grid, many, re.DOTALL)
    document = json.loads(data[1])
    assert len(document["treebanks"]) == MOST_COLUMNS + 1
    assert document["tables"][0]["systems"][0]["value"][:2] == [0.5, 0.501]
    assert "<b>" not in data[1]

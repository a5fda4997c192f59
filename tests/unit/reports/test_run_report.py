from __future__ import annotations

import pytest

from tests.unit.results.made_up import results, row
from treegauge.reports import report
from treegauge.results.long_table import ResultsError, write_long_table
from treegauge.tables import ColumnsError


@pytest.fixture
def made_up(tmp_path):
    rows = [
        row(treebank, system, value + k / 100, metric=metric, low=value, high=value + 0.1)
        for k, treebank in enumerate(("a", "b"))
        for metric in ("uas", "ned")
        for system, value in (("x", 0.2), ("y", 0.3))
    ]
    (tmp_path / "cells").mkdir()
    write_long_table(results(*rows), tmp_path / "results.parquet")
    return report(tmp_path)


def heads(table):
    return [column.title for column in table.columns]


def test_a_table_for_every_metric_below_the_costs(made_up):
    costs, uas, ned = made_up.tables()
    assert heads(costs)[:3] == ["system", "track", "supervision"]
    assert uas.title.startswith("dependencies: UAS")
    assert ned.title.startswith("dependencies: NED")
    assert heads(uas) == ["", "a", "b", "average (available)", "average (common)"]


def test_tables_can_be_turned(made_up):
    _, uas, _ = made_up.tables("treebanks")
    assert heads(uas) == ["", "x", "y", "n"]
    assert [r.cells[0].value for r in uas.rows][:2] == ["a", "b"]
    _, *of_treebanks = made_up.tables("metrics")
    assert [table.title.rpartition(": ")[2] for table in of_treebanks] == [
        "a", "b", "average (available)", "average (common)",
    ]  # fmt: skip
    assert [r.cells[0].value for r in of_treebanks[0].rows] == ["UAS", "NED"]
    assert of_treebanks[0].rows[0].cells[2].best


def test_columns_and_intervals_can_be_left_out(made_up):
    _, uas, _ = made_up.tables(columns=["b"], intervals=True)
    assert heads(uas) == ["", "b"]
    assert uas.cell_text(uas.rows[0].cells[1], 1) == "21.00 [20.00, 30.00]"
    _, uas, _ = made_up.tables()
    assert uas.cell_text(uas.rows[0].cells[1], 1) == "20.00"
    with pytest.raises(ColumnsError, match="no table has a column 'c'"):
        made_up.tables(columns=["c"])


def test_data_have_one_row_per_system_and_treebank(made_up):
    frame = made_up.to_polars()
    assert frame.select("system", "treebank", "uas", "ned_low").rows()[:2] == [
        ("x", "a", 0.2, 0.2), ("x", "b", pytest.approx(0.21), 0.2),
    ]  # fmt: skip
    assert frame.height == 2 * 4


def test_it_has_a_first_table_like_all_results(made_up):
    assert made_up.table() == made_up.tables()[1]


def test_it_prints_and_shows_itself(made_up):
    assert str(made_up).count("(preset pascal)") == 2
    assert made_up._repr_html_().count("<table>") == 3
    assert [table["metric"] for table in made_up.to_dict()["tables"]] == ["uas", "ned"]


def test_what_is_no_run_is_refused(tmp_path):
    with pytest.raises(ResultsError, match="not the folder of a run"):
        report(tmp_path)

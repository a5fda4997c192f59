from __future__ import annotations

import csv
import io

from hypothesis import given, strategies as st

from tests.unit.tables.test_table import SCORES
from treegauge.tables import Column, Table


def test_tsv_keeps_numbers_as_they_are() -> None:
    table = Table(("tag", "words", "share"), [("A|B", 12345, 0.5), ("50%", None, 1.0)])
    assert table.to_tsv() == "tag\twords\tshare\nA|B\t12345\t0.5\n50%\t\t1.0\n"
    assert Table(("a",), [("x\ty\nz",)]).to_tsv() == "a\nx y z\n"


def test_intervals_and_sizes_have_columns_of_their_own() -> None:
    assert SCORES.to_tsv().splitlines() == [
        "group\tname\tuas\tuas_low\tuas_high\tuas_n\twords",
        "x & y\ta\t0.5\t0.4\t0.6\t10\t12345",
        "x & y\tb\t0.70001\t\t\t\t2",
        "x & y\tpaper\t0.9\t\t\t\t",
        "z\tc\t\t\t\t\t",
    ]


def test_a_table_without_rows_has_its_heads() -> None:
    assert Table(("a", "b"), []).to_tsv() == "a\tb\n"
    assert Table(("a", "b"), []).to_csv() == "a,b\n"


@given(st.lists(st.tuples(st.text(), st.floats(allow_nan=False) | st.none())))
def test_csv_reads_back_as_it_was(rows: list[tuple[str, float | None]]) -> None:
    text = Table(("a", "b"), rows).to_csv()
    read = list(csv.reader(io.StringIO(text, newline="")))[1:]
    # An apostrophe before what a spreadsheet would take for a formula is ours.
    same = [
        a if a == one else a.removeprefix("'") for (a, _), (one, _) in zip(read, rows, strict=True)
    ]
    values = [float(b) if b else None for _, b in read]
    assert list(zip(same, values, strict=True)) == rows


def test_name_that_is_a_formula_is_computed_by_a_spreadsheet() -> None:
    names = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", " =1", "\t=1", "\r=1", "-LRB-"]
    table = Table(("name", Column("head", key="=head")), [(name, -0.5) for name in names])
    header, *rows = csv.reader(io.StringIO(table.to_csv(), newline=""))
    assert header == ["name", "'=head"]
    assert rows == [[f"'{name}", "-0.5"] for name in names]
    assert all(line.startswith("'") for line in table.to_tsv().splitlines()[1:])


def test_numbers_and_plain_names_are_no_formulas() -> None:
    table = Table(("name",), [("-0.5",), ("+3",), ("en-ewt",), ("a=b",), ("",)])
    assert table.to_tsv() == "name\n-0.5\n+3\nen-ewt\na=b\n\n"


def test_columns_of_the_same_name_are_told_apart() -> None:
    assert Table(("metric", "metric"), [("a", "b")]).to_tsv() == "metric\tmetric_2\na\tb\n"

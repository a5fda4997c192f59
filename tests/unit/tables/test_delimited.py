from __future__ import annotations

import csv
import io

from hypothesis import given, strategies as st

from tests.unit.tables.test_table import SCORES
from treegauge.tables import Table


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
    assert [(a, float(b) if b else None) for a, b in read] == [*rows]


def test_columns_of_the_same_name_are_told_apart() -> None:
    assert Table(("metric", "metric"), [("a", "b")]).to_tsv() == "metric\tmetric_2\na\tb\n"

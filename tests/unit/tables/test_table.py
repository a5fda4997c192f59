from __future__ import annotations

import pytest

from treegauge.results import Score, Signature
from treegauge.tables import DIFFERENCE, NUMBER, PERCENT, Cell, Column, Row, Table, column_key
from treegauge.tables.records import records

SCORES = Table(
    ["", Column("UAS", format=PERCENT), "words"],
    [
        Row(["a", Cell(0.5, 0.4, 0.6, n=10), 12345], group="x & y"),
        Row(["b", Cell(0.70001, letters="a", note="why"), 2], group="x & y"),
        Row(["paper", Cell(0.9), None], group="x & y", published=True),
        Row(["c", Cell(None, note="why"), None], group="z"),
    ],
    title="T",
    notes=["how"],
)


def test_plain_values_become_cells_and_columns() -> None:
    table = Table(["tag", "n"], [["NOUN", 3]])
    assert table.columns == (Column("tag"), Column("n"))
    assert table.rows == (Row([Cell("NOUN"), Cell(3)]),)


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="1 cells under 2 columns"):
        Table(["a", "b"], [["x"]])


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (Cell("text"), "text"),
        (Cell(None), "–"),
        (Cell(float("nan")), "–"),
        (Cell(1234), "1,234"),
        (Cell(0.5), "50.00"),
        (Cell(0.5, 0.25, 0.75), "50.00 [25.00, 75.00]"),
        (Cell(0.5, deviation=0.01), "50.00 ± 1.00"),
        (Cell(0.5, letters="ab"), "50.00 ab"),
        (Cell(0.5, remark="3"), "50.00 (3)"),
        (Cell(0.5, details={"precision": 0.25, "recall": 0.75}), "50.00 (P 25.00 R 75.00)"),
        (Cell(2.5, format=NUMBER), "2.50"),
        (Cell(0.5, 0.25, 0.75, letters="a", note="odd"), "50.00 [25.00, 75.00] a[1]"),
    ],
)
def test_how_a_cell_is_shown(cell: Cell, text: str) -> None:
    table = Table([Column("x", format=PERCENT)], [[cell]])
    assert table.cell_text(table.rows[0].cells[0], 0) == text


def test_footnotes_are_numbered_once_in_the_order_of_cells() -> None:
    assert SCORES.footnotes() == {"why": 1}
    assert SCORES.all_notes() == ["[1] why", "how"]


def test_columns_of_numbers_are_known() -> None:
    assert [SCORES.is_numeric(j) for j in range(3)] == [False, True, True]
    assert not Table(["a"], [[None]]).is_numeric(0)
    assert not Table(["a"], []).is_numeric(0)
    assert not Table(["a"], [[1], ["x"]]).is_numeric(0)


def test_rows_come_by_group() -> None:
    assert [(group, len(rows)) for group, rows in SCORES.grouped()] == [("x & y", 3), ("z", 1)]


def test_the_best_is_sought_within_a_group_and_never_among_published_rows() -> None:
    best = SCORES.with_best([1])
    assert [row.cells[1].best for row in best.rows] == [False, True, False, False]
    assert not any(row.cells[2].best for row in best.rows)


def test_all_of_several_that_look_the_same_are_best() -> None:
    table = Table(["", Column("x", format=PERCENT)], [["a", 0.50001], ["b", 0.50004]])
    assert all(row.cells[1].best for row in table.with_best().rows)


def test_lower_is_better_for_distances() -> None:
    table = Table(["", "vi"], [["a", 2.0], ["b", 3.0]]).with_best(higher_is_better=False)
    assert [row.cells[1].best for row in table.rows] == [True, False]


def test_without_intervals_people_see_none_and_data_keep_them() -> None:
    bare = SCORES.without_intervals()
    assert "[40.00" not in bare.to_text()
    assert bare.to_tsv() == SCORES.to_tsv()
    assert "0.4" in bare.to_tsv()


def test_a_score_becomes_a_cell_with_all_that_belongs_to_it() -> None:
    score = Score("uas", 0.5, 0.4, 0.6, 10, Signature("uas", (("len", "all"),)))
    cell = Cell.of_score(score, best=True)
    assert (cell.value, cell.low, cell.high, cell.n, cell.best) == (0.5, 0.4, 0.6, 10, True)
    assert cell.signature == "uas|len:all"
    assert cell.format is PERCENT


def test_names_of_columns_in_data() -> None:
    assert column_key("DLM ratio") == "dlm_ratio"
    assert column_key("tokens/sentence") == "tokens_per_sentence"
    assert column_key("VI ↓") == "vi"


@pytest.mark.parametrize("width", [20, 30, 31, 60, 200])
def test_a_wide_table_comes_in_pieces_that_fit(width: int) -> None:
    columns = ["name", *(f"column {i}" for i in range(8))]
    rows = [["x", *map(float, range(8))], ["long name", *[None] * 8]]
    pieces = Table(columns, rows, title="T", notes=("N",)).in_pieces(width)
    assert [head.title for piece in pieces for head in piece.columns[1:]] == columns[1:]
    assert all(piece.columns[0].title == "name" for piece in pieces)
    assert [c.value for p in pieces for c in p.rows[0].cells[1:]] == [*map(float, range(8))]
    assert [piece.notes for piece in pieces] == [()] * (len(pieces) - 1) + [("N",)]
    for piece in pieces:
        shown = piece.to_text(width=200)
        # A single column may be wider than there is room for.
        assert len(piece.columns) == 2 or max(map(len, shown.splitlines())) <= width
    # 9 for the names, 3 + 8 for every further column.
    assert len(pieces) == {20: 8, 30: 8, 31: 4, 60: 2, 200: 1}[width]


def test_a_notebook_shows_html() -> None:
    assert SCORES._repr_html_().startswith("<table>")
    assert str(SCORES) == SCORES.to_text()


def test_a_range_without_a_value() -> None:
    table = Table(["", Column("gain", format=DIFFERENCE)], [["a", Cell(low=0.093, high=0.151)]])
    assert table.cell_text(table.rows[0].cells[1], 1) == "+9.30 to +15.10"
    assert records(table) == [{"name": "a", "gain": None, "gain_low": 0.093, "gain_high": 0.151}]

from __future__ import annotations

import pytest

from treegauge.reports import Table

TABLE = Table(("tag", "words", "share"), [("A_B|C", 12345, 0.5), ("50%", None, 1.0)], title="Tags")


def test_markdown_aligns_numbers_and_escapes_bars():
    assert TABLE.to_markdown() == (
        "**Tags**\n\n"
        "| tag | words | share |\n"
        "| :-- | --: | --: |\n"
        "| A_B\\|C | 12,345 | 0.50 |\n"
        "| 50% | – | 1.00 |\n"
    )


def test_latex_escapes_what_latex_would_misread():
    lines = TABLE.to_latex().splitlines()
    assert r"\begin{tabular}{lrr}" in lines
    assert r"A\_B\textbar{}C & 12,345 & 0.50 \\" in lines
    assert r"50\% & -- & 1.00 \\" in lines


def test_latex_takes_no_cell_for_an_argument_of_the_row_above():
    lines = Table(("a", "b"), [("[x]", "[y]"), ("*", "1 < 2 [3]")]).to_latex().splitlines()
    assert r"{[}x] & {[}y] \\" in lines
    assert r"{*} & 1 \textless{} 2 [3] \\" in lines


def test_tsv_keeps_numbers_as_they_are():
    assert TABLE.to_tsv() == "tag\twords\tshare\nA_B|C\t12345\t0.5\n50%\t\t1.0\n"
    assert Table(("a",), [("x\ty\nz",)]).to_tsv() == "a\nx y z\n"


def test_text_has_no_trailing_spaces_and_no_colours():
    shown = TABLE.to_text()
    assert "\x1b" not in shown
    assert all(line == line.rstrip() for line in shown.splitlines())
    assert "12,345" in shown


def test_a_title_is_not_folded_to_the_width_of_a_narrow_table():
    title = "a title of more words than the table is wide"
    assert Table(("a",), [("b",)], title=title).to_text().splitlines()[0] == title


def test_markup_in_cells_is_text():
    assert "[bold]" in Table(("a",), [("[bold]x",)]).to_text()


def test_a_table_without_rows_shows_its_heads():
    assert Table(("a", "b"), []).to_tsv() == "a\tb\n"
    assert "a" in Table(("a", "b"), []).to_text()


GROUPED = Table(
    ("", "a_b", "c"),
    [("x & y", None, None), ("one", "1.00 ± 0.10", 2), ("z", None, None), ("two", None, 12)],
    notes=("[1] why", "how"),
    bold=frozenset({(1, 1)}),
    headings=frozenset({0, 2}),
    right=frozenset({1}),
)


def test_headings_of_groups_have_no_missing_cells():
    lines = GROUPED.to_markdown().splitlines()
    assert lines[1:6] == [
        "| :-- | --: | --: |",
        "| *x & y* |  |  |",
        "| one | **1.00 ± 0.10** | 2 |",
        "| *z* |  |  |",
        "| two | – | 12 |",
    ]
    assert lines[6:] == ["", "[1] why", "", "how"]
    assert "x & y\n" in GROUPED.to_text()
    assert GROUPED.to_tsv() == "\ta_b\tc\none\t1.00 ± 0.10\t2\ntwo\t\t12\n"
    assert '<th colspan="3" scope="rowgroup" style="text-align: left">x &amp; y</th>' in (
        GROUPED.to_html()
    )


def test_latex_draws_a_line_above_every_group_but_the_first():
    lines = GROUPED.to_latex().splitlines()
    start = lines.index(r"\toprule")
    assert lines[start + 1 : start + 8] == [
        r" & a\_b & c \\",
        r"\midrule",
        r"\multicolumn{3}{l}{\emph{x \& y}} \\",
        r"one & \textbf{1.00 $\pm$ 0.10} & 2 \\",
        r"\midrule",
        r"\multicolumn{3}{l}{\emph{z}} \\",
        r"two & -- & 12 \\",
    ]


@pytest.mark.parametrize("width", [20, 30, 31, 60, 200])
def test_a_wide_table_comes_in_pieces_that_fit(width):
    columns = ["name", *(f"column {i}" for i in range(8))]
    rows = [["x", *map(float, range(8))], ["group", *[None] * 8], ["long name", *[None] * 8]]
    bold = frozenset({(0, 3), (0, 8)})
    table = Table(columns, rows, title="T", notes=("N",), bold=bold, headings=frozenset({1}))
    pieces = table.in_pieces(width)
    assert [head for piece in pieces for head in piece.columns[1:]] == columns[1:]
    assert all(piece.columns[0] == "name" for piece in pieces)
    assert [piece.rows[i][j] for piece in pieces for i, j in sorted(piece.bold)] == [2.0, 7.0]
    assert [piece.notes for piece in pieces] == [()] * (len(pieces) - 1) + [("N",)]
    for piece in pieces:
        shown = piece.to_text(width=200)
        # A single column may be wider than there is room for.
        assert len(piece.columns) == 2 or max(map(len, shown.splitlines())) <= width
    # 9 for the names, 3 + 8 for every further column.
    assert len(pieces) == {20: 8, 30: 8, 31: 4, 60: 2, 200: 1}[width]

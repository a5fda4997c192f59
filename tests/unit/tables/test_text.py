from __future__ import annotations

from tests.unit.tables.test_table import SCORES
from treegauge.tables import Cell, Table

TABLE = Table(("tag", "words", "share"), [("A_B|C", 12345, 0.5), ("50%", None, 1.0)], title="Tags")


def test_text_has_no_trailing_spaces_and_no_colours() -> None:
    shown = TABLE.to_text()
    assert "\x1b" not in shown
    assert all(line == line.rstrip() for line in shown.splitlines())
    assert "12,345" in shown


def test_the_best_is_bold_where_there_are_colours() -> None:
    assert "\x1b[1m" in SCORES.with_best([1]).to_text(colour=True)
    assert "\x1b[1m70.00" not in SCORES.to_text(colour=True)


def test_a_title_is_not_folded_to_the_width_of_a_narrow_table() -> None:
    title = "a title of more words than the table is wide"
    assert Table(("a",), [("b",)], title=title).to_text().splitlines()[0] == title


def test_markup_in_cells_is_text() -> None:
    assert "[bold]" in Table(("a",), [("[bold]x",)]).to_text()


def test_a_table_without_rows_shows_its_heads() -> None:
    assert "a" in Table(("a", "b"), []).to_text()


def test_headings_of_groups_stand_alone() -> None:
    lines = SCORES.to_text().splitlines()
    assert "x & y" in lines
    assert lines.index("x & y") < lines.index("z")
    assert lines[-2:] == ["[1] why", "how"]


def test_numbers_with_intervals_line_up() -> None:
    cells = [Cell(75.3, 56.8, 88.3), Cell(100.0, 45.0, 74.0, letters="ab"), Cell()]
    text = Table(["", "ours"], [[name, cell] for name, cell in zip("xyz", cells, strict=True)])
    lines = str(text).splitlines()[2:]
    assert lines[0] == "x    75.30 [56.80, 88.30]"
    assert lines[1] == "y   100.00 [45.00, 74.00] ab"
    assert lines[2] == "z        –"


def test_control_characters_of_a_name_reach_the_terminal() -> None:
    hostile = "a\x1b[31m\x9b\u202e\u2066\u200f:free:[red]"
    table = Table((hostile, "n"), [(hostile, 1)], title=hostile, notes=[hostile])
    text = table.to_text(width=400)
    assert text.count(r"a\x1b[31m\x9b\u202e\u2066\u200f:free:[red]") == 4
    assert not set(text) & set("\x1b\x9b\u202e\u2066\u200f")

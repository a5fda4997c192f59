from __future__ import annotations

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
    assert r"A\_B|C & 12,345 & 0.50 \\" in lines
    assert r"50\% & -- & 1.00 \\" in lines


def test_tsv_keeps_numbers_as_they_are():
    assert TABLE.to_tsv() == "tag\twords\tshare\nA_B|C\t12345\t0.5\n50%\t\t1.0\n"
    assert Table(("a",), [("x\ty\nz",)]).to_tsv() == "a\nx y z\n"


def test_text_has_no_trailing_spaces_and_no_colours():
    shown = TABLE.to_text()
    assert "\x1b" not in shown
    assert all(line == line.rstrip() for line in shown.splitlines())
    assert "12,345" in shown


def test_markup_in_cells_is_text():
    assert "[bold]" in Table(("a",), [("[bold]x",)]).to_text()


def test_a_table_without_rows_shows_its_heads():
    assert Table(("a", "b"), []).to_tsv() == "a\tb\n"
    assert "a" in Table(("a", "b"), []).to_text()

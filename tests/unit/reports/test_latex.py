from __future__ import annotations

from tests.unit.tables.test_table import SCORES
from treegauge.reports.latex import to_latex
from treegauge.tables import Table


def test_latex_escapes_what_latex_would_misread() -> None:
    table = Table(("tag", "words", "share"), [("A_B|C", 12345, 0.5), ("50%", None, 1.0)])
    lines = to_latex(table).splitlines()
    assert r"\begin{tabular}{lrr}" in lines
    assert r"A\_B\textbar{}C & 12,345 & 0.50 \\" in lines
    assert r"50\% & -- & 1.00 \\" in lines
    assert r"{*}? \\" in to_latex(Table(["a"], [["*\ufffd"]])).splitlines()


def test_latex_takes_no_cell_for_an_argument_of_the_row_above() -> None:
    lines = to_latex(Table(("a", "b"), [("[x]", "[y]"), ("*", "1 < 2 [3]")])).splitlines()
    assert r"{[}x] & {[}y] \\" in lines
    assert r"{*} & 1 \textless{} 2 [3] \\" in lines


def test_latex_draws_a_line_above_every_group_but_the_first() -> None:
    lines = to_latex(SCORES.with_best([1])).splitlines()
    start = lines.index(r"\toprule")
    assert lines[start + 1 : start + 9] == [
        r" & UAS & words \\",
        r"\midrule",
        r"\multicolumn{3}{l}{\emph{x \& y}} \\",
        r"a & 50.00 [40.00, 60.00] & 12,345 \\",
        r"b & \textbf{70.00} a[1] & 2 \\",
        r"paper & 90.00 & -- \\",
        r"\midrule",
        r"\multicolumn{3}{l}{\emph{z}} \\",
    ]

"""Tables, once made, in every form people ask for."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

Cell = str | int | float | None

NOTHING = "–"
"""How a missing value is shown."""


@dataclass(frozen=True)
class Table:
    """Rows under column heads; numbers stay numbers until they are shown.

    Attributes
    ----------
    columns : sequence of str
        Column heads.
    rows : sequence of rows
        Cells: text, numbers, or None where there is no value.
    title : str
        One line above the table.
    notes : sequence of str
        Lines below it.
    bold : set of (row, column)
        The cells to be printed in bold: the best ones.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    notes: Sequence[str] = ()
    bold: frozenset[tuple[int, int]] = frozenset()

    def is_numeric(self, column: int) -> bool:
        """Return whether a column holds numbers only (and perhaps missing values)."""
        cells = [row[column] for row in self.rows if row[column] is not None]
        return bool(cells) and not any(isinstance(cell, str) for cell in cells)

    def to_markdown(self) -> str:
        """Return a GitHub-flavoured Markdown table."""
        aligned = ["--:" if self.is_numeric(c) else ":--" for c in range(len(self.columns))]
        lines = [_markdown_row(self.columns), _markdown_row(aligned)]
        lines += [_markdown_row(self._marked(i, "**{}**")) for i in range(len(self.rows))]
        title = [f"**{self.title}**", ""] if self.title else []
        notes = ["", *self.notes] if self.notes else []
        return "\n".join([*title, *lines, *notes]) + "\n"

    def to_latex(self) -> str:
        """Return a LaTeX table; it needs the package booktabs."""
        spec = "".join("r" if self.is_numeric(c) else "l" for c in range(len(self.columns)))
        body = [
            rf"\begin{{tabular}}{{{spec}}}",
            r"\toprule",
            _latex_row(self.columns),
            r"\midrule",
            *[self._latex_row(i) for i in range(len(self.rows))],
            r"\bottomrule",
            r"\end{tabular}",
        ]
        caption = [rf"\caption{{{latex(self.title)}}}"] if self.title else []
        notes = [rf"\\[2pt] {{\footnotesize {latex(note)}}}" for note in self.notes]
        return (
            "\n".join([r"\begin{table}", r"\centering", *caption, *body, *notes, r"\end{table}"])
            + "\n"
        )

    def to_html(self) -> str:
        """Return an HTML table, notes in paragraphs below it."""
        numeric = [self.is_numeric(c) for c in range(len(self.columns))]
        head = "".join(
            _html_cell("th", column, numeric[c]) for c, column in enumerate(self.columns)
        )
        rows = [
            "".join(
                _html_cell("td", shown(cell), numeric[j], bold=(i, j) in self.bold)
                for j, cell in enumerate(row)
            )
            for i, row in enumerate(self.rows)
        ]
        body = "\n".join(f"<tr>{row}</tr>" for row in rows)
        caption = f"<caption>{html.escape(self.title)}</caption>" if self.title else ""
        notes = "".join(f'\n<p class="note">{html.escape(note)}</p>' for note in self.notes)
        parts = [f"<table>{caption}", f"<thead><tr>{head}</tr></thead>", "<tbody>", body]
        return "\n".join([*parts, "</tbody></table>"]) + notes

    def to_tsv(self) -> str:
        """Return tab-separated values: numbers as they are, nothing where there is no value."""
        lines = ["\t".join(self.columns)]
        lines += ["\t".join(_tsv_cell(cell) for cell in row) for row in self.rows]
        return "\n".join(lines) + "\n"

    def to_text(self, *, width: int = 100, colour: bool = False) -> str:
        """Return the table as a terminal shows it."""
        from rich import box
        from rich.console import Console
        from rich.table import Table as RichTable
        from rich.text import Text

        table = RichTable(
            box=box.SIMPLE_HEAD,
            title=Text(self.title) if self.title else None,
            title_justify="left",
            pad_edge=False,
            show_edge=False,
        )
        for index, column in enumerate(self.columns):
            table.add_column(Text(column), justify="right" if self.is_numeric(index) else "left")
        for i, row in enumerate(self.rows):
            table.add_row(
                *[
                    Text(shown(cell), style="bold" if (i, j) in self.bold else "")
                    for j, cell in enumerate(row)
                ]
            )
        out = io.StringIO()
        console = Console(
            file=out, width=width, force_terminal=colour, no_color=not colour, highlight=False
        )
        console.print(table)
        for note in self.notes:
            console.print(Text(note, style="dim"))
        return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"

    def _marked(self, row: int, mark: str) -> list[str]:
        return [
            mark.format(shown(cell)) if (row, j) in self.bold else shown(cell)
            for j, cell in enumerate(self.rows[row])
        ]

    def _latex_row(self, row: int) -> str:
        cells = [latex(shown(cell)) for cell in self.rows[row]]
        marked = [
            rf"\textbf{{{cell}}}" if (row, j) in self.bold else cell for j, cell in enumerate(cells)
        ]
        return " & ".join(marked) + r" \\"


def shown(cell: Cell) -> str:
    """Return a cell as people read it: thousands divided, two decimals.

    >>> shown(25094), shown(0.5), shown(None), shown("NOUN")
    ('25,094', '0.50', '–', 'NOUN')
    """
    if cell is None:
        return NOTHING
    if isinstance(cell, float):
        return f"{cell:,.2f}"
    return f"{cell:,}" if isinstance(cell, int) else cell


_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "↓": r"$\downarrow$",
    "×": r"$\times$",
}


def latex(text: str) -> str:
    """Return a text that LaTeX prints as it stands."""
    return re.sub(r"[\\{}&%$#_~^–↓×]", lambda found: _LATEX_SPECIAL[found[0]], text)


def _html_cell(tag: str, text: str, is_number: bool, *, bold: bool = False) -> str:
    shown_text = html.escape(text)
    if bold:
        shown_text = f"<b>{shown_text}</b>"
    # Said on the cell itself: a notebook has no style sheet of ours.
    style = ' style="text-align: right"' if is_number else ' style="text-align: left"'
    return f"<{tag}{style}>{shown_text}</{tag}>"


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(latex(cell) for cell in cells) + r" \\"


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def _tsv_cell(cell: Cell) -> str:
    return "" if cell is None else re.sub(r"[\t\r\n]+", " ", str(cell))

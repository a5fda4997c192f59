"""Tables, once made, in every form people ask for: the former model, until nobody uses it."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from treegauge import tables

Cell = str | int | float | None

NOTHING = "–"
"""How a missing value is shown."""

_BETWEEN = 3
"""Spaces between two columns in a terminal."""


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
    headings : set of int
        Rows that head a group of rows: their first cell is the heading, the others are empty.
    right : set of int
        Columns of text that reads as numbers, such as `84.31 ± 0.20`, and is aligned as they are.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    notes: Sequence[str] = ()
    bold: frozenset[tuple[int, int]] = frozenset()
    headings: frozenset[int] = frozenset()
    right: frozenset[int] = frozenset()

    def is_numeric(self, column: int) -> bool:
        """Return whether a column holds numbers only (and perhaps missing values)."""
        if column in self.right:
            return True
        cells = [row[column] for row in self.rows if row[column] is not None]
        return bool(cells) and not any(isinstance(cell, str) for cell in cells)

    def in_pieces(self, width: int) -> list[Table]:
        """Return tables that are no wider, the first column in each, notes under the last."""
        shown_rows = [
            [self._shown(i, j) for j in range(len(row))] for i, row in enumerate(self.rows)
        ]
        widths = [
            max(map(len, column)) + _BETWEEN
            for column in zip(self.columns, *self._without_headings(shown_rows), strict=True)
        ]
        if self.headings:
            widths[0] = max(widths[0], *(len(shown_rows[i][0]) + _BETWEEN for i in self.headings))
        pieces: list[list[int]] = []
        left = 0
        for column in range(1, len(self.columns)):
            if not pieces or widths[column] > left:
                pieces.append([])
                left = width + _BETWEEN - widths[0]
            pieces[-1].append(column)
            left -= widths[column]
        if len(pieces) < 2:
            return [self]
        return [
            self._piece(
                [0, *columns],
                title=self.title if k == 0 else f"{self.title} (continued)" if self.title else "",
                notes=self.notes if k == len(pieces) - 1 else (),
            )
            for k, columns in enumerate(pieces)
        ]

    def to_markdown(self) -> str:
        """Return a GitHub-flavoured Markdown table."""
        aligned = ["--:" if self.is_numeric(c) else ":--" for c in range(len(self.columns))]
        lines = [_markdown_row(self.columns), _markdown_row(aligned)]
        lines += [_markdown_row(self._marked(i, "**{}**")) for i in range(len(self.rows))]
        title = [f"**{self.title}**", ""] if self.title else []
        # Lines that follow each other would run together.
        notes = [line for note in self.notes for line in ("", note)]
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
            self._html_heading(i)
            if i in self.headings
            else "".join(
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
        """Return tab-separated values: numbers as they are, nothing where there is no value.

        Headings of groups have no place in it.
        """
        lines = ["\t".join(self.columns)]
        lines += [
            "\t".join(_tsv_cell(cell) for cell in row)
            for i, row in enumerate(self.rows)
            if i not in self.headings
        ]
        return "\n".join(lines) + "\n"

    def to_text(self, *, width: int = 100, colour: bool = False) -> str:
        """Return the table as a terminal shows it."""
        from rich import box
        from rich.console import Console
        from rich.table import Table as RichTable
        from rich.text import Text

        table = RichTable(
            box=box.SIMPLE_HEAD,
            pad_edge=False,
            show_edge=False,
        )
        for index, column in enumerate(self.columns):
            table.add_column(Text(column), justify="right" if self.is_numeric(index) else "left")
        for i, row in enumerate(self.rows):
            table.add_row(
                *[Text(self._shown(i, j), style=self._style(i, j)) for j in range(len(row))]
            )
        out = io.StringIO()
        console = Console(
            file=out, width=width, force_terminal=colour, no_color=not colour, highlight=False
        )
        if self.title:
            # Not the table's own title, which would be folded to the width of the table.
            console.print(Text(self.title, style="italic"))
        console.print(table)
        for note in self.notes:
            console.print(Text(note, style="dim"))
        return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"

    def _piece(self, columns: list[int], *, title: str, notes: Sequence[str]) -> Table:
        place = {column: j for j, column in enumerate(columns)}
        return replace(
            self,
            columns=[self.columns[column] for column in columns],
            rows=[[row[column] for column in columns] for row in self.rows],
            title=title,
            notes=notes,
            bold=frozenset((i, place[j]) for i, j in self.bold if j in place),
            right=frozenset(place[j] for j in self.right if j in place),
        )

    def _without_headings(self, rows: list[list[str]]) -> list[list[str]]:
        return [row for i, row in enumerate(rows) if i not in self.headings]

    def _shown(self, row: int, column: int) -> str:
        """Return a cell as people read it; those beside a heading are empty, not missing."""
        return "" if row in self.headings and column else shown(self.rows[row][column])

    def _style(self, row: int, column: int) -> str:
        if row in self.headings:
            return "italic"
        return "bold" if (row, column) in self.bold else ""

    def _marked(self, row: int, mark: str) -> list[str]:
        cells = [self._shown(row, j) for j in range(len(self.rows[row]))]
        if row in self.headings:
            return [f"*{cells[0]}*", *cells[1:]]
        return [
            mark.format(cell) if (row, j) in self.bold else cell for j, cell in enumerate(cells)
        ]

    def _html_heading(self, row: int) -> str:
        text = html.escape(shown(self.rows[row][0]))
        return (
            f'<th colspan="{len(self.columns)}" scope="rowgroup" style="text-align: left">'
            f"{text}</th>"
        )

    def _latex_row(self, row: int) -> str:
        cells = [latex(shown(cell)) for cell in self.rows[row]]
        if row in self.headings:
            rule = [r"\midrule"] if row else []
            heading = rf"\multicolumn{{{len(cells)}}}{{l}}{{\emph{{{cells[0]}}}}} \\"
            return "\n".join([*rule, heading])
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
    "<": r"\textless{}",  # in LaTeX's oldest fonts, which are still the default, this is ¡
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "–": "--",
    "…": r"\ldots{}",
    "←": r"$\leftarrow$",
    "↓": r"$\downarrow$",
    "×": r"$\times$",
    "±": r"$\pm$",
}
_LATEX_PATTERN = re.compile(f"[{re.escape(''.join(_LATEX_SPECIAL))}]")


def latex(text: str) -> str:
    """Return a text that LaTeX prints as it stands, also at the beginning of a row."""
    escaped = _LATEX_PATTERN.sub(lambda found: _LATEX_SPECIAL[found[0]], text)
    # The end of the row before, `\\`, takes these for its own arguments.
    return f"{{{escaped[0]}}}{escaped[1:]}" if escaped[:1] in ("[", "*") else escaped


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


def as_new(table: Table | tables.Table) -> tables.Table:
    """Return a table of the former model as one of the new; texts stay texts."""
    if isinstance(table, tables.Table):
        return table
    rows, group = [], ""
    for i, row in enumerate(table.rows):
        if i in table.headings:
            group = str(row[0])
            continue
        cells = (tables.Cell(cell, best=(i, j) in table.bold) for j, cell in enumerate(row))
        rows.append(tables.Row(cells, group))
    return tables.Table(table.columns, rows, table.title, table.notes)

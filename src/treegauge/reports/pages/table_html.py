"""Tables of pages: to be sorted and filtered, every number with where it comes from.

The script of the page sorts by `data-v`, shows signatures (`data-s`) and commands (`data-c`), and
keeps published numbers (`follower`) below the row that they belong to. Signatures and the two
parts of a command are the same in many cells: they are numbers, and the page has each text once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from typing import Any

from treegauge.reports.pages.grid import Grid, grid_document
from treegauge.tables import Cell, Row, Table, show_p

_MOST_NOTES = 3
"""More notes than these are folded."""


class TableWriter:
    """Writes the tables of one page, and keeps what their cells have in common."""

    def __init__(self) -> None:
        self._signatures: dict[str, int] = {}
        self._commands: dict[str, int] = {}

    def facts(self) -> dict[str, Any]:
        """Return what the script of the page needs: the texts that cells have numbers of."""
        return {"signatures": list(self._signatures), "commands": list(self._commands)}

    def html(self, table: Table) -> str:
        """Return a table, its notes below it."""
        title = escape(table.title)
        columns = "\n".join(self._head(table, j) for j in range(len(table.columns)))
        bodies = "\n".join(
            self._body(table, group, rows) for group, rows in _sorted_together(table)
        )
        return (
            f'<div class="data">\n<div class="box" tabindex="0" role="region" aria-label="{title}">'
            f'\n<table>\n<caption class="caption">{title}</caption>\n<thead><tr>\n{columns}\n'
            f"</tr></thead>\n{bodies}\n</table>\n</div>\n{_notes(table.all_notes())}</div>"
        )

    def grid(self, grid: Grid) -> dict[str, Any]:
        """Return a grid as the script of the page reads it."""
        return grid_document(
            grid, lambda signature: _number(self._signatures, signature), self._numbers_of_command
        )

    def _numbers_of_command(self, command: str) -> str:
        """Return the numbers of a command's parts; many cells have the same of either."""
        files, dash, options = command.partition(" -")
        parts = [files, *([f"-{options}"] if dash else [])]
        return " ".join(str(_number(self._commands, part)) for part in parts)

    def _head(self, table: Table, j: int) -> str:
        column = table.columns[j]
        marks = ' class="num"' if table.is_numeric(j) else ""
        marks += _attribute("title", column.help)
        below = f"<small>{escape(column.below)}</small>" if column.below else ""
        return f'<th scope="col"{marks}><span>{escape(column.title)}</span>{below}</th>'

    def _body(self, table: Table, group: str, rows: Sequence[Row]) -> str:
        lines = []
        if group:
            lines.append(
                f'<tr class="heading"><th colspan="{len(table.columns)}" scope="rowgroup">'
                f"<span>{escape(group)}</span></th></tr>"
            )
        for i, row in enumerate(rows):
            kind = "row"
            if row.published:
                kind = "published follower" if i else "row published"
            cells = "".join(self._cell(table, row, j) for j in range(len(row.cells)))
            lines.append(f'<tr class="{kind}"{_attribute("title", row.note)}>{cells}</tr>')
        return "<tbody>\n" + "\n".join(lines) + "\n</tbody>"

    def _cell(self, table: Table, row: Row, j: int) -> str:
        cell = row.cells[j]
        text = escape(table.value_text(cell, j))
        if not j:
            letter = f'<span class="letter">{escape(row.letter)}</span>' if row.letter else ""
            name = text.removeprefix(f"{escape(row.letter)} ")
            if row.link:
                name = f'<a href="{escape(row.link)}">{name}</a>'
            return f'<th scope="row">{letter}{name}</th>'
        if not table.is_numeric(j):
            return f"<td>{escape(table.cell_text(cell, j))}</td>"
        marks = ' class="num best"' if cell.best else ' class="num"'
        marks += _attribute("data-v", cell.number) + _attribute("data-n", cell.n)
        if cell.signature:
            marks += _attribute("data-s", _number(self._signatures, cell.signature))
        if cell.command:
            marks += _attribute("data-c", self._numbers_of_command(cell.command))
        marks += _attribute("title", _remarks(table, cell, j))
        return f"<td{marks}>{text}{_below(table, cell, j)}</td>"


def _sorted_together(table: Table) -> Iterator[tuple[str, list[Row]]]:
    """Give rows that are sorted among themselves: those of a group, and totals apart."""
    for group, rows in table.grouped():
        yield group, [row for row in rows if not row.total]
        totals = [row for row in rows if row.total]
        if totals:
            yield "", totals


def _number(texts: dict[str, int], text: str) -> int:
    return texts.setdefault(text, len(texts))


def _attribute(name: str, value: float | str | None) -> str:
    return "" if value is None or value == "" else f' {name}="{escape(str(value))}"'


def _remarks(table: Table, cell: Cell, j: int) -> str:
    """Return what a reader is told who points at a number."""
    show = table.format_of(cell, j).show
    details = ", ".join(f"{name} {show(value)}" for name, value in cell.details.items() if value)
    return "; ".join(filter(None, (cell.note, details)))


def _below(table: Table, cell: Cell, j: int) -> str:
    """Return what stands below a number: interval, deviation, p, other numbers, whom it beats."""
    format = table.format_of(cell, j)
    show = format.show
    parts = []
    if cell.value is not None and cell.low is not None and cell.high is not None:
        parts.append(f"{show(cell.low)}, {show(cell.high)}")
    if cell.deviation is not None:
        parts.append(f"± {show(cell.deviation).removeprefix('+')}")
    if cell.p is not None:
        parts = ["; ".join([*parts, show_p(cell.p)])]
    if cell.published is not None:
        parts.append(f"({show(cell.published)})")
    if cell.difference is not None:
        parts.append(f"({replace(format, signed=True).show(cell.difference)})")
    if cell.remark:
        parts.append(f"({cell.remark})")
    footnote = f"<sup>{table.footnotes()[cell.note]}</sup>" if cell.note else ""
    interval = f"<small>{escape(' '.join(parts))}</small>" if parts else ""
    letters = f'<small class="beats">{escape(cell.letters)}</small>' if cell.letters else ""
    return footnote + interval + letters


def _notes(notes: Sequence[str]) -> str:
    lines = "".join(f'<p class="note">{escape(note)}</p>\n' for note in notes)
    if len(notes) <= _MOST_NOTES:
        return lines
    return f'<details class="notes"><summary>Notes on this table</summary>\n{lines}</details>\n'

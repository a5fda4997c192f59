"""Tables in Markdown, as GitHub reads it."""

from __future__ import annotations

from collections.abc import Sequence

from treegauge.tables import Cell, Table


def to_markdown(table: Table) -> str:
    """Return a Markdown table: the best in bold, headings of groups in italics."""
    aligned = ["--:" if table.is_numeric(j) else ":--" for j in range(len(table.columns))]
    lines = [_row([column.title for column in table.columns]), _row(aligned)]
    for group, rows in table.grouped():
        if group:
            lines.append(_row([f"*{group}*", *[""] * (len(table.columns) - 1)]))
        lines += [_row([_cell(table, c, j) for j, c in enumerate(row.cells)]) for row in rows]
    title = [f"**{table.title}**", ""] if table.title else []
    # Lines that follow each other would run together.
    notes = [line for note in table.all_notes() for line in ("", note)]
    return "\n".join([*title, *lines, *notes]) + "\n"


def _cell(table: Table, cell: Cell, column: int) -> str:
    value, extras = table.value_text(cell, column), table.extras_text(cell, column)
    return (f"**{value}**" if cell.best else value) + extras


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"

"""Tables in a terminal."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from treegauge.wording import visible

if TYPE_CHECKING:
    from treegauge.tables.table import Table


def to_text(table: Table, *, width: int = 100, colour: bool = False) -> str:
    """Return a table as a terminal shows it: the best in bold, headings of groups in italics."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    grid = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    values = [_width_of_values(table, j) for j in range(len(table.columns))]
    for j, column in enumerate(table.columns):
        is_right = table.is_numeric(j) and not values[j]
        grid.add_column(Text(visible(column.title)), justify="right" if is_right else "left")
    for group, rows in table.grouped():
        if group:
            grid.add_row(Text(visible(group), style="italic"))
        for row in rows:
            texts = (
                visible(table.value_text(cell, j).rjust(values[j]) + table.extras_text(cell, j))
                for j, cell in enumerate(row.cells)
            )
            marked = zip(row.cells, texts, strict=True)
            grid.add_row(*(Text(text, "bold" if cell.best else "") for cell, text in marked))
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=colour, no_color=not colour, highlight=False
    )
    if table.title:
        # Not the table's own title, which would be folded to the width of the table.
        console.print(Text(visible(table.title), style="italic"))
    console.print(grid)
    for note in table.all_notes():
        console.print(Text(visible(note), style="dim"))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _width_of_values(table: Table, column: int) -> int:
    """Return how wide numbers are made where intervals behind them keep them from lining up."""
    cells = [row.cells[column] for row in table.rows]
    if not table.is_numeric(column) or all(cell.low is None for cell in cells):
        return 0
    return max(len(table.value_text(cell, column)) for cell in cells)

"""Tables in a terminal."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treegauge.tables.table import Table


def to_text(table: Table, *, width: int = 100, colour: bool = False) -> str:
    """Return a table as a terminal shows it: the best in bold, headings of groups in italics."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    grid = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for j, column in enumerate(table.columns):
        grid.add_column(Text(column.title), justify="right" if table.is_numeric(j) else "left")
    for group, rows in table.grouped():
        if group:
            grid.add_row(Text(group, style="italic"))
        for row in rows:
            cells = enumerate(row.cells)
            grid.add_row(*(Text(table.shown(c, j), "bold" if c.best else "") for j, c in cells))
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=colour, no_color=not colour, highlight=False
    )
    if table.title:
        # Not the table's own title, which would be folded to the width of the table.
        console.print(Text(table.title, style="italic"))
    console.print(grid)
    for note in table.all_notes():
        console.print(Text(note, style="dim"))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"

"""Tables in HTML, for notebooks and for simple pages."""

from __future__ import annotations

import html

from treegauge.tables import Cell, Table


def to_html(table: Table) -> str:
    """Return an HTML table, notes in paragraphs below it."""
    heads = "".join(
        _cell("th", column.title, table.is_numeric(j)) for j, column in enumerate(table.columns)
    )
    lines = []
    for group, rows in table.grouped():
        if group:
            lines.append(
                f'<th colspan="{len(table.columns)}" scope="rowgroup" style="text-align: left">'
                f"{html.escape(group)}</th>"
            )
        lines += [
            "".join(_of_table(table, cell, j) for j, cell in enumerate(r.cells)) for r in rows
        ]
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    caption = f"<caption>{html.escape(table.title)}</caption>" if table.title else ""
    notes = "".join(f'\n<p class="note">{html.escape(note)}</p>' for note in table.all_notes())
    parts = [f"<table>{caption}", f"<thead><tr>{heads}</tr></thead>", "<tbody>", body]
    return "\n".join([*parts, "</tbody></table>"]) + notes


def _of_table(table: Table, cell: Cell, column: int) -> str:
    value, extras = table.value_text(cell, column), table.extras_text(cell, column)
    return _cell("td", value, table.is_numeric(column), best=cell.best, extras=extras)


def _cell(tag: str, text: str, is_number: bool, *, best: bool = False, extras: str = "") -> str:
    content = f"<b>{html.escape(text)}</b>" if best else html.escape(text)
    # Said on the cell itself: a notebook has no style sheet of ours.
    side = "right" if is_number else "left"
    return f'<{tag} style="text-align: {side}">{content}{html.escape(extras)}</{tag}>'

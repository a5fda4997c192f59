"""Heat maps: what gold has against what a system has, with numbers and a scale."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from treegauge.reports.charts.figure import WIDTH, Figure, heading, number, text_at, tooltip
from treegauge.reports.charts.style import SMALL_SIZE
from treegauge.reports.text_widths import text_width

OTHER = "other"
"""The row and the column of all values that have none of their own."""

_CELL_WIDTH, _CELL_HEIGHT = 38.0, 28.0
_DARK = 0.55
"""From this shade on, numbers have the colour of the paper."""


def heat_map(
    name: str,
    title: str,
    *,
    counts: Mapping[tuple[str, str], int],
    row_title: str = "gold",
    column_title: str = "system",
    most: int = 18,
) -> Figure:
    """Draw how often gold has one value and the system another, as shares of the row.

    The most frequent values have rows and columns; all others are one, "other". A cell has its
    per cent of the row in it, the end of the row its count; agreement has a colour of its own.

    Parameters
    ----------
    name : str
        Of the file.
    counts : mapping from row and column to int
        Counts of zero may be missing.
    most : int
        How many values have rows of their own.
    """
    rows, columns, table = folded(counts, most)
    sums = {row: sum(table.get((row, column), 0) for column in columns) for row in rows}
    slanted = [text_width(value, SMALL_SIZE) * math.sin(math.pi / 4) for value in columns]
    row_label = max(text_width(value, SMALL_SIZE) for value in [*rows, "the same"]) + 10
    count_room = max([text_width(f"{n:,}", SMALL_SIZE) for n in sums.values()] + [20.0]) + 14
    grid_width = _CELL_WIDTH * len(columns)
    # The last slanted names lean over the end of the grid.
    overhang = [slope - _CELL_WIDTH * (len(columns) - j - 0.5) for j, slope in enumerate(slanted)]
    width = max(WIDTH, row_label + grid_width + max([count_room, *overhang]) + 12)
    head, top = heading(
        title,
        [f"rows: {row_title}; columns: {column_title}; numbers: per cent of the row"],
        width,
    )
    left, top = row_label, top + max([*slanted, 14.0]) + 16
    parts = [head, *_column_names(columns, left, top)]
    end = left + grid_width
    parts.append(text_at(end + count_room, top - 8, "n", "small soft e"))
    for i, row in enumerate(rows):
        y = top + _CELL_HEIGHT * i
        middle = y + _CELL_HEIGHT / 2 + 5
        parts.append(text_at(left - 8, middle, row, "small e"))
        parts.append(text_at(end + count_room, middle, f"{sums[row]:,}", "small soft e"))
        for j, column in enumerate(columns):
            count = table.get((row, column), 0)
            if count:
                share = count / sums[row]
                text = (
                    f"{row_title} {row}, {column_title} {column}: {count:,} "
                    f"{'word' if count == 1 else 'words'}, {100 * share:.1f}% of {row}"
                )
                kind = "agree" if row == column else "heat"
                parts.append(_cell(left + _CELL_WIDTH * j, y, share, kind, text))
    bottom = top + _CELL_HEIGHT * len(rows)
    parts.append(
        f'<path class="g" fill="none" d="M{number(left - 1)} {number(top - 1)}H{number(end)}'
        f'V{number(bottom)}H{number(left - 1)}Z"/>'
    )
    parts.append(_scale(left, bottom + 20))
    description = f"Counts of {row_title} against {column_title}, {len(rows)} by {len(columns)}."
    return Figure(name, title, description, width, bottom + 110, "".join(parts))


def shade(share: float) -> float:
    """Return how dense a cell is; the root lets small shares be seen."""
    return 0.04 + 0.94 * math.sqrt(share)


def folded(
    counts: Mapping[tuple[str, str], int], most: int
) -> tuple[list[str], list[str], dict[tuple[str, str], int]]:
    """Return rows, columns and counts of the most frequent values; the others are "other".

    A value has the same place among rows and columns, as far as both have it.

    >>> folded({("a", "a"): 5, ("b", "a"): 2, ("c", "c"): 1}, 2)
    (['a', 'b', 'other'], ['a', 'other'], {('a', 'a'): 5, ('b', 'a'): 2, ('other', 'other'): 1})
    """
    in_rows: dict[str, int] = {}
    in_columns: dict[str, int] = {}
    for (row, column), count in counts.items():
        in_rows[row] = in_rows.get(row, 0) + count
        in_columns[column] = in_columns.get(column, 0) + count
    rows = sorted(in_rows, key=lambda value: -in_rows[value])[:most]
    shared = [value for value in rows if value in in_columns]
    others = sorted(
        (value for value in in_columns if value not in in_rows), key=lambda v: -in_columns[v]
    )
    columns = [*shared, *others][: most + 4]
    table: dict[tuple[str, str], int] = {}
    for (row, column), count in counts.items():
        place = (row if row in rows else OTHER, column if column in columns else OTHER)
        table[place] = table.get(place, 0) + count
    if any(row == OTHER for row, _ in table):
        rows.append(OTHER)
    if any(column == OTHER for _, column in table):
        columns.append(OTHER)
    return rows, columns, table


def _column_names(columns: Sequence[str], left: float, top: float) -> list[str]:
    parts = []
    for j, value in enumerate(columns):
        x = left + _CELL_WIDTH * (j + 0.5)
        turned = f"translate({number(x + 4)} {number(top - 8)}) rotate(-45)"
        parts.append(f'<text class="small" transform="{turned}">{escape(value)}</text>')
    return parts


def _cell(x: float, y: float, share: float, kind: str, text: str) -> str:
    density = shade(share)
    percent = f"{100 * share:.0f}" if share >= 0.005 else "<1"
    ink = "small m light" if density > _DARK else "small m"
    return (
        f'<g><rect class="{kind}" fill-opacity="{density:.2f}" x="{number(x)}" y="{number(y)}" '
        f'width="{number(_CELL_WIDTH - 1)}" height="{number(_CELL_HEIGHT - 1)}">'
        f"{tooltip(text)}</rect>"
        + text_at(x + (_CELL_WIDTH - 1) / 2, y + _CELL_HEIGHT / 2 + 5, percent, ink).replace(
            "<text", '<text pointer-events="none"'
        )
        + "</g>"
    )


def _scale(left: float, top: float) -> str:
    """Return the shades of shares, of agreement and of confusion."""
    parts = []
    shares = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0)
    for i, (kind, name) in enumerate((("agree", "the same"), ("heat", "another"))):
        y = top + 24 * i
        parts.append(text_at(left - 8, y + 16, name, "small e"))
        parts += [
            f'<rect class="{kind}" fill-opacity="{shade(share):.2f}" '
            f'x="{number(left + 48 * k)}" y="{number(y)}" width="47" height="22"/>'
            for k, share in enumerate(shares)
        ]
    parts += [
        text_at(left + 48 * k + 24, top + 66, f"{100 * share:g}%", "small m soft")
        for k, share in enumerate(shares)
    ]
    return "".join(parts)

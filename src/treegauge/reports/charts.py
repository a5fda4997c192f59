"""Figures of a report: our own SVG, small, with a title on everything that has a value.

Colours are those of Okabe and Ito (2008), which people with any kind of colour vision can tell
apart, without their yellow; dashes and marks say the same again. They are names in a style
sheet, so that a page can have others in the dark; a figure that stands alone carries the
light ones.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from treegauge.reports.trees.widths import text_width

LIGHT = {
    "ink": "#1d2530",
    "paper": "#ffffff",
    "line": "#dedad0",
    "soft": "#655f53",
    "accent": "#2d6a4f",
    "heat": "#c2410c",
    "c0": "#0072b2",
    "c1": "#d55e00",
    "c2": "#009e73",
    "c3": "#cc79a7",
    "c4": "#b87800",
    "c5": "#3a96c8",
    "c6": "#5a5a5a",
}
"""What the colours are called, and what they are where nobody says anything else."""

N_COLOURS = 7
_DASHES = ("", "7 4", "2 3", "9 3 2 3", "5 2")

STYLE = "".join(
    [
        ".tg-fig text{font:13px system-ui,'Noto Sans','DejaVu Sans',sans-serif;fill:var(--ink);"
        "font-variant-numeric:tabular-nums}",
        ".tg-fig .soft{fill:var(--soft)}.tg-fig .small{font-size:11.5px}",
        ".tg-fig .t{font-size:16px;font-weight:600}",
        ".tg-fig .e{text-anchor:end}.tg-fig .m{text-anchor:middle}",
        ".tg-fig .g{stroke:var(--line);stroke-width:1}",
        ".tg-fig .axis{stroke:var(--soft);stroke-width:1}",
        ".tg-fig .l{fill:none;stroke-width:2.2;stroke-linejoin:round}",
        ".tg-fig .band{stroke:none;fill-opacity:.13}",
        ".tg-fig .w{stroke:var(--ink);stroke-width:1.4;fill:none}",
        ".tg-fig .dot{fill:var(--paper);stroke:var(--ink);stroke-width:1.2}",
        ".tg-fig .pub{fill:none;stroke:var(--soft);stroke-width:1.6;stroke-dasharray:3 2}",
        ".tg-fig .agree{fill:var(--accent)}.tg-fig .heat{fill:var(--heat)}",
        ".tg-fig .hit{fill:transparent;stroke:none}",
        *(
            f".tg-fig .c{i}{{fill:var(--c{i});stroke:var(--c{i})}}.tg-fig .l.c{i}{{fill:none}}"
            for i in range(N_COLOURS)
        ),
        *(f".tg-fig .d{i}{{stroke-dasharray:{dash}}}" for i, dash in enumerate(_DASHES) if dash),
    ]
)
"""The style sheet of all figures, with names of colours."""

STANDALONE_STYLE = re.sub(r"var\(--(\w+)\)", lambda found: LIGHT[found[1]], STYLE)
"""The same with the light colours: for files, and for programs that know no names."""


@dataclass(frozen=True)
class Figure:
    """A drawing with a title, and in words what it shows."""

    name: str
    """For files: letters, digits and hyphens."""
    title: str
    described: str
    width: float
    height: float
    body: str
    kind: str = "figure"

    def to_svg(self, *, inline: bool = False) -> str:
        """Return the drawing: for a page that has the style sheet, or as a file of its own."""
        size = f'viewBox="0 0 {_n(self.width)} {_n(self.height)}"'
        box = f'{size} width="{_n(self.width)}" height="{_n(self.height)}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" class="tg-fig" {box} role="img"'
        label = f' aria-label="{escape(f"{self.title}. {self.described}")}">'
        if inline:
            return f"{head}{label}{self.body}</svg>"
        paper = f'<rect width="100%" height="100%" fill="{LIGHT["paper"]}"/>'
        return f"{head}{label}<style>{STANDALONE_STYLE}</style>{paper}{self.body}</svg>\n"


@dataclass(frozen=True)
class Point:
    """A value with what belongs to it; shares are in per cent."""

    value: float | None
    low: float | None = None
    high: float | None = None
    said: str = ""
    """What a reader is told who points at it."""


def file_name(*words: str) -> str:
    """Return a name for files.

    >>> file_name("UAS@10", "by edge length")
    'uas-10-by-edge-length'
    """
    return re.sub(r"[^0-9a-z]+", "-", " ".join(words).lower()).strip("-") or "figure"


# ---------------------------------------------------------------------- lines


def line_chart(
    name: str,
    title: str,
    *,
    x_title: str,
    y_title: str,
    categories: Sequence[str],
    series: Mapping[str, Mapping[str, Point]],
) -> Figure:
    """Draw a line for every series over categories; values are in per cent."""
    left, top, width, height = 54.0, 52.0, 470.0, 290.0
    # Below the lines, in as many columns as there is room for.
    entry = max((text_width(label, 13) for label in series), default=0.0) + 58
    in_row = max(1, int((left + width) // entry))
    legend_y = top + height + 68
    scale = _Scale.of(
        [
            number
            for points in series.values()
            for point in points.values()
            for number in (point.value, point.low, point.high)
            if number is not None
        ]
    )

    def y(value: float) -> float:
        return top + height * (1 - scale.share(value))

    between = width / max(len(categories), 1)
    x = {category: left + between * (k + 0.5) for k, category in enumerate(categories)}
    parts = [_title(title, y_title), *_grid(scale, left, width, y)]
    parts += [
        f'<text class="m" x="{_n(x[category])}" y="{_n(top + height + 20)}">'
        f"{escape(category)}</text>"
        for category in categories
    ]
    middle = left + width / 2
    parts.append(
        f'<text class="m soft" x="{_n(middle)}" y="{_n(top + height + 42)}">'
        f"{escape(x_title)}</text>"
    )
    for i, (label, points) in enumerate(series.items()):
        there = [(category, points[category]) for category in categories if category in points]
        drawn = [(x[c], point) for c, point in there if point.value is not None]
        own = []
        banded = [
            (x[c], p)
            for c, p in there
            if c[:1].isdigit() and p.low is not None and p.high is not None
        ]
        if len(banded) > 1 and len(series) <= _MOST_BANDS:
            upper = [f"{_n(at)} {_n(y(p.high or 0))}" for at, p in banded]
            lower = [f"{_n(at)} {_n(y(p.low or 0))}" for at, p in reversed(banded)]
            own.append(f'<path class="band {_colour(i)}" d="M{"L".join([*upper, *lower])}Z"/>')
        # What is no number, such as the root, is beside the line and not on it.
        on_line = [(x[c], p) for c, p in there if c[:1].isdigit() and p.value is not None]
        line = "L".join(f"{_n(at)} {_n(y(p.value or 0))}" for at, p in on_line)
        if line:
            own.append(f'<path class="l {_colour(i)} {_dash(i)}" d="M{line}"/>')
        own += [_mark(i, at, y(p.value or 0), p.said) for at, p in drawn]
        legend_x, at = entry * (i % in_row), legend_y + 22 * (i // in_row)
        own.append(
            f'<path class="l {_colour(i)} {_dash(i)}" d="M{_n(legend_x)} {_n(at)}h30"/>'
            f"{_mark(i, legend_x + 15, at, '')}"
            f'<text x="{_n(legend_x + 38)}" y="{_n(at + 4.5)}">{escape(label)}</text>'
        )
        parts.append(f'<g class="series">{"".join(own)}</g>')
    described = f"{y_title} over {x_title.lower()}, a line each for {', '.join(series)}."
    bottom = legend_y + 22 * math.ceil(len(series) / in_row)
    wide = max(left + width + 10, entry, text_width(title, 16) * 1.05)
    return Figure(name, title, described, wide, bottom, "".join(parts))


_MOST_BANDS = 6
"""Where there are more lines, bands would hide them; tables have the intervals."""


# ---------------------------------------------------------------------- bars


@dataclass(frozen=True)
class Bar:
    """A bar, small dots for what it is the mean of, and perhaps a published figure."""

    label: str
    point: Point
    shown: str
    dots: Sequence[tuple[float, str]] = ()
    published: Sequence[tuple[float, str]] = ()


def bar_chart(
    name: str, title: str, *, x_title: str, groups: Mapping[str, Sequence[Bar]], remark: str = ""
) -> Figure:
    """Draw bars in groups, from left to right; values are in per cent."""
    bars = [bar for members in groups.values() for bar in members]
    label_width = max([text_width(bar.label, 13) for bar in bars] + [40.0]) + 16
    left, top, width, row = label_width, 68.0 if remark else 50.0, 400.0, 28.0
    numbers = [
        number
        for bar in bars
        for number in (
            *(bar.point.value, bar.point.low, bar.point.high),
            *(value for value, _ in (*bar.dots, *bar.published)),
        )
        if number is not None
    ]
    scale = _Scale.of(numbers, from_zero=True)

    def x(value: float) -> float:
        return left + width * scale.share(value)

    parts: list[str] = []
    at = top + 6
    for kind, members in groups.items():
        if kind and len(groups) > 1:
            parts.append(f'<text class="soft small" x="0" y="{_n(at + 14)}">{escape(kind)}</text>')
            at += 22
        for bar in members:
            parts.append(_bar(bar, at, row, left, x))
            at += row
        at += 6
    bottom = at
    grid = []
    for tick in scale.ticks:
        where = _n(x(tick))
        grid.append(f'<path class="g" d="M{where} {_n(top)}V{_n(bottom)}"/>')
        grid.append(
            f'<text class="m soft small" x="{where}" y="{_n(bottom + 16)}">{_tick(tick)}</text>'
        )
    end = left + width + 70
    head = _title(title, x_title)
    if remark:
        head += f'<text class="soft small" x="0" y="55">{escape(remark)}</text>'
    described = "; ".join(f"{bar.label}: {bar.shown}" for bar in bars)
    wide = max(end, text_width(title, 16) * 1.05)
    return Figure(name, title, described, wide, bottom + 26, "".join([head, *grid, *parts]))


def _bar(bar: Bar, at: float, row: float, left: float, x: _Place) -> str:
    middle = at + row / 2
    parts = [
        f'<text class="e" x="{_n(left - 8)}" y="{_n(middle + 4.5)}">{escape(bar.label)}</text>'
    ]
    value = bar.point.value
    right = left
    if value is not None:
        right = x(value)
        parts.append(
            f'<rect class="c0" stroke-width="0" fill-opacity=".8" x="{_n(left)}" '
            f'y="{_n(at + 4)}" width="{_n(max(right - left, 1))}" height="{_n(row - 8)}" rx="2">'
            f"{_said(bar.point.said)}</rect>"
        )
        if bar.point.low is not None and bar.point.high is not None:
            low, high = x(bar.point.low), x(bar.point.high)
            parts.append(
                f'<path class="w" d="M{_n(low)} {_n(middle)}H{_n(high)}'
                f"M{_n(low)} {_n(middle - 4)}v8"
                f'M{_n(high)} {_n(middle - 4)}v8"/>'
            )
            right = max(right, high)
    for number, said in bar.dots:
        parts.append(
            f'<circle class="dot" cx="{_n(x(number))}" cy="{_n(middle)}" r="3.2">{_said(said)}'
            "</circle>"
        )
        right = max(right, x(number) + 3)
    for number, said in bar.published:
        place = _n(x(number))
        parts.append(
            f'<path class="pub" d="M{place} {_n(at + 1)}v{_n(row - 2)}"/>'
            f'<rect class="hit" x="{_n(x(number) - 5)}" y="{_n(at)}" width="10" '
            f'height="{_n(row)}">{_said(said)}</rect>'
        )
        right = max(right, x(number))
    parts.append(f'<text x="{_n(right + 8)}" y="{_n(middle + 4.5)}">{escape(bar.shown)}</text>')
    return f'<g class="row">{"".join(parts)}</g>'


# ---------------------------------------------------------------------- points


@dataclass(frozen=True)
class Spot:
    """A point of a scatter plot."""

    label: str
    x: float
    y: float
    said: str = ""
    weight: float = 1.0
    """In 0..1: how much of the largest area it has."""


def scatter_chart(
    name: str,
    title: str,
    *,
    x_title: str,
    y_title: str,
    spots: Sequence[Spot],
    logarithmic: bool = False,
    diagonal: bool = False,
) -> Figure:
    """Draw points with their names beside them, as far as there is room for names."""
    left, top, width, height = 54.0, 52.0, 470.0, 320.0
    xs = [spot.x for spot in spots if spot.x > 0 or not logarithmic]
    across = _Scale.logarithmic(xs) if logarithmic else _Scale.of(xs)
    upwards = _Scale.of([spot.y for spot in spots])
    if diagonal:
        across = upwards = _Scale.of([n for spot in spots for n in (spot.x, spot.y)])

    def x(value: float) -> float:
        return left + width * across.share(value)

    def y(value: float) -> float:
        return top + height * (1 - upwards.share(value))

    parts = [_title(title, y_title), *_grid(upwards, left, width, y)]
    for tick in across.ticks:
        where = _n(x(tick))
        parts.append(f'<path class="g" d="M{where} {_n(top)}V{_n(top + height)}"/>')
        text = _tick(tick)
        parts.append(f'<text class="m soft" x="{where}" y="{_n(top + height + 18)}">{text}</text>')
    if diagonal:
        low, high = upwards.low, upwards.high
        parts.append(
            f'<path class="axis" stroke-dasharray="4 4" '
            f'd="M{_n(x(low))} {_n(y(low))}L{_n(x(high))} {_n(y(high))}"/>'
        )
    parts.append(
        f'<text class="m soft" x="{_n(left + width / 2)}" y="{_n(top + height + 40)}">'
        f"{escape(x_title)}</text>"
    )
    taken: list[tuple[float, float, float, float]] = []
    for spot in sorted(spots, key=lambda spot: -spot.weight):
        if logarithmic and spot.x <= 0:
            continue
        cx, cy = x(spot.x), y(spot.y)
        radius = 2.5 + 9 * math.sqrt(spot.weight) if spot.weight < 1 or diagonal else 6.0
        parts.append(
            f'<circle class="c0" fill-opacity=".55" cx="{_n(cx)}" cy="{_n(cy)}" r="{_n(radius)}">'
            f"{_said(spot.said)}</circle>"
        )
        place = _label_place(spot.label, cx, cy, radius, taken, left + width)
        if place is not None:
            at, below, anchor = place
            parts.append(
                f'<text class="small{anchor}" x="{_n(at)}" y="{_n(below)}">'
                f"{escape(spot.label)}</text>"
            )
    described = f"{y_title} over {x_title}, for {len(spots)} points."
    return Figure(name, title, described, left + width + 24, top + height + 54, "".join(parts))


def _label_place(
    label: str,
    cx: float,
    cy: float,
    radius: float,
    taken: list[tuple[float, float, float, float]],
    right: float,
) -> tuple[float, float, str] | None:
    """Return where a name goes that covers no other name; beside, below or above its point."""
    wide = text_width(label, 11.5)
    beside = radius + 4
    for at, below, anchor in (
        (cx + beside, cy + 4, ""),
        (cx - beside, cy + 4, " e"),
        (cx, cy - beside, " m"),
        (cx, cy + beside + 9, " m"),
    ):
        begin = at - {"": 0.0, " e": wide, " m": wide / 2}[anchor]
        box = (begin, begin + wide, below - 11, below + 3)
        inside = box[0] > 50 and box[1] < right + 20
        if inside and not any(
            box[0] < other[1] and other[0] < box[1] and box[2] < other[3] and other[2] < box[3]
            for other in taken
        ):
            taken.append(box)
            return at, below, anchor
    return None


# ---------------------------------------------------------------------- heat


def heat_map(
    name: str,
    title: str,
    *,
    counts: Mapping[tuple[str, str], int],
    row_title: str = "gold",
    column_title: str = "system",
    most: int = 18,
) -> Figure:
    """Draw how often gold has one value and the system another, shaded by share of the row.

    The most frequent values have rows and columns; all others are one, "other".
    """
    rows, columns, table = folded(counts, most)
    cell = 25.0
    row_label = max([text_width(value, 12) for value in rows] + [30.0]) + 10
    column_label = max([text_width(value, 12) for value in columns] + [30.0]) * 0.72 + 14
    left, top = row_label + 18, 50 + column_label
    sums = {row: sum(table.get((row, column), 0) for column in columns) for row in rows}
    parts = [
        _title(
            title,
            f"rows: {row_title}; columns: {column_title}; shade: root of the share of its row",
        )
    ]
    for j, value in enumerate(columns):
        at = left + cell * (j + 0.5)
        parts.append(
            f'<text class="small" transform="translate({_n(at + 4)} {_n(top - 6)}) rotate(-45)">'
            f"{escape(value)}</text>"
        )
    for i, row in enumerate(rows):
        y = top + cell * i
        parts.append(
            f'<text class="small e" x="{_n(left - 8)}" y="{_n(y + cell / 2 + 4)}">'
            f"{escape(row)}</text>"
        )
        for j, column in enumerate(columns):
            number = table.get((row, column), 0)
            if not number:
                continue
            share = number / sums[row]
            kind = "agree" if row == column else "heat"
            said = (
                f"{row_title} {row}, {column_title} {column}: {number:,} "
                f"{'word' if number == 1 else 'words'}, {100 * share:.1f}% of {row}"
            )
            parts.append(
                f'<rect class="{kind}" fill-opacity="{0.04 + 0.94 * math.sqrt(share):.2f}" '
                f'x="{_n(left + cell * j)}" y="{_n(y)}" width="{_n(cell - 1)}" '
                f'height="{_n(cell - 1)}">{_said(said)}</rect>'
            )
    wide, high = left + cell * len(columns), top + cell * len(rows)
    parts.append(
        f'<path class="g" fill="none" d="M{_n(left - 1)} {_n(top - 1)}H{_n(wide)}V{_n(high)}'
        f'H{_n(left - 1)}Z"/>'
    )
    described = f"Counts of {row_title} against {column_title}, {len(rows)} by {len(columns)}."
    width = max(wide + column_label, text_width(title, 16) * 1.05, 420)
    return Figure(name, title, described, width, high + 12, "".join(parts))


def folded(
    counts: Mapping[tuple[str, str], int], most: int
) -> tuple[list[str], list[str], dict[tuple[str, str], int]]:
    """Return rows, columns and counts of the most frequent values; the others are "other".

    A value has the same place among rows and columns, as far as both have it.

    >>> folded({("a", "a"): 5, ("b", "a"): 2, ("c", "c"): 1}, 2)
    (['a', 'b', 'other'], ['a', 'other'], {('a', 'a'): 5, ('b', 'a'): 2, ('other', 'other'): 1})
    """
    of_rows: dict[str, int] = {}
    of_columns: dict[str, int] = {}
    for (row, column), number in counts.items():
        of_rows[row] = of_rows.get(row, 0) + number
        of_columns[column] = of_columns.get(column, 0) + number
    rows = sorted(of_rows, key=lambda value: -of_rows[value])[:most]
    shared = [value for value in rows if value in of_columns]
    others = sorted(
        (value for value in of_columns if value not in of_rows), key=lambda v: -of_columns[v]
    )
    columns = [*shared, *others][: most + 4]
    table: dict[tuple[str, str], int] = {}
    for (row, column), number in counts.items():
        place = (row if row in rows else OTHER, column if column in columns else OTHER)
        table[place] = table.get(place, 0) + number
    if any(row == OTHER for row, _ in table):
        rows.append(OTHER)
    if any(column == OTHER for _, column in table):
        columns.append(OTHER)
    return rows, columns, table


OTHER = "other"


# ---------------------------------------------------------------------- what all have


_Place = Callable[[float], float]
"""From a value to a place."""


@dataclass(frozen=True)
class _Scale:
    """From where to where an axis goes, and what is written on it."""

    low: float
    high: float
    ticks: tuple[float, ...]
    is_logarithmic: bool = False

    def share(self, value: float) -> float:
        """Return how far along the axis a value is, in 0..1."""
        low, high = self.low, self.high
        if self.is_logarithmic:
            value, low, high = (math.log10(number) for number in (value, low, high))
        return (value - low) / (high - low)

    @classmethod
    def of(cls, numbers: Sequence[float], *, from_zero: bool = False) -> _Scale:
        """Return an axis with about five round numbers on it."""
        low, high = min(numbers, default=0.0), max(numbers, default=1.0)
        if from_zero or 0 <= low < (high - low) * 0.75:
            low = min(0.0, low)
        if high <= low:
            high = low + 1
        rough = (high - low) / 5
        power = 10 ** math.floor(math.log10(rough))
        step = next(size * power for size in (1, 2, 2.5, 5, 10) if size * power >= rough)
        first, last = math.floor(low / step), math.ceil(high / step - 1e-9)
        ticks = tuple(round(step * k, 10) for k in range(first, last + 1))
        return cls(ticks[0], ticks[-1], ticks)

    @classmethod
    def logarithmic(cls, numbers: Sequence[float]) -> _Scale:
        """Return an axis of powers of ten."""
        first = math.floor(math.log10(min(numbers, default=1.0)))
        last = max(math.ceil(math.log10(max(numbers, default=10.0))), first + 1)
        ticks = tuple(10.0**k for k in range(first, last + 1))
        return cls(ticks[0], ticks[-1], ticks, is_logarithmic=True)


def _grid(scale: _Scale, left: float, width: float, y: _Place) -> list[str]:
    parts = []
    for tick in scale.ticks:
        at = y(tick)
        parts.append(f'<path class="g" d="M{_n(left)} {_n(at)}h{_n(width)}"/>')
        parts.append(
            f'<text class="e soft" x="{_n(left - 8)}" y="{_n(at + 4.5)}">{_tick(tick)}</text>'
        )
    return parts


def _title(title: str, below: str) -> str:
    return (
        f'<text class="t" x="0" y="17">{escape(title)}</text>'
        f'<text class="soft" x="0" y="37">{escape(below)}</text>'
    )


def _said(text: str) -> str:
    return f"<title>{escape(text)}</title>" if text else ""


def _colour(i: int) -> str:
    return f"c{i % N_COLOURS}"


def _dash(i: int) -> str:
    # Five dashes and seven colours: thirty-five lines that differ.
    return f"d{i % len(_DASHES)}"


_MARKS = (
    "M{x} {y}m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
    "M{x} {y}m-3.6-3.6h7.2v7.2h-7.2z",
    "M{x} {y}m0-4.6l4.4 7.8h-8.8z",
    "M{x} {y}m0-5l4.4 5l-4.4 5l-4.4-5z",
    "M{x} {y}m0 4.6l4.4-7.8h-8.8z",
)


def _mark(i: int, x: float, y: float, said: str) -> str:
    path = _MARKS[i % len(_MARKS)].format(x=_n(x), y=_n(y))
    return f'<path class="{_colour(i)}" stroke-width="0" d="{path}">{_said(said)}</path>'


def _tick(value: float) -> str:
    return f"{value:,.10g}"


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")

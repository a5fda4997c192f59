"""Lines over categories or over numbers, with intervals as bands, in one panel or several."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from treegauge.reports.charts.figure import (
    WIDTH,
    Figure,
    Point,
    heading,
    mark,
    number,
    text_at,
    wrapped,
)
from treegauge.reports.charts.labels import legend, legend_width
from treegauge.reports.charts.scale import Frame, Scale, half_tick, tick_room
from treegauge.reports.charts.style import TEXT_SIZE
from treegauge.reports.palette import Look, Palette
from treegauge.reports.text_widths import text_width

Curve = Sequence[tuple[float, Point]]
"""A line over numbers: x, and what is drawn there, from left to right."""

_MOST_BANDS = 6
"""Where there are more lines, bands would hide them; tables have the intervals."""

_HEIGHT = 320.0
_PANEL = 440.0
"""How wide a panel is where there are several."""


def line_chart(
    name: str,
    title: str,
    *,
    x_title: str,
    y_title: str,
    categories: Sequence[str],
    series: Mapping[str, Mapping[str, Point]],
    palette: Palette | None = None,
    y_range: tuple[float, float] | None = None,
    remark: str = "",
) -> Figure:
    """Draw a line for every series over categories.

    A category that is no number, such as the root among lengths, has a mark beside the line.

    Parameters
    ----------
    name : str
        Of the file.
    series : mapping from name to points by category
        A category without a point or without a value is passed over.
    palette : Palette, optional
        The looks of the series; made from their names if missing.
    y_range : pair of float, optional
        Where the axis upwards begins and ends.
    remark : str
        A line below the title.
    """
    palette = palette or Palette(sorted(series))
    upwards = Scale.linear(
        _numbers(point for points in series.values() for point in points.values()),
        within=y_range,
    )
    labels = _CategoryLabels.of(categories, WIDTH - tick_room(upwards) - 10)
    left = tick_room(upwards)
    width = max(left + labels.width + 10, legend_width(series))
    head, top = heading(title, [remark, y_title], width)
    across = Scale(0, max(len(categories), 1), ())
    frame = Frame(left, top + 8, labels.width, _HEIGHT, across, upwards)
    x = {category: k + 0.5 for k, category in enumerate(categories)}
    numeric = {category for category in categories if category[:1].isdigit()} or {*categories}
    parts = [head, *frame.rows(), labels.to_svg(frame)]
    bottom = frame.bottom + labels.height + 24
    parts.append(text_at(frame.left + frame.width / 2, bottom - 4, x_title, "m soft"))
    entries, bottom = legend(list(series), palette, bottom + 10, width)
    for label, points in series.items():
        there = [(x[c], points[c], c in numeric) for c in categories if c in points]
        drawn = _series(
            frame,
            palette[label],
            [(at, point) for at, point, on_line in there if on_line],
            beside=[(at, point) for at, point, on_line in there if not on_line],
            band=len(series) <= _MOST_BANDS,
        )
        parts.append(f'<g class="series">{drawn}{entries[label]}</g>')
    description = f"{y_title} over {x_title.lower()}, a line each for {', '.join(series)}."
    return Figure(name, title, description, width, bottom, "".join(parts))


def curve_chart(
    name: str,
    title: str,
    *,
    x_title: str,
    y_title: str,
    panels: Mapping[str, Mapping[str, Curve]],
    palette: Palette | None = None,
    levels: Sequence[float] = (),
    marks: bool = True,
    logarithmic: bool = False,
    remark: str = "",
) -> Figure:
    """Draw lines over numbers, in one panel or in several that share their axes.

    Parameters
    ----------
    name : str
        Of the file.
    panels : mapping from title to lines by name
        A single panel needs no title: `{"": lines}`. Lines of one name look the same in all.
    palette : Palette, optional
        The looks of the lines; made from their names if missing.
    levels : sequence of float
        Values with a dashed line across.
    marks : bool
        Whether points have marks.
    logarithmic : bool
        Whether the axis across is; points at zero and below are then left out.
    remark : str
        A line below the title.
    """
    names = list(dict.fromkeys(label for lines in panels.values() for label in lines))
    palette = palette or Palette(sorted(names))
    everything = [
        (at, point)
        for lines in panels.values()
        for curve in lines.values()
        for at, point in curve
        if point.value is not None and (at > 0 or not logarithmic)
    ]
    upwards = Scale.linear([*_numbers(point for _, point in everything), *levels])
    xs = [at for at, _ in everything]
    across = Scale.logarithmic(xs) if logarithmic else Scale.linear(xs)
    in_row = min(len(panels), 2) or 1
    room = tick_room(upwards)
    panel_width = WIDTH if in_row == 1 else _PANEL
    width = max(in_row * panel_width, legend_width(names))
    head, top = heading(title, [remark, y_title], width)
    parts = [head]
    bottom = top
    for i, (panel, lines) in enumerate(panels.items()):
        if i % in_row == 0:
            top = bottom
        left = panel_width * (i % in_row) + room
        caption = wrapped(panel, panel_width - room) if panel else []
        high = _HEIGHT if in_row == 1 else _HEIGHT * 0.8
        wide = panel_width - room - half_tick(across)
        frame = Frame(left, top + 12 + 24 * len(caption), wide, high, across, upwards)
        parts += [text_at(left, top + 20 + 24 * k, line, "b") for k, line in enumerate(caption)]
        parts += _panel(frame, lines, palette, levels, x_title, marks=marks)
        bottom = max(bottom, frame.bottom + 56)
    entries, bottom = legend(names, palette, bottom + 8, width, marks=marks)
    parts += entries.values()
    titled = ", ".join(filter(None, panels))
    described = f"{y_title} over {x_title}" + (f", a panel each for {titled}" if titled else "")
    return Figure(name, title, f"{described}: {', '.join(names)}.", width, bottom, "".join(parts))


def _panel(
    frame: Frame,
    lines: Mapping[str, Curve],
    palette: Palette,
    levels: Sequence[float],
    x_title: str,
    *,
    marks: bool,
) -> list[str]:
    """Return axes and lines; what a logarithmic axis has no place for is left out."""
    parts = [*frame.rows(), *frame.columns(), *map(frame.level, levels)]
    parts.append(text_at(frame.left + frame.width / 2, frame.bottom + 46, x_title, "m soft"))
    for label, curve in lines.items():
        there = [(x, p) for x, p in curve if x > 0 or not frame.across.is_logarithmic]
        band = len(lines) <= _MOST_BANDS
        parts.append(_series(frame, palette[label], there, band=band, marks=marks))
    return parts


def _series(
    frame: Frame,
    look: Look,
    points: Curve,
    *,
    beside: Curve = (),
    band: bool = True,
    marks: bool = True,
) -> str:
    """Return a line with its band and its marks; gaps where there is no value are closed."""
    parts = []
    banded = [
        (frame.x(at), frame.y(point.low), frame.y(point.high))
        for at, point in points
        if point.low is not None and point.high is not None
    ]
    if len(banded) > 1 and band:
        upper = [f"{number(at)} {number(high)}" for at, _, high in banded]
        lower = [f"{number(at)} {number(low)}" for at, low, _ in reversed(banded)]
        parts.append(f'<path class="band {look.fill}" d="M{"L".join([*upper, *lower])}Z"/>')
    places = [(frame.x(at), frame.y(p.value), p) for at, p in points if p.value is not None]
    if places:
        path = "L".join(f"{number(at)} {number(y)}" for at, y, _ in places)
        parts.append(f'<path class="l {look.line}" d="M{path}"/>')
    places += [(frame.x(at), frame.y(p.value), p) for at, p in beside if p.value is not None]
    if marks:
        parts += [mark(look, at, y, point.tooltip) for at, y, point in places]
    return "".join(parts)


def _numbers(points: Iterable[Point]) -> list[float]:
    """Return all values and ends of intervals."""
    return [
        one for point in points for one in (point.value, point.low, point.high) if one is not None
    ]


@dataclass(frozen=True)
class _CategoryLabels:
    """What stands below the axis: upright names, or slanted ones where those would collide."""

    names: Sequence[str]
    width: float
    """Of the axis, so that no name touches the next."""
    height: float
    is_slanted: bool

    @classmethod
    def of(cls, names: Sequence[str], width: float) -> _CategoryLabels:
        widest = max((text_width(name, TEXT_SIZE) for name in names), default=0.0)
        n = max(len(names), 1)
        if widest + 8 <= width / n:
            return cls(names, width, 26.0, is_slanted=False)
        least = 30.0  # between slanted lines of text
        return cls(names, max(width, n * least), widest * _SLANT + 28, is_slanted=True)

    def to_svg(self, frame: Frame) -> str:
        parts = []
        for k, name in enumerate(self.names):
            x, y = frame.x(k + 0.5), frame.bottom + 24
            if self.is_slanted:
                turned = f"translate({number(x + 5)} {number(y - 4)}) rotate(-45)"
                parts.append(f'<text class="e" transform="{turned}">{escape(name)}</text>')
            else:
                parts.append(text_at(x, y, name, "m"))
        return "".join(parts)


_SLANT = math.sin(math.radians(45))

"""Points with their names: coloured by name, by group or by a value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from treegauge.reports.charts.figure import (
    WIDTH,
    Figure,
    heading,
    mark,
    number,
    text_at,
    tooltip,
)
from treegauge.reports.charts.labels import Anchor, Box, legend, place_labels
from treegauge.reports.charts.scale import Frame, Scale, half_tick, tick_room, tick_text
from treegauge.reports.charts.style import SMALL_SIZE
from treegauge.reports.palette import MARKS, Look, Palette
from treegauge.reports.text_widths import text_width

_HEIGHT, _TALL = 380.0, 480.0
_CROWD = 20
"""With more points than this, a chart is taller."""
_NEAR_ZERO = 0.25
_RADIUS = 6.0
_TRIANGLE = 1.5
"""How much larger triangles are, whose shade is to be seen."""


@dataclass(frozen=True)
class Spot:
    """A point of a scatter plot."""

    label: str
    x: float
    y: float
    tooltip: str = ""
    weight: float = 1.0
    """In 0..1: how much of the largest area it has."""
    group: str = ""
    """What kind of thing it is, such as genuine or converted: a colour, a mark, a legend."""
    value: float | None = None
    """A third number, as a shade of blue (positive) or vermilion (negative)."""


def scatter_chart(
    name: str,
    title: str,
    *,
    x_title: str,
    y_title: str,
    spots: Sequence[Spot],
    logarithmic: bool = False,
    diagonal: bool = False,
    trend: bool = False,
    value_title: str = "",
    palette: Palette | None = None,
    remark: str = "",
) -> Figure:
    """Draw points with their names; where it is crowded, lines lead from a point to its name.

    Parameters
    ----------
    name : str
        Of the file.
    logarithmic : bool
        Whether the axis across is; points at zero and below are then left out.
    diagonal : bool
        Whether both axes are the same, with a line where x is y.
    trend : bool
        Whether the line of least squares is drawn.
    value_title : str
        What the third numbers are, for their scale.
    palette : Palette, optional
        The looks of groups, or else of labels that are names of systems; groups without a
        palette have colours in the order in which they come.
    remark : str
        A line below the title.
    """
    spots = [spot for spot in spots if spot.x > 0 or not logarithmic]
    xs, ys = [spot.x for spot in spots], [spot.y for spot in spots]
    across = Scale.logarithmic(xs) if logarithmic else Scale.linear(xs, near_zero=_NEAR_ZERO)
    upwards = Scale.linear(ys, near_zero=_NEAR_ZERO)
    if diagonal:
        across = upwards = Scale.linear([*xs, *ys], near_zero=_NEAR_ZERO)
    left = tick_room(upwards)
    widest = max((text_width(spot.label, SMALL_SIZE) for spot in spots), default=0.0)
    width = max(WIDTH, left + widest + 40)
    head, top = heading(title, [remark, y_title], width)
    height = _TALL if len(spots) > _CROWD else _HEIGHT
    frame = Frame(left, top + 8, width - left - half_tick(across), height, across, upwards)
    parts = [head, *frame.rows(), *frame.columns()]
    if diagonal:
        parts.append(_line(frame, upwards.low, upwards.low, upwards.high, upwards.high))
    if trend:
        parts += _trend(frame, spots)
    parts.append(text_at(frame.left + frame.width / 2, frame.bottom + 48, x_title, "m soft"))
    bottom = frame.bottom + 58
    groups = list(dict.fromkeys(spot.group for spot in spots if spot.group))
    if groups:
        palette = palette or Palette.in_order(groups)
        entries, bottom = legend(groups, palette, bottom + 6, width, lines=False)
        parts += entries.values()
    most = max((abs(spot.value) for spot in spots if spot.value is not None), default=0.0)
    if any(spot.value is not None for spot in spots):
        parts.append(_value_scale(most, value_title, bottom + 6))
        bottom += 64
    anchors = []
    for spot in sorted(spots, key=lambda spot: -spot.weight):
        radius = _RADIUS if spot.value is None else _RADIUS * _TRIANGLE
        if spot.weight < 1 or diagonal:
            radius = 3 + 10 * math.sqrt(spot.weight)
        x, y = frame.x(spot.x), frame.y(spot.y)
        parts.append(_spot(spot, x, y, radius, most, palette))
        anchors.append(Anchor(spot.label, x, y, radius))
    bounds = Box(frame.left + 3, frame.top - 6, width - 2, frame.bottom - 3)
    labels = place_labels([anchor for anchor in anchors if anchor.text], bounds, bottom + 4)
    parts += [label.to_svg() for label in labels]
    bottom = max([bottom, *(label.box.bottom + 4 for label in labels)])
    description = f"{y_title} over {x_title}, for {len(spots)} points."
    return Figure(name, title, description, width, bottom, "".join(parts))


def _spot(
    spot: Spot, x: float, y: float, radius: float, most: float, palette: Palette | None
) -> str:
    if spot.value is not None:
        # Shades alone do not tell signs apart in grey; triangles point where the value goes.
        look = Look(0, 0, 2) if spot.value >= 0 else Look(1, 0, 4)
        shade = 0.15 + 0.85 * abs(spot.value) / (most or 1.0)
        path = MARKS[look.mark].format(x=0, y=0)
        return (
            f'<path class="{look.fill}" stroke-width=".7" fill-opacity="{shade:.2f}" '
            f'transform="translate({number(x)} {number(y)}) scale({_TRIANGLE})" d="{path}">'
            f"{tooltip(spot.tooltip)}</path>"
        )
    if spot.group and palette is not None:
        return mark(palette[spot.group], x, y, spot.tooltip)
    look = palette[spot.label] if palette is not None else Look(0, 0, 0)
    return (
        f'<circle class="{look.fill}" fill-opacity=".6" cx="{number(x)}" cy="{number(y)}" '
        f'r="{number(radius)}">{tooltip(spot.tooltip)}</circle>'
    )


def _line(frame: Frame, x: float, y: float, to_x: float, to_y: float) -> str:
    return (
        f'<path class="axis" stroke-dasharray="6 5" d="M{number(frame.x(x))} '
        f'{number(frame.y(y))}L{number(frame.x(to_x))} {number(frame.y(to_y))}"/>'
    )


def _trend(frame: Frame, spots: Sequence[Spot]) -> list[str]:
    """Return the line of least squares, as far as it is inside the frame."""
    is_logarithmic = frame.across.is_logarithmic
    xs = [math.log10(spot.x) if is_logarithmic else spot.x for spot in spots]
    ys = [spot.y for spot in spots]
    n = len(spots)
    if n < 2:
        return []
    mean_x, mean_y = sum(xs) / n, sum(ys) / n
    spread = sum((x - mean_x) ** 2 for x in xs)
    if not spread:
        return []
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread
    ends = []
    low, high = frame.upwards.low, frame.upwards.high
    for x in (min(xs), max(xs)):
        y = mean_y + slope * (x - mean_x)
        inside = min(max(y, low), high)
        if inside != y:
            x, y = mean_x + (inside - mean_y) / slope, inside
        ends += [10**x if is_logarithmic else x, y]
    return [_line(frame, *ends)]


def _value_scale(most: float, title: str, top: float) -> str:
    """Return shades from the lowest to the highest value, with numbers below them."""
    step, left = 26.0, 4.0
    shares = [k / 4 for k in range(-4, 5)]
    title_width = text_width(title, SMALL_SIZE) + 14 if title else 0.0
    parts = [text_at(0, top + 16, title, "small soft")] if title else []
    for k, share in enumerate(shares):
        x = left + title_width + step * k
        parts.append(
            f'<rect class="c{0 if share >= 0 else 1}" stroke-width="0" '
            f'fill-opacity="{0.15 + 0.85 * abs(share):.2f}" x="{number(x)}" y="{number(top)}" '
            f'width="{number(step - 1)}" height="20"/>'
        )
        if share in (-1, 0, 1):
            value = float(f"{most * share:.2g}")
            text = ("+" if value > 0 else "") + tick_text(value)
            parts.append(text_at(x + step / 2, top + 40, text, "m small"))
    return "".join(parts)

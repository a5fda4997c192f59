"""Bars from left to right, with intervals, dots for their parts, and published numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from treegauge.reports.charts.figure import (
    WIDTH,
    Figure,
    Point,
    heading,
    number,
    text_at,
    tooltip,
)
from treegauge.reports.charts.scale import Scale, tick_text
from treegauge.reports.charts.style import SMALL_SIZE, TEXT_SIZE
from treegauge.reports.palette import Look, Palette
from treegauge.reports.text_widths import text_width

_LONG = 230.0
"""A name that is wider stands above its bar."""
_ROW = 34.0
_BAR = 22.0


@dataclass(frozen=True)
class Bar:
    """A bar, small dots for what it is the mean of, and perhaps published numbers."""

    label: str
    point: Point
    text: str
    """The number, as it is written at the end of the bar."""
    dots: Sequence[tuple[float, str]] = ()
    """Values and their tooltips."""
    published: Sequence[tuple[float, str]] = ()
    """Values and their tooltips."""

    @property
    def numbers(self) -> list[float]:
        """Everything that is drawn."""
        own = (self.point.value, self.point.low, self.point.high)
        others = (value for value, _ in (*self.dots, *self.published))
        return [one for one in (*own, *others) if one is not None]


def bar_chart(
    name: str,
    title: str,
    *,
    x_title: str,
    groups: Mapping[str, Sequence[Bar]],
    remark: str = "",
    palette: Palette | None = None,
) -> Figure:
    """Draw bars in groups, from left to right, from zero.

    Parameters
    ----------
    name : str
        Of the file.
    groups : mapping from heading to bars
        A single group needs no heading: `{"": bars}`.
    remark : str
        A line below the title.
    palette : Palette, optional
        The colours of labels that are names of systems; without one, all bars have one colour.
    """
    bars = [bar for members in groups.values() for bar in members]
    scale = Scale.linear([one for bar in bars for one in bar.numbers], from_zero=True)
    widest = max([text_width(bar.label, TEXT_SIZE) for bar in bars] + [40.0])
    names_above = widest > _LONG
    left = 12.0 if names_above else widest + 12
    number_room = max([text_width(bar.text, TEXT_SIZE) for bar in bars] + [0.0]) + 16
    length = max(WIDTH - left - number_room, 300.0)
    width = max(left + length + number_room, widest if names_above else 0.0)
    head, top = heading(title, [x_title, remark], width)

    def x(value: float) -> float:
        return left + length * scale.share(value)

    parts: list[str] = []
    y = top + 6
    for group, members in groups.items():
        if group and len(groups) > 1:
            parts.append(text_at(0, y + 18, group, "soft b"))
            y += 28
        for bar in members:
            if names_above:
                parts.append(text_at(left, y + 19, bar.label))
                y += 24
            look = palette[bar.label] if palette is not None else Look(0, 0, 0)
            parts.append(_bar(bar, look, y, left, x, named=not names_above))
            y += _ROW
        y += 8
    grid = []
    for tick in scale.ticks:
        at = number(x(tick))
        grid.append(f'<path class="g" d="M{at} {number(top)}V{number(y)}"/>')
        grid.append(text_at(x(tick), y + 20, tick_text(tick), "m soft small"))
    last = x(scale.high) + text_width(tick_text(scale.high), SMALL_SIZE) / 2
    description = "; ".join(f"{bar.label}: {bar.text}" for bar in bars)
    return Figure(
        name, title, description, max(width, last), y + 30, "".join([head, *grid, *parts])
    )


def _bar(
    bar: Bar,
    look: Look,
    top: float,
    left: float,
    x: Callable[[float], float],
    *,
    named: bool,
) -> str:
    middle = top + _ROW / 2
    parts = [text_at(left - 10, middle + 5.5, bar.label, "e")] if named else []
    value, low, high = bar.point.value, bar.point.low, bar.point.high
    zero = end = x(0.0)
    if value is not None:
        start, stop = sorted((zero, x(value)))
        end = max(end, stop)
        parts.append(
            f'<rect class="{look.fill}" stroke-width="0" fill-opacity=".8" x="{number(start)}" '
            f'y="{number(middle - _BAR / 2)}" width="{number(max(stop - start, 1))}" '
            f'height="{number(_BAR)}" rx="2">{tooltip(bar.point.tooltip)}</rect>'
        )
        if low is not None and high is not None:
            parts.append(
                f'<path class="w" d="M{number(x(low))} {number(middle)}H{number(x(high))}'
                f"M{number(x(low))} {number(middle - 5)}v10"
                f'M{number(x(high))} {number(middle - 5)}v10"/>'
            )
            end = max(end, x(high))
    for one, text in bar.dots:
        parts.append(
            f'<circle class="dot" cx="{number(x(one))}" cy="{number(middle)}" r="4">'
            f"{tooltip(text)}</circle>"
        )
        end = max(end, x(one) + 4)
    for one, text in bar.published:
        at = number(x(one))
        parts.append(
            f'<path class="pub" d="M{at} {number(top + 1)}v{number(_ROW - 2)}"/>'
            f'<rect class="hit" x="{number(x(one) - 5)}" y="{number(top)}" width="10" '
            f'height="{number(_ROW)}">{tooltip(text)}</rect>'
        )
        end = max(end, x(one))
    parts.append(text_at(end + 8, middle + 5.5, bar.text))
    return f'<g class="row">{"".join(parts)}</g>'

"""Axes: where they begin and end, their numbers, and the frame that two of them make."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from treegauge.reports.charts.figure import number, text_at
from treegauge.reports.charts.style import TEXT_SIZE
from treegauge.reports.text_widths import text_width


@dataclass(frozen=True)
class Scale:
    """From where to where an axis goes, and what is written on it."""

    low: float
    high: float
    ticks: tuple[float, ...]
    is_logarithmic: bool = False

    def share(self, value: float) -> float:
        """Return how far along the axis a value is, in 0..1."""
        low, high = self.low, self.high
        if self.is_logarithmic:
            value, low, high = (math.log10(one) for one in (value, low, high))
        return (value - low) / (high - low)

    @classmethod
    def linear(
        cls,
        values: Sequence[float],
        *,
        from_zero: bool = False,
        near_zero: float = 0.75,
        within: tuple[float, float] | None = None,
    ) -> Scale:
        """Return an axis with about five round numbers on it.

        Parameters
        ----------
        from_zero : bool
            Whether zero is on the axis in any case.
        near_zero : float
            Otherwise zero is on it where it is not farther from the values than this share of
            the range that they have.
        within : pair of float, optional
            Where the axis begins and ends, whatever the values are.
        """
        low, high = min(values, default=0.0), max(values, default=1.0)
        if within is not None:
            low, high = within
        elif from_zero or 0 <= low < (high - low) * near_zero:
            low = min(0.0, low)
            high = max(0.0, high) if from_zero else high
        if high <= low:
            high = low + 1
        rough = (high - low) / 5
        power = 10 ** math.floor(math.log10(rough))
        step = next(size * power for size in (1, 2, 2.5, 5, 10) if size * power >= rough)
        first, last = math.floor(low / step), math.ceil(high / step - 1e-9)
        ticks = tuple(round(step * k, 10) for k in range(first, last + 1))
        return cls(ticks[0], ticks[-1], ticks)

    @classmethod
    def logarithmic(cls, values: Sequence[float]) -> Scale:
        """Return an axis of powers of ten, with 2 and 5 between them where it is short."""
        smallest, largest = min(values, default=1.0), max(values, default=10.0)
        first = math.floor(math.log10(smallest))
        last = max(math.ceil(math.log10(largest)), first + 1)
        between = (1, 2, 5) if last - first <= 2 else (1,)
        ticks = [size * 10.0**k for k in range(first, last) for size in between] + [10.0**last]
        ticks = [round(tick, 10) if tick > 1e-6 else tick for tick in ticks]
        # A decade that is mostly empty is not drawn as a whole.
        while len(ticks) > 2 and ticks[1] <= smallest:
            ticks.pop(0)
        while len(ticks) > 2 and ticks[-2] >= largest:
            ticks.pop()
        return cls(ticks[0], ticks[-1], tuple(ticks), is_logarithmic=True)


@dataclass(frozen=True)
class Frame:
    """The area between two axes."""

    left: float
    top: float
    width: float
    height: float
    across: Scale
    upwards: Scale

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Where it ends below."""
        return self.top + self.height

    def x(self, value: float) -> float:
        """Return the place of a value on the axis across."""
        return self.left + self.width * self.across.share(value)

    def y(self, value: float) -> float:
        """Return the place of a value on the axis upwards."""
        return self.top + self.height * (1 - self.upwards.share(value))

    def rows(self) -> list[str]:
        """Return lines across, with their numbers at the left."""
        parts = []
        for tick in self.upwards.ticks:
            at = self.y(tick)
            parts.append(
                f'<path class="g" d="M{number(self.left)} {number(at)}h{number(self.width)}"/>'
            )
            parts.append(text_at(self.left - 8, at + 5.5, tick_text(tick), "e soft"))
        return parts

    def columns(self) -> list[str]:
        """Return lines upwards, with their numbers below."""
        parts = []
        for tick in self.across.ticks:
            at = self.x(tick)
            parts.append(
                f'<path class="g" d="M{number(at)} {number(self.top)}v{number(self.height)}"/>'
            )
            parts.append(text_at(at, self.bottom + 22, tick_text(tick), "m soft"))
        return parts

    def level(self, value: float) -> str:
        """Return a dashed line across at a value."""
        at = number(self.y(value))
        return (
            f'<path class="axis" stroke-dasharray="6 5" '
            f'd="M{number(self.left)} {at}h{number(self.width)}"/>'
        )


def tick_room(scale: Scale) -> float:
    """Return how much room the numbers of an axis need at its left."""
    return max(text_width(tick_text(tick), TEXT_SIZE) for tick in scale.ticks) + 12


def half_tick(scale: Scale) -> float:
    """Return how far the last number of an axis reaches over its end."""
    return max(text_width(tick_text(scale.high), TEXT_SIZE) / 2, 14.0) + 2


def tick_text(value: float) -> str:
    """Return a number as an axis has it.

    >>> tick_text(20000.0), tick_text(0.25), tick_text(-5.0)
    ('20,000', '0.25', '−5')
    """
    return f"{value:,.10g}".replace("-", "−") if abs(value) >= 1e-4 or not value else f"{value:g}"

"""How numbers are shown: one formatter for all tables, figures and messages.

A number stays a number until somebody reads it. `NumberFormat` says how: in per cent or as it
is, with how many decimals, with a sign; p-values and durations have words of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

MISSING = "–"
"""How a missing value is shown."""


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """How the numbers of a column, a row or a cell are shown.

    Attributes
    ----------
    decimals : int
        Decimals of a fixed number or a p-value, digits of a significant one. Whole numbers have
        none.
    scale : float
        The number is multiplied by this: 100 for shares, which are shown in per cent.
    signed : bool
        Whether a plus is shown as well, for differences.
    kind : str
        `fixed` decimals, `significant` digits, `p` for p-values, `seconds` for durations, `of`
        for a count out of `n`, which the cell knows: 14/25.

    Examples
    --------
    >>> PERCENT.show(0.84312), DIFFERENCE.show(-0.0388), NUMBER.show(25094), P_VALUE.show(0.0001)
    ('84.31', '-3.88', '25,094', '<0.001')
    """

    decimals: int = 2
    scale: float = 1.0
    signed: bool = False
    kind: Literal["fixed", "significant", "p", "seconds", "of"] = "fixed"

    def show(self, value: float | None) -> str:
        """Return a number as people read it.

        Parameters
        ----------
        value : float or None
            The number.

        Returns
        -------
        str
            A dash if there is no value.
        """
        if value is None or value != value:  # NaN is the one number that is not itself
            return MISSING
        if self.kind == "p":
            least = 10**-self.decimals
            return f"{'<' if value < least else ''}{max(value, least):.{self.decimals}f}"
        if self.kind == "seconds":
            return duration(value)
        plus = "+" if self.signed else ""
        if isinstance(value, int):
            return f"{value:{plus},}"
        if self.kind in ("significant", "of"):
            return f"{self.scale * value:{plus}.{self.decimals}g}"
        return f"{self.scale * value:{plus},.{self.decimals}f}"

    def rounded(self, value: float) -> float:
        """Return the number that is shown, to find numbers that look the same.

        Parameters
        ----------
        value : float
            The number.

        Returns
        -------
        float
            The number, scaled and rounded.

        Examples
        --------
        >>> PERCENT.rounded(0.84316)
        84.32
        """
        return round(self.scale * value, self.decimals)


NUMBER = NumberFormat()
PERCENT = NumberFormat(scale=100)
"""Shares, kept in 0..1 and shown in 0..100."""
PERCENT_1 = NumberFormat(decimals=1, scale=100)
DIFFERENCE = NumberFormat(scale=100, signed=True)
"""Differences of shares, in points."""
P_VALUE = NumberFormat(decimals=3, kind="p")
SECONDS = NumberFormat(kind="seconds")
OUT_OF = NumberFormat(decimals=3, kind="of")
"""Counts out of n; ties make halves of them."""


def duration(seconds: float) -> str:
    """Return a time as people say it; nobody knows it to the second.

    >>> duration(0.2), duration(75), duration(7300)
    ('1 s', '1 min', '2.0 h')
    """
    if seconds < 60:
        return f"{max(round(seconds), 1)} s"
    return f"{round(seconds / 60)} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


def best_places(
    values: Sequence[float | None], format: NumberFormat = PERCENT, *, higher_is_better: bool = True
) -> list[int]:
    """Return the places of the best of several values, all of them if they look the same.

    Nothing is the best of less than two.

    >>> best_places([0.50001, None, 0.50002, 0.3])
    [0, 2]
    >>> best_places([2.5, 1.5], NUMBER, higher_is_better=False), best_places([0.5, None])
    ([1], [])
    """
    numbers = [None if v is None or v != v else format.rounded(v) for v in values]
    there = [number for number in numbers if number is not None]
    if len(there) < 2:
        return []
    top = max(there) if higher_is_better else min(there)
    return [place for place, number in enumerate(numbers) if number == top]


def show_p(p: float) -> str:
    """Return a p-value with its sign.

    >>> show_p(0.0381), show_p(0.00002)
    ('p = 0.038', 'p < 0.001')
    """
    shown = P_VALUE.show(p)
    return f"p < {shown[1:]}" if shown.startswith("<") else f"p = {shown}"

"""Correlation of two rows of numbers, with what a few points can and cannot say.

Papers correlate over ten treebanks. The interval comes from resampled points (percentiles), the
p-value from permuted ones (Pearson's coefficient, two-sided); neither assumes a distribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FEWEST_PAIRS = 3
"""Two points are always on a line."""


@dataclass(frozen=True)
class Correlation:
    """How two rows of numbers go together; None where one is constant, or has two points."""

    n: int
    """Pairs in which both numbers are there."""
    pearson: float | None
    spearman: float | None
    low: float | None
    """Of a 95% interval of Pearson's coefficient."""
    high: float | None
    p: float | None
    """Of Pearson's coefficient, by permutation."""

    def to_dict(self) -> dict[str, Any]:
        """Return the correlation as JSON has it."""
        return {
            "n": self.n,
            "pearson": self.pearson,
            "spearman": self.spearman,
            "low": self.low,
            "high": self.high,
            "p": self.p,
        }

    def __str__(self) -> str:
        """Return `0.66 [0.20, 0.88], p = 0.010, n = 14`."""
        if self.pearson is None:
            return f"too few (n = {self.n})" if self.n < FEWEST_PAIRS else f"none, n = {self.n}"
        between = "" if self.low is None else f" [{self.low:.2f}, {self.high:.2f}]"
        p = "" if self.p is None else f", p {'< 0.001' if self.p < 0.001 else f'= {self.p:.3f}'}"
        return f"{self.pearson:.2f}{between}{p}, n = {self.n}"


def correlation(x: ArrayLike, y: ArrayLike, *, resamples: int = 1000, seed: int = 0) -> Correlation:
    """Return how two rows of numbers go together; pairs with a missing number are left out.

    Examples
    --------
    >>> result = correlation([1, 2, 3, 4, None], [1, 3, 2, 4, 9], resamples=0)
    >>> result.n, round(result.pearson, 2), round(result.spearman, 2)
    (4, 0.8, 0.8)
    """
    first, second = _complete_pairs(x, y)
    n = len(first)
    value = _pearson(first, second)
    if value is None:
        return Correlation(n, None, None, None, None, None)
    from scipy.stats import spearmanr  # slow to import: half a second

    spearman = float(spearmanr(first, second).statistic)
    if not resamples:
        return Correlation(n, value, spearman, None, None, None)
    random = np.random.default_rng(seed)
    drawn = random.integers(n, size=(resamples, n))
    values = row_correlations(first[drawn], second[drawn])
    values = values[~np.isnan(values)]
    low, high = np.quantile(values, [0.025, 0.975]) if len(values) else (None, None)
    order = np.argsort(random.random((resamples, n)), axis=1)
    shuffled = row_correlations(np.broadcast_to(first, (resamples, n)), second[order])
    # One more for the order that was seen, which is a permutation too.
    at_least = int((np.abs(shuffled) >= abs(value) - 1e-12).sum())
    return Correlation(
        n,
        value,
        spearman,
        None if low is None else float(low),
        None if high is None else float(high),
        (at_least + 1) / (resamples + 1),
    )


def partial_correlation(
    x: ArrayLike, y: ArrayLike, given: Sequence[ArrayLike], *, resamples: int = 1000, seed: int = 0
) -> Correlation:
    """Return how two rows of numbers go together when others are held fixed.

    What a linear regression on the others leaves of both is correlated; p-value and interval
    take these remains as they are.
    """
    columns = np.array([x, y, *given], np.float64)
    columns = columns[:, ~np.isnan(columns).any(axis=0)]
    if columns.shape[1] <= len(given) + 3:
        return Correlation(columns.shape[1], None, None, None, None, None)
    known = np.vstack([np.ones(columns.shape[1]), columns[2:]]).T
    rest = columns[:2].T - known @ np.linalg.lstsq(known, columns[:2].T, rcond=None)[0]
    # Rounding is all that is left of what the others explain entirely.
    rest[:, np.ptp(rest, axis=0) <= 1e-9 * np.maximum(np.ptp(columns[:2], axis=1), 1e-300)] = 0.0
    return correlation(rest[:, 0], rest[:, 1], resamples=resamples, seed=seed)


def _complete_pairs(x: ArrayLike, y: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    first, second = np.asarray(x, np.float64), np.asarray(y, np.float64)
    there = ~(np.isnan(first) | np.isnan(second))
    return first[there], second[there]


def _pearson(x: NDArray[np.float64], y: NDArray[np.float64]) -> float | None:
    if len(x) < FEWEST_PAIRS or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    return float(row_correlations(x[None], y[None])[0])


def row_correlations(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Pearson's coefficient for every row; NaN where one side is constant."""
    x = x - x.mean(axis=1, keepdims=True)
    y = y - y.mean(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        above = (x * y).sum(axis=1)
        below = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
        coefficients: NDArray[np.float64] = np.where(below > 0, above / below, np.nan)
    return np.clip(coefficients, -1.0, 1.0)

"""Whether two rankings agree more than chance: a permutation test of Kendall's tau-b."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from treegauge.significance.agreement import kendall_tau_b

Floats = NDArray[np.float64]

_ALL_ORDERS = 8
"""Up to so many positions, all orders are looked at: 40,320."""


def tau_p_value(
    x: Sequence[float], y: Sequence[float], *, trials: int = 10_000, seed: int = 0
) -> float | None:
    """Return the two-sided p of tau-b: the share of orders of y that agree or disagree as much.

    Exact for up to eight positions, ties or not; by `trials` random orders for more.

    >>> round(tau_p_value([1, 2, 3, 4, 5], [1, 2, 3, 4, 5]), 4)
    0.0167
    """
    if kendall_tau_b(x, y) is None:
        return None
    signs, values = _signs(x), np.asarray(y, np.float64)
    observed = _concordance(signs, values[None])[0]
    if len(values) <= _ALL_ORDERS:
        orders = values[np.array(list(permutations(range(len(values)))))]
        # Sums of -1, 0 and 1: no rounding.
        return float(np.mean(np.abs(_concordance(signs, orders)) >= abs(observed)))
    orders = np.random.default_rng(seed).permuted(np.tile(values, (trials, 1)), axis=1)
    count = np.count_nonzero(np.abs(_concordance(signs, orders)) >= abs(observed))
    return (int(count) + 1) / (trials + 1)


def tau_of_rows(x: Sequence[float], rows: Floats) -> Floats:
    """Return Kendall's tau-b of x and every row, NaN where it is undefined.

    >>> tau_of_rows([1, 2, 3], np.array([[1, 2, 3], [3, 2, 1], [1, 1, 1]])).tolist()
    [1.0, -1.0, nan]
    """
    signs = _signs(x)
    untied = np.count_nonzero(signs) * np.count_nonzero(_signs_of_rows(rows), axis=1)
    out: Floats = np.divide(
        _concordance(signs, rows),
        np.sqrt(untied),
        out=np.full(len(rows), np.nan),
        where=untied > 0,
    )
    return out


def _signs(x: Sequence[float]) -> NDArray[np.int64]:
    """Return for every pair of positions which of the two is larger."""
    signs: NDArray[np.int64] = _signs_of_rows(np.asarray(x, np.float64)[None])[0]
    return signs


def _signs_of_rows(rows: Floats) -> NDArray[np.int64]:
    i, j = np.array(list(combinations(range(rows.shape[1]), 2)), np.int64).reshape(-1, 2).T
    signs: NDArray[np.int64] = np.sign(rows[:, i] - rows[:, j]).astype(np.int64)
    return signs


def _concordance(signs: NDArray[np.int64], orders: Floats) -> NDArray[np.int64]:
    """Return concordant less discordant pairs, for every row of orders."""
    concordance: NDArray[np.int64] = _signs_of_rows(orders) @ signs
    return concordance

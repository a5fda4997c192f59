"""Numbers numbers: which ones occur, and which of these each one is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.properties._numbering_numba import number_values


def number_by_first_use(
    values: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the different values in order of first use, and for each value its place there.

    Values are 0 or larger.

    Examples
    --------
    >>> found, place = number_by_first_use(np.array([7, 3, 7]))
    >>> found.tolist(), place.tolist()
    ([7, 3], [0, 1, 0])
    """
    place = np.empty(len(values), np.int64)
    found, slots = _table(1024)
    n, done = number_values(values, slots, found, place, 0, 0)
    while done < len(values):
        known = found[:n]
        found, slots = _table(2 * len(slots))
        number_values(known, slots, found, np.empty(n, np.int64), 0, 0)
        n, done = number_values(values, slots, found, place, n, done)
    return found[:n].copy(), place


def _table(size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return room for half as many values as there are slots, and empty slots."""
    return np.empty(size // 2, np.int64), np.full(size, -1, np.int64)

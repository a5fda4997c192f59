"""Bins of numbers: where each begins, and what it is called."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray


def binned(values: ArrayLike, first: Sequence[int]) -> NDArray[np.int32]:
    """Return the bin of every number; -1 below the first bin, and the last bin is open.

    >>> binned([-1, 0, 3, 700], [0, 1, 2, 5]).tolist()
    [-1, 0, 2, 3]
    """
    return (np.searchsorted(first, values, side="right") - 1).astype(np.int32)


def bin_names(first: Sequence[int]) -> tuple[str, ...]:
    """Return what bins are called, given the first number of each.

    >>> bin_names([0, 1, 2, 5])
    ('0', '1', '2-4', '5+')
    """
    closed = [f"{a}" if b == a + 1 else f"{a}-{b - 1}" for a, b in pairwise(first)]
    return (*closed, f"{first[-1]}+")

"""Kernel that numbers numbers: which ones occur, and which of these each one is."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def number_by_first_use(values):
    """Return the different values in order of first use, and for each value its place there.

    An open-addressing table of values that are 0 or larger; it doubles when it is half full.
    """
    capacity = 1024
    slots = np.full(capacity, -1, np.int64)
    found = np.empty(capacity, np.int64)
    place = np.empty(len(values), np.int64)
    n = 0
    for i in range(len(values)):
        value = values[i]
        at = _slot(slots, found, value)
        if slots[at] < 0:
            if 2 * n >= capacity:
                capacity *= 2
                larger = np.empty(capacity, np.int64)
                larger[:n] = found[:n]
                found = larger
                slots = np.full(capacity, -1, np.int64)
                for k in range(n):
                    slots[_slot(slots, found, found[k])] = k
                at = _slot(slots, found, value)
            found[n] = value
            slots[at] = n
            n += 1
        place[i] = slots[at]
    return found[:n].copy(), place


@kernel
def _slot(slots, found, value):
    """Return where a value is in the table, or the free slot where it belongs."""
    mask = len(slots) - 1
    # Fibonacci hashing: the high bits of the product depend on all bits of the value.
    at = ((value * 0x9E3779B97F4A7C1) >> 20) & mask
    while slots[at] >= 0 and found[slots[at]] != value:
        at = (at + 1) & mask
    return at

"""Kernel that numbers numbers: which ones occur, and which of these each one is."""

# mypy: ignore-errors
from __future__ import annotations

from treegauge.kernels import kernel


@kernel
def number_values(values, slots, found, place, n, done):
    """Look values that are 0 or larger up in an open-addressing table; number new ones.

    Begins with value `done` and stops before a new one where the table is half full: nothing
    grows in here. Returns how many different values there are, and how many values are done.
    """
    mask = len(slots) - 1
    for i in range(done, len(values)):
        value = values[i]
        # Fibonacci hashing: the high bits of the product depend on all bits of the value.
        at = ((value * 0x9E3779B97F4A7C1) >> 20) & mask
        while slots[at] >= 0 and found[slots[at]] != value:
            at = (at + 1) & mask
        if slots[at] < 0:
            if 2 * n >= len(slots):
                return n, i
            found[n] = value
            slots[at] = n
            n += 1
        place[i] = slots[at]
    return n, len(values)

"""Kernels that say where in the table the weights of a feature are.

A key leads to 16 weights beside each other, one line of the processor's cache: two for directions,
twelve for direction and distance, two for the root's arcs. Which of the line is the first
is again decided by the key, so that features that share a line share few weights.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel

_SLOT_BITS = np.uint64(24)
_15 = np.uint64(15)
_4 = np.uint64(4)


@kernel
def direction(head, dependent):
    """Return which of the 16 weights is for the arc's direction, whatever its distance."""
    if head == 0:
        return 14
    return 0 if head < dependent else 1


@kernel
def circumstance(head, dependent):
    """Return which of the 16 weights is for the arc's direction and distance."""
    if head == 0:
        return 15
    distance = abs(head - dependent)
    bucket = distance if distance <= 3 else (4 if distance <= 5 else (5 if distance <= 10 else 6))
    return 1 + bucket if head < dependent else 7 + bucket


@kernel
def place(key, which, shift):
    """Return the place in the table of weights of one of a key's 16."""
    line = (key >> shift) << _4
    return np.int64(line | (((key >> _SLOT_BITS) + np.uint64(which)) & _15))

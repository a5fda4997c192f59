"""Kernels that turn atoms into keys of 64 bits; equal features have equal keys.

Keys of different features differ for all practical purposes. Tables of weights are smaller, and
there two features may share a weight now and then, which costs next to no accuracy (Weinberger
et al. 2009, Feature hashing for large scale multitask learning. ICML).
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FACTOR_1 = np.uint64(0xBF58476D1CE4E5B9)
_FACTOR_2 = np.uint64(0x94D049BB133111EB)
_FINAL = np.uint64(0xD6E8FEB86659FD93)
_30 = np.uint64(30)
_27 = np.uint64(27)
_31 = np.uint64(31)


@kernel
def mixed(number, code):
    """Return a number of 64 bits that depends on both (splitmix64, Steele et al. 2014)."""
    z = number + np.uint64(code + 1) * _GOLDEN
    z = (z ^ (z >> _30)) * _FACTOR_1
    z = (z ^ (z >> _27)) * _FACTOR_2
    return z ^ (z >> _31)


@kernel
def finished(total):
    """Return the key of a feature from the sum of its sides' numbers; its high bits are best."""
    return total * _FINAL


@kernel
def side_numbers(codes, first, n, templates, side, numbers):
    """Number one side of every template for rows first..first + n: numbers[row, template]."""
    for i in range(n + 1):
        for t in range(len(templates)):
            number = mixed(np.uint64(side), 2 * t + side)
            for k in range(templates.shape[2]):
                atom = templates[t, side, k]
                if atom < 0:
                    break
                number = mixed(number, codes[first + i, atom])
            numbers[i, t] = number

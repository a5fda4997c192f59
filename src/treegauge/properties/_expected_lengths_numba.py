"""Kernel for the sums in the expected lengths of random orders."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.properties._subtrees_numba import find_subtrees, subtree_room


@kernel
def sums_over_branches(head, offsets):
    """Return two sums for every sentence.

    The first is the sum over words v of s(v) (2 k(v) + 1), with the size and the number of
    children; the second the sum over v of (2 deg(v) - 1) times the squared sizes of the branches
    at v, the one with its head included.
    """
    of_children = np.zeros(len(offsets) - 1, np.int64)
    of_branches = np.zeros(len(offsets) - 1, np.int64)
    start, children, order, size = subtree_room(offsets)
    for s in range(len(offsets) - 1):
        first = offsets[s]
        n = offsets[s + 1] - first
        find_subtrees(head, first, n, start, children, order, size)
        for v in range(1, n + 1):
            k = start[v + 1] - start[v]
            of_children[s] += size[v] * (2 * k + 1)
            squares = 0
            degree = k
            if head[first + v - 1]:
                degree += 1
                squares += (n - size[v]) ** 2
            for c in range(start[v], start[v + 1]):
                squares += size[children[c]] ** 2
            of_branches[s] += (2 * degree - 1) * squares
    return of_children, of_branches

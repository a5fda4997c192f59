"""Kernels for the lengths of artificial orders, from sizes alone."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.properties._subtrees_numba import (
    find_subtrees,
    sort_children_by_size,
    subtree_room,
)

EXACT, PLAIN, BRANCHING = 0, 1, 2


@kernel
def lengths_of_order(head, offsets, which):
    """Return for every sentence the length of an order that alternates or branches.

    An arc from a head to a child takes one step, and jumps over every subtree between the two.
    So a child's subtree costs its size times the number of arcs that jump over it: those to
    its head's children farther out on the same side, and the arc to the head's own head if the
    child stands on that side. EXACT puts the largest child away from the head's head, PLAIN
    always to the left, BRANCHING all children to one side, away from the head's head.
    """
    lengths = np.empty(len(offsets) - 1, np.int64)
    start, children, order, size = subtree_room(offsets)
    by_size = np.empty(len(start), np.int64)
    place = np.empty(len(start), np.int64)
    to_the_right = np.empty(len(start), np.int64)
    for s in range(len(offsets) - 1):
        first = offsets[s]
        n = offsets[s + 1] - first
        find_subtrees(head, first, n, start, children, order, size)
        sort_children_by_size(head, first, n, start, children, size, by_size, place)
        total = 0
        for k in range(1, n + 1):
            h = order[k]
            is_root = head[first + h - 1] == 0
            total += start[h + 1] - start[h]
            for c in range(start[h], start[h + 1]):
                i = c - start[h]
                if which == BRANCHING:
                    jumps = i
                elif is_root:
                    jumps = i // 2
                elif which == EXACT or not to_the_right[h]:
                    jumps = (i + 1) // 2
                else:
                    # The first child, on the left, is on the side of the head's head.
                    jumps = i // 2 + (i + 1) % 2
                total += size[children[c]] * jumps
                to_the_right[children[c]] = i % 2
        lengths[s] = total
    return lengths


@kernel
def root_at_centroids(head, offsets):
    """Return the heads of the same trees, every one hung up at a centroid.

    A centroid leaves no branch of more than half of the words. It is found from the root by
    going down as long as there is a larger branch, and the arcs on the way are turned around.
    """
    turned = head.copy()
    start, children, order, size = subtree_room(offsets)
    for s in range(len(offsets) - 1):
        first = offsets[s]
        n = offsets[s + 1] - first
        if n == 0:
            continue
        find_subtrees(head, first, n, start, children, order, size)
        at = children[start[0]]
        above = 0
        while True:
            turned[first + at - 1] = 0
            if above:
                turned[first + above - 1] = at
            below = 0
            for c in range(start[at], start[at + 1]):
                if 2 * size[children[c]] > n:
                    below = children[c]
            if below == 0:
                break
            above = at
            at = below
    return turned

"""Kernels that put words in order: from keys of children to places in the sentence."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.properties.subtrees import (
    find_subtrees,
    sort_children_by_key,
    sort_children_by_size,
    subtree_room,
)


@kernel
def lay_out(head, offsets, in_tree, key):
    """Return the words of every sentence in the projective order that keys describe.

    Children with a key below 0 stand before their head, the others behind it, sorted by key; so
    do roots, below an artificial head that has no place. `in_tree` is the number of words of
    every sentence that belong to its tree; those behind them stay at the end.
    """
    words = np.empty(len(head), np.int64)
    start, children, order, size = subtree_room(offsets)
    low = np.empty_like(start)
    room = np.empty_like(start)
    for s in range(len(offsets) - 1):
        first = offsets[s]
        n = in_tree[s]
        find_subtrees(head, first, n, start, children, order, size)
        low[0] = 0
        for k in range(n + 1):
            h = order[k]
            begin, end = start[h], start[h + 1]
            sort_children_by_key(children, begin, end, key, first, room)
            at = low[h]
            placed = h == 0
            for c in range(begin, end):
                d = children[c]
                if not placed and key[first + d - 1] >= 0:
                    words[first + at] = first + h - 1
                    at += 1
                    placed = True
                low[d] = at
                at += size[d]
            if not placed:
                words[first + at] = first + h - 1
        for i in range(n, offsets[s + 1] - first):
            words[first + i] = first + i
    return words


@kernel
def right_branching_keys(head, offsets, in_tree):
    """Return keys that put every child behind its head, the smallest subtree first."""
    key = np.zeros(len(head), np.float64)
    start, children, order, size = subtree_room(offsets)
    for s in range(len(offsets) - 1):
        first = offsets[s]
        n = in_tree[s]
        find_subtrees(head, first, n, start, children, order, size)
        for i in range(1, n + 1):
            is_root = head[first + i - 1] == 0
            key[first + i - 1] = i if is_root else size[i] * (n + 1) + i
    return key


@kernel
def alternating_keys(head, offsets, in_tree, exact, root_left):
    """Return keys of the order with the shortest dependencies.

    The largest child goes to one side of its head, the next to the other, and so on: the largest
    outermost. If `exact`, the first side is the one away from the head's own head (which side of
    a root is a matter of taste); otherwise always the left one.
    """
    key = np.zeros(len(head), np.float64)
    start, children, order, size = subtree_room(offsets)
    by_size = np.empty_like(start)
    place = np.empty_like(start)
    for s in range(len(offsets) - 1):
        first = offsets[s]
        n = in_tree[s]
        find_subtrees(head, first, n, start, children, order, size)
        sort_children_by_size(head, first, n, start, children, size, by_size, place)
        for k in range(1, n + 1):
            h = order[k]
            to_the_left = True
            if head[first + h - 1] == 0:
                key[first + h - 1] = h
                to_the_left = root_left
            elif exact:
                to_the_left = key[first + h - 1] < 0
            for c in range(start[h], start[h + 1]):
                d = children[c]
                # Of equal sizes, the earlier word comes first on both sides.
                key[first + d - 1] = (-size[d] if to_the_left else size[d]) * (n + 1) + d
                to_the_left = not to_the_left
    return key

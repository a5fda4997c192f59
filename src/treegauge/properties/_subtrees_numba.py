"""Kernels that everything about subtrees begins with: children, sizes, parents first."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel, longest_sentence


@kernel
def subtree_room(offsets):
    """Return room for what `find_subtrees` fills in: start, children, order and size."""
    room = longest_sentence(offsets) + 2
    return (
        np.empty(room, np.int64),
        np.empty(room, np.int64),
        np.empty(room, np.int64),
        np.empty(room, np.int64),
    )


@kernel
def find_subtrees(head, first, n, start, children, order, size):
    """Fill in the shape of one tree (or forest), the words of which begin at `first`.

    The children of h, from left to right, are `children[start[h]:start[h + 1]]`; 0 is an
    artificial head above all roots. `order` has every head before its children, `size` the
    words of every subtree, its head included. Nothing may be a cycle or outside the sentence.
    """
    for h in range(n + 2):
        start[h] = 0
    for i in range(n):
        start[head[first + i] + 1] += 1
    for h in range(n + 1):
        start[h + 1] += start[h]
    for h in range(n + 1):
        size[h] = start[h]  # where the next child goes, for now
    for i in range(1, n + 1):
        h = head[first + i - 1]
        children[size[h]] = i
        size[h] += 1
    order[0] = 0
    found = 1
    for k in range(n + 1):
        h = order[k]
        for c in range(start[h], start[h + 1]):
            order[found] = children[c]
            found += 1
    for h in range(n + 1):
        size[h] = 1
    for k in range(n, 0, -1):
        size[head[first + order[k] - 1]] += size[order[k]]
    return


@kernel
def sort_children_by_size(head, first, n, start, children, size, by_size, place):
    """Put the largest children first; those of one size stay from left to right.

    All words are sorted by size at once, by counting, so that a head with many children takes no
    longer than many heads. `by_size` and `place` are room for n + 2 numbers each.
    """
    for k in range(n + 2):
        place[k] = 0
    for i in range(1, n + 1):
        place[n - size[i] + 1] += 1
    for k in range(n + 1):
        place[k + 1] += place[k]
    for i in range(1, n + 1):
        by_size[place[n - size[i]]] = i
        place[n - size[i]] += 1
    for h in range(n + 1):
        place[h] = start[h]
    for k in range(n):
        h = head[first + by_size[k] - 1]
        children[place[h]] = by_size[k]
        place[h] += 1


@kernel
def subtree_sizes(head, offsets):
    """Return the number of words of every word's subtree."""
    sizes = np.empty(len(head), np.int64)
    start, children, order, size = subtree_room(offsets)
    for s in range(len(offsets) - 1):
        first = offsets[s]
        n = offsets[s + 1] - first
        find_subtrees(head, first, n, start, children, order, size)
        for i in range(n):
            sizes[first + i] = size[i + 1]
    return sizes


@kernel
def sort_children_by_key(children, begin, end, key, first, room):
    """Sort the children of one head, which stand in `begin:end`; equal keys stay as they are.

    The key of word i of a sentence is `key[first + i - 1]`. Ever longer runs are merged, through
    `room`: numba's own stable sort takes seconds to compile.
    """
    run = 1
    while run < end - begin:
        for low in range(begin, end, 2 * run):
            middle = min(low + run, end)
            high = min(middle + run, end)
            i, j = low, middle
            for at in range(low, high):
                if j == high or (
                    i < middle and key[first + children[i] - 1] <= key[first + children[j] - 1]
                ):
                    room[at] = children[i]
                    i += 1
                else:
                    room[at] = children[j]
                    j += 1
            for at in range(low, high):
                children[at] = room[at]
        run *= 2

"""Kernel that tells which arcs are not projective."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel, longest_sentence


@kernel
def mark_nonprojective_words(head, offsets, crosses):
    """Fill in 1 for every word whose arc is not projective, 0 if it is; leave words of no tree.

    `reach[h]` is the last position up to which a head dominates every word on one side. It
    grows by whole reaches: whatever a dominated word reaches, its ancestors do too. So each
    word is passed once, and a long sentence takes no longer than many short ones.
    """
    room = longest_sentence(offsets) + 1
    first_child = np.empty(room, np.int64)
    next_sibling = np.empty(room, np.int64)
    entered = np.empty(room, np.int64)
    left = np.empty(room, np.int64)
    reach = np.empty(room, np.int64)
    for s in range(len(offsets) - 1):
        first = offsets[s]
        n = offsets[s + 1] - first
        for i in range(n + 1):
            first_child[i] = 0
            entered[i] = 0
        for i in range(n, 0, -1):
            h = head[first + i - 1]
            if 0 <= h <= n:
                next_sibling[i] = first_child[h]
                first_child[h] = i
        # Visit all words below the artificial root, 0. `entered` and `left` then bracket each
        # subtree, so that "is dominated by" is two comparisons.
        visited = 0
        at = first_child[0]
        while at:
            visited += 1
            entered[at] = visited
            if first_child[at]:
                at = first_child[at]
                continue
            left[at] = visited
            while at and not next_sibling[at]:
                at = head[first + at - 1]
                left[at] = visited
            if at:
                at = next_sibling[at]
        if visited < n:
            continue
        for h in range(n, 0, -1):
            r = h
            while r < n and entered[h] <= entered[r + 1] <= left[h]:
                r = reach[r + 1]
            reach[h] = r
        for i in range(1, n + 1):
            h = head[first + i - 1]
            crosses[first + i - 1] = 1 if 0 < h < i and reach[h] < i else 0
        for h in range(1, n + 1):
            r = h
            while r > 1 and entered[h] <= entered[r - 1] <= left[h]:
                r = reach[r - 1]
            reach[h] = r
        for i in range(1, n + 1):
            h = head[first + i - 1]
            if h > i and reach[h] > i:
                crosses[first + i - 1] = 1

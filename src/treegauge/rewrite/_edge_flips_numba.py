"""Kernel that turns arcs around."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def flip_marked(head, relation, offsets, marked):
    """Flip the arcs to marked words, in place, those nearest to the root first.

    In this order every marked word still has the head that it had at the beginning when its
    turn comes: a flip changes a word and its head, and both arcs are done by then.
    """
    longest = 0
    for s in range(len(offsets) - 1):
        longest = max(longest, offsets[s + 1] - offsets[s])
    depth = np.empty(longest + 1, np.int64)
    for s in range(len(offsets) - 1):
        first = offsets[s]
        n = offsets[s + 1] - first
        deepest = 0
        for i in range(1, n + 1):
            depth[i] = 0
            if marked[first + i - 1]:
                at = i
                while at:
                    depth[i] += 1
                    at = head[first + at - 1]
                deepest = max(deepest, depth[i])
        for level in range(2, deepest + 1):
            for i in range(1, n + 1):
                if depth[i] == level:
                    d = first + i - 1
                    h = first + head[d] - 1
                    head[d], head[h] = head[h], i
                    relation[d], relation[h] = relation[h], relation[d]

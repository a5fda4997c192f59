"""Kernel over heads: the depth of every word and the root above it."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def depths_and_roots(head, offsets):
    """Return the depth of every word and the position of the root above it.

    A root has depth 1 and is its own; both are 0 where no root is above the word.
    """
    depth = np.zeros(len(head), np.int32)
    root = np.zeros(len(head), np.int32)
    longest = 0
    for s in range(len(offsets) - 1):
        longest = max(longest, offsets[s + 1] - offsets[s])
    path = np.empty(longest + 1, np.int64)
    seen = np.empty(longest + 1, np.bool_)
    for s in range(len(offsets) - 1):
        first = offsets[s]
        n = offsets[s + 1] - first
        for i in range(n + 1):
            seen[i] = False
        # Walk up from every word to one that is known, then give depths on the way back;
        # each word is on the way back once.
        for i in range(1, n + 1):
            steps = 0
            at = i
            while 1 <= at <= n and not seen[at]:
                seen[at] = True
                path[steps] = at
                steps += 1
                at = head[first + at - 1]
            if 1 <= at <= n:
                # A word of this very walk still has depth 0: the cycle needs no other mark.
                above = depth[first + at - 1]
                top = root[first + at - 1]
                if above == 0:
                    continue
            elif at == 0:
                above = 0
                top = path[steps - 1]
            else:
                continue
            for k in range(steps - 1, -1, -1):
                above += 1
                depth[first + path[k] - 1] = above
                root[first + path[k] - 1] = top
    return depth, root

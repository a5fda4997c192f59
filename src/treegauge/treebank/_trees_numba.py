"""Kernels over heads: what is wrong with a tree, and the nearest kept ancestor."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
from numba import njit

OUTSIDE, NO_ROOT, SEVERAL_ROOTS, CYCLE, PARTLY_ANNOTATED = 1, 2, 4, 8, 16


@njit(cache=True, nogil=True)
def tree_flaws(head, offsets):
    """Return a bit set of flaws for every sentence; 0 for a tree or for no heads at all."""
    sentences = len(offsets) - 1
    flaws = np.zeros(sentences, np.uint8)
    longest = 0
    for s in range(sentences):
        longest = max(longest, offsets[s + 1] - offsets[s])
    seen = np.empty(longest + 1, np.int64)
    for s in range(sentences):
        first = offsets[s]
        n = offsets[s + 1] - first
        roots = 0
        bare = 0
        flaw = 0
        for i in range(n):
            h = head[first + i]
            if h == 0:
                roots += 1
            elif h == -1:
                bare += 1
            elif h < 0 or h > n:
                flaw |= OUTSIDE
        if bare == n:
            continue
        if bare:
            flaw |= PARTLY_ANNOTATED
        if roots == 0:
            flaw |= NO_ROOT
        elif roots > 1:
            flaw |= SEVERAL_ROOTS
        # Walk up from every word, marking the walk with its number; meeting one's own
        # mark closes a cycle, meeting another's or leaving the sentence ends the walk.
        for i in range(1, n + 1):
            seen[i] = 0
        for i in range(1, n + 1):
            at = i
            while 1 <= at <= n and seen[at] == 0:
                seen[at] = i
                at = head[first + at - 1]
            if 1 <= at <= n and seen[at] == i:
                flaw |= CYCLE
                break
        flaws[s] = flaw
    return flaws


@njit(cache=True, nogil=True)
def heads_among_kept(head, offsets, keep, new_position, new_head):
    """Give every kept word its nearest kept ancestor, in the new numbering.

    `new_position` is the position of every kept word among the kept ones of its sentence.
    Heads outside the sentence and missing heads are passed on as -1. Returns -1, or the
    first sentence in which removed words form a cycle below a kept word.
    """
    out = 0
    for s in range(len(offsets) - 1):
        first = offsets[s]
        n = offsets[s + 1] - first
        for i in range(n):
            if not keep[first + i]:
                continue
            at = head[first + i]
            steps = 0
            while 1 <= at <= n and not keep[first + at - 1]:
                at = head[first + at - 1]
                steps += 1
                if steps > n:
                    return s
            if at == 0:
                new_head[out] = 0
            elif 1 <= at <= n:
                new_head[out] = new_position[first + at - 1]
            else:
                new_head[out] = -1
            out += 1
    return -1

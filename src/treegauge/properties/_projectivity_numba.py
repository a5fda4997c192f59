"""Kernel that counts non-projective arcs."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def nonprojective_arcs(head, offsets, is_tree):
    """Return for every sentence how many arcs between words are not projective; -1: no tree.

    Words are visited from the root down, so that `entered` and `left` bracket each subtree
    and "is dominated by" is two comparisons.
    """
    sentences = len(offsets) - 1
    counts = np.full(sentences, -1, np.int64)
    longest = 0
    for s in range(sentences):
        longest = max(longest, offsets[s + 1] - offsets[s])
    first_child = np.empty(longest + 1, np.int64)
    next_sibling = np.empty(longest + 1, np.int64)
    entered = np.empty(longest + 1, np.int64)
    left = np.empty(longest + 1, np.int64)
    stranger_after = np.empty(longest + 1, np.int64)
    stranger_before = np.empty(longest + 1, np.int64)
    for s in range(sentences):
        if not is_tree[s]:
            continue
        first = offsets[s]
        n = offsets[s + 1] - first
        for i in range(n + 1):
            first_child[i] = 0
        for i in range(n, 0, -1):
            h = head[first + i - 1]
            next_sibling[i] = first_child[h]
            first_child[h] = i
        clock = 0
        entered[0] = 0
        at = 0
        while True:
            if first_child[at]:
                at = first_child[at]
                clock += 1
                entered[at] = clock
                continue
            left[at] = clock
            while at and not next_sibling[at]:
                at = head[first + at - 1]
                left[at] = clock
            if not at:
                break
            at = next_sibling[at]
            clock += 1
            entered[at] = clock
        # The nearest words on both sides that h does not dominate. What a word below h
        # dominates, h dominates too, so it is passed in one step; a word that was passed so
        # is never met again, which makes the loops linear.
        for h in range(n, 0, -1):
            k = h + 1
            while k <= n and entered[h] <= entered[k] <= left[h]:
                k = stranger_after[k]
            stranger_after[h] = k
        for h in range(1, n + 1):
            k = h - 1
            while k >= 1 and entered[h] <= entered[k] <= left[h]:
                k = stranger_before[k]
            stranger_before[h] = k
        count = 0
        for i in range(1, n + 1):
            h = head[first + i - 1]
            if h > 0 and (stranger_after[h] < i or stranger_before[h] > i):
                count += 1
        counts[s] = count
    return counts

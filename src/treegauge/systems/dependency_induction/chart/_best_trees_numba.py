"""Kernels that find the best tree: the chart of `_inside_outside_numba.py` with max and plus.

Scores are logarithms, or anything else that is added up (votes, posteriors).
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.dependency_induction.chart._inside_outside_numba import corner
from treegauge.systems.dependency_induction.chart._log_space_numba import log_weights, pushed

LEFT, RIGHT = 0, 1

TIE = 1e-11
"""Scores that differ by less are tied: sums of the same numbers in another order."""


@kernel
def largest_sum(one, other, begin, end):
    """Return the largest sum in a range and its place, the first of those that are tied."""
    best, place = -np.inf, begin
    for k in range(begin, end):
        score = one[k] + other[k]
        if score > best + TIE:
            best, place = score, k
    return best, place


@kernel
def best_tree(
    n, automaton, root, arc, stop, near, join, open_, closed, turned,
    near_at, join_by, open_at, closed_by, stack, heads,
):  # fmt: skip
    """Write the heads of the best tree and return its score; -inf, and no heads, if there is none.

    Ties: the smallest boundary or dependent first, then the smallest root.
    """
    source, target, label, final = automaton
    states = final.size
    for h in range(n):
        for direction in range(2):
            closed[h, h + direction] = stop[h, direction, final[0]]
            turned[h + direction, h] = stop[h, direction, final[0]]
    for width in range(1, n):
        for pair in range(2 * (n - width)):
            direction, h, d, beside, far, begin, end, first, last = corner(pair, width, n)
            near[0, h, d] = closed[d, beside]
            near_at[0, h, d] = beside
            for s in range(1, states):
                best, place = largest_sum(open_[s, h], closed[d], begin, end)
                near[s, h, d], near_at[s, h, d] = best, place
                join[s, h, d] = -np.inf
            for e in range(source.size):
                score = arc[label[e], h, d] + near[source[e], h, d]
                if score > join[target[e], h, d] + TIE:
                    join[target[e], h, d], join_by[target[e], h, d] = score, source[e]
            shut = -np.inf
            for s in range(1, states):
                best, place = largest_sum(join[s, h], turned[far], first, last)
                open_[s, h, far], open_at[s, h, far] = best, place
                if final[s] >= 0:
                    score = best + stop[h, direction, final[s]]
                    if score > shut + TIE:
                        shut, closed_by[h, far] = score, s
            closed[h, far] = shut
            turned[far, h] = shut
    best, top = -np.inf, 0
    for r in range(n):
        score = root[r] + closed[r, 0] + closed[r, n]
        if score > best + TIE:
            best, top = score, r
    if best == -np.inf:
        return best
    heads[top] = 0
    depth = pushed(stack, 0, top, 0, -1)
    depth = pushed(stack, depth, top, n, -1)
    while depth > 0:
        depth -= 1
        h, far, s = stack[depth, 0], stack[depth, 1], stack[depth, 2]
        if far == h or far == h + 1:
            continue
        if s < 0:
            s = closed_by[h, far]
        d = open_at[s, h, far]
        heads[d] = h + 1
        before = join_by[s, h, d]
        m = near_at[before, h, d]
        depth = pushed(stack, depth, d, far, -1)
        depth = pushed(stack, depth, d, m, -1)
        depth = pushed(stack, depth, h, m, before)
    return best


@kernel
def best_trees(
    tags, offsets, tables, automaton, arc_weights, arc_offsets, has_weights, scores, heads
):
    """Write the best tree of every sentence; one that has no tree keeps the heads it came with.

    Without tables of tags (their size is 0), `arc_weights` are scores to add up: [n + 1, n] a
    sentence, the root's in row 0.
    """
    labels, valences = tables[1].shape[0], tables[2].shape[2]
    states = automaton[3].size
    size = 0
    for s in range(offsets.size - 1):
        size = max(size, offsets[s + 1] - offsets[s])
    root, arc = np.zeros(size), np.zeros((labels, size, size))
    stop = np.zeros((size, 2, valences))
    near, join = np.zeros((states, size, size)), np.zeros((states, size, size))
    open_ = np.zeros((states, size, size + 1))
    closed, turned = np.zeros((size, size + 1)), np.zeros((size + 1, size))
    near_at, join_by = (
        np.zeros((states, size, size), np.int16),
        np.zeros((states, size, size), np.int16),
    )
    open_at, closed_by = (
        np.zeros((states, size, size + 1), np.int16),
        np.zeros((size, size + 1), np.int16),
    )
    stack = np.zeros((4 * size + 4, 3), np.int64)
    for s in range(offsets.size - 1):
        words = tags[offsets[s] : offsets[s + 1]]
        n = words.size
        own = arc_weights[arc_offsets[s] : arc_offsets[s + 1]] if has_weights else arc_weights
        if tables[0].size:
            log_weights(words, n, tables, own, has_weights, root, arc, stop)
        else:
            root[:n] = own[:n]
            for a in range(labels):
                arc[a, :n, :n] = own[n:].reshape(n, n)
        scores[s] = best_tree(
            n, automaton, root, arc, stop, near, join, open_, closed, turned,
            near_at, join_by, open_at, closed_by, stack, heads[offsets[s] : offsets[s + 1]],
        )  # fmt: skip

"""Kernels for PageRank over the words of a sentence, and for trees grown by rank."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel

# Words that a symmetry of the graph exchanges have the same rank, up to the last bits: sums
# come in another order. Ranks closer than this are ties, which go to the left.
TIE = 1e-12


@kernel
def rank_words(links, restart, damping, tolerance, max_iterations):
    """Return the PageRank of every word; `links[u, v]` is what u gives to v.

    Rows of `links` are divided by their sums in place. What words without links hold goes
    where restarts go, as networkx has it.
    """
    n = len(restart)
    dangles = np.empty(n, np.bool_)
    for u in range(n):
        total = links[u].sum()
        dangles[u] = total == 0.0
        if total > 0.0:
            links[u] /= total
    rank = restart.copy()
    fresh = np.empty(n)
    for _ in range(max_iterations):
        fresh[:] = 0.0
        held = 0.0
        for u in range(n):
            if dangles[u]:
                held += rank[u]
            else:
                for v in range(n):
                    fresh[v] += rank[u] * links[u, v]
        change = 0.0
        for v in range(n):
            fresh[v] = damping * (fresh[v] + held * restart[v]) + (1.0 - damping) * restart[v]
            change += abs(fresh[v] - rank[v])
        rank, fresh = fresh, rank
        if change < tolerance:
            break
    return rank


@kernel
def by_rank(rank):
    """Return the words by descending rank, ties from left to right."""
    n = len(rank)
    order = np.empty(n, np.int64)
    is_taken = np.zeros(n, np.bool_)
    for i in range(n):
        best = -1
        for u in range(n):
            if not is_taken[u] and (best < 0 or rank[u] > rank[best] + TIE):
                best = u
        order[i] = best
        is_taken[best] = True
    return order


@kernel
def nearest_head(word, may_govern, place):
    """Return the nearest word of a mask, of two equally near the one placed first; -1: none."""
    n = len(may_govern)
    for distance in range(1, n):
        left = word - distance
        right = word + distance
        left_may = left >= 0 and may_govern[left]
        right_may = right < n and may_govern[right]
        if left_may and right_may:
            return left if place[left] < place[right] else right
        if left_may:
            return left
        if right_may:
            return right
    return -1

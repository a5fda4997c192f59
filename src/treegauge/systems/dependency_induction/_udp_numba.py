"""Kernel of UDP: rank, then content words, then function words."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.dependency_induction._pagerank_numba import (
    by_rank,
    nearest_head,
    rank_words,
)


@kernel
def restart_weights(tag, is_content, is_verb, bonus):
    """Return where restarts go: more often to the first verb, else to the first content word."""
    n = len(tag)
    favourite = -1
    for i in range(n):
        if is_verb[tag[i]]:
            favourite = i
            break
        if favourite < 0 and is_content[tag[i]]:
            favourite = i
    restart = np.ones(n)
    if favourite >= 0:
        restart[favourite] = bonus
    return restart / restart.sum()


@kernel
def _links(tag, allowed):
    """Return links from dependents to all heads that the rules allow them."""
    n = len(tag)
    links = np.zeros((n, n))
    for d in range(n):
        for h in range(n):
            if h != d and allowed[tag[h], tag[d]]:
                links[d, h] = 1.0
    return links


@kernel
def _head(word, tag, allowed, is_placed, place, side):
    """Return the nearest placed word that the rules allow on this side, else the nearest."""
    n = len(tag)
    may_govern = np.zeros(n, np.bool_)
    for h in range(n):
        on_its_side = side == 0 or (h - word) * side > 0
        may_govern[h] = is_placed[h] and on_its_side and allowed[tag[h], tag[word]]
    found = nearest_head(word, may_govern, place)
    return found if found >= 0 else nearest_head(word, is_placed, place)


@kernel
def trees(
    offsets,
    tags,
    allowed,
    is_content,
    is_verb,
    side,
    bonus,
    damping,
    tolerance,
    max_iterations,
):
    """Return heads; `side` is where the head of a function tag stands: -1 left, 1 right, 0."""
    heads = np.zeros(len(tags), np.int32)
    for s in range(len(offsets) - 1):
        a = offsets[s]
        n = offsets[s + 1] - a
        if n == 0:
            continue
        tag = tags[a : a + n]
        restart = restart_weights(tag, is_content, is_verb, bonus)
        order = by_rank(
            rank_words(_links(tag, allowed), restart, damping, tolerance, max_iterations)
        )
        place = np.empty(n, np.int64)
        for i in range(n):
            place[order[i]] = i
        is_placed = np.zeros(n, np.bool_)
        for word in order:
            if is_content[tag[word]]:
                heads[a + word] = _head(word, tag, allowed, is_placed, place, 0) + 1
                is_placed[word] = True
        if not is_placed.any():
            # Function words among themselves: the leftmost of the roots they would all be.
            heads[a : a + n] = 1
            heads[a] = 0
            continue
        for word in order:
            if not is_content[tag[word]]:
                heads[a + word] = _head(word, tag, allowed, is_placed, place, side[tag[word]]) + 1
    return heads

"""Kernels that count neighbours of types, in time proportional to the text."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def count_successors(words, breaks, n_types):
    """Return `starts, successor, count`: the types that follow each type, and how often.

    A pair is counted where the second word is not marked in `breaks` and both have a type.
    Successors of a type are in the order of their first occurrence.
    """
    n = len(words)
    place = np.zeros(n_types + 1, np.int64)
    for i in range(1, n):
        if not breaks[i] and words[i - 1] >= 0 and words[i] >= 0:
            place[words[i - 1] + 1] += 1
    for w in range(n_types):
        place[w + 1] += place[w]
    followers = np.empty(place[n_types], np.int32)
    filled = place[:-1].copy()
    for i in range(1, n):
        if not breaks[i] and words[i - 1] >= 0 and words[i] >= 0:
            followers[filled[words[i - 1]]] = words[i]
            filled[words[i - 1]] += 1
    # Equal followers of a type are gathered in place: what is written never overtakes.
    starts = np.zeros(n_types + 1, np.int64)
    counts = np.empty(len(followers), np.int64)
    where = np.full(n_types, -1, np.int64)
    end = 0
    for w in range(n_types):
        starts[w] = end
        for i in range(place[w], place[w + 1]):
            v = followers[i]
            if where[v] < starts[w]:
                where[v] = end
                followers[end] = v
                counts[end] = 0
                end += 1
            counts[where[v]] += 1
    starts[n_types] = end
    return starts, followers[:end].copy(), counts[:end].copy()


@kernel
def transposed(starts, other, count):
    """Return the same counts by the other type: predecessors from successors."""
    n_types = len(starts) - 1
    new_starts = np.zeros(n_types + 1, np.int64)
    for i in range(len(other)):
        new_starts[other[i] + 1] += 1
    for w in range(n_types):
        new_starts[w + 1] += new_starts[w]
    filled = new_starts[:-1].copy()
    new_other = np.empty(len(other), np.int32)
    new_count = np.empty(len(other), np.int64)
    for w in range(n_types):
        for i in range(starts[w], starts[w + 1]):
            v = other[i]
            new_other[filled[v]] = w
            new_count[filled[v]] = count[i]
            filled[v] += 1
    return new_starts, new_other, new_count

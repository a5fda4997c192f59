"""Kernels for predictive exchange; see `predictive_exchange.py`.

A side is one direction of the model: what a context word says of the class beside it. `members`
are the context words of a type, `contexts` the types beside a context word.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.tag_induction._scaled_entropy_numba import scaled


@kernel
def fill(side, classes):
    """Count classes beside context words with a row, and all classes."""
    side.rows[:] = 0
    side.class_total[:] = 0
    n_types = len(classes)
    for v in range(len(side.row_of)):
        row = side.row_of[v]
        for i in range(side.contexts_starts[v], side.contexts_starts[v + 1]):
            w = side.contexts[i]
            if w < n_types:
                side.class_total[classes[w]] += side.contexts_count[i]
                if row >= 0:
                    side.rows[row, classes[w]] += side.contexts_count[i]


@kernel
def objective(side, classes):
    """Return sum h(N(v,c)) - sum h(N(c)), from the text's counts alone."""
    n_types, n_classes = len(classes), len(side.class_total)
    count = np.zeros(n_classes, np.int64)
    total_of = np.zeros(n_classes, np.int64)
    total = np.int64(0)
    for v in range(len(side.row_of)):
        first, last = side.contexts_starts[v], side.contexts_starts[v + 1]
        for i in range(first, last):
            if side.contexts[i] < n_types:
                count[classes[side.contexts[i]]] += side.contexts_count[i]
                total_of[classes[side.contexts[i]]] += side.contexts_count[i]
        for i in range(first, last):
            if side.contexts[i] < n_types:
                c = classes[side.contexts[i]]
                total += scaled(count[c], side.table, side.scale)
                count[c] = 0
    for c in range(n_classes):
        total -= scaled(total_of[c], side.table, side.scale)
    return total


@kernel
def put(side, w, c, sign):
    """Add a type to a class, or take it out (sign -1)."""
    for i in range(side.members_starts[w], side.members_starts[w + 1]):
        side.class_total[c] += sign * side.members_count[i]
        row = side.row_of[side.members[i]]
        if row >= 0:
            side.rows[row, c] += sign * side.members_count[i]


@kernel
def insertion_gains(side, w, classes, n_open):
    """Write what putting a type, which is in no class now, into each of the first classes gains.

    Gains are relative to those of a class that none of the context words knows; the same is
    left out for all classes.
    """
    n_types = len(classes)
    gain, count = side.gain, side.scratch
    total = np.int64(0)
    for c in range(n_open):
        gain[c] = 0
    for i in range(side.members_starts[w], side.members_starts[w + 1]):
        v, here = side.members[i], side.members_count[i]
        total += here
        h_here = scaled(here, side.table, side.scale)
        row = side.row_of[v]
        if row >= 0:
            for c in range(n_open):
                there = side.rows[row, c]
                gain[c] += (
                    scaled(there + here, side.table, side.scale)
                    - scaled(there, side.table, side.scale)
                    - h_here
                )
            continue
        # A word with few neighbours has no row: they are counted when they are needed.
        first, last = side.contexts_starts[v], side.contexts_starts[v + 1]
        if last - first == 1:
            continue
        for j in range(first, last):
            u = side.contexts[j]
            if u != w and u < n_types:
                count[classes[u]] += side.contexts_count[j]
        for j in range(first, last):
            u = side.contexts[j]
            if u < n_types:
                there = count[classes[u]]
                if there:
                    count[classes[u]] = 0
                    if classes[u] < n_open:
                        gain[classes[u]] += (
                            scaled(there + here, side.table, side.scale)
                            - scaled(there, side.table, side.scale)
                            - h_here
                        )
    for c in range(n_open):
        gain[c] += scaled(side.class_total[c], side.table, side.scale) - scaled(
            side.class_total[c] + total, side.table, side.scale
        )


@kernel
def sweep(forward, backward, classes, first, n_open, weight):
    """Move every type from `first` on to the best of the first classes; return the moves.

    What counts is `weight` times the gain of the forward side, and the rest of the backward one.
    """
    moves = 0
    total = 0.0
    for w in range(first, len(classes)):
        a = classes[w]
        if a >= n_open:
            continue
        put(forward, w, a, -1)
        put(backward, w, a, -1)
        insertion_gains(forward, w, classes, n_open)
        insertion_gains(backward, w, classes, n_open)
        best, most = a, 0.0
        for c in range(n_open):
            gained = weight * (forward.gain[c] - forward.gain[a]) + (1.0 - weight) * (
                backward.gain[c] - backward.gain[a]
            )
            if gained > most:
                best, most = c, gained
        if best != a:
            moves += 1
            total += most
            classes[w] = best
        put(forward, w, best, 1)
        put(backward, w, best, 1)
    return moves, total / forward.scale

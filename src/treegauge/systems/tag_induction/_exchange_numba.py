"""Kernels for exchange clustering on the class bigram model; see `exchange.py`.

All sums are whole numbers in fixed point, so that a change of the objective equals the
difference of recomputed objectives to the last bit.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.tag_induction._scaled_entropy_numba import scaled

_NEVER = np.iinfo(np.int64).min


@kernel
def objective(t):
    """Return sum h(N(a,b)) - sum h(N1(a)) - sum h(N2(b)), from scratch."""
    size = len(t.follows)
    total = np.int64(0)
    for a in range(size):
        right = np.int64(0)
        left = np.int64(0)
        for b in range(size):
            total += scaled(t.follows[a, b], t.table, t.scale)
            right += t.follows[a, b]
            left += t.follows[b, a]
        total -= scaled(right, t.table, t.scale) + scaled(left, t.table, t.scale)
    return total


@kernel
def count_classes(t, bigrams):
    """Fill the counts of class bigrams."""
    t.follows[:] = 0
    t.precedes[:] = 0
    t.right_total[:] = 0
    t.left_total[:] = 0
    for w in range(len(bigrams.right_starts) - 1):
        a = t.classes[w]
        for i in range(bigrams.right_starts[w], bigrams.right_starts[w + 1]):
            b = t.classes[bigrams.right[i]]
            t.follows[a, b] += bigrams.right_count[i]
            t.precedes[b, a] += bigrams.right_count[i]
            t.right_total[a] += bigrams.right_count[i]
            t.left_total[b] += bigrams.right_count[i]


@kernel
def neighbours(t, w, bigrams):
    """Count the classes beside a type, itself apart; return how often it follows itself."""
    t.after[:] = 0
    t.before[:] = 0
    itself = np.int64(0)
    for i in range(bigrams.right_starts[w], bigrams.right_starts[w + 1]):
        if bigrams.right[i] == w:
            itself = bigrams.right_count[i]
        else:
            t.after[t.classes[bigrams.right[i]]] += bigrams.right_count[i]
    for i in range(bigrams.left_starts[w], bigrams.left_starts[w + 1]):
        if bigrams.left[i] != w:
            t.before[t.classes[bigrams.left[i]]] += bigrams.left_count[i]
    return itself


@kernel
def put(t, c, itself, sign):
    """Add the type whose neighbours are counted to a class, or take it out (sign -1)."""
    total_after = itself
    total_before = itself
    for x in range(len(t.after)):
        if t.after[x]:
            t.follows[c, x] += sign * t.after[x]
            t.precedes[x, c] += sign * t.after[x]
            total_after += t.after[x]
        if t.before[x]:
            t.follows[x, c] += sign * t.before[x]
            t.precedes[c, x] += sign * t.before[x]
            total_before += t.before[x]
    t.follows[c, c] += sign * itself
    t.precedes[c, c] += sign * itself
    t.right_total[c] += sign * total_after
    t.left_total[c] += sign * total_before
    return total_after, total_before


@kernel
def insertion_gains(t, itself, total_after, total_before):
    """Write what putting the type, which is in no class now, into each class gains."""
    n = len(t.gain)
    for b in range(n):
        t.gain[b] = (
            scaled(t.right_total[b], t.table, t.scale)
            - scaled(t.right_total[b] + total_after, t.table, t.scale)
            + scaled(t.left_total[b], t.table, t.scale)
            - scaled(t.left_total[b] + total_before, t.table, t.scale)
        )
    for x in range(len(t.after)):
        if t.after[x]:
            _side_gains(t, x, t.after[x], t.precedes[x], n)
        if t.before[x]:
            _side_gains(t, x, t.before[x], t.follows[x], n)
        # All that falls on the diagonal falls on it at once.
        if x < n and (itself or t.after[x] or t.before[x]):
            old = t.follows[x, x]
            new = old + t.after[x] + t.before[x] + itself
            t.gain[x] += scaled(new, t.table, t.scale) - scaled(old, t.table, t.scale)


@kernel
def _side_gains(t, x, count, row, n):
    """Count `count` more at class x into the gains of all classes but x itself."""
    kept = np.int64(0)
    if x < n:
        kept = t.gain[x]
    for b in range(n):
        there = row[b]
        t.gain[b] += scaled(there + count, t.table, t.scale) - scaled(there, t.table, t.scale)
    if x < n:
        t.gain[x] = kept


@kernel
def best_move(t, w, bigrams):
    """Take a type out; return the best other class, what moving there gains, and its totals."""
    a = t.classes[w]
    itself = neighbours(t, w, bigrams)
    total_after, total_before = put(t, a, itself, -1)
    insertion_gains(t, itself, total_after, total_before)
    best = -1
    for b in range(len(t.gain)):
        if b != a and (best < 0 or t.gain[b] > t.gain[best]):
            best = b
    gained = t.gain[best] - t.gain[a] if best >= 0 else np.int64(_NEVER)
    return best, gained, itself


@kernel
def sweep(t, bigrams, threshold, threshold_step):
    """Move every type to the best other class where that loses less than the threshold.

    With threshold 0 this is hill climbing. The threshold falls by `threshold_step` with every
    type, to no less than 0. Returns the number of moves and what they gained.
    """
    moves = 0
    total = np.int64(0)
    for w in range(len(t.classes) - 1):
        best, gained, itself = best_move(t, w, bigrams)
        goes = best >= 0 and -gained < threshold
        if goes:
            t.classes[w] = best
            total += gained
            moves += 1
        put(t, t.classes[w], itself, 1)
        threshold = max(threshold - threshold_step, 0.0)
    return moves, total


@kernel
def sample_losses(t, bigrams, types, targets, losses):
    """Write what moving each of some types to a target would lose; nothing moves."""
    for i in range(len(types)):
        w = types[i]
        _, _, itself = best_move(t, w, bigrams)
        losses[i] = t.gain[t.classes[w]] - t.gain[targets[i]]
        put(t, t.classes[w], itself, 1)

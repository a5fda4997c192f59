"""Kernels of posteriors in which words have few tags; see `sparse_posterior.py`."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.hidden_markov._hmm_numba import (
    BATCH,
    add_passed,
    forward_backward,
    lay_out,
    longest_first,
    room_for,
)


@kernel
def expect_sparse(rows, types, offsets, emissions, scales, duals, transitions, posteriors, passed):
    """Write posteriors of words, [row, tag], and add transitions; return the log-likelihood.

    The words of the first rows have lambdas.
    """
    k = emissions.shape[1]
    order, all_lengths = longest_first(offsets)
    room = room_for(all_lengths, transitions)
    own, forward, backward, _, _, first, _, _ = room
    likelihood = 0.0
    for start in range(0, len(order), BATCH):
        begins = offsets[order[start : start + BATCH]]
        lengths = all_lengths[start : start + BATCH]
        lay_out(lengths, room)
        for i in range(lengths[0]):
            for s in range(first[i + 1] - first[i]):
                row = rows[begins[s] + i]
                place = first[i] + s
                likelihood += scales[types[row]]
                for t in range(k):
                    own[place, t] = emissions[types[row], t]
                if row < len(duals):
                    likelihood -= _damp(duals[row], own[place])
        likelihood += forward_backward(lengths, transitions, room)
        add_passed(lengths, transitions, room, passed)
        for i in range(lengths[0]):
            for s in range(first[i + 1] - first[i]):
                place = first[i] + s
                posterior = posteriors[rows[begins[s] + i]]
                for t in range(k):
                    posterior[t] = forward[place, t] * backward[place, t]
    return likelihood


@kernel
def _damp(duals, emission):
    """Multiply an emission by exp(least lambda - lambda); return the least lambda.

    It goes to the scale: of large lambdas alone nothing would be left.
    """
    least = duals[0]
    for t in range(1, len(duals)):
        least = min(least, duals[t])
    for t in range(len(duals)):
        if duals[t] > least:
            emission[t] *= np.exp(least - duals[t])
    return least


@kernel
def project(values, limits, budget, projected):
    """Write the nearest point of {x >= 0, sum over a type's words of x <= budget}, tag by tag.

    The answer is max(0, x - theta), where theta only rises as words that it leaves nothing of
    are put aside (Michelot 1986): a few passes, and no sorting. Passes go along rows, all tags
    of a type at once.
    """
    k = values.shape[1]
    theta, total, words = np.empty(k), np.empty(k), np.empty(k)
    for w in range(len(limits) - 1):
        begin, end = limits[w], limits[w + 1]
        total[:] = 0.0
        for i in range(begin, end):
            for t in range(k):
                projected[i, t] = max(0.0, values[i, t])
                total[t] += projected[i, t]
        is_over = False
        for t in range(k):
            # A tag within its budget takes nothing off, now or later.
            theta[t] = 0.0 if total[t] > budget else -1.0
            is_over |= total[t] > budget
        rises = is_over
        while rises:
            rises = False
            total[:] = 0.0
            words[:] = 0.0
            for i in range(begin, end):
                for t in range(k):
                    if projected[i, t] > theta[t]:
                        total[t] += projected[i, t]
                        words[t] += 1.0
            for t in range(k):
                if theta[t] >= 0.0 and words[t] > 0.0:
                    higher = (total[t] - budget) / words[t]
                    if higher > theta[t]:
                        theta[t] = higher
                        rises = True
        if is_over:
            for i in range(begin, end):
                for t in range(k):
                    projected[i, t] = max(0.0, projected[i, t] - max(theta[t], 0.0))


@kernel
def sums(posteriors, limits, counts):
    """Write the sums of the posteriors of every type, tag by tag."""
    for w in range(len(limits) - 1):
        counts[w] = 0.0
        for i in range(limits[w], limits[w + 1]):
            for t in range(posteriors.shape[1]):
                counts[w, t] += posteriors[i, t]


@kernel
def maxima(posteriors, limits, largest):
    """Write the largest of the posteriors of every type, tag by tag."""
    for w in range(len(limits) - 1):
        largest[w] = 0.0
        for i in range(limits[w], limits[w + 1]):
            for t in range(posteriors.shape[1]):
                if posteriors[i, t] > largest[w, t]:
                    largest[w, t] = posteriors[i, t]

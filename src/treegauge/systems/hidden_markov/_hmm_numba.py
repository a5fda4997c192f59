"""Kernels of a first-order hidden Markov model.

`transitions[a, b]` is P(b | a); the last state is the boundary: as a row the beginning of a
sentence, as a column its end. `emissions[w, t]` may be scaled by any factor for each word type w,
whose logarithm is `scales[w]`.

Products of matrices are those of BLAS; whoever calls sees to its threads.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel

BATCH = 32
"""Sentences that are looked at together."""


@kernel
def longest_first(offsets):
    """Return the sentences that have words, the longest first, and their number of words."""
    lengths = offsets[1:] - offsets[:-1]
    order = np.argsort(-lengths, kind="mergesort")
    order = order[: np.count_nonzero(lengths)]
    return order, lengths[order]


@kernel
def room_for(lengths, transitions):
    """Return what all batches share: tables for any of them, and transitions both ways."""
    k = len(transitions) - 1
    # The longest sentences come first, and so does the largest batch.
    rows = lengths[:BATCH].sum()
    longest = lengths[0] if len(lengths) else 0
    within = transitions[:k, :k].copy()
    return (
        np.empty((rows, k)),
        np.empty((rows, k)),
        np.empty((rows, k)),
        np.empty((rows, k)),
        np.empty(rows),
        np.zeros(longest + 1, np.int64),
        within,
        within.T.copy(),
    )


@kernel
def lay_out(lengths, room):
    """Write which rows of the tables are whose: see `forward_backward`."""
    first = room[5]
    for i in range(lengths[0]):
        first[i + 1] = first[i] + np.searchsorted(-lengths, -i)  # sentences with more words


@kernel
def forward_backward(lengths, transitions, room):
    """Fill scaled tables of a batch of sentences, the longest first; return its log-likelihood.

    The i-th words of all sentences that have one are rows first[i], first[i] + 1, ... of the
    tables, so that one product of matrices takes all of them a step on. Emissions are given.
    forward[r, t] is P(t at r | words to r); forward * backward is P(t at r | all words).
    after[r, t] is backward of the next word with that word's emission, 0 where none follows:
    forward[r, a] * P(b | a) * after[r, b] is P(a at r, b behind it | all words).
    """
    emissions, forward, backward, after, rates, first, within, turned = room
    k = emissions.shape[1]
    ones = np.ones(k)
    likelihood = 0.0
    n = lengths[0]
    for i in range(n):
        begin, behind = first[i], first[i + 1]
        here = forward[begin:behind]
        if i == 0:
            for s in range(behind):
                here[s] = transitions[k, :k]
        else:
            np.dot(forward[first[i - 1] : first[i - 1] + behind - begin], within, here)
        for r in range(begin, behind):
            for t in range(k):
                forward[r, t] *= emissions[r, t]
        rates[begin:behind] = 1 / np.dot(here, ones)
        for r in range(begin, behind):
            rate = rates[r]
            for t in range(k):
                forward[r, t] *= rate
            likelihood -= np.log(rate)
    for i in range(n - 1, -1, -1):
        begin, behind = first[i], first[i + 1]
        m = behind - begin
        goes_on = first[i + 2] - behind if i + 1 < n else 0
        for s in range(goes_on):
            rate = rates[behind + s]
            for b in range(k):
                after[begin + s, b] = emissions[behind + s, b] * backward[behind + s, b] * rate
        if goes_on:
            np.dot(after[begin : begin + goes_on], turned, backward[begin : begin + goes_on])
        for s in range(begin + goes_on, begin + m):
            ending = 0.0
            for t in range(k):
                ending += forward[s, t] * transitions[t, k]
            likelihood += np.log(ending)
            for t in range(k):
                backward[s, t] = transitions[t, k] / ending
                after[s, t] = 0.0
    return likelihood


@kernel
def add_passed(lengths, transitions, room, passed):
    """Add the expected transitions of a batch, whose tables are full."""
    _, forward, backward, after, _, first, _, _ = room
    k = len(transitions) - 1
    rows = first[lengths[0]]
    between = np.dot(forward[:rows].T, after[:rows])
    for a in range(k):
        for b in range(k):
            passed[a, b] += between[a, b] * transitions[a, b]
    for s in range(len(lengths)):
        last = first[lengths[s] - 1] + s
        for t in range(k):
            passed[k, t] += forward[s, t] * backward[s, t]
            passed[t, k] += forward[last, t] * backward[last, t]


@kernel
def _emit(words, begins, lengths, emissions, scales, room):
    """Write the emissions of a batch's words into its tables; return the sum of their scales."""
    own, first = room[0], room[5]
    scale = 0.0
    for i in range(lengths[0]):
        for s in range(first[i + 1] - first[i]):
            word = words[begins[s] + i]
            scale += scales[word]
            for t in range(emissions.shape[1]):
                own[first[i] + s, t] = emissions[word, t]
    return scale


@kernel
def expect(words, offsets, emissions, scales, transitions, emitted, passed):
    """Add expected counts of emissions and transitions; return the log-likelihood."""
    k = emissions.shape[1]
    order, all_lengths = longest_first(offsets)
    room = room_for(all_lengths, transitions)
    _, forward, backward, _, _, first, _, _ = room
    likelihood = 0.0
    for start in range(0, len(order), BATCH):
        begins = offsets[order[start : start + BATCH]]
        lengths = all_lengths[start : start + BATCH]
        lay_out(lengths, room)
        likelihood += _emit(words, begins, lengths, emissions, scales, room)
        likelihood += forward_backward(lengths, transitions, room)
        add_passed(lengths, transitions, room, passed)
        for i in range(lengths[0]):
            for s in range(first[i + 1] - first[i]):
                row = first[i] + s
                counts = emitted[words[begins[s] + i]]
                for t in range(k):
                    counts[t] += forward[row, t] * backward[row, t]
    return likelihood


@kernel
def posterior_tags(words, offsets, emissions, scales, transitions, out):
    """Write the tag of the largest posterior for every word; of equals the first."""
    k = emissions.shape[1]
    order, all_lengths = longest_first(offsets)
    room = room_for(all_lengths, transitions)
    _, forward, backward, _, _, first, _, _ = room
    for start in range(0, len(order), BATCH):
        begins = offsets[order[start : start + BATCH]]
        lengths = all_lengths[start : start + BATCH]
        lay_out(lengths, room)
        _emit(words, begins, lengths, emissions, scales, room)
        forward_backward(lengths, transitions, room)
        for i in range(lengths[0]):
            for s in range(first[i + 1] - first[i]):
                row = first[i] + s
                best = 0
                for t in range(1, k):
                    if (
                        forward[row, t] * backward[row, t]
                        > forward[row, best] * backward[row, best]
                    ):
                        best = t
                out[begins[s] + i] = best


@kernel
def best_path(words, offsets, emissions, transitions, out):
    """Write the tags of the likeliest path of every sentence; of equals the first."""
    k = emissions.shape[1]
    logs = np.log(transitions)
    for s in range(len(offsets) - 1):
        begin = offsets[s]
        n = offsets[s + 1] - begin
        if n == 0:
            continue
        scores = np.empty((n, k))
        came_from = np.zeros((n, k), np.int32)
        for i in range(n):
            for b in range(k):
                if i == 0:
                    reach = logs[k, b]
                else:
                    best = 0
                    for a in range(1, k):
                        if scores[i - 1, a] + logs[a, b] > scores[i - 1, best] + logs[best, b]:
                            best = a
                    came_from[i, b] = best
                    reach = scores[i - 1, best] + logs[best, b]
                scores[i, b] = reach + np.log(emissions[words[begin + i], b])
        tag = 0
        for t in range(1, k):
            if scores[n - 1, t] + logs[t, k] > scores[n - 1, tag] + logs[tag, k]:
                tag = t
        for i in range(n - 1, -1, -1):
            out[begin + i] = tag
            tag = came_from[i, tag]

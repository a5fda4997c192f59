"""Kernels of a first-order hidden Markov model.

`transitions[a, b]` is P(b | a); the last state is the boundary: as a row the beginning of a
sentence, as a column its end. `emissions[w, t]` may be scaled by any factor for each word type w,
whose logarithm is `scales[w]`.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def _forward_backward(words, emissions, scales, transitions, turned, forward, backward, norms):
    """Fill scaled tables of a sentence; return its log-likelihood.

    `turned[b, a]` is P(b | a). forward[i, t] is P(t at i | words to i);
    forward * backward is P(t at i | all words).
    """
    n = len(words)
    k = emissions.shape[1]
    likelihood = 0.0
    for i in range(n):
        if i == 0:
            for b in range(k):
                forward[0, b] = transitions[k, b]
        else:
            # The innermost loops of this file go along rows, several states at once.
            for b in range(k):
                forward[i, b] = 0.0
            for a in range(k):
                before = forward[i - 1, a]
                for b in range(k):
                    forward[i, b] += before * transitions[a, b]
        total = 0.0
        for b in range(k):
            forward[i, b] *= emissions[words[i], b]
            total += forward[i, b]
        norms[i] = total
        forward[i, :k] /= total
        likelihood += np.log(total) + scales[words[i]]
    ending = 0.0
    for a in range(k):
        ending += forward[n - 1, a] * transitions[a, k]
    likelihood += np.log(ending)
    for a in range(k):
        backward[n - 1, a] = transitions[a, k] / ending
    for i in range(n - 2, -1, -1):
        for a in range(k):
            backward[i, a] = 0.0
        for b in range(k):
            emission, behind = emissions[words[i + 1], b], backward[i + 1, b]
            for a in range(k):
                backward[i, a] += turned[b, a] * emission * behind
        for a in range(k):
            backward[i, a] /= norms[i + 1]
    return likelihood


@kernel
def expect(words, offsets, emissions, scales, transitions, emitted, passed):
    """Add expected counts of emissions and transitions; return the log-likelihood."""
    k = emissions.shape[1]
    longest = 0
    for s in range(len(offsets) - 1):
        longest = max(longest, offsets[s + 1] - offsets[s])
    forward = np.empty((longest, k))
    backward = np.empty((longest, k))
    norms = np.empty(longest)
    turned = transitions.T.copy()
    behind = np.empty(k)
    likelihood = 0.0
    for s in range(len(offsets) - 1):
        sentence = words[offsets[s] : offsets[s + 1]]
        n = len(sentence)
        if n == 0:
            continue
        likelihood += _forward_backward(
            sentence, emissions, scales, transitions, turned, forward, backward, norms
        )
        for i in range(n):
            for t in range(k):
                emitted[sentence[i], t] += forward[i, t] * backward[i, t]
        for t in range(k):
            passed[k, t] += forward[0, t] * backward[0, t]
            passed[t, k] += forward[n - 1, t] * backward[n - 1, t]
        for i in range(n - 1):
            for b in range(k):
                behind[b] = emissions[sentence[i + 1], b] * backward[i + 1, b] / norms[i + 1]
            for a in range(k):
                here = forward[i, a]
                for b in range(k):
                    passed[a, b] += here * transitions[a, b] * behind[b]
    return likelihood


@kernel
def posterior_tags(words, offsets, emissions, scales, transitions, out):
    """Write the tag of the largest posterior for every word; of equals the first."""
    k = emissions.shape[1]
    turned = transitions.T.copy()
    for s in range(len(offsets) - 1):
        begin = offsets[s]
        n = offsets[s + 1] - begin
        if n == 0:
            continue
        forward = np.empty((n, k))
        backward = np.empty((n, k))
        norms = np.empty(n)
        sentence = words[begin : begin + n]
        _forward_backward(
            sentence, emissions, scales, transitions, turned, forward, backward, norms
        )
        for i in range(n):
            best = 0
            for t in range(1, k):
                if forward[i, t] * backward[i, t] > forward[i, best] * backward[i, best]:
                    best = t
            out[begin + i] = best


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

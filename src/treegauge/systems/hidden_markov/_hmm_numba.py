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
def _add_products(factors, rows, out):
    """Add factors[a] * rows[a] for all a, in their order.

    The innermost loops of this file go along rows, several states at once; here four rows are
    added before the sum is written back.
    """
    n = len(factors)
    a = 0
    while a + 4 <= n:
        x0, x1, x2, x3 = factors[a], factors[a + 1], factors[a + 2], factors[a + 3]
        for b in range(len(out)):
            total = out[b] + x0 * rows[a, b]
            total += x1 * rows[a + 1, b]
            total += x2 * rows[a + 2, b]
            out[b] = total + x3 * rows[a + 3, b]
        a += 4
    while a < n:
        factor = factors[a]
        for b in range(len(out)):
            out[b] += factor * rows[a, b]
        a += 1


@kernel
def _forward_backward(
    words, emissions, scales, transitions, turned, forward, backward, behind, norms
):
    """Fill scaled tables of a sentence; return its log-likelihood.

    `turned[b, a]` is P(b | a). forward[i, t] is P(t at i | words to i);
    forward * backward is P(t at i | all words). behind[i, t], for words but the first, is
    backward with the word's own emission: forward[i - 1, a] * P(b | a) * behind[i, b] is
    P(a at i - 1, b at i | all words).
    """
    n = len(words)
    k = emissions.shape[1]
    likelihood = 0.0
    for i in range(n):
        here, emission = forward[i], emissions[words[i]]
        if i == 0:
            for b in range(k):
                here[b] = transitions[k, b]
        else:
            for b in range(k):
                here[b] = 0.0
            _add_products(forward[i - 1], transitions, here)
        total = 0.0
        for b in range(k):
            here[b] *= emission[b]
            total += here[b]
        norms[i] = total
        here /= total
        likelihood += np.log(total) + scales[words[i]]
    ending = 0.0
    for a in range(k):
        ending += forward[n - 1, a] * transitions[a, k]
    likelihood += np.log(ending)
    for a in range(k):
        backward[n - 1, a] = transitions[a, k] / ending
    for i in range(n - 1, 0, -1):
        emission = emissions[words[i]]
        for b in range(k):
            behind[i, b] = emission[b] * backward[i, b] / norms[i]
            backward[i - 1, b] = 0.0
        _add_products(behind[i], turned, backward[i - 1])
    return likelihood


@kernel
def _longest(offsets):
    """Return the words of the longest sentence."""
    longest = 0
    for s in range(len(offsets) - 1):
        longest = max(longest, offsets[s + 1] - offsets[s])
    return longest


@kernel
def expect(words, offsets, emissions, scales, transitions, emitted, passed):
    """Add expected counts of emissions and transitions; return the log-likelihood."""
    k = emissions.shape[1]
    longest = _longest(offsets)
    forward = np.empty((longest, k))
    backward = np.empty((longest, k))
    behind = np.empty((longest, k))
    norms = np.empty(longest)
    turned = transitions[:k].T.copy()
    # What transitions are expected to be, but for the factor P(b | a) that is the same anywhere.
    between = np.zeros((k, k))
    likelihood = 0.0
    for s in range(len(offsets) - 1):
        sentence = words[offsets[s] : offsets[s + 1]]
        n = len(sentence)
        if n == 0:
            continue
        likelihood += _forward_backward(
            sentence, emissions, scales, transitions, turned, forward, backward, behind, norms
        )
        for i in range(n):
            for t in range(k):
                emitted[sentence[i], t] += forward[i, t] * backward[i, t]
        for t in range(k):
            passed[k, t] += forward[0, t] * backward[0, t]
            passed[t, k] += forward[n - 1, t] * backward[n - 1, t]
        for a in range(k):
            _add_products(forward[: n - 1, a], behind[1:n], between[a])
    for a in range(k):
        for b in range(k):
            passed[a, b] += between[a, b] * transitions[a, b]
    return likelihood


@kernel
def posterior_tags(words, offsets, emissions, scales, transitions, out):
    """Write the tag of the largest posterior for every word; of equals the first."""
    k = emissions.shape[1]
    longest = _longest(offsets)
    forward = np.empty((longest, k))
    backward = np.empty((longest, k))
    behind = np.empty((longest, k))
    norms = np.empty(longest)
    turned = transitions[:k].T.copy()
    for s in range(len(offsets) - 1):
        begin = offsets[s]
        n = offsets[s + 1] - begin
        if n == 0:
            continue
        sentence = words[begin : begin + n]
        _forward_backward(
            sentence, emissions, scales, transitions, turned, forward, backward, behind, norms
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

"""Kernels of the aligner whose links depend on the link before.

The position of a link moves by jumps: from p to i with a probability proportional to
weights[bucket(i - p)]. A word without a translation leaves the position where it is. Tables of
translations are those of `_diagonal_numba`.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.word_alignment._diagonal_numba import place_in_row


@kernel
def _bucket(jump, n_buckets):
    reach = n_buckets // 2
    return min(max(jump, -reach), reach) + reach


@kernel
def posteriors(
    source, target, row_starts, columns, chances, null, weights, places, out, jumps, departures
):
    """Write p(i ~ j) to out[i, j], i = n being the empty word; return the log-likelihood.

    Expected jumps are added to `jumps` by bucket, and to `departures[n, p]` by where they begin
    in a sentence of n words.
    """
    n = len(source)
    m = len(target)
    empty = len(row_starts) - 2
    moves = np.empty((n, n))
    for p in range(n):
        total = 0.0
        for i in range(n):
            moves[p, i] = weights[_bucket(i - p, len(weights))]
            total += moves[p, i]
        for i in range(n):
            moves[p, i] *= (1 - null) / total
    emitted = np.empty((n + 1, m))
    for j in range(m):
        for i in range(n + 1):
            word = source[i] if i < n else empty
            place = place_in_row(columns, row_starts[word], row_starts[word + 1], target[j])
            places[i, j] = place
            emitted[i, j] = chances[place]
    linked = np.empty((m, n))
    unlinked = np.empty((m, n))
    norms = np.empty(m)
    likelihood = 0.0
    for j in range(m):
        total = 0.0
        for i in range(n):
            if j == 0:
                reach = (1 - null) / n
                stay = 1.0 / n
            else:
                reach = 0.0
                for p in range(n):
                    reach += (linked[j - 1, p] + unlinked[j - 1, p]) * moves[p, i]
                stay = linked[j - 1, i] + unlinked[j - 1, i]
            linked[j, i] = reach * emitted[i, j]
            unlinked[j, i] = stay * null * emitted[n, j]
            total += linked[j, i] + unlinked[j, i]
        norms[j] = total
        linked[j] /= total
        unlinked[j] /= total
        likelihood += np.log(total)
    # What follows depends on the position alone, whether or not its word was linked.
    behind = np.ones(n)
    before = np.empty(n)
    for j in range(m - 1, -1, -1):
        out[n, j] = 0.0
        for i in range(n):
            out[i, j] = linked[j, i] * behind[i]
            out[n, j] += unlinked[j, i] * behind[i]
        if j == 0:
            break
        for p in range(n):
            mass = linked[j - 1, p] + unlinked[j - 1, p]
            before[p] = null * emitted[n, j] * behind[p] / norms[j]
            for i in range(n):
                step = moves[p, i] * emitted[i, j] * behind[i] / norms[j]
                before[p] += step
                jumps[_bucket(i - p, len(weights))] += mass * step
                departures[n, p] += mass * step
        for i in range(len(before)):
            behind[i] = before[i]
    return likelihood


@kernel
def expect(
    source,
    source_starts,
    target,
    target_starts,
    row_starts,
    columns,
    chances,
    null,
    weights,
    counts,
    jumps,
    departures,
):
    """Add expected counts of a whole text; return its log-likelihood."""
    longest_source = 0
    longest_target = 0
    for s in range(len(source_starts) - 1):
        longest_source = max(longest_source, source_starts[s + 1] - source_starts[s])
        longest_target = max(longest_target, target_starts[s + 1] - target_starts[s])
    places = np.empty((longest_source + 1, longest_target), np.int64)
    shares = np.empty((longest_source + 1, longest_target))
    likelihood = 0.0
    for s in range(len(source_starts) - 1):
        words = source[source_starts[s] : source_starts[s + 1]]
        translated = target[target_starts[s] : target_starts[s + 1]]
        likelihood += posteriors(
            words,
            translated,
            row_starts,
            columns,
            chances,
            null,
            weights,
            places,
            shares,
            jumps,
            departures,
        )
        for j in range(len(translated)):
            for i in range(len(words) + 1):
                counts[places[i, j]] += shares[i, j]
    return likelihood


@kernel
def jump_gain(logs, jumps, departures, slope):
    """Return the expected log-likelihood of jumps, and write its derivative by `logs`."""
    n_buckets = len(logs)
    value = 0.0
    for b in range(n_buckets):
        value += jumps[b] * logs[b]
        slope[b] = jumps[b]
    shares = np.empty(n_buckets)
    for n in range(1, departures.shape[0]):
        for p in range(n):
            if departures[n, p] == 0:
                continue
            shares[:] = 0.0
            total = 0.0
            for i in range(n):
                weight = np.exp(logs[_bucket(i - p, n_buckets)])
                shares[_bucket(i - p, n_buckets)] += weight
                total += weight
            value -= departures[n, p] * np.log(total)
            for b in range(n_buckets):
                slope[b] -= departures[n, p] * shares[b] / total
    return value

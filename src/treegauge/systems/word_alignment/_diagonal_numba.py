"""Kernels of the diagonal aligner.

A table of translations is sparse: the targets of source word e are
`columns[row_starts[e]:row_starts[e + 1]]`, in ascending order, and the last row is that of the
empty word.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def place_in_row(columns, first, last, wanted):
    """Return where a target word is in a row that has it."""
    while first + 1 < last:
        middle = (first + last) // 2
        if columns[middle] <= wanted:
            first = middle
        else:
            last = middle
    return first


@kernel
def diagonal_weights(j, n, m, tension, out):
    """Write exp(-tension |i/n - j/m|) for all i, and return the sum."""
    total = 0.0
    for i in range(n):
        out[i] = np.exp(-tension * abs((i + 1) / n - (j + 1) / m))
        total += out[i]
    return total


@kernel
def posteriors(source, target, row_starts, columns, chances, tension, null, places, out):
    """Write p(i ~ j) to out[i, j], i = n being the empty word; return the log-likelihood.

    `places` gets where every pair of words is in the table.
    """
    n = len(source)
    m = len(target)
    empty = len(row_starts) - 2
    weights = np.empty(n)
    likelihood = 0.0
    for j in range(m):
        z = diagonal_weights(j, n, m, tension, weights)
        total = 0.0
        for i in range(n + 1):
            word = source[i] if i < n else empty
            place = place_in_row(columns, row_starts[word], row_starts[word + 1], target[j])
            prior = (1 - null) * weights[i] / z if i < n else null
            places[i, j] = place
            out[i, j] = prior * chances[place]
            total += out[i, j]
        for i in range(n + 1):
            out[i, j] /= total
        likelihood += np.log(total)
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
    tension,
    null,
    shape_starts,
    counts,
    linked,
):
    """Add expected counts to the table and to `linked`; return log-likelihood and distance.

    `linked[shape_starts[s] + j]` is the expected number of links of target word j of all pairs
    of the shape (lengths) of sentence s; the distance is the expected sum of |i/n - j/m|.
    """
    longest_source = 0
    longest_target = 0
    for s in range(len(source_starts) - 1):
        longest_source = max(longest_source, source_starts[s + 1] - source_starts[s])
        longest_target = max(longest_target, target_starts[s + 1] - target_starts[s])
    places = np.empty((longest_source + 1, longest_target), np.int64)
    shares = np.empty((longest_source + 1, longest_target))
    likelihood = 0.0
    distance = 0.0
    for s in range(len(source_starts) - 1):
        words = source[source_starts[s] : source_starts[s + 1]]
        translated = target[target_starts[s] : target_starts[s + 1]]
        n = len(words)
        m = len(translated)
        likelihood += posteriors(
            words, translated, row_starts, columns, chances, tension, null, places, shares
        )
        for j in range(m):
            for i in range(n + 1):
                counts[places[i, j]] += shares[i, j]
            for i in range(n):
                distance += shares[i, j] * abs((i + 1) / n - (j + 1) / m)
                linked[shape_starts[s] + j] += shares[i, j]
    return likelihood, distance


@kernel
def expected_distance(n_of, m_of, starts, linked, tension):
    """Return the sum of |i/n - j/m| that the prior expects of so many links."""
    weights = np.empty(n_of.max())
    expected = 0.0
    for shape in range(len(n_of)):
        n = n_of[shape]
        m = m_of[shape]
        for j in range(m):
            z = diagonal_weights(j, n, m, tension, weights)
            mean = 0.0
            for i in range(n):
                mean += weights[i] * abs((i + 1) / n - (j + 1) / m)
            expected += linked[starts[shape] + j] * mean / z
    return expected

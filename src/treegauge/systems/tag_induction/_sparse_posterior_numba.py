"""Kernels of posteriors in which words have few tags; see `sparse_posterior.py`."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def damp(words, emissions, scales, row, duals, damped, damped_scales):
    """Write emissions of every word, times exp(-lambda) for those that have lambdas.

    The least lambda of a word goes to its scale: of large ones alone nothing would be left.
    """
    k = emissions.shape[1]
    for i in range(len(words)):
        r = row[i]
        damped_scales[i] = scales[words[i]]
        for t in range(k):
            damped[i, t] = emissions[words[i], t]
        if r >= 0:
            least = duals[r].min()
            damped_scales[i] -= least
            for t in range(k):
                if duals[r, t] > least:
                    damped[i, t] *= np.exp(least - duals[r, t])


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
def add_by_type(words, posteriors, emitted):
    """Add the posteriors of words to those of their types."""
    for i in range(len(words)):
        for t in range(posteriors.shape[1]):
            emitted[words[i], t] += posteriors[i, t]

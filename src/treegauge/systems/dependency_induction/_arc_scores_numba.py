"""Kernel: the weights of all arcs of sentences, from what is known of words and pairs."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel

COORDINATION_REACH = 3
"""How many words before a conjunct its conjunction is looked for."""

MOST_SCORE = 200.0
"""Scores are cut there: no weight is 0 or infinite, so every sentence has a tree."""


@kernel
def write_arc_weights(
    offsets, root, kind, pairs, sides, distance, over, gap, is_conjunction, coordination, run, name,
    weights,
):  # fmt: skip
    """Write exp(score) of every arc, packed as [n + 1, n] a sentence; an arc to itself gets 0."""
    longest = 0
    for s in range(len(offsets) - 1):
        longest = max(longest, offsets[s + 1] - offsets[s])
    logs = np.zeros(longest + 1)
    for n in range(1, longest + 1):
        logs[n] = np.log(n)
    # What stands before a word, summed: barriers (words) and boundaries (gaps).
    barrier = np.zeros(longest + 1)
    boundary = np.zeros(longest + 1)
    cell = 0
    for s in range(len(offsets) - 1):
        begin = offsets[s]
        n = offsets[s + 1] - begin
        for d in range(n):
            barrier[d + 1] = barrier[d] + over[begin + d]
            boundary[d + 1] = boundary[d] + gap[begin + d]
            weights[cell] = np.exp(min(max(root[begin + d], -MOST_SCORE), MOST_SCORE))
            cell += 1
        for h in range(n):
            for d in range(n):
                if h == d:
                    weights[cell] = 0.0
                    cell += 1
                    continue
                lo, hi = min(h, d), max(h, d)
                score = pairs[kind[begin + h], kind[begin + d]]
                score += sides[kind[begin + d], 1 if h > d else 0]
                score -= barrier[hi] - barrier[lo + 1]
                score -= boundary[hi + 1] - boundary[lo + 1]
                in_name = h < d and run[begin + h] != 0 and run[begin + h] == run[begin + d]
                if in_name:
                    if h == 0 or run[begin + h - 1] != run[begin + h]:
                        score += name
                else:
                    score -= distance * logs[hi - lo]
                if coordination != 0.0 and h < d and kind[begin + h] == kind[begin + d]:
                    for k in range(max(h + 1, d - COORDINATION_REACH), d):
                        if is_conjunction[begin + k]:
                            score += coordination
                            break
                weights[cell] = np.exp(min(max(score, -MOST_SCORE), MOST_SCORE))
                cell += 1

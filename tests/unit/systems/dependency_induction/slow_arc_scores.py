"""Scores of arcs as the formula says them, one arc after the other."""

from __future__ import annotations

import math

import numpy as np

from treegauge.systems.dependency_induction.arc_scores import ArcScores


def slow_score(scores: ArcScores, begin: int, h: int, d: int) -> float:
    """Return the score of an arc between two words, counted from 0, of a sentence."""
    head, dependent = scores.kind[begin + h], scores.kind[begin + d]
    lo, hi = min(h, d), max(h, d)
    score = scores.pairs[head, dependent] + scores.sides[dependent, int(h > d)]
    score -= sum(scores.over[begin + k] for k in range(lo + 1, hi))
    score -= sum(scores.gap[begin + k] for k in range(lo + 1, hi + 1))
    number = scores.run[begin + h]
    if h < d and number and number == scores.run[begin + d]:
        is_first = h == 0 or scores.run[begin + h - 1] != number
        score += scores.name if is_first else 0.0
    else:
        score -= scores.distance * math.log(hi - lo)
    between = range(max(h + 1, d - 3), d)
    if h < d and head == dependent and any(scores.is_conjunction[begin + k] for k in between):
        score += scores.coordination
    return float(score)


def slow_scores(scores: ArcScores) -> list[np.ndarray]:
    """Return [n + 1, n] scores of every sentence: the root's first; of a word to itself, -inf."""
    tables = []
    for begin, end in zip(scores.offsets[:-1].tolist(), scores.offsets[1:].tolist(), strict=True):
        n = end - begin
        table = np.full((n + 1, n), -np.inf)
        for d in range(n):
            table[0, d] = scores.root[begin + d]
            for h in range(n):
                if h != d:
                    table[h + 1, d] = slow_score(scores, begin, h, d)
        tables.append(table)
    return tables

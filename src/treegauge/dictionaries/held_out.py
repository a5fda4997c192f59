"""How many annotated sentences rank taggers as well as a dictionary does.

A few sentences of the test set are drawn, many times, and the taggers ranked by their accuracy on
these; with enough sentences the ranking is as good as the dictionary's. Agić et al. (2017) need 55
sentences on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.dictionaries.errors import DictionaryError
from treegauge.dictionaries.ranking import top
from treegauge.significance.tau_test import tau_of_rows

Floats = NDArray[np.float64]

SIZES = tuple(range(5, 301, 5))


@dataclass(frozen=True)
class HeldOutPoint:
    """How well so many sentences rank the taggers, on average."""

    sentences: int
    precision_at_1: float
    tau: float | None
    """Mean tau-b of the draws that have one."""


def held_out_curve(
    right: Floats,
    words: Floats,
    *,
    sizes: Sequence[int] = SIZES,
    draws: int = 200,
    seed: int = 0,
) -> list[HeldOutPoint]:
    """Rank taggers by small samples of the test set, drawn without replacement.

    Parameters
    ----------
    right : float array, [sentences, taggers]
        Words that each tagger has right.
    words : float array, [sentences]
        Words of each sentence.
    sizes : sequence of int
        Sentences to draw; sizes beyond the test set are left out.
    """
    sentences, _ = right.shape
    if sentences != len(words):
        raise DictionaryError(f"right words of {sentences} sentences, and lengths of {len(words)}")
    true = right.sum(axis=0) / words.sum()
    best = top(true)
    random = np.random.default_rng(seed)
    # As in sub-dictionaries: the first s sentences of a random order are a sample of s.
    order = random.permuted(np.tile(np.arange(sentences), (draws, 1)), axis=1)
    totals = np.cumsum(np.concatenate([right, words[:, None]], axis=1)[order], axis=1)
    points = []
    for size in sizes:
        if size > sentences:
            break
        sums = totals[:, size - 1]
        known = sums[:, -1] > 0
        scores = sums[known, :-1] / sums[known, -1:]
        winners = top(scores)
        precision = (winners & best).sum(axis=1) / winners.sum(axis=1)
        taus = tau_of_rows(true.tolist(), scores)
        has_tau = ~np.isnan(taus)
        mean_tau = float(taus[has_tau].mean()) if has_tau.any() else None
        points.append(HeldOutPoint(size, float(precision.mean()), mean_tau))
    return points


def required_sentences(
    points: Sequence[HeldOutPoint],
    *,
    precision_at_1: float | None = None,
    tau: float | None = None,
) -> int | None:
    """Return the smallest number of sentences that ranks as well; None if none of these does.

    Parameters
    ----------
    precision_at_1, tau : float, optional
        What the dictionary reaches: one of the two.
    """
    if (precision_at_1 is None) == (tau is None):
        raise DictionaryError("give the precision at 1 or the tau that is to be reached")
    for point in points:
        if precision_at_1 is not None and point.precision_at_1 >= precision_at_1:
            return point.sentences
        if tau is not None and point.tau is not None and point.tau >= tau:
            return point.sentences
    return None

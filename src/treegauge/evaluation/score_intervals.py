"""The confidence intervals of scores, and which kind of interval a score gets.

With 100 sentences or more, intervals are percentiles of resampled scores. With fewer, these are
too narrow: a share of words or sentences gets a studentised interval instead. The study in
`docs/metrics.md` says how often the kinds contain the true score.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treegauge.evaluation.resampling import Resampling
from treegauge.metrics import RATIOS, Counts, Statistics, total
from treegauge.significance import (
    ChunkedTable,
    Interval,
    Resampler,
    bca_interval,
    beside,
    moments,
    studentised_interval,
)

AUTO, PERCENTILE, BCA, STUDENTISED = "auto", "percentile", "bca", "studentised"

FEW = 100
"""Below this number of sentences, percentile intervals are too narrow."""


class ScoreInterval(NamedTuple):
    """The interval of a score, and its kind."""

    ends: Interval | None
    kind: str


NO_INTERVAL = ScoreInterval(None, PERCENTILE)


def kind_of(statistics: Statistics, sentences: int, wanted: str = AUTO) -> str:
    """Return the kind of interval that a score gets.

    Only ratios of sums have studentised intervals; other scores get percentiles by default, and
    BCa intervals where studentised ones are asked for. A handful of sentences can be too few for
    a studentised interval: then percentiles are what is left.
    """
    is_ratio = isinstance(statistics, RATIOS)
    if wanted == AUTO:
        return STUDENTISED if is_ratio and sentences < FEW else PERCENTILE
    return BCA if wanted == STUDENTISED and not is_ratio else wanted


def intervals_of(
    statistics: Mapping[str, Statistics], sentences: int, resampling: Resampling
) -> dict[str, ScoreInterval]:
    """Return the interval of every metric; all share their resamples."""
    resampler = resampling.resampler(sentences)
    if resampler is None:
        return {}
    kinds = {name: kind_of(one, sentences, resampling.kind) for name, one in statistics.items()}
    counts = {
        name: one
        for name, one in statistics.items()
        if isinstance(one, Counts) and kinds[name] == PERCENTILE
    }
    found: dict[str, ScoreInterval] = {}
    if counts:
        # All tables side by side: the resamples are drawn once.
        sums = resampler.sums(beside([one.per_sentence for one in counts.values()]))
        for i, (name, of_words) in enumerate(counts.items()):
            ends = resampling.interval(of_words.score(sums[:, 3 * i : 3 * i + 3]))
            found[name] = ScoreInterval(ends, PERCENTILE)
    for name, one in statistics.items():
        if name not in counts:
            found[name] = _interval(one, kinds[name], resampler, resampling)
    return found


def _interval(
    statistics: Statistics, kind: str, resampler: Resampler, resampling: Resampling
) -> ScoreInterval:
    table, confidence = statistics.per_sentence, resampling.confidence
    if isinstance(table, ChunkedTable) and kind != PERCENTILE:
        table = np.concatenate(list(table.chunks()))
    if kind == STUDENTISED:
        assert isinstance(statistics, RATIOS)
        parts = moments(*statistics.ratio_of(table))
        ends = studentised_interval(resampler.sums(parts), total(parts), confidence=confidence)
        if ends is not None:
            return ScoreInterval(ends, STUDENTISED)
    values = resampler.scores(table, statistics.score)
    if kind == BCA:
        estimate = float(statistics.score(total(table)))
        left_out = _left_out(table, statistics)
        return ScoreInterval(bca_interval(values, estimate, left_out, confidence=confidence), BCA)
    return ScoreInterval(resampling.interval(values), PERCENTILE)


def _left_out(table: Any, statistics: Statistics) -> NDArray[np.float64]:
    """Return the score without each sentence."""
    whole = total(table)
    rows = (table[[place]] for place in range(table.shape[0]))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.array([float(statistics.score(whole - total(row))) for row in rows])

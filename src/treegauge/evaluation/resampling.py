"""How intervals and paired tests are drawn: the same way for scores, strata and perplexities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.metrics import MetricError, Statistics
from treegauge.significance import (
    Interval,
    PairedTest,
    Resampler,
    holm,
    interval,
    paired_bootstrap,
    paired_permutation,
)
from treegauge.wording import unknown_name

SIGNIFICANT = 0.05

TESTS = ("permutation", "bootstrap")
KINDS = ("auto", "percentile", "bca", "studentised")


@dataclass(frozen=True)
class Resampling:
    """How often sentences are drawn for intervals and tests, and from which seed.

    Attributes
    ----------
    resamples : int
        Bootstrap resamples of sentences for the intervals; 0 for none.
    confidence : float
        Of the intervals.
    test : "permutation" or "bootstrap"
        The paired test between every two systems.
    trials : int
        Of the tests; 0 for none.
    seed : int
        Of resamples and trials.
    kind : "auto", "percentile", "bca" or "studentised"
        Of the intervals of scores. `auto` is studentised for fewer than 100 sentences.
    """

    resamples: int = 1000
    confidence: float = 0.95
    test: str = "permutation"
    trials: int = 10_000
    seed: int = 0
    kind: str = "auto"

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise MetricError(unknown_name("kind of interval", self.kind, KINDS))
        if self.test not in TESTS:
            raise MetricError(f"unknown test {self.test!r}; there are {', '.join(TESTS)}")

    def resampler(self, sentences: int) -> Resampler | None:
        """Return what draws the sentences of resamples; None if nothing is to be drawn."""
        if not self.resamples or not sentences:
            return None
        return Resampler(sentences, resamples=self.resamples, seed=self.seed)

    def interval(self, values: NDArray[np.float64]) -> Interval | None:
        """Return the percentile interval of the values of all resamples."""
        return interval(values, confidence=self.confidence)

    def interval_of(self, statistics: Statistics) -> Interval | None:
        """Return the interval of a score from the statistics of its sentences."""
        resampler = self.resampler(statistics.per_sentence.shape[0])
        if resampler is None:
            return None
        return self.interval(resampler.scores(statistics.per_sentence, statistics.score))

    def paired_test(self, first: Any, second: Any, score: Callable[..., Any]) -> PairedTest:
        """Test two systems on the statistics of the same sentences."""
        if self.test == "bootstrap":
            return paired_bootstrap(first, second, score, resamples=self.trials, seed=self.seed)
        return paired_permutation(first, second, score, trials=self.trials, seed=self.seed)


def adjusted(p_values: Sequence[float | None]) -> list[float | None]:
    """Return p-values after Holm's correction; what was not tested stays out of it.

    >>> adjusted([0.01, None, 0.04])
    [0.02, None, 0.04]
    """
    tested = [p for p in p_values if p is not None]
    corrected = iter(holm(tested).tolist() if tested else [])
    return [None if p is None else next(corrected) for p in p_values]

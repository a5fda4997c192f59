"""What a metric is: statistics per sentence, and a score from their sums.

The cut is what makes intervals, tests and strata cheap: statistics are computed once, and a
score from summed statistics thousands of times.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from treegauge.metrics._counting_numba import count_aligned_words, count_words
from treegauge.metrics.comparison import Comparison

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Outcome:
    """What a metric says of every word.

    Attributes
    ----------
    correct : bool array, one per pair of aligned words
        Whether the system is right.
    in_gold : bool array, one a gold word
        Whether the word is scored; what recall is a share of.
    in_system : bool array, one per word of the system
        The same for precision.
    counts_surplus : bool
        Whether words that a repaired output has beyond gold's count as wrong.
    """

    correct: NDArray[np.bool_]
    in_gold: NDArray[np.bool_]
    in_system: NDArray[np.bool_]
    counts_surplus: bool = True


class Statistics(Protocol):
    """Per-sentence statistics of one comparison, and the way to a score."""

    @property
    def per_sentence(self) -> Any:
        """Float array or sparse matrix of shape [sentences, k]."""
        ...

    def score(self, sums: Floats) -> Floats:
        """Return the scores of summed statistics [..., k]; NaN where there is nothing."""
        ...

    def size(self, sums: Floats) -> int:
        """Return how many gold words (or sentences, for metrics of sentences) sums are about."""
        ...


@dataclass(frozen=True)
class Metric:
    """A number that says how good a system is.

    Attributes
    ----------
    name, title : str
        What users type, and what tables show.
    summary : str
        One line.
    family : str
        `dependencies`, `shared-task`, `tags` or `induced-tags`.
    needs : tuple of str
        Columns that must be annotated in gold and in the system; also `head`, and `tags` for
        any column of tags.
    statistics : function
        From a comparison to its statistics.
    outcome : function, optional
        From a comparison to what is right about every word; what strata break down.
    uses_references : bool
        Whether further gold standards change the score.
    """

    name: str
    title: str
    summary: str
    family: str
    needs: tuple[str, ...]
    statistics: Callable[[Comparison], Statistics]
    outcome: Callable[[Comparison], Outcome] | None = None
    unit: str = "words"
    is_share: bool = True
    higher_is_better: bool = True
    uses_references: bool = False
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class Counts:
    """Correct, in gold, in the system: the statistics of metrics over words or sentences."""

    per_sentence: Floats

    def score(self, sums: Floats) -> Floats:
        """Return F1; where gold and system have the same words, this is accuracy."""
        return ratio(*self.ratio_of(sums))

    def ratio_of(self, sums: Floats) -> tuple[Floats, Floats]:
        """Return the two parts of F1."""
        return 2 * sums[..., 0], sums[..., 1] + sums[..., 2]

    def size(self, sums: Floats) -> int:
        """Return what recall is a share of."""
        return int(sums[1])


@dataclass(frozen=True)
class MeanOfSentences:
    """The mean of the scores of sentences; sentences without anything to score do not count."""

    per_sentence: Floats

    @classmethod
    def of(cls, counts: Counts) -> MeanOfSentences:
        """Return the statistics of the mean from those of the whole."""
        scores = counts.score(counts.per_sentence)
        scored = ~np.isnan(scores)
        return cls(np.column_stack([np.where(scored, scores, 0.0), scored]).astype(np.float64))

    def score(self, sums: Floats) -> Floats:
        """Return the mean."""
        return ratio(*self.ratio_of(sums))

    def ratio_of(self, sums: Floats) -> tuple[Floats, Floats]:
        """Return summed scores and the number of sentences."""
        return sums[..., 0], sums[..., 1]

    def size(self, sums: Floats) -> int:
        """Return the number of sentences that have a score."""
        return int(sums[1])


def ratio(part: Floats, whole: Floats) -> Floats:
    """Return part / whole, NaN where the whole is nothing."""
    out: Floats = np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=whole > 0)
    return out


def counts_of(outcome: Outcome, comparison: Comparison) -> Counts:
    """Sum an outcome over sentences."""
    # Column by column, which is how it is filled and summed.
    per_sentence = np.zeros((comparison.gold.n_sentences, 3), order="F")
    if comparison.has_same_words:
        # Pairs, gold words and the system's are numbered alike.
        offsets = comparison.gold.offsets
        count_words(offsets, outcome.correct, per_sentence[:, 0])
        count_words(offsets, outcome.in_gold, per_sentence[:, 1])
        if outcome.in_system is outcome.in_gold:
            per_sentence[:, 2] = per_sentence[:, 1]
        else:
            count_words(offsets, outcome.in_system, per_sentence[:, 2])
    else:
        count_aligned_words(
            comparison.gold_word,
            outcome.correct,
            outcome.in_gold,
            comparison.sentence_of_gold,
            outcome.in_system,
            comparison.sentence_of_system,
            per_sentence,
        )
    repairs = comparison.system.repairs
    if repairs is not None and outcome.counts_surplus:
        per_sentence[:, 2] += np.where(comparison.is_skipped, 0, repairs.surplus)
    return Counts(per_sentence)


def total(per_sentence: Any) -> Floats:
    """Return the sums over all sentences, of an array or a sparse matrix."""
    return np.asarray(per_sentence.sum(axis=0), np.float64).ravel()


def word_metric(
    name: str,
    title: str,
    summary: str,
    *,
    family: str,
    needs: tuple[str, ...],
    outcome: Callable[[Comparison], Outcome],
    cites: tuple[str, ...] = (),
) -> Metric:
    """Make a metric of what is right about every word; a repaired word is wrong."""

    def judged(comparison: Comparison) -> Outcome:
        of_words = outcome(comparison)
        if comparison.system.repairs is None:
            return of_words
        doubtful = comparison.doubtful(uses_heads="head" in needs)
        return replace(of_words, correct=of_words.correct & ~doubtful)

    def statistics(comparison: Comparison) -> Statistics:
        counts = counts_of(judged(comparison), comparison)
        if comparison.conventions.average == "sentence":
            return MeanOfSentences.of(counts)
        return counts

    return Metric(name, title, summary, family, needs, statistics, judged, cites=cites)

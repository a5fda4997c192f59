"""Two systems: which is better, under what, and where; what one gets right and the other does not.

All of it is about one metric that says of every word whether it is right: the first of those
asked for that does. Scores and tests are there for all metrics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.evaluation.breakdown import strata_of
from treegauge.evaluation.comparison_result import (
    ComparisonOfTwo,
    Contrast,
    SentenceContrast,
    StratumTest,
)
from treegauge.evaluation.evaluation import evaluate
from treegauge.evaluation.evaluation_result import Evaluation
from treegauge.evaluation.resampling import Resampling, adjusted
from treegauge.metrics import RATIOS, Comparison, Conventions, MetricError, MetricSpec
from treegauge.metrics.metric import ratio
from treegauge.strata import Strata
from treegauge.treebank import Sentence, Treebank, Vocabulary, cut_off_mask, require_treebanks
from treegauge.wording import listed

Bools = NDArray[np.bool_]

SHORT, LONGEST = 10, 40
"""Words of a sentence that is seen at a glance, and of the longest that anybody looks at."""


def compare(
    gold: Treebank,
    *systems: Treebank,
    metrics: str | Sequence[str] = (),
    conventions: Conventions | None = None,
    by: str | Sequence[str] = (),
    training: Treebank | None = None,
    sentences: int = 3,
    align: bool = False,
    resamples: int = 1000,
    confidence: float = 0.95,
    interval_kind: str = "auto",
    test: str = "permutation",
    trials: int = 10_000,
    seed: int = 0,
) -> ComparisonOfTwo:
    """Compare two systems on the same sentences.

    Parameters
    ----------
    gold : Treebank
        The gold standard.
    *systems : Treebank
        Two systems. Differences are second minus first.
    metrics : str or sequence of str
        As for `evaluate`.
    conventions : Conventions, optional
        How trees and tags are compared. Default: the preset `conll2018`.
    by : str or sequence of str
        Strata to compare the systems in; each stratum is tested separately.
    training : Treebank, optional
        Training data, for the strata `known` and `frequency`.
    sentences : int
        How many sentences with differences to return. Short sentences come first, and among
        them those with the largest differences.
    align : bool
        Align different tokenisations by characters.
    resamples, confidence, interval_kind, test, trials, seed
        Intervals and tests, as for `evaluate`.

    Returns
    -------
    ComparisonOfTwo
        Scores, tests and differences. It prints as tables.

    Raises
    ------
    MetricError
        If there are not exactly two systems, or if `by` is given and no metric scores words.
    AlignmentError
        If gold and a system do not have the same words.
    TreebankError
        If gold or a system is not a treebank.

    Examples
    --------
    >>> from treegauge import make_system, toy_treebank
    >>> gold = toy_treebank("toy:svo", tokens=2000)
    >>> names = ("left-branching", "right-branching")
    >>> systems = [make_system(name).annotate(gold).replace(name=name) for name in names]
    >>> comparison = compare(gold, *systems, metrics=["uas"], trials=100)
    >>> comparison.evaluation.pairs[0].p < 0.05
    True
    """
    require_treebanks(gold, *systems)
    if len(systems) != 2:
        raise MetricError(
            f"compare takes two systems, not {len(systems)}; evaluate tests all pairs of several"
        )
    first, second = systems
    by = listed(by)
    evaluation = evaluate(
        gold,
        first,
        second,
        metrics=metrics,
        conventions=conventions,
        align=align,
        resamples=resamples,
        confidence=confidence,
        interval_kind=interval_kind,
        test=test,
        trials=trials,
        seed=seed,
    )
    spec = evaluation.metric_of_words
    if spec is None:
        if by:
            raise MetricError("no metric scores single words, so there is nothing to break down")
        return ComparisonOfTwo(evaluation, "", {}, {}, [], test=_test_of(evaluation, test))
    words = _right_words(spec, gold, (first, second), evaluation.conventions, align)
    resampling = Resampling(test=test, trials=trials, seed=seed)
    strata = {name: words.tests(strata_of(words.gold, name, training), resampling) for name in by}
    return ComparisonOfTwo(
        evaluation,
        str(spec),
        strata,
        words.contrasts(),
        words.sentences(sentences),
        int(words.is_different.sum()),
        _test_of(evaluation, test),
    )


def _test_of(evaluation: Evaluation, test: str) -> str:
    """Return how the first metric is tested: words can be exchanged, classes cannot."""
    statistics = next(iter(evaluation.systems[0].statistics.values()), None)
    return test if isinstance(statistics, RATIOS) else "bootstrap"


@dataclass(frozen=True)
class _RightWords:
    """Which gold words are scored, and which of them each of two systems gets right."""

    comparisons: tuple[Comparison, Comparison]
    scored: Bools
    right: tuple[Bools, Bools]
    places: NDArray[np.intp]
    """Where the sentences that are compared stand in the whole of gold."""

    @property
    def gold(self) -> Treebank:
        return self.comparisons[0].gold

    def tests(self, strata: Strata, resampling: Resampling) -> list[StratumTest]:
        """Test every cell that has words."""
        cells: list[tuple[str, float, float, float | None, int]] = []
        for code, name in enumerate(strata.names):
            inside = self.scored & (strata.codes == code)
            n = int(inside.sum())
            if n:
                a, b = (self._per_sentence(inside, right) for right in self.right)
                p = resampling.paired_test(a, b, _share).p if resampling.trials else None
                cells.append((name, a[:, 0].sum() / n, b[:, 0].sum() / n, p, n))
        corrected = adjusted([p for *_, p, _ in cells])
        return [
            StratumTest(name, float(a), float(b), p, adjusted_p, n)
            for (name, a, b, p, n), adjusted_p in zip(cells, corrected, strict=True)
        ]

    def _per_sentence(self, inside: Bools, right: Bools) -> NDArray[np.float64]:
        """Return right words and all words of a cell, by sentence."""
        of_word, n = self.comparisons[0].sentence_of_gold, self.gold.n_sentences
        counts = [np.bincount(of_word[mask], minlength=n) for mask in (inside & right, inside)]
        return np.column_stack(counts).astype(np.float64)

    def contrasts(self) -> dict[str, list[Contrast]]:
        """Count who is right about the words of every relation and tag of gold."""
        relations, _, names = self.comparisons[0].relations
        contrasts = {}
        if self.gold.deprel.is_annotated:
            contrasts["relation"] = self._contrasts(relations, names)
        for tags in (self.gold.upos, self.gold.xpos):
            if tags.is_annotated:
                contrasts["tag"] = self._contrasts(tags.codes, tags.vocabulary)
                break
        return contrasts

    def _contrasts(self, codes: NDArray[np.int32], names: Vocabulary) -> list[Contrast]:
        a, b = self.right

        def counted(mask: Bools) -> NDArray[np.intp]:
            return np.bincount(codes[self.scored & mask], minlength=len(names))

        table = np.stack([counted(a & ~b), counted(b & ~a), counted(a & b), counted(~a & ~b)])
        rows = [
            Contrast(names[i], *map(int, table[:, i]))
            for i in np.flatnonzero(table.sum(axis=0)).tolist()
        ]
        return sorted(rows, key=lambda row: (-(row.only_first + row.only_second), -row.n))

    @property
    def is_different(self) -> Bools:
        """Whether a word of a sentence is right in one system only."""
        first, second = self.right
        return self._per_sentence(self.scored, first != second)[:, 0] > 0

    def sentences(self, number: int) -> list[SentenceContrast]:
        """Return sentences to look at: short ones by their difference, then the shortest."""
        a, b = (self._per_sentence(self.scored, right) for right in self.right)
        there = np.flatnonzero(self.is_different & (self.gold.lengths <= LONGEST))
        difference, length = np.abs(a[there, 0] - b[there, 0]), self.gold.lengths[there]
        is_long = length > SHORT
        order = np.lexsort((there, length, np.where(is_long, length, -difference), is_long))
        chosen = there[order[:number]].tolist()
        return [
            SentenceContrast(
                self.gold[i],
                int(self.places[i]) + 1,
                self._outputs(i),
                (int(a[i, 0]), int(b[i, 0])),
                int(a[i, 1]),
            )
            for i in chosen
        ]

    def _outputs(self, sentence: int) -> tuple[Sentence, Sentence] | None:
        first, second = self.comparisons
        if not (first.has_same_words and second.has_same_words):
            return None
        return first.system[sentence], second.system[sentence]


def _right_words(
    spec: MetricSpec,
    gold: Treebank,
    systems: tuple[Treebank, Treebank],
    conventions: Conventions,
    align: bool,
) -> _RightWords:
    comparisons, right = [], []
    scored = np.zeros(0, np.bool_)
    for system in systems:
        comparison = Comparison(
            gold, system, conventions, cut_off=spec.cut_off, by_characters=align
        )
        assert spec.metric.outcome is not None
        outcome = spec.metric.outcome(comparison)
        # Gold alone decides which of its words are scored.
        scored = outcome.in_gold
        mask = np.zeros(comparison.gold.n_words, np.bool_)
        mask[comparison.gold_word[outcome.correct]] = True
        comparisons.append(comparison)
        right.append(mask)
    places = np.arange(len(gold))
    if spec.cut_off:
        places = places[cut_off_mask(gold, spec.cut_off)]
    return _RightWords((comparisons[0], comparisons[1]), scored, (right[0], right[1]), places)


def _share(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return ratio(sums[..., 0], sums[..., 1])

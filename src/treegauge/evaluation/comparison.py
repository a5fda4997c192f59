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
from treegauge.evaluation.evaluation import Evaluation, evaluate
from treegauge.metrics import Comparison, Conventions, MetricError, MetricSpec
from treegauge.metrics.metric import ratio
from treegauge.significance import PairedTest, holm, paired_bootstrap, paired_permutation
from treegauge.strata import Strata
from treegauge.treebank import Sentence, Treebank, Vocabulary, cut_off_mask

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class StratumTest:
    """The shares of right words in one stratum, and a paired test between them."""

    stratum: str
    first: float
    second: float
    p: float | None
    adjusted_p: float | None
    """After Holm's correction over all cells of this stratum."""
    n: int

    @property
    def difference(self) -> float:
        """The second minus the first."""
        return self.second - self.first


@dataclass(frozen=True)
class Contrast:
    """The gold words of one relation or tag, by who gets them right."""

    value: str
    only_first: int
    only_second: int
    both: int
    neither: int

    @property
    def n(self) -> int:
        """All of them."""
        return self.only_first + self.only_second + self.both + self.neither


@dataclass(frozen=True)
class SentenceContrast:
    """A sentence that one system gets better than the other."""

    gold: Sentence
    number: int
    """Where it stands in the whole of gold, from 1."""
    outputs: tuple[Sentence, Sentence] | None
    """What the systems make of it; None if their words are others than gold's."""
    right: tuple[int, int]
    """Words that the first and the second system get right."""
    n: int
    """Words that are scored."""


@dataclass(frozen=True)
class ComparisonOfTwo:
    """What came out of comparing two systems."""

    evaluation: Evaluation
    metric: str
    """What says which words are right; empty if no metric that was asked for does."""
    strata: dict[str, list[StratumTest]]
    """By the name of the stratum."""
    contrasts: dict[str, list[Contrast]]
    """By relation and by tag, as far as gold has them; most differences first."""
    sentences: list[SentenceContrast]
    """The largest differences first."""

    @property
    def names(self) -> tuple[str, str]:
        """What the two systems are called."""
        first, second = self.evaluation.systems
        return first.name, second.name


def compare_two(
    gold: Treebank,
    first: Treebank,
    second: Treebank,
    *,
    metrics: Sequence[str] = (),
    conventions: Conventions | None = None,
    by: Sequence[str] = (),
    training: Treebank | None = None,
    sentences: int = 3,
    align: bool = False,
    resamples: int = 1000,
    confidence: float = 0.95,
    test: str = "permutation",
    trials: int = 10_000,
    seed: int = 0,
) -> ComparisonOfTwo:
    """Compare two systems on the same sentences.

    Parameters
    ----------
    by : sequence of str
        Strata, as in `break_down`; each is tested cell by cell.
    sentences : int
        How many of the sentences with the largest differences are returned.

    The other parameters are those of `evaluate`, which does the scores and their tests.
    """
    evaluation = evaluate(
        gold,
        first,
        second,
        metrics=metrics,
        conventions=conventions,
        align=align,
        resamples=resamples,
        confidence=confidence,
        test=test,
        trials=trials,
        seed=seed,
    )
    spec = next((spec for spec in evaluation.specs if spec.metric.outcome), None)
    if spec is None:
        if by:
            raise MetricError("no metric is about words: there is nothing to break down")
        return ComparisonOfTwo(evaluation, "", {}, {}, [])
    words = _right_words(spec, gold, (first, second), evaluation.conventions, align)
    strata = {
        name: words.tests(strata_of(words.gold, name, training), test, trials, seed) for name in by
    }
    return ComparisonOfTwo(
        evaluation, str(spec), strata, words.contrasts(), words.sentences(sentences)
    )


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

    def tests(self, strata: Strata, test: str, trials: int, seed: int) -> list[StratumTest]:
        """Test every cell that has words."""
        cells: list[tuple[str, float, float, float | None, int]] = []
        for code, name in enumerate(strata.names):
            inside = self.scored & (strata.codes == code)
            n = int(inside.sum())
            if n:
                a, b = (self._per_sentence(inside, right) for right in self.right)
                p = _tested(a, b, test, trials, seed).p if trials else None
                cells.append((name, a[:, 0].sum() / n, b[:, 0].sum() / n, p, n))
        tested = [p for *_, p, _ in cells if p is not None]
        adjusted = iter(holm(tested).tolist() if tested else [])
        return [
            StratumTest(name, float(a), float(b), p, None if p is None else next(adjusted), n)
            for name, a, b, p, n in cells
        ]

    def _per_sentence(self, inside: Bools, right: Bools) -> NDArray[np.float64]:
        """Return right words and all words of a cell, by sentence."""
        of_word, n = self.comparisons[0].sentence_of_gold, self.gold.n_sentences
        counts = [np.bincount(of_word[mask], minlength=n) for mask in (inside & right, inside)]
        return np.column_stack(counts).astype(np.float64)

    def contrasts(self) -> dict[str, list[Contrast]]:
        """Count who is right about the words of every relation and tag of gold."""
        relations, _, names = self.comparisons[0].relations
        found = {}
        if self.gold.deprel.is_annotated:
            found["relation"] = self._contrasts(relations, names)
        for tags in (self.gold.upos, self.gold.xpos):
            if tags.is_annotated:
                found["tag"] = self._contrasts(tags.codes, tags.vocabulary)
                break
        return found

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

    def sentences(self, number: int) -> list[SentenceContrast]:
        """Return the sentences with the largest differences, short ones before long ones."""
        a, b = (self._per_sentence(self.scored, right) for right in self.right)
        difference = np.abs(a[:, 0] - b[:, 0])
        order = np.lexsort((np.arange(len(difference)), a[:, 1], -difference))
        chosen = [int(i) for i in order[:number] if difference[i]]
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


def _tested(
    a: NDArray[np.float64], b: NDArray[np.float64], test: str, trials: int, seed: int
) -> PairedTest:
    def share(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return ratio(sums[..., 0], sums[..., 1])

    if test == "bootstrap":
        return paired_bootstrap(a, b, share, resamples=trials, seed=seed)
    return paired_permutation(a, b, share, trials=trials, seed=seed)

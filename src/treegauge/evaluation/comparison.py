"""Two systems: which is better, under what, and where; what one gets right and the other does not.

All of it is about one metric that says of every word whether it is right: the first of those
asked for that does. Scores and tests are there for all metrics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treegauge.evaluation.breakdown import strata_of
from treegauge.evaluation.evaluation import Evaluation, evaluate
from treegauge.evaluation.evaluation_result import metric_head
from treegauge.evaluation.resampling import Resampling, adjusted
from treegauge.metrics import Comparison, Conventions, MetricError, MetricSpec
from treegauge.metrics.metric import ratio
from treegauge.strata import Strata
from treegauge.tables import DIFFERENCE, P_VALUE, PERCENT, Cell, Column, NumberFormat, Table
from treegauge.treebank import Sentence, Treebank, Vocabulary, cut_off_mask, require_treebanks
from treegauge.wording import listed

if TYPE_CHECKING:
    import polars as pl

Bools = NDArray[np.bool_]

MOST_CONTRASTS = 15
"""Relations or tags in a table; JSON has all."""

_SIGNED = NumberFormat(signed=True)


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

    def to_dict(self) -> dict[str, Any]:
        """Return the test as JSON has it."""
        return {
            "stratum": self.stratum,
            "values": [self.first, self.second],
            "difference": self.difference,
            "p": self.p,
            "adjusted_p": self.adjusted_p,
            "n": self.n,
        }


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

    def to_dict(self, by: str) -> dict[str, Any]:
        """Return the counts as JSON has them."""
        return {
            by: self.value,
            "only": [self.only_first, self.only_second],
            "both": self.both,
            "neither": self.neither,
            "n": self.n,
        }


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

    def to_dict(self) -> dict[str, Any]:
        """Return the sentence as JSON has it."""
        result: dict[str, Any] = {
            "id": self.gold.id,
            "number": self.number,
            "right": list(self.right),
            "n": self.n,
            "forms": [word.form for word in self.gold],
            "gold": _tree(self.gold),
        }
        if self.outputs is not None:
            result["systems"] = [_tree(output) for output in self.outputs]
        return result


def _tree(sentence: Sentence) -> dict[str, Any]:
    return {"heads": sentence.heads, "relations": [word.deprel for word in sentence]}


@dataclass(frozen=True)
class ComparisonOfTwo:
    """What came out of comparing two systems; it prints as tables."""

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

    def table(self) -> Table:
        """Return a row for every metric: both scores, their difference, and its p-value."""
        evaluation = self.evaluation
        first, second = evaluation.systems
        p_values = {pair.metric: pair.p for pair in evaluation.pairs}
        rows = []
        for spec in evaluation.specs:
            head = metric_head(spec)
            a, b = first.scores[head.key], second.scores[head.key]
            change = None if a.value is None or b.value is None else b.value - a.value
            difference = Cell(change, format=DIFFERENCE if a.is_share else _SIGNED)
            cells = [replace(Cell.of_score(score), details={}) for score in (a, b)]
            rows.append([head.heading, *cells, difference, p_values.get(head.key), a.n])
        notes = [evaluation.table().notes[0], *evaluation.notes]
        if evaluation.pairs:
            notes.append("p: two-sided paired test of this metric alone, over sentences")
        metric, p = Column("", key="metric"), Column("p", format=P_VALUE)
        columns: list[Column | str] = [metric, *self.names, "difference", p, "n"]
        return Table(columns, rows, notes=notes, data=self._data())

    def _data(self) -> Table:
        """Return one row per system; the second also has differences and p-values."""
        table = self.evaluation.table()
        scores = table.data or table
        pairs = {pair.metric: pair for pair in self.evaluation.pairs}
        keys = [str(spec) for spec in self.evaluation.specs]
        columns = [f"{key}_{part}" for key in keys for part in ("difference", "p")]
        first, second = self.evaluation.systems
        tests: list[float | None] = []
        for key in keys:
            a, b = first.scores[key].value, second.scores[key].value
            tests.append(None if a is None or b is None else b - a)
            tests.append(pairs[key].p if key in pairs else None)
        nothing: list[float | None] = [None] * len(tests)
        rows = [[*row.cells, *own] for row, own in zip(scores.rows, (nothing, tests), strict=True)]
        return Table([*scores.columns, *columns], rows)

    def tables(self, rows: str = "metrics") -> list[Table]:
        """Return scores, strata, and who is right about what.

        Parameters
        ----------
        rows : str
            What has a row of its own in the table of scores; differences and p-values are there
            if these are `metrics`.
        """
        tables = [self.table()] if rows == "metrics" else self.evaluation.score_tables(rows)
        tables += [self._stratum_table(by, cells) for by, cells in self.strata.items()]
        tables += [self._contrast_table(by, own) for by, own in self.contrasts.items()]
        return tables

    def _stratum_table(self, by: str, cells: Sequence[StratumTest]) -> Table:
        shares = [Column(name, format=PERCENT) for name in self.names]
        p_values = [Column(title, format=P_VALUE) for title in ("p", "p (Holm)")]
        rows = [[c.stratum, c.first, c.second, c.difference, c.p, c.adjusted_p, c.n] for c in cells]
        difference = Column("difference", format=DIFFERENCE)
        title = f"{self.metric} by {by}"
        return Table([by, *shares, difference, *p_values, "n"], rows, title=title)

    def _contrast_table(self, by: str, rows: Sequence[Contrast]) -> Table:
        differing = [row for row in rows if row.only_first or row.only_second]
        notes = []
        if len(differing) > MOST_CONTRASTS:
            notes.append(f"and {len(differing) - MOST_CONTRASTS} more")
        if len(rows) > len(differing):
            notes.append(f"no difference in {len(rows) - len(differing)} more")
        return Table(
            [by, *[f"only {name}" for name in self.names], "both", "neither", "n"],
            [
                [row.value, row.only_first, row.only_second, row.both, row.neither, row.n]
                for row in differing[:MOST_CONTRASTS]
            ],
            title=f"who is right under {self.metric}, by {by}",
            notes=notes,
        )

    def __str__(self) -> str:
        return "\n".join(map(str, self.tables()))

    def _repr_html_(self) -> str:
        return "\n".join(table._repr_html_() for table in self.tables())

    def to_polars(self) -> pl.DataFrame:
        """Return a row for every system: its scores, their intervals and sizes, in 0..1."""
        return self.evaluation.to_polars()

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON has it: that of `evaluate`, and members of its own."""
        return {
            **self.evaluation.to_dict(),
            "metric": self.metric,
            "strata": [
                {"by": by, "metric": self.metric, "cells": [cell.to_dict() for cell in cells]}
                for by, cells in self.strata.items()
            ],
            "contrasts": {
                by: [row.to_dict(by) for row in rows] for by, rows in self.contrasts.items()
            },
            "sentences": [sentence.to_dict() for sentence in self.sentences],
        }


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
    test: str = "permutation",
    trials: int = 10_000,
    seed: int = 0,
) -> ComparisonOfTwo:
    """Compare two systems on the same sentences.

    Parameters
    ----------
    gold : Treebank
        What is right.
    systems : Treebank
        Two; differences are those of the second from the first.
    metrics, conventions, align
        As of `evaluate`, which does the scores and their tests.
    by : str or sequence of str
        Strata, as in `break_down`; each is tested cell by cell.
    training : Treebank, optional
        For the strata `known` and `frequency`.
    sentences : int
        How many of the sentences with the largest differences are returned.
    resamples, confidence, test, trials, seed
        Of intervals and tests, as of `evaluate`.

    Returns
    -------
    ComparisonOfTwo
        Scores, tests and differences; prints as tables.

    Raises
    ------
    MetricError
        If there are not two systems, or nothing that can be broken down.

    Examples
    --------
    >>> from treegauge import make_system, toy_treebank
    >>> gold = toy_treebank("toy:svo", tokens=2000)
    >>> names = ("left-branching", "right-branching")
    >>> systems = [make_system(name).annotate(gold).replace(name=name) for name in names]
    >>> compare(gold, *systems, metrics=["uas"], trials=100).evaluation.pairs[0].p < 0.05
    True
    """
    require_treebanks(gold, *systems)
    if len(systems) != 2:
        raise MetricError(f"two systems are compared, not {len(systems)}; evaluate takes more")
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
    resampling = Resampling(test=test, trials=trials, seed=seed)
    strata = {name: words.tests(strata_of(words.gold, name, training), resampling) for name in by}
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


def _share(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return ratio(sums[..., 0], sums[..., 1])

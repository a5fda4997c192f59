"""What came out of a comparison: tests, a verdict in words, who is right about what, sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from treegauge.evaluation.evaluation_result import Evaluation, metric_head
from treegauge.evaluation.resampling import SIGNIFICANT
from treegauge.tables import DIFFERENCE, P_VALUE, PERCENT, Cell, Column, NumberFormat, Table, show_p
from treegauge.treebank import Sentence
from treegauge.wording import counted

if TYPE_CHECKING:
    import polars as pl

MOST_CONTRASTS = 15
"""Relations or tags in a table; JSON has all."""

_SIGNED = NumberFormat(signed=True)


@dataclass(frozen=True)
class StratumTest:
    """The shares of right words in one stratum, and a paired test between them.

    Attributes
    ----------
    stratum : str
        The name of the stratum, such as `left`.
    first, second : float
        The shares of the first and the second system, in 0..1.
    p : float or None
        The p-value; None if no test was made.
    adjusted_p : float or None
        The p-value after Holm's correction over all cells of this stratification.
    n : int
        The number of scored words.

    Examples
    --------
    >>> test = StratumTest("left", 0.5, 0.75, 0.01, 0.02, 400)
    >>> test.difference
    0.25
    >>> test.to_dict()["values"]
    [0.5, 0.75]
    """

    stratum: str
    first: float
    second: float
    p: float | None
    adjusted_p: float | None
    n: int

    @property
    def difference(self) -> float:
        """The second minus the first."""
        return self.second - self.first

    def to_dict(self) -> dict[str, Any]:
        """Return the test as in JSON output.

        Returns
        -------
        dict
            `stratum`, `values`, `difference`, `p`, `adjusted_p` and `n`.
        """
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
    """The gold words of one relation or tag, by the systems that get them right.

    Attributes
    ----------
    value : str
        The relation or the tag.
    only_first, only_second : int
        Words that only the first or only the second system gets right.
    both, neither : int
        Words that both systems or no system gets right.

    Examples
    --------
    >>> contrast = Contrast("nsubj", 3, 5, 40, 2)
    >>> contrast.n
    50
    >>> contrast.to_dict("relation")["only"]
    [3, 5]
    """

    value: str
    only_first: int
    only_second: int
    both: int
    neither: int

    @property
    def n(self) -> int:
        """The number of words."""
        return self.only_first + self.only_second + self.both + self.neither

    def to_dict(self, by: str) -> dict[str, Any]:
        """Return the counts as in JSON output.

        Parameters
        ----------
        by : str
            The key of `value`: `relation` or `tag`.

        Returns
        -------
        dict
            The value, and the counts `only`, `both`, `neither` and `n`.
        """
        return {
            by: self.value,
            "only": [self.only_first, self.only_second],
            "both": self.both,
            "neither": self.neither,
            "n": self.n,
        }


@dataclass(frozen=True)
class SentenceContrast:
    """A sentence that one system gets better than the other.

    Attributes
    ----------
    gold : Sentence
        The sentence with gold annotation.
    number : int
        Its position in gold, from 1.
    outputs : (Sentence, Sentence) or None
        The outputs of the two systems; None if their words differ from those of gold.
    right : (int, int)
        The number of words that each system gets right.
    n : int
        The number of scored words.

    Examples
    --------
    >>> import treegauge as tg
    >>> gold = tg.toy_treebank(tokens=1000)
    >>> names = ("left-branching", "right-branching")
    >>> outputs = [tg.make_system(name).annotate(gold).replace(name=name) for name in names]
    >>> comparison = tg.compare(gold, *outputs, metrics="uas", resamples=0, trials=100)
    >>> sentence = comparison.sentences[0]
    >>> sentence.right
    (5, 0)
    >>> sorted(sentence.to_dict())
    ['forms', 'gold', 'id', 'n', 'number', 'right', 'systems']
    """

    gold: Sentence
    number: int
    outputs: tuple[Sentence, Sentence] | None
    right: tuple[int, int]
    n: int

    def to_dict(self) -> dict[str, Any]:
        """Return the sentence as in JSON output.

        Returns
        -------
        dict
            `id`, `number`, `right`, `n`, `forms`, and heads and relations in `gold` and `systems`.
        """
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
    """A comparison of two systems; made by `compare`. It prints as tables.

    Attributes
    ----------
    evaluation : Evaluation
        The scores of both systems and their tests.
    metric : str
        The metric that decides which words are right; empty if no metric scores words.
    strata : dict
        Tests per stratum, by the name of the stratification.
    contrasts : dict
        Which system is right, by relation and by tag; the most differences first.
    sentences : list of SentenceContrast
        Sentences with differences. Short ones come first, and among them those with the largest
        differences.
    differing : int
        The number of sentences in which the systems get different words right.
    test : str
        How the first metric was tested: `permutation` or `bootstrap`.

    Examples
    --------
    >>> import treegauge as tg
    >>> gold = tg.toy_treebank(tokens=1000)
    >>> names = ("left-branching", "right-branching")
    >>> outputs = [tg.make_system(name).annotate(gold).replace(name=name) for name in names]
    >>> comparison = tg.compare(gold, *outputs, metrics="uas", resamples=0, trials=100)
    >>> print(comparison.verdict)  # doctest: +ELLIPSIS
    left-branching is better than right-branching by 25.17 UAS points, p = 0.010 (paired ...)
    >>> len(comparison.table().rows), len(comparison.tables())
    (1, 3)
    >>> comparison.to_polars()["system"].to_list()
    ['left-branching', 'right-branching']
    >>> comparison.to_dict()["metric"]
    'uas'
    """

    evaluation: Evaluation
    metric: str
    strata: dict[str, list[StratumTest]]
    contrasts: dict[str, list[Contrast]]
    sentences: list[SentenceContrast]
    differing: int = 0
    test: str = ""

    @property
    def names(self) -> tuple[str, str]:
        """The names of the two systems."""
        first, second = self.evaluation.systems
        return first.name, second.name

    @property
    def verdict(self) -> str:
        """One sentence: which system is better under the first metric, by how much, and p."""
        first, second = self.names
        for spec in self.evaluation.specs:
            head = metric_head(spec)
            a, b = (system.scores[head.key].earned for system in self.evaluation.systems)
            if a is not None and b is not None:
                break
        else:
            return "no metric has a score for both systems"
        if a == b:
            return f"{first} and {second} have the same {head.title}"
        unit = f"{head.title} points" if spec.metric.is_share else head.title
        points = f"{head.format.show(abs(b - a))} {unit}"
        if head.higher_is_better == (b > a):
            better, worse = second, first
        else:
            better, worse = first, second
        p_values = {pair.metric: pair.p for pair in self.evaluation.pairs}
        p = p_values.get(head.key)
        if p is None:
            return f"{better} is better than {worse} by {points} (no test was made)"
        tested = f"{show_p(p)} (paired {self.test} test over sentences)"
        if p < SIGNIFICANT:
            return f"{better} is better than {worse} by {points}, {tested}"
        return f"no significant difference: {better} is ahead of {worse} by {points}, {tested}"

    def table(self) -> Table:
        """Return the table of scores.

        Returns
        -------
        Table
            One row per metric: both scores, their difference and its p-value.
        """
        evaluation = self.evaluation
        first, second = evaluation.systems
        p_values = {pair.metric: pair.p for pair in evaluation.pairs}
        rows = []
        for spec in evaluation.specs:
            head = metric_head(spec)
            a, b = first.scores[head.key], second.scores[head.key]
            change = None if a.earned is None or b.earned is None else b.earned - a.earned
            difference = Cell(change, format=DIFFERENCE if a.is_share else _SIGNED)
            cells = [replace(Cell.of_score(score), details={}) for score in (a, b)]
            rows.append([head.heading, *cells, difference, p_values.get(head.key), max(a.n, b.n)])
        notes = [*self._answers(), *evaluation.signature_lines(), *evaluation.remarks]
        if evaluation.pairs:
            notes.append("p: two-sided paired test of this metric alone, over sentences")
        metric, p = Column("", key="metric"), Column("p", format=P_VALUE)
        columns: list[Column | str] = [metric, *self.names, "difference", p, "n"]
        return Table(columns, rows, notes=notes, data=self._data())

    def _answers(self) -> list[str]:
        """Return the answer in words, and in how many sentences systems differ."""
        if not self.metric:
            return [self.verdict]
        sentences = self.evaluation.systems[0].statistics[self.metric].per_sentence.shape[0]
        return [
            self.verdict,
            f"different words are right under {self.metric} in {self.differing:,} of "
            f"{counted(sentences, 'sentence')}",
        ]

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
            a, b = first.scores[key].earned, second.scores[key].earned
            tests.append(None if a is None or b is None else b - a)
            tests.append(pairs[key].p if key in pairs else None)
        nothing: list[float | None] = [None] * len(tests)
        rows = [[*row.cells, *own] for row, own in zip(scores.rows, (nothing, tests), strict=True)]
        return Table([*scores.columns, *columns], rows)

    def tables(self, rows: str = "metrics") -> list[Table]:
        """Return all tables: scores, strata, and which system is right where.

        Parameters
        ----------
        rows : "metrics", "systems" or "treebanks"
            What the rows of the table of scores are. It shows differences and p-values only
            with `metrics`.

        Returns
        -------
        list of Table
            The tables.
        """
        tables = [self.table()]
        if rows != "metrics":
            *tables, last = self.evaluation.score_tables(rows)
            tables.append(replace(last, notes=(*self._answers(), *last.notes)))
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
            title=f"words right under {self.metric}, by {by}",
            notes=notes,
        )

    def __str__(self) -> str:
        return "\n".join(map(str, self.tables()))

    def _repr_html_(self) -> str:
        return "\n".join(table._repr_html_() for table in self.tables())

    def to_polars(self) -> pl.DataFrame:
        """Return the scores as a data frame.

        Returns
        -------
        polars.DataFrame
            One row per system: scores, intervals and sizes. Shares are between 0 and 1.
        """
        return self.evaluation.to_polars()

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as in JSON output.

        Returns
        -------
        dict
            The members of `Evaluation.to_dict`, and `verdict`, `metric`, `strata`, `contrasts`,
            `differing_sentences` and `sentences`.
        """
        return {
            **self.evaluation.to_dict(),
            "verdict": self.verdict,
            "metric": self.metric,
            "strata": [
                {"by": by, "metric": self.metric, "cells": [cell.to_dict() for cell in cells]}
                for by, cells in self.strata.items()
            ],
            "contrasts": {
                by: [row.to_dict(by) for row in rows] for by, rows in self.contrasts.items()
            },
            "differing_sentences": self.differing,
            "sentences": [sentence.to_dict() for sentence in self.sentences],
        }

"""Where a system is right and wrong: scores by stratum, confusions, the sentences themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treegauge.evaluation.resampling import Resampling
from treegauge.metrics import Comparison, Metric, MetricError
from treegauge.tables import PERCENT, Cell, Column, Table, data_table
from treegauge.treebank import Sentence, Treebank, Vocabulary

if TYPE_CHECKING:
    from scipy import sparse

    from treegauge.strata import Strata


@dataclass(frozen=True)
class StratumScore:
    """The score of the words of one stratum."""

    stratum: str
    value: float | None
    low: float | None
    high: float | None
    n: int

    @property
    def cell(self) -> Cell:
        """The score as a cell of a table."""
        return Cell(self.value, self.low, self.high, n=self.n, format=PERCENT)


@dataclass(frozen=True)
class Breakdown:
    """The scores of systems by stratum.

    Attributes
    ----------
    by : str
        The property of words or sentences, such as `direction`.
    metric : str
        The metric.
    systems : mapping from str to list of StratumScore
        Scores of the strata, by system.

    Examples
    --------
    >>> import treegauge as tg
    >>> gold = tg.toy_treebank(tokens=1000)
    >>> output = tg.make_system("left-branching").annotate(gold).replace(name="left")
    >>> evaluation = tg.evaluate(gold, output, metrics="uas", by=["direction"], resamples=0)
    >>> (breakdown,) = evaluation.strata
    >>> print(breakdown.table(), end="")
    uas by direction
    direction    left     n
    ───────────────────────
    left         2.57   350
    right       52.22   586
    root        13.04    69
    >>> breakdown.to_dict()["by"]
    'direction'
    """

    by: str
    metric: str
    systems: Mapping[str, Sequence[StratumScore]]

    def table(self) -> Table:
        """Return the scores as a table.

        Returns
        -------
        Table
            A row per stratum, a column per system, and the number of words.
        """
        strata = {one.stratum: one.n for scores in self.systems.values() for one in scores}
        cells = [{one.stratum: one.cell for one in scores} for scores in self.systems.values()]
        data = data_table(
            ({"system": name, self.by: one.stratum}, self.metric, one.cell)
            for name, scores in self.systems.items()
            for one in scores
        )
        return Table(
            [Column(self.by, key="stratum"), *self.systems, "n"],
            [[name, *[own.get(name) for own in cells], n] for name, n in strata.items()],
            title=f"{self.metric} by {self.by}",
            data=data,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as in JSON output.

        Returns
        -------
        dict
            `by`, `metric`, and scores with intervals in `systems`.
        """
        systems = {name: [asdict(one) for one in own] for name, own in self.systems.items()}
        return {"by": self.by, "metric": self.metric, "systems": systems}


def break_down(
    comparison: Comparison,
    metric: Metric,
    by: str,
    *,
    training: Treebank | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> list[StratumScore]:
    """Return the share of right words in every stratum of gold.

    Parameters
    ----------
    by : str
        A stratum, or two with a `*` between them: `relation*direction`.
    training : Treebank, optional
        For `known` and `frequency`.
    """
    if metric.outcome is None:
        raise MetricError(f"{metric.name} does not score single words, so it cannot be broken down")
    strata = strata_of(comparison.gold, by, training)
    outcome = metric.outcome(comparison)
    is_right = np.zeros(comparison.gold.n_words, np.bool_)
    is_right[comparison.gold_word[outcome.correct]] = True
    counted = outcome.in_gold & (strata.codes >= 0)
    table = _table(comparison, strata, counted, is_right)
    return scores_of_strata(strata.names, table, Resampling(resamples, confidence, seed=seed))


def scores_of_strata(
    names: Sequence[str], table: Any, resampling: Resampling
) -> list[StratumScore]:
    """Return scores from a table of sentences: right words of all strata, then words of all."""
    k = len(names)
    sums = np.asarray(table.sum(axis=0)).ravel()
    resampler = resampling.resampler(table.shape[0])
    resampled = None if resampler is None else resampler.sums(table)
    cells = []
    for i, name in enumerate(names):
        n = int(sums[k + i])
        if not n:
            continue
        low = high = None
        if resampled is not None:
            words = resampled[:, k + i]
            shares = resampled[:, i][words > 0] / words[words > 0]
            bounds = resampling.interval(shares)
            low, high = (None, None) if bounds is None else bounds
        cells.append(StratumScore(name, float(sums[i] / n), low, high, n))
    return cells


def strata_of(gold: Treebank, by: str, training: Treebank | None = None) -> Strata:
    """Return the strata of gold words by a name, or by two crossed."""
    from treegauge.strata import cross, stratify

    names = by.split("*")
    if len(names) > 2:
        raise MetricError(f"{by!r}: at most two strata can be crossed")
    strata = [stratify(name, gold, training=training) for name in names]
    return strata[0] if len(strata) == 1 else cross(*strata)


def _table(
    comparison: Comparison,
    strata: Strata,
    counted: NDArray[np.bool_],
    is_right: NDArray[np.bool_],
) -> sparse.csr_array:
    """Return per sentence the right words of every stratum, then all words of every stratum."""
    from scipy import sparse

    words = np.flatnonzero(counted)
    k = len(strata.names)
    right = words[is_right[words]]
    rows = np.concatenate([comparison.sentence_of_gold[right], comparison.sentence_of_gold[words]])
    columns = np.concatenate([strata.codes[right], strata.codes[words] + k])
    shape = (comparison.gold.n_sentences, 2 * k)
    return sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)


MOST_MISTAKES = 20
"""How many kinds of mistakes a table shows."""


@dataclass(frozen=True)
class Confusion:
    """The confusion matrix of one system: how often gold has one value and the system another.

    Attributes
    ----------
    column : str
        The column of the values, such as `deprel`.
    counts : dict
        The number of words by gold value and value of the system, the most frequent first. Only
        aligned words count. Correct words are included.

    Examples
    --------
    >>> confusion = Confusion("upos", {("NOUN", "NOUN"): 90, ("NOUN", "VERB"): 3})
    >>> confusion.mistakes()
    [('NOUN', 'VERB', 3)]
    >>> print(confusion.table("ours"), end="")
    ours: confusions of upos
    gold   system   words
    ─────────────────────
    NOUN   VERB         3
    >>> confusion.to_dict()
    [{'gold': 'NOUN', 'system': 'VERB', 'words': 3}]
    """

    column: str
    counts: dict[tuple[str, str], int]

    def mistakes(self) -> list[tuple[str, str, int]]:
        """Return all confusions, the most frequent first.

        Returns
        -------
        list of (str, str, int)
            The gold value, the value of the system, and the number of words.
        """
        return [(a, b, n) for (a, b), n in self.counts.items() if a != b]

    def table(self, system: str) -> Table:
        """Return the most frequent confusions as a table.

        Parameters
        ----------
        system : str
            The name of the system, for the title.

        Returns
        -------
        Table
            One row per confusion, at most 20.
        """
        kinds = self.mistakes()
        more = len(kinds) - MOST_MISTAKES
        notes = ["no mistakes"] if not kinds else []
        notes += [f"and {more} other confusions"] if more > 0 else []
        return Table(
            ("gold", "system", "words"),
            kinds[:MOST_MISTAKES],
            title=f"{system}: confusions of {self.column}",
            notes=notes,
        )

    def to_dict(self) -> list[dict[str, Any]]:
        """Return all confusions as in JSON output.

        Returns
        -------
        list of dict
            `gold`, `system` and `words` of every confusion.
        """
        return [{"gold": a, "system": b, "words": n} for a, b, n in self.mistakes()]


def confusion(comparison: Comparison, column: str) -> Confusion:
    """Count the pairs of values of a column, relations without subtypes if so agreed."""
    gold, system, names = _values(comparison, column)
    counted = comparison.is_counted[comparison.gold_word]
    a = gold[comparison.gold_word[counted]].astype(np.int64)
    b = system[comparison.system_word[counted]]
    cells, totals = np.unique(a * len(names) + b, return_counts=True)
    order = np.argsort(-totals, kind="stable")
    return Confusion(
        column,
        {
            (names[int(cells[i]) // len(names)], names[int(cells[i]) % len(names)]): int(totals[i])
            for i in order
        },
    )


@dataclass(frozen=True)
class Mistake:
    """A word that a system got wrong, with its sentence."""

    sentence: Sentence
    position: int
    gold: str
    system: str

    def __str__(self) -> str:
        words = [
            f"[{word.form}]" if word.position == self.position else word.form
            for word in self.sentence
        ]
        name = self.sentence.id or f"sentence {self.sentence.index + 1}"
        return f"{name}: {' '.join(words)}  ({self.gold} confused with {self.system})"


def mistakes(
    comparison: Comparison, metric: Metric, which: str, *, training: Treebank | None = None
) -> Iterator[Mistake]:
    """Find the words of a cell that are wrong.

    Parameters
    ----------
    which : str
        `nsubj:obj`, gold and system's relation (or tag, if they are tags); or
        `edge_length=10+`, a stratum and its cell: what the metric is about is then shown, such
        as `obj←sees` for the relation and the head.
    """
    describe, chosen = _chosen_pairs(comparison, metric, which, training)
    for pair in np.flatnonzero(chosen):
        word = int(comparison.gold_word[pair])
        sentence = comparison.gold[int(comparison.sentence_of_gold[word])]
        yield Mistake(sentence, word - sentence.first + 1, *describe(int(pair)))


PairDescriber = Callable[[int], tuple[str, str]]
"""From a pair of words to what gold and the system say of it."""


def _chosen_pairs(
    comparison: Comparison, metric: Metric, which: str, training: Treebank | None
) -> tuple[PairDescriber, NDArray[np.bool_]]:
    by, equals, cell = which.partition("=")
    if equals:
        if metric.outcome is None:
            raise MetricError(
                f"{metric.name} does not score single words, so it has no errors to list"
            )
        strata = strata_of(comparison.gold, by, training)
        if cell not in strata.names:
            raise MetricError(f"{by} has no {cell!r}; there are {', '.join(strata.names[:30])}")
        outcome = metric.outcome(comparison)
        wrong = ~outcome.correct & outcome.in_gold[comparison.gold_word]
        in_cell = strata.codes[comparison.gold_word] == strata.names.index(cell)
        return _describer_of(metric, comparison), wrong & in_cell
    if ":" not in which:
        raise MetricError(f"which errors? write GOLD:SYSTEM or STRATUM=CELL, not {which!r}")
    # Relations have colons themselves: nsubj:pass:obj.
    colons = [i for i, character in enumerate(which) if character == ":"]
    for column in ("deprel", "upos", "xpos"):
        gold, system, names = _values(comparison, column)
        for i in colons:
            wanted, predicted = which[:i], which[i + 1 :]
            if wanted in names and predicted in names:
                a = gold[comparison.gold_word] == names.index(wanted)
                b = system[comparison.system_word] == names.index(predicted)
                counted = comparison.is_counted[comparison.gold_word]
                return _describe_values(comparison, column), np.asarray(a & b & counted)
    wanted, _, predicted = which.partition(":")
    raise MetricError(f"neither relations nor tags have both {wanted!r} and {predicted!r}")


def _values(
    comparison: Comparison, column: str
) -> tuple[NDArray[np.int32], NDArray[np.int32], Vocabulary]:
    return comparison.relations if column == "deprel" else comparison.values(column)


def _describer_of(metric: Metric, comparison: Comparison) -> PairDescriber:
    """Return what shows a mistake under a metric: its column, or relation and head."""
    if "head" not in metric.needs:
        return _describe_values(comparison, metric.needs[0] if metric.needs else "form")
    with_relation = "deprel" in metric.needs
    relations = _describe_values(comparison, "deprel")

    def describe(pair: int) -> tuple[str, str]:
        words = int(comparison.gold_word[pair]), int(comparison.system_word[pair])
        heads = [
            _head(treebank, word)
            for treebank, word in zip((comparison.gold, comparison.system), words, strict=True)
        ]
        of_gold, of_system = relations(pair) if with_relation else ("", "")
        return f"{of_gold}←{heads[0]}", f"{of_system}←{heads[1]}"

    return describe


def _describe_values(comparison: Comparison, column: str) -> PairDescriber:
    gold, system, names = _values(comparison, column)

    def describe(pair: int) -> tuple[str, str]:
        a, b = gold[comparison.gold_word[pair]], system[comparison.system_word[pair]]
        return names[int(a)], names[int(b)]

    return describe


def _head(treebank: Treebank, word: int) -> str:
    """Return the form of a word's head, 0 for the root."""
    sentence = treebank[int(np.searchsorted(treebank.offsets, word, side="right")) - 1]
    head = sentence[word - sentence.first].head
    if 1 <= head <= len(sentence):
        return sentence[head - 1].form
    return "0" if head == 0 else "_"

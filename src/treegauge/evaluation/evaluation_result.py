"""What came out of an evaluation: scores, tests and breakdowns, as tables, frames and JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from treegauge.evaluation.resampling import SIGNIFICANT
from treegauge.evaluation.scoring import GENERATED_BY, Evaluated, SystemPair
from treegauge.metrics import Conventions, MetricSpec
from treegauge.metrics.tagging import TagRow
from treegauge.results import Score, Signature
from treegauge.significance import Letters, significance_letters
from treegauge.significance.agreement import agreement
from treegauge.tables import (
    NUMBER,
    PERCENT,
    Cell,
    Column,
    MetricHead,
    Row,
    Scores,
    SystemHead,
    Table,
    Value,
    best_places,
    data_table,
)

if TYPE_CHECKING:
    import polars as pl

    from treegauge.evaluation.breakdown import Breakdown, Confusion
    from treegauge.evaluation.perplexity_of_parsers import ParserPerplexity
    from treegauge.treebank import Repairs


@dataclass(frozen=True)
class Evaluation:
    """The scores of one or more systems under the same metrics; made by `evaluate`.

    It prints as tables, and a notebook shows it as tables. `evaluation["las"]` is a score of the
    first system.

    Attributes
    ----------
    gold : str
        The name of the gold standard.
    systems : sequence of Evaluated
        The systems in the order given, with `name`, `scores` and the statistics behind them.
    specs : sequence of MetricSpec
        The metrics, with their cut-offs.
    conventions : Conventions
        How trees and tags were compared.
    pairs : sequence of SystemPair
        The paired tests of every two systems.
    notes : sequence of str
        Remarks on the choice of metrics.
    references : mapping
        Evaluations against more gold standards, this one included.
    strata : sequence of Breakdown
        Scores by stratum, under the first metric of words.
    confusions : mapping
        The confusion matrix of every system.
    tags : mapping
        Precision, recall and F1 of every tag, by system.
    errors : mapping
        The sentences with errors, by system.
    perplexity : ParserPerplexity or None
        Derivation perplexity of the systems' trees.
    has_agreement : bool
        Whether the tables show the rank correlation of metrics.

    Examples
    --------
    >>> import treegauge as tg
    >>> gold = tg.toy_treebank(tokens=1000)
    >>> names = ("left-branching", "right-branching")
    >>> outputs = [tg.make_system(name).annotate(gold).replace(name=name) for name in names]
    >>> evaluation = tg.evaluate(gold, *outputs, metrics=["uas", "ned"], resamples=0, trials=100)
    >>> print(evaluation["uas"])
    UAS 32.24
    >>> evaluation.best("uas"), [one.name for one in evaluation.letters("uas") if one.beats]
    ([0], ['left-branching'])
    >>> evaluation.to_polars()["system"].to_list()
    ['left-branching', 'right-branching']
    >>> evaluation.to_dict()["systems"][0]["name"]
    'left-branching'
    >>> evaluation.signature_lines()[0].partition("|")[0]
    'preset conll2018; uas,ned'
    >>> [(a, b) for a, b, tau in evaluation.agreement()]
    [('uas', 'ned')]
    >>> len(evaluation.tables()), len(evaluation.score_tables(rows="systems"))
    (1, 1)
    >>> len(evaluation.table().rows), len(evaluation.scores().metrics)
    (2, 2)
    """

    gold: str
    systems: tuple[Evaluated, ...]
    specs: tuple[MetricSpec, ...]
    conventions: Conventions
    pairs: tuple[SystemPair, ...] = ()
    notes: tuple[str, ...] = ()
    references: Mapping[str, Evaluation] = field(default_factory=dict, repr=False)
    strata: tuple[Breakdown, ...] = ()
    confusions: Mapping[str, Confusion] = field(default_factory=dict, repr=False)
    tags: Mapping[str, Sequence[TagRow]] = field(default_factory=dict, repr=False)
    errors: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    perplexity: ParserPerplexity | None = None
    has_agreement: bool = False

    def __getitem__(self, metric: str) -> Score:
        """Return a score of the first system."""
        return self.systems[0].scores[metric]

    @property
    def first_score(self) -> Score:
        """The score of the first system under the first metric."""
        scores = [*self.systems[0].scores.values()]
        if self.perplexity is not None:
            scores += self.perplexity.systems.values()
        return scores[0]

    @property
    def metric_of_words(self) -> MetricSpec | None:
        """The first metric that judges every single word, if all systems have it."""
        specs = [spec for spec in self.specs if spec.metric.outcome]
        in_all = (s for s in specs if all(str(s) in one.statistics for one in self.systems))
        return next(in_all, None)

    def letters(self, metric: str) -> list[Letters]:
        """Return the letter of every system, and the letters of the systems that it beats.

        A system beats another one if it is significantly better (p < 0.05 after Holm).

        Parameters
        ----------
        metric : str
            One of the metrics of this evaluation.

        Returns
        -------
        list of Letters
            One per system, with `name`, `letter` and `beats`.
        """
        names = [system.name for system in self.systems]
        better = {}
        for pair in self.pairs:
            if pair.metric != metric or pair.adjusted_p is None or not pair.difference:
                continue
            gain = pair.difference if self[metric].higher_is_better else -pair.difference
            winner, loser = (pair.second, pair.first) if gain > 0 else (pair.first, pair.second)
            better[winner, loser] = pair.adjusted_p < SIGNIFICANT
        return significance_letters(names, lambda a, b: better.get((a, b), False))

    def agreement(self) -> list[tuple[str, str, float | None]]:
        """Return how similarly every two metrics rank the systems.

        Returns
        -------
        list of (str, str, float or None)
            Two metrics and Kendall's tau-b; None if it is not defined.
        """
        names = [str(spec) for spec in self.specs]
        values = {
            name: [np.nan if (v := s.scores[name].earned) is None else v for s in self.systems]
            for name in names
        }
        return agreement(values, {name: self[name].higher_is_better for name in names})

    def best(self, metric: str) -> list[int]:
        """Return which systems are the best.

        Parameters
        ----------
        metric : str
            One of the metrics of this evaluation.

        Returns
        -------
        list of int
            Indices of systems, several in case of a tie. Empty if fewer than two systems have a
            score.
        """
        scores = [system.scores[metric] for system in self.systems]
        return best_places(
            [score.earned for score in scores],
            PERCENT if scores[0].is_share else NUMBER,
            higher_is_better=scores[0].higher_is_better,
        )

    # ------------------------------------------------------------------ tables

    def scores(self) -> Scores:
        """Return all scores as cells, from which tables of every layout are made.

        Returns
        -------
        Scores
            Cells by system, treebank and metric.
        """
        letters = {str(spec): self.letters(str(spec)) for spec in self.specs}
        first = next(iter(letters.values()), [])
        several = len(self.systems) > 1
        cells = {
            (system.name, self.gold, metric): Cell.of_score(
                system.scores[metric], letters="".join(letters[metric][i].beats)
            )
            for i, system in enumerate(self.systems)
            for metric in letters
            if metric in system.statistics
        }
        return Scores(
            [SystemHead(one.name, letter=one.letter if several else "") for one in first],
            [self.gold],
            [metric_head(spec) for spec in self.specs],
            cells,
        ).with_best()

    def table(self) -> Table:
        """Return a table with one row per metric.

        The best score is bold. Letters mark significant differences.

        Returns
        -------
        Table
            The first table of `score_tables`.
        """
        return self.score_tables()[0]

    def score_tables(self, rows: str = "metrics") -> list[Table]:
        """Return the tables of scores.

        Parameters
        ----------
        rows : "metrics", "systems" or "treebanks"
            What the rows are. With `treebanks` there is one table per metric.

        Returns
        -------
        list of Table
            One or more tables.
        """
        columns = "metrics" if rows == "systems" else "systems"
        return self.scores().tables(rows, columns, notes=self._notes(), sizes=rows == "metrics")

    def tables(self, rows: str = "metrics") -> list[Table]:
        """Return all tables: scores, perplexity, gold standards, strata, errors, agreement.

        Parameters
        ----------
        rows : "metrics", "systems" or "treebanks"
            What the rows of the tables of scores are.

        Returns
        -------
        list of Table
            Whatever was asked for.
        """
        tables = self.score_tables(rows) if self.specs else []
        strata = [one.table() for one in self.strata]
        if strata:
            data = self._data_with_strata()
            tables, strata = ([replace(t, data=data) for t in own] for own in (tables, strata))
        if self.perplexity is not None:
            first, *tests = self.perplexity.tables()
            remarks = () if self.specs else self.remarks  # below the scores, where there are some
            tables += [replace(first, notes=(*first.notes, *remarks)), *tests]
        if self.references:
            tables += [self._reference_table(spec) for spec in self.specs]
        tables += strata
        tables += [one.table(name) for name, one in self.confusions.items()]
        tables += [_tag_table(name, tags) for name, tags in self.tags.items()]
        tables += [Table([name], [[line] for line in lines]) for name, lines in self.errors.items()]
        if self.has_agreement:
            title = "Rank correlation of the metrics"
            tables.append(Table(("metric", "metric", "tau-b"), self.agreement(), title=title))
        return tables

    def _data_with_strata(self) -> Table:
        """Return one table of all scores: of whole treebanks, then of every stratum."""
        whole = (
            ({**about, "by": None, "stratum": None}, metric, cell)
            for about, metric, cell in self.scores().records()
        )
        of_strata = (
            (
                {"system": name, "treebank": self.gold, "by": one.by, "stratum": part.stratum},
                one.metric,
                part.cell,
            )
            for one in self.strata
            for name, parts in one.systems.items()
            for part in parts
        )
        return data_table(chain(whole, of_strata))

    def signature_lines(self) -> list[str]:
        """Return the preset and the signatures of the metrics.

        Returns
        -------
        list of str
            Metrics with the same conventions share a line.
        """
        deviations = self.conventions.deviations()
        conventions = f"preset {self.conventions.preset}"
        conventions += f", but {' '.join(deviations)}" if deviations else ""
        alike: dict[tuple[tuple[str, str], ...], list[MetricSpec]] = {}
        for spec in self.specs:
            fields = self._shared_conventions(spec)
            alike.setdefault(tuple(one for one in fields if one[0] != "len"), []).append(spec)
        lines = []
        for specs in alike.values():
            fields = self._shared_conventions(specs[0])
            lengths = dict.fromkeys(spec.cut_off.removeprefix("@") or "all" for spec in specs)
            names = [spec.name if len(lengths) == 1 else str(spec) for spec in specs]
            fields = tuple((k, ",".join(lengths) if k == "len" else v) for k, v in fields)
            lines.append(str(Signature(",".join(names), fields)))
        return [f"{conventions}; {lines[0]}", *lines[1:], *self._generators()]

    def _shared_conventions(self, spec: MetricSpec) -> tuple[tuple[str, str], ...]:
        """Return the fields that the signatures of all systems share."""
        fields = self[str(spec)].signature.conventions
        return tuple(field for field in fields if field[0] != GENERATED_BY)

    def _generators(self) -> list[str]:
        """Return a line for every system that says which tool and model made it."""
        lines = []
        for system in self.systems:
            score = next(iter(system.scores.values()))
            versions = dict(score.signature.conventions).get(GENERATED_BY)
            lines += [f"{system.name}: {versions}"] if versions else []
        return lines

    @property
    def remarks(self) -> list[str]:
        """Remarks on the choice of metrics, and on outputs that are not trees."""
        return [*self.notes, *(one for system in self.systems for one in system.warnings)]

    def _notes(self) -> list[str]:
        notes = self.signature_lines()
        if self.pairs:
            notes.append(
                "letters: significantly better than that system (p < 0.05, paired, Holm over pairs)"
            )
        return [*notes, *self.remarks]

    def _reference_table(self, spec: MetricSpec) -> Table:
        """Return a row for every gold standard and one for the best, as Gelling et al. Table 5."""
        head = metric_head(spec)
        names = [system.name for system in self.systems]
        cells = {
            (system.name, reference, head.key): Cell.of_score(system.scores[head.key])
            for reference, evaluation in self.references.items()
            for system in evaluation.systems
        }
        scores = Scores([SystemHead(name) for name in names], [*self.references], [head], cells)
        plain = scores.tables("treebanks", "systems")[0]
        tops: list[Cell | Value] = ["best"]
        for name in names:
            values = [cells[name, reference, head.key].number for reference in self.references]
            places = best_places(values, head.format, higher_is_better=head.higher_is_better)
            # What is the only one with a value is the best of them here.
            tops.append(Cell(values[places[0]] if places else None, format=head.format))
        return replace(
            plain,
            columns=(Column("reference"), *plain.columns[1:]),
            rows=(*plain.rows, Row(tops)),
            title=f"{head.key} against several gold standards",
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
        return self.scores().data().to_polars()

    def to_dict(self) -> dict[str, Any]:
        """Return the evaluation as in JSON output.

        Returns
        -------
        dict
            `systems` with their scores, `tests`, `warnings`, and a member for everything else that
            was asked for.
        """
        result: dict[str, Any] = {
            "schema": 1,
            "gold": self.gold,
            "preset": self.conventions.preset,
            "deviations": self.conventions.deviations(),
            "systems": [
                {
                    "name": system.name,
                    "scores": {name: score.to_dict() for name, score in system.scores.items()},
                    **({} if system.repairs is None else {"repairs": _repairs(system.repairs)}),
                }
                for system in self.systems
            ],
            "warnings": self.remarks,
        }
        if self.pairs:
            result["tests"] = [pair.to_dict() for pair in self.pairs]
        if self.perplexity is not None:
            result["derivation_perplexity"] = self.perplexity.to_dict()
            for system in result["systems"]:
                score = self.perplexity.systems[system["name"]]
                system["scores"][score.name] = score.to_dict()
        if self.references:
            result["references"] = {
                name: one.to_dict()["systems"] for name, one in self.references.items()
            }
        if self.strata:
            result["strata"] = [breakdown.to_dict() for breakdown in self.strata]
        if self.confusions:
            result["confusions"] = {name: one.to_dict() for name, one in self.confusions.items()}
        if self.tags:
            keys = ("tag", "n", "precision", "recall", "f1")
            result["tags"] = {
                name: [dict(zip(keys, row, strict=True)) for row in rows]
                for name, rows in self.tags.items()
            }
        if self.errors:
            result["errors"] = {name: list(lines) for name, lines in self.errors.items()}
        if self.has_agreement:
            result["agreement"] = [
                {"metrics": [a, b], "tau_b": tau} for a, b, tau in self.agreement()
            ]
        return result


def _repairs(repairs: Repairs) -> dict[str, Any]:
    """Return what was repaired in a system's output as JSON has it."""
    return {
        "counts": dict(repairs.counts),
        "wrong_words": int(repairs.word.sum()),
        "wrong_heads": int((repairs.head & ~repairs.word).sum()),
        "surplus_words": int(repairs.surplus.sum()),
    }


def metric_head(spec: MetricSpec) -> MetricHead:
    """Return a metric as a table shows it."""
    return MetricHead(
        str(spec),
        spec.metric.title + spec.cut_off,
        PERCENT if spec.metric.is_share else NUMBER,
        spec.metric.higher_is_better,
    )


def _tag_table(system: str, rows: Sequence[TagRow]) -> Table:
    """Return precision, recall and F1 of every tag."""
    shares = [Column(title, format=PERCENT) for title in ("precision", "recall", "F1")]
    cells = [[tag, *numbers, words] for tag, words, *numbers in rows]
    return Table(["tag", *shares, "n"], cells, title=f"{system}: tags")

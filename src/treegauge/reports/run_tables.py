"""Tables of a run: a row for every system, a column for every treebank, supervision apart.

One table has one track, one preset, one set of gold tags and one metric, so that all its numbers
have the same signature but for the data and for what a system learnt from; this is checked.
Within a table systems stand in groups by kind of supervision, and the best is sought (and set in
bold) within its group only. Published figures stand in rows of their own under the system they
belong to; they are no part of any ranking.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any

import polars as pl

from treegauge.experiments.experiment import is_about
from treegauge.metrics import METRICS, MetricSpec
from treegauge.reports.tables import NOTHING, Cell, Table
from treegauge.results import (
    Average,
    TreebankScore,
    average,
    common_treebanks,
    treebank_score,
)
from treegauge.results.long_table import ResultsError
from treegauge.results.published import (
    PASCAL,
    PUNCTUATION,
    STANDS_FOR,
    PublishedRow,
    PublishedSystem,
    counterparts,
    find_published_system,
    published_row,
)
from treegauge.systems import SystemsError, find_system

SUPERVISION = (
    *("unsupervised", "universal rules", "dev-tuned", "dictionary", "cross-lingual"),
    *("supervised", "oracle"),
)
"""The order of the groups."""

_TRACKS = ("tags", "dependencies", "joint")
_TAGS = ("", "u", "u12", "c", "p")
_OF_DATA_AND_SYSTEM = ("data", "fit_on", "induced", "tags_from", "reads")
"""What may differ between the signatures of a table: the treebank, what a system learnt from,
and in which column its tags are."""

_NOT_RUN = "not part of the run"
AVERAGES = ("average (available)", "average (common)")
"""What the columns of averages are called."""


@dataclass(frozen=True)
class SystemRow:
    """A system of a table."""

    system: str
    method: str
    supervision: str
    settings: Mapping[str, Any]
    fit_on: str
    scores: Mapping[str, TreebankScore]
    """By treebank, for every treebank of the table."""
    available: Average
    common: Average


@dataclass(frozen=True)
class FiguresRow:
    """Published figures beside ours."""

    published: PublishedRow
    beside: str
    """Our system under which they stand; empty if it has another kind of supervision."""
    counterpart: str
    """Our system that they belong to."""
    values: Mapping[str, float]
    """By treebank of ours."""
    available: Average
    common: Average

    @property
    def label(self) -> str:
        """What the row is called."""
        return f"{self.published.column}, published"

    @property
    def supervision(self) -> str:
        """The kind of supervision that the paper describes."""
        return self.published.system.supervision


Row = SystemRow | FiguresRow


@dataclass(frozen=True)
class RunTable:
    """Everything that a run has under one metric in one track."""

    track: str
    preset: str
    tags: str
    """The gold tags that induced tags are compared with; empty for other metrics."""
    spec: MetricSpec
    signature: str
    """What the signatures of all numbers have in common."""
    treebanks: tuple[str, ...]
    common: tuple[str, ...]
    systems: tuple[SystemRow, ...]
    figures: tuple[FiguresRow, ...] = ()

    @property
    def title(self) -> str:
        """What the table is about."""
        return title_of(self.track, self.preset, self.tags, self.spec)

    @cached_property
    def groups(self) -> list[tuple[str, list[Row]]]:
        """Rows by kind of supervision, published ones under those of ours that they belong to."""
        kinds = {row.supervision for row in self.systems}
        kinds |= {row.supervision for row in self.figures}
        groups = []
        for kind in sorted(kinds, key=place_of(SUPERVISION)):
            rows: list[Row] = []
            for row in self.systems:
                if row.supervision == kind:
                    rows += [row, *(f for f in self.figures if f.beside == row.system)]
            rows += [f for f in self.figures if not f.beside and f.supervision == kind]
            groups.append((kind, rows))
        return groups

    def to_table(self, *, intervals: bool = False) -> Table:
        """Return the table as people read it.

        Parameters
        ----------
        intervals : bool
            Show them; they are shown in any case where there is one treebank only.
        """
        return _Layout(self, intervals or len(self.treebanks) == 1).table()

    def to_dict(self) -> dict[str, Any]:
        """Return the table as JSON has it."""
        return {
            "track": self.track,
            "preset": self.preset,
            "tags": self.tags or None,
            "metric": str(self.spec),
            "higher_is_better": self.spec.metric.higher_is_better,
            "signature": self.signature,
            "treebanks": list(self.treebanks),
            "common_treebanks": list(self.common),
            "rows": [_row_as_dict(row) for _, rows in self.groups for row in rows],
        }

    def long_rows(self) -> Iterator[list[Cell]]:
        """Return the table as rows of `LONG_COLUMNS`, one a number."""
        for kind, rows in self.groups:
            for row in rows:
                head: list[Cell] = [self.track, self.preset, self.tags, str(self.spec), "", ""]
                head += [kind, *_names(row)]
                for name, value in _cells(row).items():
                    yield [*head, name, *value, self.signature]
                for name, mean in zip(AVERAGES, (row.available, row.common), strict=True):
                    numbers = (mean.value, mean.deviation, None, None)
                    yield [*head, name, *numbers, len(mean.treebanks), "", self.signature]


LONG_COLUMNS = (
    *("track", "preset", "tags", "metric", "by", "stratum", "supervision", "system", "published"),
    *("treebank", "value", "deviation", "low", "high", "n", "reason", "signature"),
)
"""Of the one long table that TSV gives; `n` is the number of treebanks in rows of averages."""


def run_tables(
    results: pl.DataFrame,
    *,
    metrics: Sequence[str] = (),
    tracks: Sequence[str] = (),
    published: bool = True,
) -> list[RunTable]:
    """Return the tables of a run, track by track and metric by metric.

    Parameters
    ----------
    results : DataFrame
        The long table.
    metrics, tracks : sequence of str
        Only these; all when empty.
    published : bool
        Put published figures beside ours.

    Raises
    ------
    ResultsError
        If numbers of one table were not made in the same way.
    """
    whole = results.filter(pl.col("by") == "")
    tables = []
    for key, rows in partition(whole, metrics, tracks):
        table = _run_table(*key, rows, published=published)
        if any(score.by_seed for row in table.systems for score in row.scores.values()):
            tables.append(table)
    return tables


def tables_without_values(
    results: pl.DataFrame, *, metrics: Sequence[str] = (), tracks: Sequence[str] = ()
) -> list[str]:
    """Return a line for every track and reason for which metrics have no value at all."""
    lines: dict[tuple[str, str], list[str]] = {}
    several = results["track"].n_unique() > 1
    for (track, _, _, spec), rows in partition(results.filter(pl.col("by") == ""), metrics, tracks):
        # What one track of several is not about, another one was asked for.
        if several and not is_about(spec.metric, track):
            continue
        if all(_is_missing(row["value"]) for row in rows):
            for reason in dict.fromkeys(row["reason"] for row in rows):
                lines.setdefault((track, reason), []).append(str(spec))
    return [
        f"{track}: no value of {', '.join(dict.fromkeys(names))}: {reason}"
        for (track, reason), names in lines.items()
    ]


Key = tuple[str, str, str, MetricSpec]
"""Track, preset, tags and metric: what one table has."""


def partition(
    results: pl.DataFrame, metrics: Sequence[str], tracks: Sequence[str]
) -> list[tuple[Key, list[dict[str, Any]]]]:
    """Return the rows of every table, tables in the order in which people look for them."""
    found: dict[Key, dict[tuple[Any, ...], dict[str, Any]]] = {}
    for row in results.iter_rows(named=True):
        if (metrics and row["metric"] not in metrics) or (tracks and row["track"] not in tracks):
            continue
        spec = MetricSpec.parse(row["metric"])
        tags = row["tags"] if spec.metric.family == "induced-tags" else ""
        rows = found.setdefault((row["track"], row["preset"], tags, spec), {})
        # Trees that were scored along with tags of several kinds are there several times.
        place = (row["treebank"], row["system"], row["seed"], row["by"], row["stratum"])
        rows.setdefault(place, row)
    names = list(METRICS)
    track_place, tags_place = place_of(_TRACKS), place_of(_TAGS)

    def place_of_table(key: Key) -> tuple[Any, ...]:
        track, preset, tags, spec = key
        metric = len(spec.cut_off), spec.cut_off, names.index(spec.name)
        return track_place(track), preset, tags_place(tags), *metric

    return [(key, list(found[key].values())) for key in sorted(found, key=place_of_table)]


def _run_table(
    track: str,
    preset: str,
    tags: str,
    spec: MetricSpec,
    rows: list[dict[str, Any]],
    *,
    published: bool,
) -> RunTable:
    signature = common_signature(row["signature"] for row in rows if row["signature"])
    treebanks = tuple(dict.fromkeys(row["treebank"] for row in rows))
    of_system: dict[str, list[dict[str, Any]]] = {}
    # By name: the order of rows is that of the first treebank, which a system may lack.
    for row in sorted(rows, key=lambda row: str(row["system"])):
        of_system.setdefault(row["system"], []).append(row)
    scores = {name: treebank_scores(own, treebanks) for name, own in of_system.items()}
    common = common_treebanks(scores)
    systems = tuple(
        SystemRow(
            name,
            own[0]["method"],
            own[0]["supervision"],
            json.loads(own[0]["settings"] or "{}"),
            own[0]["fit_on"],
            scores[name],
            average(scores[name]),
            average(scores[name], over=common),
        )
        for name, own in of_system.items()
    )
    table = RunTable(track, preset, tags, spec, signature, treebanks, common, systems)
    if not published or not _may_stand_beside(table):
        return table
    return RunTable(
        track, preset, tags, spec, signature, treebanks, common, systems, tuple(_figures(table))
    )


def treebank_scores(
    rows: list[dict[str, Any]], treebanks: tuple[str, ...]
) -> dict[str, TreebankScore]:
    """Return a system's scores on all treebanks, also on those that it was not run on."""
    by_treebank: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_treebank.setdefault(row["treebank"], []).append(row)
    return {
        name: treebank_score(by_treebank[name])
        if name in by_treebank
        else TreebankScore({}, {_NOT_RUN: 1})
        for name in treebanks
    }


def common_signature(signatures: Iterable[str]) -> str:
    """Return what signatures have in common: all but the data and what a system learnt from.

    >>> common_signature(["uas|len:10|data:a#1|fit_on:train", "uas|len:10|data:b#2|fit_on:union"])
    'uas|len:10'

    Raises
    ------
    ResultsError
        If they differ in anything else: such numbers are not for one column.
    """
    found = dict.fromkeys(
        "|".join(
            part for part in text.split("|") if part.partition(":")[0] not in _OF_DATA_AND_SYSTEM
        )
        for text in signatures
    )
    if len(found) > 1:
        first, second, *_ = found
        raise ResultsError(
            f"numbers that were made in different ways cannot stand in one table:\n  {first}\n"
            f"  {second}\n  score the run again, all of it, with one version of treegauge"
        )
    return next(iter(found), "")


# ---------------------------------------------------------------------- published figures


def _may_stand_beside(table: RunTable) -> bool:
    """Return whether a table follows the challenge: by its preset, or in what it does."""
    return table.preset == "pascal" or not _other_punctuation(table)


def _other_punctuation(table: RunTable) -> str:
    """Return what the paper did with punctuation, if it is not what the table does."""
    theirs = PUNCTUATION["tags" if table.tags else table.track]
    fields = dict(part.partition(":")[::2] for part in table.signature.split("|"))
    return "" if fields.get("punct", theirs) == theirs else theirs


def _figures(table: RunTable) -> Iterator[FiguresRow]:
    """Return the published rows that belong to systems of a table, each once."""
    belongs: dict[str, list[SystemRow]] = {}
    for row in table.systems:
        for column in counterparts(table.track, row.method, row.settings):
            if _is_as_published(row, find_published_system(table.track, column)):
                belongs.setdefault(column, []).append(row)
    for column, rows in belongs.items():
        found = published_row(table.track, str(table.spec), table.tags, column)
        if found is None:
            continue
        values = {
            name: found.values[test_set.name]
            for name in table.treebanks
            if (test_set := STANDS_FOR.get(name)) and test_set.name in found.values
        }
        if not values:
            continue
        same = [row.system for row in rows if row.supervision == found.system.supervision]
        yield FiguresRow(
            found,
            same[0] if same else "",
            rows[0].system,
            values,
            _published_average(found, values),
            _published_average(
                found, {name: value for name, value in values.items() if name in table.common}
            ),
        )


_SETTINGS_OF_VARIANTS = {"tags", "classes", "tags_from"}
"""What tells the variants of the paper's systems apart."""


def _is_as_published(row: SystemRow, published: PublishedSystem) -> bool:
    """Return whether a system has the settings of its paper, the defaults, but for the variant.

    Where the paper chose settings on dev data, and the run did, they are what was chosen.
    """
    if row.supervision == published.supervision == "dev-tuned":
        return True
    try:
        standard = find_system(row.method).load().settings_type().to_dict()
    except SystemsError:  # one that is not installed here
        return True
    changed = {name for name, value in standard.items() if row.settings.get(name, value) != value}
    return changed <= _SETTINGS_OF_VARIANTS


def _published_average(row: PublishedRow, values: Mapping[str, float]) -> Average:
    """Return the average that the paper prints, where all that it is about is there."""
    if {STANDS_FOR[name].name for name in values} == set(row.values) and len(values) == len(
        row.values
    ):
        return Average(row.average, None, tuple(values))
    return _mean_of(values)


def _mean_of(values: Mapping[str, float]) -> Average:
    return Average(fmean(values.values()) if values else None, None, tuple(values))


# ---------------------------------------------------------------------- layout


@dataclass(frozen=True)
class Shown:
    """How numbers of a metric are shown."""

    is_share: bool
    higher_is_better: bool

    @classmethod
    def of(cls, spec: MetricSpec) -> Shown:
        """Return how a metric's numbers are shown."""
        return cls(spec.metric.is_share, spec.metric.higher_is_better)

    def number(self, value: float, decimals: int = 2) -> str:
        """Return a number: shares in per cent."""
        return f"{100 * value if self.is_share else value:.{decimals}f}"

    def with_deviation(self, value: float, deviation: float | None) -> str:
        """Return a mean with its deviation, where there is one."""
        if deviation is None:
            return self.number(value)
        return f"{self.number(value)} ± {self.number(deviation)}"

    def best(self, values: Sequence[float | None]) -> list[int]:
        """Return the places of the best of several, all of them if they look the same."""
        numbers = [None if value is None else float(self.number(value)) for value in values]
        there = [number for number in numbers if number is not None]
        if len(there) < 2:
            return []
        top = max(there) if self.higher_is_better else min(there)
        return [i for i, number in enumerate(numbers) if number == top]


def note_on_types(rows: Sequence[SystemRow]) -> list[str]:
    """Return which systems give all tokens of a type one tag, and which look at each token."""
    members: dict[bool, list[str]] = {}
    for row in rows:
        # A parser over induced tags has those of its inducer.
        source = str(row.settings.get("tags_from", "")).partition(":")[0]
        try:
            of_types = getattr(find_system(source or row.method).load(), "tags_types", None)
        except SystemsError:  # one that is not installed here
            continue
        if of_types is not None:
            members.setdefault(of_types, []).append(row.system)
    words = {True: "one tag for all tokens of a type", False: "a tag for every token by itself"}
    said = [f"{words[kind]}: {', '.join(members[kind])}" for kind in words if kind in members]
    return ["; ".join(said)] if said else []


class _Layout:
    """Lays out one table, and numbers the notes on missing cells as it comes to them."""

    def __init__(self, table: RunTable, intervals: bool) -> None:
        self.of = table
        self.intervals = intervals
        self.shown = Shown.of(table.spec)
        self.has_averages = len(table.treebanks) > 1
        self.reasons: dict[str, int] = {}

    def table(self) -> Table:
        rows: list[list[Cell]] = []
        headings: set[int] = set()
        bold: set[tuple[int, int]] = set()
        columns = [*self.of.treebanks, *(AVERAGES if self.has_averages else ())]
        for kind, members in self.of.groups:
            headings.add(len(rows))
            rows.append([kind, *[None] * len(columns)])
            bold |= self._bold(members, len(rows))
            rows += [self._row(row) for row in members]
        return Table(
            ["", *columns],
            rows,
            title=self.of.title,
            notes=self._notes(),
            bold=frozenset(bold),
            headings=frozenset(headings),
            right=frozenset(range(1, len(columns) + 1)),
        )

    def _row(self, row: Row) -> list[Cell]:
        if isinstance(row, FiguresRow):
            decimals = row.published.decimals
            cells: list[Cell] = [
                self.shown.number(row.values[name], decimals) if name in row.values else None
                for name in self.of.treebanks
            ]
            means = [
                None if mean.value is None else self.shown.number(mean.value, decimals)
                for mean in (row.available, row.common)
            ]
            label = row.label
        else:
            cells = [self._cell(row.scores[name]) for name in self.of.treebanks]
            means = [
                None
                if mean.value is None
                else self.shown.with_deviation(mean.value, mean.deviation)
                for mean in (row.available, row.common)
            ]
            label = row.system
        if self.has_averages:
            expected = (len(self.of.treebanks), len(self.of.common))
            for text, mean, number in zip(
                means, (row.available, row.common), expected, strict=True
            ):
                other = len(mean.treebanks) not in (number, 0)
                cells.append(f"{text} ({len(mean.treebanks)})" if other else text)
        return [label, *cells]

    def _cell(self, score: TreebankScore) -> str:
        text = NOTHING
        if score.value is not None:
            text = self.shown.with_deviation(score.value, score.deviation)
            if self.intervals and score.low is not None and score.high is not None:
                bounds = self.shown.number(score.low), self.shown.number(score.high)
                text += f" [{', '.join(bounds)}]"
        marks = [self.reasons.setdefault(reason, len(self.reasons) + 1) for reason in score.missing]
        return text + "".join(f"[{mark}]" for mark in marks)

    def _bold(self, members: list[Row], first: int) -> set[tuple[int, int]]:
        """Return the best cells of a group: of ours only, and only what can be compared."""
        ours = [(i, row) for i, row in enumerate(members) if isinstance(row, SystemRow)]
        columns: list[list[float | None]] = [
            [row.scores[name].value for _, row in ours] for name in self.of.treebanks
        ]
        if self.has_averages:
            over = {row.available.treebanks for _, row in ours if row.available.treebanks}
            available = [row.available.value for _, row in ours]
            # Averages over different treebanks cannot be compared.
            columns.append(available if len(over) == 1 else [None] * len(ours))
            columns.append([row.common.value for _, row in ours])
        return {
            (first + ours[place][0], j)
            for j, column in enumerate(columns, start=1)
            for place in self.shown.best(column)
        }

    # ------------------------------------------------------------------ notes

    def _notes(self) -> list[str]:
        table = self.of
        notes = [f"[{mark}] {reason}" for reason, mark in self.reasons.items()]
        if self.has_averages:
            notes.append(self._note_on_averages())
        seeds = {
            len(score.by_seed) + sum(score.missing.values())
            for row in table.systems
            for score in row.scores.values()
            if score.deviation is not None
        }
        if seeds:
            number = " or ".join(map(str, sorted(seeds)))
            notes.append(f"±: standard deviation over {number} seeds")
        if self.intervals and any(
            score.low is not None for row in table.systems for score in row.scores.values()
        ):
            notes.append("[low, high]: 95% interval over sentences, where there is one seed")
        if not table.spec.metric.higher_is_better:
            notes.append("↓: lower is better")
        if table.tags:
            notes += note_on_types(table.systems)
        notes.append(signature_note(table.signature, table.systems))
        return [*notes, *self._notes_on_figures()]

    def _note_on_averages(self) -> str:
        table = self.of
        left_out = [name for name in table.treebanks if name not in table.common]
        without_any = [row.system for row in table.systems if not row.available.treebanks]
        rows: list[Row] = [*table.systems, *table.figures]
        available = f"all {len(table.treebanks)}"
        if any(len(row.available.treebanks) not in (0, len(table.treebanks)) for row in rows):
            available += ", or as many as (n) says"
        common = f"the {len(table.common)} for which all systems have a score"
        if left_out:
            common += f", without {', '.join(left_out)}"
        if any(len(row.common.treebanks) not in (0, len(table.common)) for row in rows):
            common += ", or as many of them as (n) says"
        if without_any:
            common += f"; left aside: {', '.join(without_any)}, without any score"
        return (
            f"averages: unweighted means over treebanks; available: {available}; common: {common}"
        )

    def _notes_on_figures(self) -> list[str]:
        table = self.of
        if not table.figures:
            return []
        numbers = sorted({row.published.table for row in table.figures})
        others = [
            f"{name} ({STANDS_FOR[name].data})"
            for name in table.treebanks
            if name in STANDS_FOR and STANDS_FOR[name].is_other
        ]
        note = (
            f"published: {PASCAL}, Table {' and '.join(map(str, numbers))}; not on these "
            "treebanks, but on other versions of them"
        )
        if others:
            note += f", and on other treebanks for {', '.join(others)}"
        means = [
            f"{row.published.column} {self.shown.number(row.published.average, decimals)}"
            for row in table.figures
            if (decimals := row.published.decimals)
        ]
        notes = [note, f"averages that the paper prints: {', '.join(means)}"]
        theirs = _other_punctuation(table)
        if theirs:
            notes.append(f"the paper's figures here are with punct:{theirs}, ours are not")
        for row in table.figures:
            if not row.beside:
                remark = row.published.system.remark or row.supervision
                notes.append(
                    f"{row.published.column} is what {row.counterpart} follows, but "
                    f"{row.supervision}: {remark}"
                )
        return notes


def signature_note(signature: str, systems: Sequence[SystemRow]) -> str:
    """Return the signature, and what systems learnt from if that differs."""
    note = f"signature: {signature}"
    learnt: dict[str, list[str]] = {}
    for row in systems:
        if row.fit_on != "nothing":
            learnt.setdefault(row.fit_on, []).append(row.system)
    if len(learnt) == 1:
        note += f"|fit_on:{next(iter(learnt))}"
    elif learnt:
        note += "; " + "; ".join(
            f"fit_on:{fit_on} for {', '.join(names)}" for fit_on, names in learnt.items()
        )
    return note


def title_of(track: str, preset: str, tags: str, spec: MetricSpec) -> str:
    """Return what a table is about, with an arrow where lower is better."""
    arrow = "" if spec.metric.higher_is_better else " ↓"
    against = f" against {tags}" if tags else ""
    return f"{track}: {spec.metric.title}{spec.cut_off}{arrow}{against} (preset {preset})"


# ---------------------------------------------------------------------- data


def _row_as_dict(row: Row) -> dict[str, Any]:
    names = ("value", "deviation", "low", "high", "n", "reason")
    cells = {name: dict(zip(names, numbers, strict=True)) for name, numbers in _cells(row).items()}
    averages = {
        name: {
            "value": mean.value,
            "deviation": mean.deviation,
            "treebanks": len(mean.treebanks),
            "missing": dict(mean.missing),
        }
        for name, mean in (("available", row.available), ("common", row.common))
    }
    document: dict[str, Any] = {"system": None, "supervision": row.supervision, "published": None}
    if isinstance(row, FiguresRow):
        document["system"] = row.counterpart
        document["published"] = {
            "paper": PASCAL,
            "table": row.published.table,
            "system": row.published.column,
            "average": row.published.average,
            "test_sets": {name: STANDS_FOR[name].name for name in row.values},
        }
    else:
        document["system"] = row.system
        document |= {"method": row.method, "settings": row.settings, "fit_on": row.fit_on}
    return {**document, "treebanks": cells, "averages": averages}


def _names(row: Row) -> tuple[str, str]:
    if isinstance(row, FiguresRow):
        return row.counterpart, row.published.column
    return row.system, ""


def _cells(row: Row) -> dict[str, tuple[float | None, ...] | tuple[Any, ...]]:
    """Return value, deviation, low, high, n and reason by treebank."""
    if isinstance(row, FiguresRow):
        return {name: (value, None, None, None, None, "") for name, value in row.values.items()}
    return {
        name: (
            score.value,
            score.deviation,
            score.low,
            score.high,
            score.n,
            "; ".join(score.missing),
        )
        for name, score in row.scores.items()
    }


def place_of(known: Sequence[str]) -> Any:
    """Return a sorting key: known names in their order, others behind them."""
    return lambda name: (known.index(name) if name in known else len(known), name)


def _is_missing(value: float | None) -> bool:
    return value is None or math.isnan(value)


def sources_table(tables: Sequence[RunTable]) -> Table | None:
    """Return what published figures were measured on, or nothing if there are none."""
    rows = [row for table in tables for row in table.figures]
    if not rows:
        return None
    treebanks = dict.fromkeys(name for row in rows for name in row.values)
    remarks = {
        f"{row.published.column}: {row.supervision}; {row.published.system.remark}": None
        for row in rows
        if row.published.system.remark
    }
    return Table(
        ("treebank", "test set of the paper", "its data", "is that the same treebank?"),
        [
            [
                name,
                STANDS_FOR[name].name,
                STANDS_FOR[name].data,
                "no" if STANDS_FOR[name].is_other else "in another version",
            ]
            for name in treebanks
        ],
        title=f"What the figures of {PASCAL}, were measured on",
        notes=list(remarks),
    )

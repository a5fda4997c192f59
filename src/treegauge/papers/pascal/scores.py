"""Scores in the paper's words: its tables, test sets and names of systems.

The paper's own numbers and those of a run are frames of one shape, so that a sentence about
Table 3 can be checked on both.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import TypeVar

import polars as pl

from treegauge.metrics import MetricSpec
from treegauge.papers.paper import Frames
from treegauge.papers.pascal.references import HEAD_RULES
from treegauge.results.published import (
    AVERAGE,
    PASCAL,
    STANDS_FOR,
    counterparts,
    find_published_system,
)
from treegauge.runs.experiment import DEFAULT_METRICS
from treegauge.tables import Cell, Column, NumberFormat, Table

INDUCED = DEFAULT_METRICS["tags", False]
"""The paper's four metrics of tags."""
TREES = DEFAULT_METRICS["dependencies", False]
"""Its three metrics of trees, for all lengths and up to ten words."""
PAPER_TABLES: Mapping[tuple[str, str, str], int] = {
    ("tags", "u12", ""): 2,
    ("tags", "p", ""): 7,
    ("dependencies", "", ""): 3,
    ("dependencies", "", "@10"): 8,
    ("joint", "", ""): 4,
    ("joint", "", "@10"): 9,
}
"""Numbers of the paper's tables by track, gold tags and length."""
TAG_METRICS = ("many_to_one", "one_to_one", "v_measure", "vi")
TREE_METRICS = ("uas", "undirected", "ned")
METRICS = {2: TAG_METRICS, 7: TAG_METRICS} | dict.fromkeys((3, 8, 4, 9), TREE_METRICS)
"""By table of scores by test set."""

_COLUMNS = ["table", "metric", "test_set", "reference", "relation", "system"]
"""Of a frame of scores, beside `value`."""


# ---------------------------------------------------------------------- of a run


def test_set_of(treebank: str) -> str:
    """Return the paper's test set that a treebank stands for, or the treebank itself.

    >>> test_set_of("en_ewt"), test_set_of("toy:svo")
    ('en-ptb', 'toy:svo')
    """
    return STANDS_FOR[treebank].name if treebank in STANDS_FOR else treebank


def columns_of(results: pl.DataFrame) -> dict[str, str]:
    """Return the paper's columns by our systems that do the same, with as many classes."""
    about = results.unique("system").select("system", "track", "method", "settings", "supervision")
    by_system = {}
    for system, track, method, text, supervision in about.iter_rows():
        settings = json.loads(text or "{}")
        columns = counterparts(track, method, settings)
        if len(columns) != 1:
            continue
        # Entries that name no number had as many classes as there are fine tags.
        is_unnamed = track == "tags" and columns[0] in ("BC", "CGS")
        as_many = not is_unnamed or str(settings.get("classes_of", "")).startswith("p")
        if as_many and find_published_system(track, columns[0]).supervision == supervision:
            by_system[system] = columns[0]
    return by_system


def run_scores(
    results: pl.DataFrame, references: pl.DataFrame, relations: pl.DataFrame
) -> pl.DataFrame:
    """Return the scores of a run as the paper's tables have them, means over seeds.

    Averages are over the test sets that all systems of a table have.

    Parameters
    ----------
    results, references : DataFrame
        The long table of a run, and what it has against several references.
    relations : DataFrame
        A long table of the treebank that Table 6 is about.
    """
    columns = {**columns_of(results), **columns_of(relations)}
    rows = []
    is_wanted = pl.col("system").is_in(list(columns)) & pl.col("value").is_not_nan()
    by_relation = (
        (pl.col("by") == "table6")
        & (pl.col("metric") == "uas")
        & (pl.col("track") == "dependencies")
    )
    wanted = [
        row
        for frame, is_theirs in ((results, pl.col("by") == ""), (relations, by_relation))
        for row in frame.filter(is_wanted & is_theirs).iter_rows(named=True)
    ]
    for row in wanted:
        tags = row["tags"] if row["metric"] in INDUCED else ""
        _, at, length = row["metric"].partition("@")
        number = 6 if row["by"] else PAPER_TABLES.get((row["track"], tags, at + length))
        if number is not None:
            place = (test_set_of(row["treebank"]), "", row["stratum"] if row["by"] else "")
            rows.append((number, row["metric"], *place, columns[row["system"]], row["value"]))
    penn = references.filter((pl.col("column") != "") & (pl.col("how") == HEAD_RULES))
    for row in penn.iter_rows(named=True):
        place = (test_set_of(row["treebank"]), row["reference"], "")
        rows.append((5, "uas", *place, row["column"], row["value"]))
    types = {name: pl.Int64 if name == "table" else pl.String for name in _COLUMNS}
    frame = pl.DataFrame(rows, {**types, "value": pl.Float64}, orient="row")
    frame = frame.group_by(_COLUMNS, maintain_order=True).agg(pl.col("value").mean())
    systems = pl.col("system").n_unique()
    averages = (
        frame.filter(pl.col("table").is_in(list(METRICS)))
        .filter(systems.over("table", "metric", "test_set") == systems.over("table", "metric"))
        .group_by([name for name in _COLUMNS if name != "test_set"], maintain_order=True)
        .agg(pl.col("value").mean(), pl.lit(AVERAGE).alias("test_set"))
    )
    return pl.concat([frame, averages.select(frame.columns)])


# ---------------------------------------------------------------------- of both

V = TypeVar("V")
Values = Mapping[str, float]


class NotMeasuredError(LookupError):
    """What is asked for is not there."""


class Named(dict[str, V]):
    """Values by name; to ask for one that is not there is a `NotMeasuredError`."""

    def __missing__(self, name: str) -> V:
        raise NotMeasuredError(name)


class PaperTables:
    """The tables of the paper, with its own numbers or with those of a run."""

    def __init__(self, frames: Frames) -> None:
        self.frames = frames
        self.are_printed = "decimals" in frames["scores"].columns

    def table(self, number: int, metric: str, by: str = "test_set") -> Named[Named[float]]:
        """Return a table: by system, then by test set; the average is one of them."""
        rows = self.frames["scores"].filter(
            (pl.col("table") == number) & (pl.col("metric").str.split("@").list.first() == metric)
        )
        scores: Named[Named[float]] = Named()
        for system, name, value in rows.select("system", by, "value").iter_rows():
            scores.setdefault(system, Named())[name] = value
        return scores

    def averages(self, number: int, metric: str) -> Named[float]:
        """Return the average of every system."""
        return Named((name, own[AVERAGE]) for name, own in self.table(number, metric).items())

    def columns(self, number: int, metric: str, by: str = "test_set") -> Named[Named[float]]:
        """Return the table by test set, then by system, without averages."""
        columns: Named[Named[float]] = Named()
        for system, own in self.table(number, metric, by).items():
            for name, value in own.items():
                if name != AVERAGE:
                    columns.setdefault(name, Named())[system] = value
        if not columns:
            raise NotMeasuredError(f"Table {number}")
        return columns

    def means(self, number: int, metric: str, by: str = "test_set") -> Named[float]:
        """Return the mean over systems of every test set."""
        columns = self.columns(number, metric, by)
        return Named((name, fmean(column.values())) for name, column in columns.items())

    def averages_of(self, system: str, metric: str, numbers: Sequence[int]) -> list[float]:
        """Return the averages of a system in several tables; of a run, over what all have."""
        rows = [self.table(number, metric)[system] for number in numbers]
        if self.are_printed:
            return [own[AVERAGE] for own in rows]
        common = [name for name in rows[0] if all(name in own for own in rows) and name != AVERAGE]
        if not common:
            raise NotMeasuredError(system)
        return [fmean(own[name] for name in common) for own in rows]

    def margins(
        self, number: int, metric: str, entries: Sequence[str], rivals: Sequence[str]
    ) -> dict[str, dict[str, float]]:
        """Return how far entries are above the best of their rivals, by test set and entry."""
        margins = {}
        for name, column in self.columns(number, metric).items():
            bar = max(column[one] for one in present(column, rivals, 1))
            margins[name] = {one: column[one] - bar for one in present(column, entries, 1)}
        return margins


def ranking(values: Values, metric: str, among: Iterable[str] = ()) -> list[str]:
    """Return systems from the best to the worst."""
    sign = 1 if MetricSpec.parse(metric).metric.higher_is_better else -1
    names = [name for name in values if not among or name in among]
    return sorted(names, key=lambda name: -sign * values[name])


def present(values: Mapping[str, V], names: Sequence[str], fewest: int = 2) -> list[str]:
    """Return those of some names that are there; fewer are a `NotMeasuredError`."""
    there = [name for name in names if name in values]
    if len(there) < fewest:
        raise NotMeasuredError(", ".join(names))
    return there


def spreads(columns: Mapping[str, Values]) -> Named[float]:
    """Return the best less the worst of every column, the widest spread first."""
    spread = {name: max(own.values()) - min(own.values()) for name, own in columns.items()}
    return Named((name, spread[name]) for name in sorted(spread, key=lambda one: -spread[one]))


def format_of(metric: str) -> NumberFormat:
    """Return how the paper prints a metric."""
    if metric == "vi":
        return NumberFormat(2)
    return NumberFormat(2 if metric in TAG_METRICS else 1, scale=100)


def listed(values: Values, names: Iterable[str] = (), metric: str = "uas") -> str:
    """Return values with their names, as the paper prints them.

    >>> listed({"DMVu": 0.251, "H": 0.285})
    'DMVu 25.1, H 28.5'
    """
    return ", ".join(f"{name} {format_of(metric).show(values[name])}" for name in names or values)


def winner_table(frames: Frames) -> Table:
    """Return who wins every table under every metric."""
    tables = PaperTables(frames)
    rows = []
    for number, metric in [(table, name) for table, names in METRICS.items() for name in names]:
        columns, averages = tables.columns(number, metric), tables.averages(number, metric)
        common = [name for name, column in columns.items() if len(column) == len(averages)]
        means = {system: fmean(columns[name][system] for name in common) for system in averages}
        wins: dict[str, int] = {}
        for column in columns.values():
            top = column[ranking(column, metric)[0]]
            for system in (name for name, value in column.items() if value == top):
                wins[system] = wins.get(system, 0) + 1
        cells: list[Cell | str | int] = [number, metric]
        for values in (averages, means):
            first = ranking(values, metric)[0]
            cells += [first, Cell(values[first], format=format_of(metric))]
        order = sorted(wins, key=lambda system: -wins[system])
        rows.append([*cells, ", ".join(f"{name} {wins[name]}" for name in order)])
    return Table(
        [
            *("table", "metric", "best average", Column("average")),
            *("best over common test sets", Column("average", "common_average"), "test sets won"),
        ],
        rows,
        title=f"Winners: {PASCAL}",
        notes=["averages are over the test sets that a system has; common: that all have"],
    )

"""The challenge's tables and its figure, ours with the published numbers beside them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from treegauge.metrics import MetricSpec
from treegauge.papers.paper import Measurements
from treegauge.papers.pascal.measure import without_fine_tags
from treegauge.papers.pascal.penn_tables import (
    generalised_tables,
    length_tables,
    reference_tables,
    relation_tables,
)
from treegauge.papers.pascal.scores import INDUCED, PAPER_TABLES, TREES
from treegauge.papers.pascal.settings import PascalSettings
from treegauge.reports.run_notes import note_on_types
from treegauge.reports.run_rows import AVERAGES, PublishedRow
from treegauge.reports.run_tables import RunTable, run_tables
from treegauge.significance.agreement import agreement
from treegauge.tables import (
    NUMBER,
    PERCENT,
    PERCENT_1,
    Cell,
    Column,
    NumberFormat,
    Row,
    Scores,
    Table,
)
from treegauge.wording import counted

Measured = Measurements[PascalSettings]

CLASS_GROUPS: Mapping[str, str] = {
    "c": "as many classes as coarse tags",
    "p": "as many classes as fine tags",
    "u": "12 classes",
    "45": "45 classes",
    "": "another number of classes",
}
"""Induced tags are compared with those of equally many classes: more classes raise M-1 and
lower 1-1 whatever they are worth."""


def short_tables(measured: Measured) -> list[Table]:
    """Return the treebanks, and averages of every system under every metric."""
    return [treebank_table(measured), *summary_tables(measured)]


def full_tables(measured: Measured) -> list[Table]:
    """Return all tables of a run of the challenge, in the order of the paper."""
    by_classes = tag_tables(measured)
    trees = [*tree_tables(measured, "dependencies"), *tree_tables(measured, "joint")]
    intervals = measured.settings.intervals or None
    tables = short_tables(measured)
    tables += [
        _numbered(one, CLASS_GROUPS[group], intervals=intervals)
        for group, own in by_classes.items()
        for one in own
    ]
    tables += [_numbered(one, intervals=intervals) for one in trees]
    tables += [*reference_tables(measured), *generalised_tables(measured)]
    tables += [*relation_tables(measured), *length_tables(measured)]
    tables += agreement_tables(by_classes, trees)
    last = tables[-1]
    tables[-1] = replace(last, notes=(*last.notes, *measured.notes, *measured.failures))
    return tables


def _numbered(run_table: RunTable, group: str = "", *, intervals: bool | None) -> Table:
    """Return a table under the number that it has in the paper."""
    table = run_table.to_table(intervals=intervals)
    number = PAPER_TABLES[run_table.track, run_table.tags, run_table.spec.cut_off]
    title = f"Table {number}: {table.title}"
    return replace(table, title=f"{title}; {group}" if group else title)


# ---------------------------------------------------------------------- Table 1

_PARTS = {"train": "training data", "dev": "development data", "test": "test data"}
"""The blocks of Table 1."""


def treebank_table(measured: Measured) -> Table:
    """Return what the parts of the treebanks are like (Table 1)."""
    frames = [
        measured.frames[name] for name in ("treebanks", "penn_treebank") if name in measured.frames
    ]
    parts = [row for frame in frames for row in frame.iter_rows(named=True)]
    rows = [
        Row(
            [
                *(row["treebank"], row["annotation"] or None, row["tokens"], row["sentences"]),
                *(row["tokens_a_sentence"], row["coarse_tags"], row["fine_tags"]),
                *(row["feature_values"], row["new_types"]),
            ],
            heading,
        )
        for part, heading in _PARTS.items()
        for row in parts
        if row["part"] == part
    ]
    notes = [
        "d: annotated as dependencies, p: as phrases, c: converted; new: word types that the "
        "training data lack"
    ]
    poor = without_fine_tags(measured.frames["treebanks"])
    if poor:
        notes.append(f"too few fine tags to compare with or to parse from: {', '.join(poor)}")
    columns: list[Column | str] = [
        *("treebank", "annotation", "tokens", "sentences"),
        Column("tokens/sentence", format=NumberFormat(1)),
        *("coarse", "fine", "features", Column("% new", "new", PERCENT_1)),
    ]
    data = Table(
        [columns[0], "part", *columns[1:]],
        (
            [row.cells[0], part, *row.cells[1:]]
            for part, heading in _PARTS.items()
            for row in rows
            if row.group == heading
        ),
    )
    return Table(columns, rows, title="Table 1: the treebanks", notes=notes, data=data)


# ---------------------------------------------------------------------- Tables 2, 7


def tag_tables(measured: Measured) -> dict[str, list[RunTable]]:
    """Return the tables of induced tags by class count: against u12 (Table 2) and p (Table 7).

    Tags of joint systems stand among them, as in the paper.
    """
    rows = measured.frames["results"].filter(
        pl.col("track").is_in(["tags", "joint"])
        & pl.col("metric").is_in(list(INDUCED))
        & pl.col("tags").is_in(["u12", "p"])
    )
    if rows.is_empty():
        return {}
    about = rows.select("settings", "supervision").iter_rows()
    groups = [class_group(json.loads(settings), supervision) for settings, supervision in about]
    rows = rows.with_columns(
        pl.lit("tags").alias("track"),
        pl.col("signature").str.replace("|track:joint", "|track:tags", literal=True),
        pl.Series("group", groups),
    )
    tables = {
        name: run_tables(rows.filter(pl.col("group") == name).drop("group"))
        for name in CLASS_GROUPS
    }
    return {
        name: [_with_equal_classes(one, name) for one in own] for name, own in tables.items() if own
    }


def _with_equal_classes(table: RunTable, group: str) -> RunTable:
    """Return a table without published numbers of another number of classes.

    Columns are named by it (`Bc`, `MKu`); where they are not, it was that of fine tags, which 45
    is nearest to.
    """
    if not group:
        return table
    kept = [
        row
        for row in table.published
        if (letter if (letter := row.published.column[-1]) in "cu" else "p")
        == {"45": "p"}.get(group, group)
    ]
    return replace(table, published=tuple(kept))


def class_group(settings: Mapping[str, Any], supervision: str) -> str:
    """Return the group of a system: which tags are as many as its classes.

    >>> class_group({"classes": 49, "classes_of": "p"}, "unsupervised")
    'p'
    >>> class_group({"tags_from": "brown:12"}, "unsupervised")
    'u'
    >>> class_group({"classes": 45}, "unsupervised")
    '45'
    """
    if supervision == "dev-tuned":
        return ""
    if "classes_of" in settings:
        return str(settings["classes_of"])[:1]
    number = settings.get("classes") or str(settings.get("tags_from", "")).partition(":")[2]
    return {"12": "u", "45": "45"}.get(str(number), "")


# ---------------------------------------------------------------------- Tables 3, 4, 8, 9


def tree_tables(measured: Measured, track: str) -> list[RunTable]:
    """Return the tables of trees: all lengths (3 and 4) and up to ten words (8 and 9)."""
    return run_tables(measured.frames["results"], metrics=TREES, tracks=[track])


# ---------------------------------------------------------------------- all of them in short


def summary_tables(measured: Measured) -> list[Table]:
    """Return the averages of every system under every metric, one table per track."""
    by_classes = tag_tables(measured)
    tables = []
    for tags, title in (("u12", "Table 2"), ("p", "Table 7")):
        groups = {
            CLASS_GROUPS[name]: [one for one in own if one.tags == tags]
            for name, own in by_classes.items()
        }
        systems = [row for own in groups.values() for row in (own[0].systems if own else ())]
        notes = ["the best of equally many classes in bold", *note_on_types(systems)]
        title = f"{title} in short: induced tags against {tags}"
        tables.append(_summary(title, groups, INDUCED, notes))
    for track, title in (("dependencies", "Tables 3 and 8"), ("joint", "Tables 4 and 9")):
        notes = ["the best of a kind of supervision in bold"]
        trees = {"": tree_tables(measured, track)}
        tables.append(_summary(f"{title} in short: {track}", trees, TREES, notes))
    return [table for table in tables if table.rows]


_RECOMPUTED = ", recomputed over"
_ON_RECOMPUTED = (
    "published: averages that the paper prints; recomputed: those of what it prints of fewer test "
    "sets, those of the treebanks here"
)


def _summary(
    title: str,
    groups: Mapping[str, Sequence[RunTable]],
    metrics: Sequence[str],
    notes: Sequence[str],
) -> Table:
    """Return averages; under a heading of each group, or of kinds of supervision."""
    rows = []
    for heading, tables in groups.items():
        scores = Scores.joined([one.scores() for one in tables])
        average = next((one for one in scores.treebanks if one == AVERAGES[1]), None)
        place = average or next(iter(scores.treebanks), "")
        keys = {str(one.spec): one.metric.key for one in tables}
        published = {
            (row.label, str(one.spec)): row for one in tables for row in one.published if average
        }
        for system in scores.systems:
            own = (scores.cells.get((system.name, place, keys.get(m, "")), Cell()) for m in metrics)
            bare = [replace(cell, low=None, high=None, remark="", note="") for cell in own]
            theirs = [published.get((system.name, metric)) for metric in metrics]
            named = [(system.name, bare)] if not any(theirs) else _as_printed(theirs, bare)
            rows += [
                Row([name, *cells], heading or system.group, published=system.published)
                for name, cells in named
            ]
    specs = [MetricSpec.parse(metric) for metric in metrics]
    names = [f"{spec.metric.title}{spec.cut_off}" for spec in specs]
    pairs = list(zip(names, specs, strict=True))
    is_recomputed = any(_RECOMPUTED in str(row.cells[0].value) for row in rows)
    over = sorted({len(one.common) for own in groups.values() for one in own})
    return Table(
        [
            "",
            *(Column(name, str(s), PERCENT if s.metric.is_share else NUMBER) for name, s in pairs),
        ],
        rows,
        title=title,
        notes=[
            "averages over the treebanks that all systems of a group have, "
            + " or ".join(map(str, over)),
            *(f"{name}: lower is better" for name, s in pairs if not s.metric.higher_is_better),
            *([_ON_RECOMPUTED] if is_recomputed else []),
            *notes,
        ],
    )


def _as_printed(
    theirs: Sequence[PublishedRow | None], recomputed: Sequence[Cell]
) -> list[tuple[str, Sequence[Cell]]]:
    """Return the averages that the paper prints, and those over fewer of its test sets.

    The latter only where they are others.
    """
    printed = [
        Cell() if row is None else replace(cell, value=row.published.average)
        for row, cell in zip(theirs, recomputed, strict=True)
    ]
    known = [row for row in theirs if row is not None]
    named: list[tuple[str, Sequence[Cell]]] = [(known[0].label, printed)]
    n = len(known[0].common.treebanks)
    if any(len(row.common.treebanks) < len(row.published.values) for row in known) and n:
        label = f"{known[0].published.column}{_RECOMPUTED} {counted(n, 'treebank')}"
        named.append((label, recomputed))
    return named


# ---------------------------------------------------------------------- agreement of metrics

_FEWEST_RANKED = 3
"""Two systems are ranked alike, or not: that is no correlation."""


def agreement_tables(
    tags: Mapping[str, Sequence[RunTable]], trees: Sequence[RunTable]
) -> list[Table]:
    """Return how alike metrics rank systems: of equally many classes, and of trees by track."""
    chosen_tables = {
        f"induced tags against {name}, {CLASS_GROUPS[group]}": [
            one for one in own if one.tags == name
        ]
        for group, own in tags.items()
        for name in ("u12", "p")
    }
    chosen_tables |= {
        track: [one for one in trees if one.track == track] for track in ("dependencies", "joint")
    }
    tables = []
    for title, chosen in chosen_tables.items():
        values = {
            str(one.spec): {row.system: row.available.value for row in one.systems}
            for one in chosen
        }
        names = list(dict.fromkeys(name for own in values.values() for name in own))
        if len(names) < _FEWEST_RANKED:
            continue
        better = {name: MetricSpec.parse(name).metric.higher_is_better for name in values}
        scores = {metric: [own.get(name) for name in names] for metric, own in values.items()}
        taus = {frozenset((a, b)): tau for a, b, tau in agreement(scores, better)}
        rows = [
            [metric, *(taus.get(frozenset((metric, other))) for other in values)]
            for metric in values
        ]
        tables.append(
            Table(
                ["", *values],
                rows,
                title=f"Rank correlation of the metrics {title}, {len(names)} systems",
                notes=["Kendall's tau-b between averages over treebanks"],
            )
        )
    return tables

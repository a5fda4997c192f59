"""Published numbers beside the tables of a run: which belong to which system of ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from treegauge.reports.run_rows import PublishedRow, SystemRow
from treegauge.results import Average
from treegauge.results.published import (
    PASCAL,
    STANDS_FOR,
    PublishedScores,
    PublishedSystem,
    counterparts,
    find_published_scores,
    find_published_system,
)
from treegauge.systems import SystemsError, find_system
from treegauge.tables import Table

if TYPE_CHECKING:
    from treegauge.reports.run_tables import RunTable


def may_stand_beside(table: RunTable) -> bool:
    """Return whether a table follows the challenge: by its preset, or in what it does."""
    return table.preset == "pascal" or not table.other_punctuation


def published_rows(table: RunTable) -> Iterator[PublishedRow]:
    """Give the published rows that belong to systems of a table, each once."""
    belongs: dict[str, list[SystemRow]] = {}
    for row in table.systems:
        for column in counterparts(table.track, row.method, row.settings):
            if _is_as_published(row, find_published_system(table.track, column)):
                belongs.setdefault(column, []).append(row)
    for column, rows in belongs.items():
        theirs = find_published_scores(table.track, str(table.spec), table.tags, column)
        if theirs is None:
            continue
        values = {
            name: theirs.values[test_set.name]
            for name in table.treebanks
            if (test_set := STANDS_FOR.get(name)) and test_set.name in theirs.values
        }
        if not values:
            continue
        same = [row.system for row in rows if row.supervision == theirs.system.supervision]
        yield PublishedRow(
            theirs,
            same[0] if same else "",
            rows[0].system,
            values,
            _published_average(theirs, values),
            _published_average(
                theirs, {name: value for name, value in values.items() if name in table.common}
            ),
        )


_SETTINGS_OF_VARIANTS = {"tags", "classes", "tags_from", "inducer"}
"""What tells the variants of the paper's systems apart; `counterparts` knows which they are."""


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


def _published_average(row: PublishedScores, values: Mapping[str, float]) -> Average:
    """Return the average that the paper prints, where all that it is about is there."""
    if {STANDS_FOR[name].name for name in values} == set(row.values) and len(values) == len(
        row.values
    ):
        return Average(row.average, None, tuple(values))
    return _mean_of(values)


def _mean_of(values: Mapping[str, float]) -> Average:
    return Average(fmean(values.values()) if values else None, None, tuple(values))


def sources_table(tables: Sequence[RunTable]) -> Table | None:
    """Return what published numbers were measured on, or nothing if there are none."""
    rows = [row for table in tables for row in table.published]
    if not rows:
        return None
    treebanks = dict.fromkeys(name for row in rows for name in row.values)
    remarks = {
        f"{row.published.column}: {row.supervision}; {row.published.system.remark}": None
        for row in rows
        if row.published.system.remark
    }
    return Table(
        ("treebank", "test set of the paper", "its data", "same treebank?"),
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

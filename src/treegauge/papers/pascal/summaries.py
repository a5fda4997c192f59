"""The challenge in short: averages of every system under every metric, one table a track."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from treegauge.metrics import MetricSpec
from treegauge.papers.pascal.challenge import INDUCED, TREES, Challenge
from treegauge.papers.pascal.tables import CLASS_GROUPS, tag_tables, tree_tables
from treegauge.reports.old_tables import Cell, Table
from treegauge.reports.run_notes import note_on_types
from treegauge.reports.run_rows import FiguresRow, Row, SystemRow
from treegauge.reports.run_tables import RunTable
from treegauge.reports.shown_numbers import Shown

ByMetric = Mapping[str, RunTable]


def summary_tables(found: Challenge) -> list[Table]:
    """Return the averages of all tracks."""
    made = [_tags(found, "u12", "Table 2"), _tags(found, "p", "Table 7")]
    made += [
        _trees(found, "dependencies", "Tables 3 and 8"),
        _trees(found, "joint", "Tables 4 and 9"),
    ]
    return [table for table in made if table is not None]


def _tags(found: Challenge, tags: str, title: str) -> Table | None:
    """Return induced tags, systems of equally many classes together."""
    summary = _Summary(INDUCED)
    for group, tables in tag_tables(found).items():
        own = {str(one.spec): one for one in tables if one.tags == tags}
        if own:
            rows = [row for _, members in next(iter(own.values())).groups for row in members]
            summary.add(CLASS_GROUPS[group], rows, own)
    return summary.table(
        f"{title} in short: induced tags against {tags}",
        "the best of equally many classes in bold",
        *note_on_types(summary.systems),
    )


def _trees(found: Challenge, track: str, title: str) -> Table | None:
    """Return trees, kinds of supervision apart."""
    summary = _Summary(TREES)
    own = {str(one.spec): one for one in tree_tables(found, track)}
    if own:
        for kind, rows in next(iter(own.values())).groups:
            summary.add(kind, rows, own)
    return summary.table(f"{title} in short: {track}", "the best of a kind of supervision in bold")


@dataclass
class _Summary:
    """A table of averages as it grows, group by group."""

    metrics: Sequence[str]
    rows: list[list[Cell]] = field(default_factory=list)
    headings: set[int] = field(default_factory=set)
    bold: set[tuple[int, int]] = field(default_factory=set)
    over: set[int] = field(default_factory=set)
    """Numbers of treebanks."""
    systems: list[SystemRow] = field(default_factory=list)

    def add(self, heading: str, members: Sequence[Row], tables: ByMetric) -> None:
        """Add rows of one table, with what other metrics say of them."""
        self.headings.add(len(self.rows))
        self.rows.append([heading, *[None] * len(self.metrics)])
        first = len(self.rows)
        labels = [_label(row) for row in members]
        ours = [i for i, row in enumerate(members) if isinstance(row, SystemRow)]
        self.rows += [[label, *[None] * len(self.metrics)] for label in labels]
        for j, metric in enumerate(self.metrics, 1):
            if metric not in tables:
                continue
            shown, by_label = Shown.of(tables[metric].spec), _by_label(tables[metric])
            for i, label in enumerate(labels):
                self.rows[first + i][j] = _mean(by_label.get(label), shown)
            values = [by_label[labels[i]].common.value for i in ours]
            self.bold |= {(first + ours[place], j) for place in shown.best(values)}
            self.over.add(len(tables[metric].common))
        self.systems += [row for row in members if isinstance(row, SystemRow)]

    def table(self, title: str, *notes: str) -> Table | None:
        """Return the table, or nothing if nothing was added."""
        if not self.rows:
            return None
        specs = [MetricSpec.parse(metric) for metric in self.metrics]
        names = [f"{spec.metric.title}{spec.cut_off}" for spec in specs]
        lower = [
            name for name, s in zip(names, specs, strict=True) if not s.metric.higher_is_better
        ]
        numbers = " or ".join(map(str, sorted(self.over)))
        return Table(
            ["", *names],
            self.rows,
            title=title,
            notes=[
                f"averages over the treebanks that all systems of a group have, {numbers}",
                *(f"{name}: lower is better" for name in lower),
                *notes,
            ],
            bold=frozenset(self.bold),
            headings=frozenset(self.headings),
            right=frozenset(range(1, len(names) + 1)),
        )


def _label(row: Row) -> str:
    return row.label if isinstance(row, FiguresRow) else row.system


def _by_label(table: RunTable) -> dict[str, Row]:
    return {_label(row): row for _, rows in table.groups for row in rows}


def _mean(row: Row | None, shown: Shown) -> str | None:
    if row is None or row.common.value is None:
        return None
    if isinstance(row, FiguresRow):
        return shown.number(row.common.value, row.published.decimals)
    return shown.with_deviation(row.common.value, row.common.deviation)

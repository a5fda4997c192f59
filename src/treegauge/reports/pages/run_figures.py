"""Figures of the page of a run: averages, costs, and whether metrics agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from treegauge.reports.charts import (
    Bar,
    Figure,
    Palette,
    Point,
    Spot,
    bar_chart,
    file_name,
    scatter_chart,
)
from treegauge.reports.pages.shared_parts import titled
from treegauge.reports.run_facts import RunFacts
from treegauge.reports.run_rows import SystemRow, row_cells
from treegauge.reports.run_tables import RunTable
from treegauge.tables import Cell
from treegauge.wording import counted

_MOST_DOTS = 60
"""Of more treebanks, dots would cover each other."""


def named(table: RunTable) -> str:
    """Return what a table's metric is called, with the gold tags that it is about."""
    return titled(table.spec) + (f" ({table.tags})" if table.tags else "")


def overview_figure(table: RunTable, palette: Palette) -> Figure:
    """Draw the average of every system, a dot for every treebank, and published averages."""
    sign = -1 if table.spec.metric.higher_is_better else 1
    groups = {}
    for kind, members in table.groups:
        ours = [row for row in members if isinstance(row, SystemRow)]
        there = [row for row in ours if row.common.value is not None]
        ordered = sorted(there, key=lambda row: sign * (row.common.value or 0.0))
        if ordered:
            groups[kind] = [_bar(table, row) for row in ordered]
    several = len(table.treebanks) > 1
    remarks = ["dots are treebanks"] if 1 < len(table.treebanks) <= _MOST_DOTS else []
    remarks += ["dashed grey lines are published figures"] if table.published else []
    over = f"mean over {len(table.common)} treebanks" if several else table.treebanks[0]
    unit = ", per cent" if table.spec.metric.is_share else ""
    return bar_chart(
        file_name(table.track, titled(table.spec), "overview"),
        f"{named(table)}, {table.track}",
        x_title=f"{over}{unit}",
        groups=groups,
        remark="; ".join(remarks),
        palette=palette,
    )


def _bar(table: RunTable, row: SystemRow) -> Bar:
    format, mean = table.format, row.common
    value = mean.value or 0.0
    dots = [
        (format.scale * cell.number, cell.tooltip(f"{row.system} on {name}", format))
        for name, cell in row_cells(row, format).items()
        if cell.number is not None and len(row.scores) <= _MOST_DOTS
    ]
    published = [
        (
            format.scale * other.common.value,
            f"{other.label}: {replace(format, decimals=1).show(other.common.value)}",
        )
        for other in table.published
        if other.counterpart == row.system and other.common.value is not None
    ]
    over = counted(len(mean.treebanks), "treebank")
    average = Cell(value, deviation=mean.deviation)
    tooltip = f"{average.tooltip(row.system, format)}\nmean of {over}"
    point = Point(format.scale * value, tooltip=tooltip)
    if len(row.scores) == 1:
        (score,) = row.scores.values()
        low, high = (None if x is None else format.scale * x for x in (score.low, score.high))
        point, dots = replace(point, low=low, high=high), []
    return Bar(row.system, point, format.show(value), dots, published)


def time_figure(table: RunTable, facts: RunFacts, palette: Palette) -> Figure | None:
    """Draw what systems reach against the time they take; nothing for fewer than two."""
    costs = {one.system: one for one in facts.systems if one.track == table.track}
    spots = []
    for row in table.systems:
        own = costs.get(row.system)
        if own is None or row.common.value is None or own.cells <= own.failed:
            continue
        seconds = own.seconds / max(own.cells - own.failed, 1)
        tooltip = (
            f"{row.system}\n{named(table)} {table.format.show(row.common.value)}\n"
            f"{seconds:.1f} seconds per treebank"
        )
        spots.append(Spot(row.system, seconds, table.format.scale * row.common.value, tooltip))
    if len([spot for spot in spots if spot.x > 0]) < 2:
        return None
    return scatter_chart(
        file_name(table.track, titled(table.spec), "and time"),
        f"{named(table)} and time, {table.track}",
        x_title="seconds per treebank, mean (logarithmic)",
        y_title=named(table) + (", %" if table.spec.metric.is_share else ""),
        spots=spots,
        logarithmic=True,
        palette=palette,
    )


def agreement_figure(tables: Sequence[RunTable], palette: Palette) -> Figure | None:
    """Draw two metrics of a track against each other, to see whether they agree."""
    shares = [table for table in tables if table.spec.metric.is_share]
    if len(shares) < 2:
        return None
    x = shares[0]
    likely = (t for t in shares[1:] if (t.spec.name, t.spec.cut_off) == ("ned", x.spec.cut_off))
    y = next(likely, shares[1])
    values = {row.system: row.common.value for row in y.systems}
    spots = [
        Spot(
            row.system,
            x.format.scale * row.common.value,
            y.format.scale * other,
            f"{row.system}\n{titled(x.spec)} {x.format.show(row.common.value)}\n"
            f"{titled(y.spec)} {y.format.show(other)}",
        )
        for row in x.systems
        if row.common.value is not None and (other := values.get(row.system)) is not None
    ]
    if len(spots) < 2:
        return None
    return scatter_chart(
        file_name(x.track, titled(y.spec), "against", titled(x.spec)),
        f"{titled(y.spec)} against {titled(x.spec)}, {x.track}",
        x_title=f"{titled(x.spec)} (%), mean over treebanks",
        y_title=f"{titled(y.spec)} (%)",
        spots=spots,
        palette=palette,
    )

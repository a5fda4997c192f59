"""The report of a comparison: two systems, where they differ, and how surely."""

from __future__ import annotations

from dataclasses import replace

from treegauge.evaluation.comparison_result import ComparisonOfTwo, Contrast
from treegauge.reports.charts import Figure, Spot, file_name, scatter_chart
from treegauge.reports.pages.annotations import Annotations
from treegauge.reports.pages.evaluation_page import EvaluationReport, Provenance
from treegauge.reports.pages.page import Block, Page, Part, Side


def make_comparison_page(
    comparison: ComparisonOfTwo, annotations: Annotations, provenance: Provenance
) -> Page:
    """Return the report of a comparison: that of an evaluation, and where the two differ."""
    report = EvaluationReport(comparison.evaluation, annotations, provenance)
    page = report.page()
    first, second = comparison.names
    figures = [
        figure
        for by, rows in comparison.contrasts.items()
        for figure in _scatter(comparison, by, rows)
    ]
    blocks: list[Block] = [Side(figures)] if figures else []
    scores, *others = comparison.tables()
    blocks += [replace(scores, title=f"{first} and {second}: differences"), *others]
    part = Part(
        "differences",
        "Differences between the systems",
        blocks,
        f"Differences are {second} minus {first}. The sentences with the largest differences "
        'are in the tree viewer, in the order "systems differ most".',
    )
    parts = list(page.parts)
    parts.insert(1, part)
    return replace(page, title=f"{first} and {second}: {comparison.evaluation.gold}", parts=parts)


def _scatter(comparison: ComparisonOfTwo, by: str, rows: list[Contrast]) -> list[Figure]:
    """Draw how often each system is right about every relation, or tag."""
    first, second = comparison.names
    most = max((row.n for row in rows), default=1)
    spots = [
        Spot(
            row.value,
            100 * (row.only_first + row.both) / row.n,
            100 * (row.only_second + row.both) / row.n,
            f"{row.value}, {row.n:,} words\nonly {first}: {row.only_first:,}\n"
            f"only {second}: {row.only_second:,}",
            row.n / most,
        )
        for row in rows
        if row.n
    ]
    if not spots:
        return []
    return [
        scatter_chart(
            file_name("right by", by),
            f"Which system is right, by {by}",
            x_title=f"{first} right (%)",
            y_title=f"{second} right (%); above the line, {second} is better",
            spots=spots,
            diagonal=True,
        )
    ]

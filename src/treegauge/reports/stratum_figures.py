"""Accuracy by the length of an edge, as in the challenge's Figure 1.

References
----------
Gelling, Cohn, Blunsom and Graça (2012), The PASCAL Challenge on Grammar Induction, Figure 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treegauge.evaluation import StratumScore
from treegauge.reports.charts import Figure, Palette, Point, file_name, line_chart

LENGTHS = range(1, 10)
"""The lengths in the figure. Longer edges are few and root edges have no length."""


def edge_length_figure(
    systems: Mapping[str, Sequence[StratumScore]],
    *,
    metric: str,
    confidence: float = 0.95,
    name: str = "",
    palette: Palette | None = None,
) -> Figure:
    """Draw a curve for every system over the lengths of gold edges, intervals as bands.

    Parameters
    ----------
    systems : mapping from name to cells
        The breakdown of every system by `edge_length`, as `break_down` gives it. A length that
        no gold edge has is passed over.
    metric : str
        What the scores are, for the title of the axis.
    confidence : float
        Of the intervals.
    name : str
        Of the file; after the metric if missing.
    palette : Palette, optional
        The colours of systems.
    """
    lengths = [str(length) for length in LENGTHS]
    series = {
        system: {cell.stratum: _point(system, cell) for cell in cells if cell.stratum in lengths}
        for system, cells in systems.items()
    }
    has_bands = any(point.low is not None for own in series.values() for point in own.values())
    return line_chart(
        name or file_name(metric, "by edge length"),
        f"{metric} by edge length",
        x_title="Length of the gold edge in words",
        y_title=f"{metric} (%)",
        categories=lengths,
        series=series,
        palette=palette,
        y_range=(0, 100),
        remark=f"bands: {100 * confidence:.4g}% bootstrap intervals over sentences"
        if has_bands
        else "",
    )


def _point(system: str, cell: StratumScore) -> Point:
    value, low, high = (
        None if share is None else 100 * share for share in (cell.value, cell.low, cell.high)
    )
    number = "–" if value is None else f"{value:.2f}"
    return Point(value, low, high, f"{system}\nlength {cell.stratum}: {number}\nn = {cell.n:,}")

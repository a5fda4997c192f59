"""Figures: accuracy by the length of an edge, as in the challenge's Figure 1.

Drawing needs the extra `figures`; without it, everything else works.

References
----------
Gelling, Cohn, Blunsom and Graça (2012), The PASCAL Challenge on Grammar Induction, Figure 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from treegauge.evaluation import StratumScore
from treegauge.reports.errors import FigureError

if TYPE_CHECKING:
    import altair as alt

FIGURE_FORMATS = ("svg", "pdf", "png")
"""What figures can be saved as."""

LENGTHS = range(1, 10)
"""The lengths in the figure. Longer edges are few and root edges have no length."""

# The colours of Okabe and Ito (2008), which people with any kind of colour vision can tell
# apart, without their yellow, which is too pale for a line. Dashes and points say the same
# again, for print in grey; there are as many of each as makes all combinations different.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_DASHES: tuple[tuple[int, ...], ...] = ((1, 0), (8, 4), (2, 3), (10, 3, 2, 3), (5, 2))
_POINTS = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")

_BAND = 0.15
"""How dense bands are: what lies below must stay visible."""

_PIXELS_A_POINT = 3
"""How many pixels of a PNG make a point of the drawing: sharp on a projector."""


def figure_format(path: str) -> str:
    """Return what a figure is saved as, by the extension of its file.

    >>> figure_format("lengths.svg")
    'svg'
    """
    extension = PurePath(path).suffix.lower().removeprefix(".")
    if extension not in FIGURE_FORMATS:
        known = ", ".join(f".{name}" for name in FIGURE_FORMATS)
        raise FigureError(f"{path}: which kind of figure? the extension is one of {known}")
    return extension


def require_drawing() -> None:
    """Raise, saying what to install, where figures cannot be drawn."""
    try:
        import altair as alt  # noqa: F401
        import vl_convert  # noqa: F401
    except ImportError as error:
        raise FigureError(
            f"figures need {error.name or 'altair'}, which is not installed\n"
            "  install it with pip install 'treegauge[figures]'"
        ) from None


def edge_length_figure(
    systems: Mapping[str, Sequence[StratumScore]], *, metric: str, confidence: float = 0.95
) -> alt.LayerChart:
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

    Raises
    ------
    FigureError
        Where the extra `figures` is not installed.
    """
    require_drawing()
    import altair as alt

    x = alt.X(
        "length:Q",
        title="Length of the gold edge in words",
        scale=alt.Scale(domain=[LENGTHS[0] - 0.25, LENGTHS[-1] + 0.25], nice=False),
        axis=alt.Axis(values=list(LENGTHS), format="d", grid=False),
    )
    names = list(systems)
    # The legend shows lines; with points as well, Vega would show points alone.
    legend = alt.Legend(
        symbolType="stroke", symbolSize=1200, symbolStrokeWidth=2.5, symbolOpacity=1
    )
    colour, dash, shape = (
        encoding(
            "system:N",
            title=None,
            scale=alt.Scale(domain=names, range=_repeated(values, len(names))),
            legend=None if encoding is alt.Shape else legend,
        )
        for encoding, values in (
            (alt.Color, _COLOURS),
            (alt.StrokeDash, _DASHES),
            (alt.Shape, _POINTS),
        )
    )
    percent: dict[str, Any] = {"title": f"{metric} (%)", "scale": alt.Scale(domain=[0, 100])}
    y = alt.Y("value:Q", axis=alt.Axis(tickCount=5), **percent)
    rows = _rows(systems)
    has_bands = any(row["low"] is not None for row in rows)
    said = f"bands: {100 * confidence:.4g}% bootstrap intervals over sentences"
    chart = alt.Chart(alt.InlineData(values=rows))
    bands = chart.mark_area(opacity=_BAND).encode(
        x, alt.Y("low:Q", **percent), alt.Y2("high:Q"), colour
    )
    lines = chart.mark_line(strokeWidth=2.5).encode(x, y, colour, dash)
    points = chart.mark_point(size=80, filled=True, opacity=1).encode(x, y, colour, shape)
    figure: alt.LayerChart = (
        alt.layer(*[bands] * has_bands, lines, points)
        .resolve_scale(shape="independent")
        .properties(
            width=560,
            height=340,
            title=alt.TitleParams(f"{metric} by edge length", subtitle=[said] * has_bands),
        )
        .configure_view(stroke=None)
        .configure_title(fontSize=20, subtitleFontSize=14, anchor="start", offset=14)
        .configure_axis(labelFontSize=15, titleFontSize=16, titleFontWeight="normal")
        .configure_axisY(gridColor="#e6e6e6", domain=False, ticks=False)
        .configure_legend(labelFontSize=15, labelLimit=260, rowPadding=6)
    )
    return figure


def draw(figure: alt.LayerChart, format: str) -> bytes:
    """Return a figure as the content of a file."""
    import vl_convert

    specification = figure.to_json()
    if format == "svg":
        return str(vl_convert.vegalite_to_svg(specification)).encode()
    if format == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(specification))
    return bytes(vl_convert.vegalite_to_png(specification, scale=_PIXELS_A_POINT))


def _rows(systems: Mapping[str, Sequence[StratumScore]]) -> list[dict[str, Any]]:
    """Return a row for every system and length, in per cent."""
    rows = []
    for name, cells in systems.items():
        by_length = {cell.stratum: cell for cell in cells}
        for length in LENGTHS:
            cell = by_length.get(str(length))
            if cell is None or cell.value is None:
                continue
            rows.append(
                {
                    "system": name,
                    "length": length,
                    "value": 100 * cell.value,
                    "low": None if cell.low is None else 100 * cell.low,
                    "high": None if cell.high is None else 100 * cell.high,
                }
            )
    return rows


def _repeated(values: Sequence[Any], number: int) -> list[Any]:
    return [values[i % len(values)] for i in range(number)]

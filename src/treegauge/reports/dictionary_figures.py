"""The figure of sub-dictionaries: soft accuracy by size, as in the paper's Figure 1.

References
----------
Agić, Plank and Søgaard (2017), Cross-lingual tagger evaluation without test data, Figure 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from treegauge.dictionaries import CurvePoint
from treegauge.reports.figures import require_drawing

if TYPE_CHECKING:
    import altair as alt

# Colours as in the other figures (Okabe and Ito 2008), dashes for print in grey.
_STYLE = {
    "+freq": ("#0072b2", [1, 0]),
    "+freq-strict": ("#009e73", [2, 3]),
    "-freq": ("#d55e00", [8, 4]),
    "A_true": ("#000000", [10, 3, 2, 3]),
}
_BAND = 0.15


def sub_dictionary_figure(
    points: Sequence[CurvePoint],
    *,
    accuracies: Mapping[str, float] | None = None,
    confidence: float = 0.95,
) -> alt.FacetChart:
    """Draw soft accuracy over the size of the dictionary, one panel a tagger.

    Parameters
    ----------
    points : sequence of CurvePoint
        Random dictionaries have a band: where so many per cent of them lie.
    accuracies : mapping from tagger to float, optional
        A_true, drawn as a level line.

    Raises
    ------
    FigureError
        Where the extra `figures` is not installed.
    """
    require_drawing()
    import altair as alt

    rows = [
        {
            "tagger": point.tagger,
            "variant": point.variant,
            "size": point.size,
            "value": 100 * point.value,
            "low": None if point.low is None else 100 * point.low,
            "high": None if point.high is None else 100 * point.high,
        }
        for point in points
        if point.value is not None
    ]
    rows += _level_lines(points, accuracies or {})
    present = [name for name in _STYLE if any(row["variant"] == name for row in rows)]
    colours, dashes = zip(*(_STYLE[name] for name in present), strict=True)
    x = alt.X("size:Q", title="Forms in the dictionary")
    percent: dict[str, Any] = {"title": "A_soft (%)", "scale": alt.Scale(zero=False)}
    # The legend shows lines, not the bands.
    legend = alt.Legend(
        symbolType="stroke", symbolSize=1200, symbolStrokeWidth=2.5, symbolOpacity=1
    )
    colour, dash = (
        encoding(
            "variant:N",
            title=None,
            scale=alt.Scale(domain=present, range=list(values)),
            legend=legend,
        )
        for encoding, values in ((alt.Color, colours), (alt.StrokeDash, dashes))
    )
    chart = alt.Chart()
    bands = chart.mark_area(opacity=_BAND).encode(
        x, alt.Y("low:Q", **percent), alt.Y2("high:Q"), colour
    )
    lines = chart.mark_line(strokeWidth=2.5).encode(x, alt.Y("value:Q", **percent), colour, dash)
    taggers = list(dict.fromkeys(point.tagger for point in points))
    figure: alt.FacetChart = (
        alt.layer(bands, lines, data=alt.InlineData(values=rows))
        .properties(width=320, height=240)
        .facet(alt.Facet("tagger:N", title=None, sort=taggers), columns=3)
        .properties(
            title=alt.TitleParams(
                "Soft accuracy by size of the dictionary",
                subtitle=[f"bands: {100 * confidence:.4g}% of random dictionaries"],
            )
        )
        .configure_view(stroke=None)
        .configure_title(fontSize=20, subtitleFontSize=14, anchor="start", offset=14)
        .configure_axis(labelFontSize=13, titleFontSize=14, titleFontWeight="normal")
        .configure_legend(labelFontSize=14)
    )
    return figure


def _level_lines(
    points: Sequence[CurvePoint], accuracies: Mapping[str, float]
) -> list[dict[str, Any]]:
    sizes = [point.size for point in points]
    return [
        {"tagger": tagger, "variant": "A_true", "size": size, "value": 100 * accuracy}
        for tagger, accuracy in accuracies.items()
        for size in (min(sizes), max(sizes))
    ]

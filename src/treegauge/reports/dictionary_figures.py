"""The figure of sub-dictionaries: soft accuracy by size, as in the paper's Figure 1.

References
----------
Agić, Plank and Søgaard (2017), Cross-lingual tagger evaluation without test data, Figure 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treegauge.dictionaries import CurvePoint
from treegauge.reports.charts import Curve, Figure, Palette, Point, curve_chart

TRUE_ACCURACY = "A_true"
_PALETTE_ORDER = ("+freq", "-freq", "+freq-strict", TRUE_ACCURACY)


def sub_dictionary_figure(
    points: Sequence[CurvePoint],
    *,
    accuracies: Mapping[str, float] | None = None,
    confidence: float = 0.95,
    name: str = "soft-accuracy-by-size",
    title: str = "Soft accuracy by size of the dictionary",
) -> Figure:
    """Draw soft accuracy over the size of the dictionary, one panel a tagger.

    Parameters
    ----------
    points : sequence of CurvePoint
        Random dictionaries have a band: where so many per cent of them lie.
    accuracies : mapping from tagger to float, optional
        A_true, drawn as a level line.
    confidence : float
        How many of the random dictionaries lie in the band.
    name, title : str
        Of the file, and above the figure.
    """
    panels: dict[str, dict[str, list[tuple[float, Point]]]] = {}
    for point in points:
        panel = panels.setdefault(point.tagger, {})
        if point.value is not None:
            panel.setdefault(point.variant, []).append((float(point.size), _point(point)))
    sizes = [float(point.size) for point in points]
    for tagger, accuracy in (accuracies or {}).items():
        level = Point(100 * accuracy, tooltip=f"{TRUE_ACCURACY}: {100 * accuracy:.2f}")
        panels.setdefault(tagger, {})[TRUE_ACCURACY] = [
            (size, level) for size in (min(sizes), max(sizes))
        ]
    ordered: dict[str, dict[str, Curve]] = {
        tagger: {variant: lines[variant] for variant in _PALETTE_ORDER if variant in lines}
        for tagger, lines in panels.items()
    }
    return curve_chart(
        name,
        title,
        x_title="Forms in the dictionary",
        y_title="A_soft (%)",
        panels=ordered,
        palette=Palette.in_order(_PALETTE_ORDER),
        marks=False,
        remark=f"bands: {100 * confidence:.4g}% of random dictionaries",
    )


def _point(point: CurvePoint) -> Point:
    value, low, high = (
        None if share is None else 100 * share for share in (point.value, point.low, point.high)
    )
    return Point(value, low, high)

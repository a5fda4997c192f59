"""Figure 1, and the error of soft accuracy over the true one."""

from __future__ import annotations

from treegauge.dictionaries import CurvePoint
from treegauge.papers.paper import Frames
from treegauge.papers.tagger_evaluation.frames import ANY_TAG, AS_TAGGERS, OWN, TRAINING
from treegauge.reports.charts import Curve, Figure, Point, curve_chart
from treegauge.reports.dictionary_figures import sub_dictionary_figure


def paper_figures(frames: Frames) -> list[Figure]:
    """Return all figures."""
    return [
        size_figure(frames, OWN, "figure-1", "the dictionary"),
        size_figure(frames, TRAINING, "figure-1-training-dictionary", "the training dictionary"),
        corruption_figure(frames),
    ]


def size_figure(frames: Frames, dictionary: str, name: str, what: str) -> Figure:
    """Draw soft accuracy by the size of a dictionary, a panel a treebank."""
    rows = frames["sizes"].filter(dictionary=dictionary).drop("dictionary", "tagger").to_dicts()
    points = [CurvePoint(tagger=row.pop("treebank"), **row) for row in rows]
    accuracies = dict(frames["first_sizes"].select("treebank", "a_true").rows())
    title = f"Soft accuracy by size of {what}"
    return sub_dictionary_figure(points, accuracies=accuracies, name=name, title=title)


def corruption_figure(frames: Frames) -> Figure:
    """Draw the error of soft accuracy over A_true, a panel a kind of corruption."""
    panels: dict[str, dict[str, Curve]] = {}
    for group in (ANY_TAG, AS_TAGGERS):
        curves = frames["corruption"].filter(group=group).drop_nulls("soft")
        panels[group] = {
            part["treebank"][0]: [
                (
                    100 * true,
                    Point(
                        100 * (soft - true),
                        tooltip=f"{name}: A_true {100 * true:.2f}, A_soft {100 * soft:.2f}",
                    ),
                )
                for name, true, soft in part.select("treebank", "true", "soft").rows()
            ]
            for part in curves.partition_by("treebank", maintain_order=True)
        }
    return curve_chart(
        "corruption",
        "Soft accuracy of corrupted gold",
        x_title="A_true (%)",
        y_title="A_soft - A_true",
        panels=panels,
        levels=[0],
    )

"""Tables of what induced classes are good for."""

from __future__ import annotations

import polars as pl

from treegauge.metrics import MetricSpec
from treegauge.papers.paper import Measurements
from treegauge.papers.pascal_extrinsic.measure import GOLD, GOLD_TAGS, SUFFIXES
from treegauge.papers.pascal_extrinsic.settings import ExtrinsicSettings
from treegauge.papers.pascal_extrinsic.statistics import (
    CURVE,
    INDUCED,
    PARSING,
    WORDS,
    tagging_task,
)
from treegauge.tables import NUMBER, PERCENT, PERCENT_1, Cell, Column, Row, Table

SIGNIFICANT = 0.05
_FEW = 5
"""Inducers below which no agreement can be significant: of four, it is at best p = 1/12."""


def _metric_columns() -> list[Column]:
    metrics = [MetricSpec.parse(name).metric for name in INDUCED]
    return [Column(m.title, m.name, PERCENT if m.is_share else NUMBER) for m in metrics]


def _sizes(measured: Measurements[ExtrinsicSettings]) -> list[int]:
    names = set(measured.frames["tasks"]["task"])
    return [size for size in sorted(measured.settings.sentences) if tagging_task(size) in names]


def value_table(measured: Measurements[ExtrinsicSettings]) -> Table:
    """Return the scores of every task, with what classes give over none."""
    settings, tasks = measured.settings, measured.frames["tasks"].filter(pl.col("words") == "all")
    heads = {tagging_task(size): f"tagged, {size}" for size in _sizes(measured)}
    heads |= {CURVE: "tagged, curve", PARSING: "parsed, UAS"}
    metrics = {
        (place, kind, metric): value
        for place, kind, metric, value in measured.frames["metrics"].iter_rows()
    }
    cells = {
        (row["treebank"], row["classes"], row["task"]): Cell(
            row["value"],
            difference=row["gain"],
            letters="*" if (row["adjusted_p"] or 1) < SIGNIFICANT and row["gain"] else "",
        )
        for row in tasks.iter_rows(named=True)
    }
    rows = []
    for place in tasks["treebank"].unique(maintain_order=True):
        # Who tags with gold tags has nothing to tag, and stands last.
        own = tasks.filter(pl.col("treebank") == place)
        kinds = own["classes"].unique(maintain_order=True)
        rows += [
            Row(
                [
                    kind,
                    *(metrics.get((place, kind, metric)) for metric in INDUCED),
                    *(cells.get((place, kind, task)) for task in heads),
                ],
                group=place,
            )
            for kind in kinds
        ]
    return Table(
        [
            "classes",
            *_metric_columns(),
            *(Column(head, format=PERCENT_1) for head in heads.values()),
        ],
        rows,
        title=f"The use of {settings.classes} induced classes",
        notes=[
            "tagged: accuracy of crf trained on this many sentences, with classes as features; "
            "in parentheses the gain over no classes",
            "curve: the area under the learning curve over the logarithm of sentences, "
            "as a mean accuracy",
            f"parsed: by {settings.parser} from words and classes alone, without classes from "
            "words",
            f"*: p < {SIGNIFICANT}, paired permutations of sentences, Holm's correction over the "
            "classes of a treebank and task",
            f"{GOLD} and {GOLD_TAGS} come from gold annotation: the most frequent gold tag of each "
            "word, or the gold tag of each token",
            f"{SUFFIXES} are as many as there are endings, not {settings.classes}",
            *measured.notes,
            *measured.failures,
        ],
    )


def word_table(measured: Measurements[ExtrinsicSettings]) -> Table:
    """Return the tagger's accuracy on words it has not seen, and on those with several tags."""
    sizes, tasks = _sizes(measured), measured.frames["tasks"]
    place = tasks["treebank"][-1]
    own = tasks.filter(
        (pl.col("treebank") == place) & pl.col("task").is_in([tagging_task(size) for size in sizes])
    )
    values = {
        (kind, task, words): value
        for kind, task, words, value in own.select("classes", "task", "words", "value").iter_rows()
    }
    columns = [(words, size) for words in WORDS for size in sizes]
    return Table(
        ["classes", *(Column(f"{words}, {size}", format=PERCENT_1) for words, size in columns)],
        [
            [kind, *(values.get((kind, tagging_task(size), words)) for words, size in columns)]
            for kind in own["classes"].unique(maintain_order=True)
        ],
        title=f"Which words classes help to tag ({place})",
        notes=[
            "unknown: not in the labelled sentences; ambiguous: with several gold tags in all parts"
        ],
    )


def agreement_table(measured: Measurements[ExtrinsicSettings]) -> Table:
    """Return tau-b between tasks and metrics, on every treebank and on average."""
    agreement = measured.frames["agreement"]
    # A tau of -0.0 is no less than 0.
    rows = [
        Row(
            [
                task,
                *(
                    Cell(None if tau is None else tau + 0.0, p=p)
                    for tau, p in own.select("tau_b", "p").iter_rows()
                ),
            ],
            group=str(place),
        )
        for (place, task), own in agreement.group_by("treebank", "task", maintain_order=True)
    ]
    fewest = min(agreement["inducers"], default=0)
    few = [f"{fewest} inducers are too few for any agreement to be significant"]
    return Table(
        ["task", *(Column(column.title, column.key) for column in _metric_columns())],
        rows,
        title="Rank correlation of metrics and tasks",
        notes=[
            f"Kendall's tau-b over inducers ({', '.join(measured.settings.all_inducers)}), 1 where "
            "both rank them alike; p is two-sided, over all orders, not corrected for their number",
            *(few if fewest < _FEW else []),
        ],
    )

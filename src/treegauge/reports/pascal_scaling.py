"""Tables of what the challenge's paper asks for and does not do: uses of classes, and size."""

from __future__ import annotations

from treegauge.experiments.papers.pascal_extrinsic import INDUCED, NO_CLASSES, Uses
from treegauge.experiments.papers.pascal_scaling import Scaling
from treegauge.metrics import MetricSpec
from treegauge.reports.tables import Cell, Table


def extrinsic_tables(found: Uses) -> list[Table]:
    """Return what classes are worth in tasks, and whether metrics of classes foretell it."""
    sizes = found.settings.sentences
    titles = [MetricSpec.parse(metric).metric.title for metric in INDUCED]
    base = {row.treebank: row.tagging for row in found.rows if row.inducer == NO_CLASSES}
    rows: list[list[Cell]] = []
    for row in found.rows:
        gains: list[Cell] = []
        for size in sizes:
            value, without = row.tagging.get(size), base.get(row.treebank, {}).get(size)
            text = _percent(value)
            if value is not None and without is not None and row.inducer != NO_CLASSES:
                text = f"{text} ({100 * (value - without):+.1f})"
            gains.append(text)
        metrics = [_metric(metric, row.metrics.get(metric)) for metric in INDUCED]
        rows.append([row.treebank, row.inducer, *metrics, *gains, _percent(row.parsing)])
    heads = [f"tagged, {size} sentences" for size in sizes]
    values = Table(
        ["treebank", "classes", *titles, *heads, "parsed, UAS"],
        rows,
        title=f"What {found.settings.classes} induced classes are good for",
        notes=[
            "tagged: universal tags of the test part by crf with classes as features, in "
            "parentheses the gain over no classes",
            f"parsed: by {found.settings.parser} with classes as its only tags",
            *found.failures,
        ],
        right=frozenset(range(2, 3 + len(titles) + len(heads))),
    )
    taus: dict[str, dict[str, float | None]] = {}
    for task, metric, tau in found.agreement():
        taus.setdefault(task, {})[metric] = tau
    agreement = Table(
        ["task", *titles],
        [
            [task, *(None if (tau := own[m]) is None else f"{tau:.2f}" for m in INDUCED)]
            for task, own in taus.items()
        ],
        title="Do metrics of classes rank systems as tasks do?",
        notes=[
            f"Kendall's tau-b over {len(found.settings.inducers)} systems, of averages over "
            "treebanks; few systems say little"
        ],
        right=frozenset(range(1, 1 + len(titles))),
    )
    return [values, agreement]


def _percent(value: float | None) -> str | None:
    return None if value is None else f"{100 * value:.1f}"


def _metric(metric: str, value: float | None) -> str | None:
    if value is None:
        return None
    return f"{100 * value if MetricSpec.parse(metric).metric.is_share else value:.2f}"


def scaling_tables(found: Scaling) -> list[Table]:
    """Return accuracy, time and memory by the size of the text."""
    return [
        Table(
            ["system", "tokens", "types", "M-1", "VM", "seconds", "peak MiB"],
            [
                [
                    row.system,
                    row.tokens,
                    found.types[row.tokens],
                    _metric("many_to_one", row.many_to_one),
                    _metric("v_measure", row.v_measure),
                    None if row.seconds is None else f"{row.seconds:.1f}",
                    None if row.peak_memory is None else f"{row.peak_memory:.0f}",
                ]
                for row in sorted(found.rows, key=lambda row: (row.system, row.tokens))
            ],
            title=f"More raw text: {found.settings.classes} classes",
            notes=[
                "generated text: a chain of 12 tags, words by Zipf's law; seconds and memory of "
                "one cell on one thread, learning and annotating",
                f"samplers up to {found.settings.largest_for_samplers:,} tokens",
                *found.failures,
            ],
            right=frozenset(range(1, 7)),
        )
    ]

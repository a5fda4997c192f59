"""Scores of small treebanks, and treebanks that differ from gold in one thing."""

from __future__ import annotations

from typing import Any

from treegauge.metrics import METRICS, Comparison, Conventions, preset, total
from treegauge.treebank import Column, Treebank


def compare(gold: Treebank, system: Treebank, conventions: str = "", **how: Any) -> Comparison:
    """Compare under a preset, `conll2018` when it is missing."""
    return Comparison(gold, system, preset(conventions) if conventions else None, **how)


def score_of(metric: str, comparison: Comparison) -> float:
    """Return the score of a metric; NaN where there is nothing to score."""
    statistics = METRICS[metric].statistics(comparison)
    return float(statistics.score(total(statistics.per_sentence)))


def score(
    metric: str, gold: Treebank, system: Treebank, conventions: str = "", **how: Any
) -> float:
    """Compare and score in one go."""
    return score_of(metric, compare(gold, system, conventions, **how))


def sums(metric: str, comparison: Comparison) -> list[float]:
    """Return the summed statistics: correct, in gold, in the system for most metrics."""
    return total(METRICS[metric].statistics(comparison).per_sentence).tolist()


def macro(gold: Treebank, system: Treebank, metric: str) -> float:
    """Return the mean of the scores of sentences."""
    return score_of(metric, Comparison(gold, system, Conventions(average="sentence")))


def with_heads(gold: Treebank, *heads: int) -> Treebank:
    """Return gold with other heads."""
    return gold.replace(head=list(heads), name="system")


def with_column(gold: Treebank, column: str, values: str) -> Treebank:
    """Return gold with other values in a column."""
    return gold.replace(columns={column: Column.from_strings(values.split())}, name="system")

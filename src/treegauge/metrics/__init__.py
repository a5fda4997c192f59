"""Metrics: how good a system is, compared with gold."""

from treegauge.metrics.clustering import induced_column
from treegauge.metrics.comparison import Comparison
from treegauge.metrics.conventions import PRESETS, Conventions, preset
from treegauge.metrics.errors import MetricError
from treegauge.metrics.metric import (
    Counts,
    MeanOfSentences,
    Metric,
    Statistics,
    total,
)
from treegauge.metrics.registry import FAMILIES, METRICS, MetricSpec, find_metric, parse_specs
from treegauge.metrics.tagging import tag_counts

__all__ = [
    "FAMILIES",
    "METRICS",
    "PRESETS",
    "Comparison",
    "Conventions",
    "Counts",
    "MeanOfSentences",
    "Metric",
    "MetricError",
    "MetricSpec",
    "Statistics",
    "find_metric",
    "induced_column",
    "parse_specs",
    "preset",
    "tag_counts",
    "total",
]

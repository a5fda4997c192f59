"""The one table of metrics, and how to name them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from treegauge.metrics import attachment, clustering, phrases, shared_task, tagging, task
from treegauge.metrics.errors import MetricError
from treegauge.metrics.metric import Counts, MeanOfSentences, Metric
from treegauge.wording import unknown_name

METRICS: dict[str, Metric] = {
    metric.name: metric
    for chapter in (attachment, phrases, shared_task, tagging, clustering, task)
    for metric in chapter.METRICS
}
"""Every metric by name."""

RATIOS = (Counts, MeanOfSentences, phrases.PhraseStatistics)
"""Statistics whose score is a ratio of two sums over sentences: `ratio_of` returns its parts."""

FAMILIES = tuple(dict.fromkeys(metric.family for metric in METRICS.values()))
"""Groups of metrics that can be asked for together."""


@dataclass(frozen=True)
class MetricSpec:
    """A metric and a length cut-off, as users write them.

    Attributes
    ----------
    name : str
        The name of the metric.
    cut_off : str
        `@10`, `@10w` or empty.

    Examples
    --------
    >>> MetricSpec.parse("las@10w")
    MetricSpec(name='las', cut_off='@10w')
    >>> MetricSpec("uas").metric.title
    'UAS'
    """

    name: str
    cut_off: str = ""

    @classmethod
    def parse(cls, text: str) -> MetricSpec:
        """Read `las`, `las@10` or `las@10w`.

        Parameters
        ----------
        text : str
            What a user wrote.

        Returns
        -------
        MetricSpec
            The metric and the cut-off.

        Raises
        ------
        MetricError
            If there is no such metric or cut-off.
        """
        match = re.fullmatch(r"([^@]+)(@\d+w?)?", text.strip())
        if not match:
            raise MetricError(f"unknown metric {text!r}; write las, las@10 or las@10w")
        return cls(find_metric(match[1]).name, match[2] or "")

    def __str__(self) -> str:
        return self.name + self.cut_off

    @property
    def metric(self) -> Metric:
        """The metric itself."""
        return METRICS[self.name]


def find_metric(name: str) -> Metric:
    """Return a metric by name, or say which names are near."""
    if name in METRICS:
        return METRICS[name]
    advice = f"`treegauge list metrics` shows all {len(METRICS)}"
    raise MetricError(unknown_name("metric", name, METRICS, advice=advice))


def parse_specs(texts: list[str]) -> list[MetricSpec]:
    """Read metrics and families (`dependencies@10`), each once, in the order given."""
    specs: dict[MetricSpec, None] = {}
    for text in texts:
        family, at, cut_off = text.strip().partition("@")
        if family in FAMILIES:
            for metric in METRICS.values():
                if metric.family == family:
                    specs[MetricSpec.parse(metric.name + at + cut_off)] = None
        else:
            specs[MetricSpec.parse(text)] = None
    return list(specs)

"""What can go wrong in scoring."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class MetricError(TreegaugeError):
    """A metric cannot be computed, or there is no such metric."""

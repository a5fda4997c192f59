"""What can go wrong with transition systems."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class TransitionError(TreegaugeError):
    """There is no such system, or it cannot do what was asked for."""

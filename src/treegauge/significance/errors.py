"""What can go wrong with a question about significance."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class SignificanceError(TreegaugeError):
    """Statistics, p-values or scores that no test or interval can be made from."""

"""What can go wrong when words are put into strata."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class StrataError(TreegaugeError):
    """A treebank cannot be divided the way that was asked for."""

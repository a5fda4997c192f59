"""What can go wrong when a treebank is rewritten."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class RewriteError(TreegaugeError):
    """A treebank cannot be rewritten the way that was asked for."""

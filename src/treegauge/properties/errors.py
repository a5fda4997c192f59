"""What can go wrong when a treebank is measured."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class PropertyError(TreegaugeError):
    """A property that does not exist, or cannot be had from this treebank."""

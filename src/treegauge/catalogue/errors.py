"""What can go wrong on the way to a treebank."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class CatalogueError(TreegaugeError):
    """A treebank cannot be found, told from another of its name, or had."""

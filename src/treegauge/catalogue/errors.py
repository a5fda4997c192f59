"""What can go wrong on the way to a treebank."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class CatalogueError(TreegaugeError):
    """A treebank cannot be found, told from another of its name, or had."""


class CatalogueWarning(UserWarning):
    """A treebank was had, and something about it should be looked at."""

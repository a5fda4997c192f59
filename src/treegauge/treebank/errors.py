"""What can go wrong with a treebank that has already been read."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class TreebankError(TreegaugeError):
    """A treebank cannot do what it was asked to do."""

"""What can go wrong when a treebank is measured."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class PropertyError(TreegaugeError):
    """A property that does not exist, or are not available from this treebank."""


class HeadlessWordsWarning(UserWarning):
    """Some words of otherwise complete trees have no head."""


class SmallCorpusWarning(UserWarning):
    """A text has too few n-grams of some count for discounts to be estimated."""

"""What can go wrong when a treebank is measured."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class PropertyError(TreegaugeError):
    """A property does not exist, or a treebank does not have it.

    Examples
    --------
    >>> import treegauge as tg
    >>> try:
    ...     tg.train_language_model(tg.Column.from_strings(["a"]), [0, 1], order=0)
    ... except PropertyError as error:
    ...     print(str(error).partition("\\n")[0])
    the order of a language model is 1 to 5, not 0
    """


class HeadlessWordsWarning(UserWarning):
    """Some words of otherwise complete trees have no head."""


class SmallCorpusWarning(UserWarning):
    """A text has too few n-grams of some count for discounts to be estimated."""

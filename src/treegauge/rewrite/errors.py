"""What can go wrong when a treebank is rewritten."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class RewriteError(TreegaugeError):
    """A treebank cannot be rewritten in the requested way.

    Examples
    --------
    >>> import treegauge as tg
    >>> try:
    ...     tg.permute(tg.toy_treebank(tokens=100), "alphabetical")
    ... except RewriteError as error:
    ...     print(str(error).partition("\\n")[0])
    unknown order 'alphabetical'
    """

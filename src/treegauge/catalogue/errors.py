"""What can go wrong on the way to a treebank."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class CatalogueError(TreegaugeError):
    """A treebank cannot be found, the name fits several, or it cannot be downloaded.

    Examples
    --------
    >>> import treegauge as tg
    >>> try:
    ...     tg.load("toy:osv")
    ... except CatalogueError as error:
    ...     print(str(error).partition("\\n")[0])
    unknown toy language 'toy:osv'; did you mean toy:svo, toy:sov, toy:vso?
    """


class CatalogueWarning(UserWarning):
    """A treebank was found, but something about it should be checked."""

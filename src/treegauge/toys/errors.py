"""What can go wrong with toy languages."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class ToyError(TreegaugeError):
    """A toy language or a part of it does not exist.

    Examples
    --------
    >>> import treegauge as tg
    >>> try:
    ...     tg.toy_treebank("toy:osv")
    ... except ToyError as error:
    ...     print(str(error).partition("\\n")[0])
    unknown toy language 'toy:osv'; did you mean toy:svo, toy:sov, toy:vso?
    """

"""What can go wrong with a treebank that has already been read."""

from __future__ import annotations

from typing import Any

from treegauge.errors import TreegaugeError


class TreebankError(TreegaugeError):
    """A treebank does not fit the operation.

    Examples
    --------
    >>> import treegauge as tg
    >>> try:
    ...     tg.parse("birds sing\\n", format="tokens").tags("u")
    ... except TreebankError as error:
    ...     print(str(error).partition("\\n")[0])
    the treebank has no tags for 'u': UPOS is empty
    """


def require_treebanks(*things: Any) -> None:
    """Complain of a path, a name or a list where a function takes treebanks.

    Raises
    ------
    TreebankError
        If a thing is no treebank; the message says how to get one.
    """
    from treegauge.treebank.treebank import Treebank

    for thing in things:
        if isinstance(thing, Treebank):
            continue
        advice = "give the treebanks one by one"
        if isinstance(thing, str) and thing.startswith("toy:"):
            advice = f"treegauge.toy_treebank({thing!r}) makes one"
        elif not isinstance(thing, (list, tuple)):
            advice = "treegauge.read(path) reads one"
        raise TreebankError(
            f"expected a treebank, found {thing!r:.60} ({type(thing).__name__})\n  {advice}"
        )

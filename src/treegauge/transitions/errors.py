"""What can go wrong with transition systems."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class TransitionError(TreegaugeError):
    """A transition system does not exist, or cannot derive a tree.

    Examples
    --------
    >>> import treegauge as tg
    >>> text = tg.toy_treebank(tokens=300)
    >>> try:
    ...     tg.treebank_perplexity(text, text, tg.PerplexitySettings(system="arc-easy"))
    ... except TransitionError as error:
    ...     print(str(error).partition("\\n")[0])
    unknown transition system 'arc-easy'; did you mean arc-eager?
    """

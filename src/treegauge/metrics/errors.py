"""What can go wrong in scoring."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class MetricError(TreegaugeError):
    """A metric does not exist or cannot be computed.

    Examples
    --------
    >>> import treegauge as tg
    >>> birds = tg.parse("birds/NOUN sing/VERB\\n")
    >>> try:
    ...     tg.evaluate(birds, birds, metrics="lass")
    ... except MetricError as error:
    ...     print(str(error).partition("\\n")[0])
    unknown metric 'lass'; did you mean las, mlas, clas?
    """

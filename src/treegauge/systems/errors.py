"""What goes wrong with systems."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class SystemsWarning(UserWarning):
    """A system does what it was told, and it may not be what was meant."""


class SystemsError(TreegaugeError):
    """A system or a setting does not exist, or a system cannot work with the data.

    Examples
    --------
    >>> import treegauge as tg
    >>> try:
    ...     tg.make_system("dmw")
    ... except SystemsError as error:
    ...     print(str(error).partition("\\n")[0])
    unknown system 'dmw'; did you mean dmv?
    """

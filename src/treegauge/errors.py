"""The one ancestor of every exception that treegauge raises on purpose."""

from __future__ import annotations

import errno


class TreegaugeError(Exception):
    """The base class of all errors that treegauge raises for bad input.

    The command line prints the message without a traceback and exits with code 1. Any other
    exception is a bug.

    Examples
    --------
    >>> import treegauge as tg
    >>> try:
    ...     tg.make_system("dvm")
    ... except tg.TreegaugeError as error:
    ...     print(str(error).partition("\\n")[0])
    unknown system 'dvm'; did you mean dmv?
    """


def reason_of(error: OSError) -> str:
    """Return why the system could not do something with a file, in the same words everywhere.

    >>> reason_of(FileNotFoundError(errno.ENOENT, "No such file or directory"))
    'no such file or folder'
    """
    return _REASONS.get(error.errno or 0, (error.strerror or str(error)).lower())


_REASONS = {
    errno.ENOENT: "no such file or folder",
    errno.EISDIR: "is a folder, not a file",
    errno.ENOTDIR: "is a file, not a folder",
}
"""What systems say of directories, users call folders."""

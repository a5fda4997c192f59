"""The one ancestor of every exception that treegauge raises on purpose."""

from __future__ import annotations


class TreegaugeError(Exception):
    """Bad input, explained.

    Each room has its own subclass. The command line prints the message without a
    traceback and exits with 1; anything else that escapes is a bug.
    """

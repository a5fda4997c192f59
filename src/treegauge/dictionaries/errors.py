"""What can go wrong with dictionaries and the scores made from them."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class DictionaryError(TreegaugeError):
    """A dictionary that cannot be read, used or compared with another."""

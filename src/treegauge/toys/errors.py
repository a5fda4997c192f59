"""What can go wrong with toy languages."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class ToyError(TreegaugeError):
    """There is no such toy language, or no such part of it."""

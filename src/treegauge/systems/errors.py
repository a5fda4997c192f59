"""What goes wrong with systems."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class SystemsError(TreegaugeError):
    """An unknown system, a setting it does not have, or data it cannot work with."""

"""What goes wrong with systems."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class SystemsWarning(UserWarning):
    """A system does what it was told, and it may not be what was meant."""


class SystemsError(TreegaugeError):
    """An unknown system, a setting it does not have, or data it cannot work with."""

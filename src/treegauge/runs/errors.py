"""What goes wrong with experiments."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class ExperimentError(TreegaugeError):
    """An experiment that cannot be run as it is written, or a folder that cannot be used."""

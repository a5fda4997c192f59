"""What can go wrong before a chart is filled."""

from __future__ import annotations

from treegauge.systems.errors import SystemsError


class ChartError(SystemsError):
    """A grammar, a corpus and what comes with them do not fit together."""

"""What goes wrong with challenges."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class ChallengeError(TreegaugeError):
    """A challenge, a pack or a submission that cannot be used as it is."""

"""What can go wrong with texts in shards."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class ShardError(TreegaugeError):
    """A text in shards cannot be counted."""

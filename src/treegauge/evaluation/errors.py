"""What goes wrong when systems and treebanks are measured."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class EvaluationError(TreegaugeError):
    """Something that cannot be measured, or a table of measurements that cannot be read."""


class EvaluationWarning(UserWarning):
    """Something that was asked for and could not be measured."""

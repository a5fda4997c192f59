"""What goes wrong with experiments."""

from __future__ import annotations

from treegauge.errors import TreegaugeError


class ExperimentError(TreegaugeError):
    """An experiment cannot be run, or its folder cannot be used.

    Examples
    --------
    >>> import treegauge as tg
    >>> try:
    ...     tg.Experiment.from_dict({"name": "empty"})
    ... except ExperimentError as error:
    ...     print(error)
    the experiment lacks treebanks
    """


class ClusterLostError(ExperimentError):
    """The scheduler of a cluster, or its last worker, is gone."""

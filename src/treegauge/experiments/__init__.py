"""Experiments: systems against gold, one by one and in grids.

Names are imported when they are first used: the process of a cell needs none of the scoring.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treegauge.experiments.breakdown import (
        Confusion,
        Mistake,
        StratumScore,
        break_down,
        confusion,
        mistakes,
    )
    from treegauge.experiments.cluster import ClusterExecutor, cluster_executor
    from treegauge.experiments.errors import ExperimentError
    from treegauge.experiments.evaluation import Evaluated, Evaluation, SystemPair, evaluate
    from treegauge.experiments.experiment import Experiment, Scoring, SystemChoice, Tuning
    from treegauge.experiments.planning import Plan
    from treegauge.experiments.run_folder import RunFolder
    from treegauge.experiments.runner import Failure, Outlook, Run, Standing, look_ahead, run

_HOME = {
    "Confusion": "breakdown",
    "Mistake": "breakdown",
    "StratumScore": "breakdown",
    "break_down": "breakdown",
    "confusion": "breakdown",
    "mistakes": "breakdown",
    "ClusterExecutor": "cluster",
    "cluster_executor": "cluster",
    "ExperimentError": "errors",
    "Evaluated": "evaluation",
    "Evaluation": "evaluation",
    "SystemPair": "evaluation",
    "evaluate": "evaluation",
    "Experiment": "experiment",
    "Scoring": "experiment",
    "SystemChoice": "experiment",
    "Tuning": "experiment",
    "Plan": "planning",
    "RunFolder": "run_folder",
    "Failure": "runner",
    "Outlook": "runner",
    "Run": "runner",
    "Standing": "runner",
    "look_ahead": "runner",
    "run": "runner",
}
"""The module of every name."""

__all__ = [
    "ClusterExecutor",
    "Confusion",
    "Evaluated",
    "Evaluation",
    "Experiment",
    "ExperimentError",
    "Failure",
    "Mistake",
    "Outlook",
    "Plan",
    "Run",
    "RunFolder",
    "Scoring",
    "Standing",
    "StratumScore",
    "SystemChoice",
    "SystemPair",
    "Tuning",
    "break_down",
    "cluster_executor",
    "confusion",
    "evaluate",
    "look_ahead",
    "mistakes",
    "run",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'treegauge.experiments' has no attribute {name!r}")
    value = getattr(import_module(f"treegauge.experiments.{_HOME[name]}"), name)
    globals()[name] = value
    return value

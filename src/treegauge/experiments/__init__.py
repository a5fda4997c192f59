"""Experiments: systems against gold."""

from treegauge.experiments.breakdown import (
    Cell,
    Confusion,
    Mistake,
    break_down,
    confusion,
    mistakes,
)
from treegauge.experiments.evaluation import Evaluated, Evaluation, SystemPair, evaluate

__all__ = [
    "Cell",
    "Confusion",
    "Evaluated",
    "Evaluation",
    "Mistake",
    "SystemPair",
    "break_down",
    "confusion",
    "evaluate",
    "mistakes",
]

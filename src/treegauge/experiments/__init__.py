"""Experiments: systems against gold, one by one and in grids."""

from treegauge.experiments.breakdown import (
    Confusion,
    Mistake,
    StratumScore,
    break_down,
    confusion,
    mistakes,
)
from treegauge.experiments.errors import ExperimentError
from treegauge.experiments.evaluation import Evaluated, Evaluation, SystemPair, evaluate
from treegauge.experiments.experiment import Experiment, Scoring, SystemChoice, Tuning
from treegauge.experiments.planning import Plan
from treegauge.experiments.run_folder import RunFolder
from treegauge.experiments.runner import Failure, Run, Standing, run

__all__ = [
    "Confusion",
    "Evaluated",
    "Evaluation",
    "Experiment",
    "ExperimentError",
    "Failure",
    "Mistake",
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
    "confusion",
    "evaluate",
    "mistakes",
    "run",
]

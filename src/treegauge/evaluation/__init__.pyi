"""What evaluation gives to other rooms."""

from .breakdown import (
    Confusion as Confusion,
    Mistake as Mistake,
    StratumScore as StratumScore,
    break_down as break_down,
    confusion as confusion,
    mistakes as mistakes,
)
from .evaluation import (
    Evaluated as Evaluated,
    Evaluation as Evaluation,
    SystemPair as SystemPair,
    evaluate as evaluate,
)

"""Results: scores and the signatures that make them repeatable."""

from treegauge.results.score import Score
from treegauge.results.signature import Signature

__all__ = ["Score", "Signature"]

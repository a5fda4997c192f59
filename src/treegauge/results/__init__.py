"""Results: scores, the signatures that make them repeatable, averages, published numbers."""

from treegauge.results.averages import (
    Average,
    TreebankScore,
    average,
    common_treebanks,
    treebank_score,
)
from treegauge.results.score import Score
from treegauge.results.signature import Signature

__all__ = [
    "Average",
    "Score",
    "Signature",
    "TreebankScore",
    "average",
    "common_treebanks",
    "treebank_score",
]

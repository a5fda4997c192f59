"""Derivation perplexity of a parser's trees: a metric that needs no gold trees.

Conventions
-----------
A language model of derivations of a training treebank (`treegauge.properties.DerivationModel`) is
asked for the words of the test text in the order in which the predicted trees attach them. The
artificial root may have several dependents, and punctuation is part of the text under all
conventions. A lower number is a text that is easier to predict, not a better parser: read it
beside the number of gold's trees where there are any.

References
----------
Søgaard and Haulrich (2010), On the derivation perplexity of treebanks. TLT.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treegauge.metrics.metric import Floats
from treegauge.properties.language_model import Convention, ScoredText, log10_perplexities

NAME = "derivation_perplexity"
"""What the metric is called among scores."""


@dataclass(frozen=True)
class PerplexityStatistics:
    """Log probabilities and events of every sentence, and perplexity from their sums."""

    per_sentence: Floats
    convention: Convention

    @classmethod
    def of(cls, text: ScoredText, convention: Convention) -> PerplexityStatistics:
        """Return the statistics of a text."""
        return cls(text.statistics, convention)

    def score(self, sums: Floats) -> Floats:
        """Return perplexity; NaN where there is nothing to count."""
        with np.errstate(over="ignore"):
            perplexities: Floats = np.power(10.0, log10_perplexities(sums, self.convention))
        return perplexities

    def size(self, sums: Floats) -> int:
        """Return the number of words."""
        return int(sums[1])

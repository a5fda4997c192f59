"""The chart of valence grammars in the shape of `SiblingChart`, for systems that know both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction.chart import (
    Counts,
    Expectations,
    Grammar,
    TagCorpus,
    chart_bytes,
    expectations,
    tree_counts,
    viterbi,
)
from treegauge.systems.dependency_induction.chart.decoding import BestTrees
from treegauge.systems.dependency_induction.tag_inventory import with_unknown

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ValenceChart:
    """Charts for grammars in which a side sees how many dependents it has."""

    contexts: tuple[int, int]
    """Classes of valence of decisions and of dependents."""

    def expectations(
        self,
        grammar: Grammar,
        corpus: TagCorpus,
        *,
        arc_weights: Floats | None = None,
        marginals: bool = False,
    ) -> Expectations:
        """Return expected counts and log-likelihood."""
        return expectations(grammar, corpus, arc_weights=arc_weights, marginals=marginals)

    def viterbi(
        self, grammar: Grammar, corpus: TagCorpus, *, arc_weights: Floats | None = None
    ) -> BestTrees:
        """Return the trees of largest weight."""
        return viterbi(grammar, corpus, arc_weights=arc_weights)

    def tree_counts(self, heads: NDArray[np.int32], corpus: TagCorpus) -> Counts:
        """Return the events of projective trees."""
        decisions, children = self.contexts
        return tree_counts(heads, corpus, decision_valences=decisions, child_valences=children)

    def wide_enough(self, symbols: int) -> ValenceChart:
        """Return the chart for so many symbols, which is the same for all."""
        del symbols
        return self

    def with_unknown(self, grammar: Grammar, shares: Floats) -> Grammar:
        """Return a grammar with one more symbol, which behaves as symbols do on average."""
        return with_unknown(grammar, shares)

    def memory_for(self, words: int) -> int:
        """Return the bytes of the charts of a sentence."""
        model = Grammar.uniform(1, *self.contexts)
        return chart_bytes(model, words, marginals=True)


def extended(grammar: Grammar, contexts: tuple[int, int]) -> Grammar:
    """Return a DMV as a grammar with more contexts, of which all but the first are alike."""
    decisions = np.minimum(np.arange(contexts[0]), 1)
    return Grammar(
        grammar.root,
        grammar.stop[:, :, decisions],
        grammar.go[:, :, decisions],
        np.repeat(grammar.attach, contexts[1], axis=2),
    )

"""Extended valence: how many dependents a head counts, and how its children are smoothed.

E-DMV(Vd, Vc) has Vd classes of valence for decisions and Vc for children; the DMV is (2, 1)
and the EVG (2, 2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from treegauge.settings import setting
from treegauge.systems.dependency_induction.chart import (
    Counts,
    Grammar,
    TagCorpus,
    estimate,
)
from treegauge.systems.dependency_induction.grammar_inducer import GrammarInducer, GrammarSettings
from treegauge.systems.dependency_induction.initialisers import initial_grammar


@dataclass(frozen=True)
class ValenceSettings(GrammarSettings):
    """Settings of models with extended valence."""

    valences: Literal["2/1", "2/2", "3/3", "4/4"] = setting(
        "2/2", "valence classes of decisions and of children"
    )
    child_order: Literal["inside_out", "outside_in"] = setting(
        "inside_out", "the first child: the one closest to the head, or the farthest"
    )
    backoff: float = setting(
        1 / 3, "weight of the back-off: children of all heads", minimum=0, maximum=1
    )


class ValenceInducer(GrammarInducer):
    """An inducer of grammars with extended valence."""

    def initial(self, corpus: TagCorpus, random: np.random.Generator) -> Grammar:
        """Return the first grammar: harmonic ones are extended."""
        decisions, children = map(int, self.settings.valences.split("/"))
        return initial_grammar(
            self.settings.init,
            corpus,
            random,
            decision_valences=decisions,
            child_valences=children,
            child_valence_order=self.settings.child_order,
        )

    def _estimate(self, counts: Counts, previous: Grammar) -> Grammar:
        return estimate(
            counts,
            smoothing=self.settings.smoothing,
            backoff=self.settings.backoff,
            previous=previous,
        )

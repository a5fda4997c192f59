"""What may be known about all languages: arcs that are barred, arcs that are expected.

Barred function heads
    Adpositions, auxiliaries, conjunctions, determiners and particles head nothing (Noji,
    Miyao and Johnson 2016). Their arcs have the weight 1e-12 rather than 0, so that a
    sentence of such words alone still has trees.

Universal rules
    At least a share tau of all arcs is expected to match a rule (Naseem et al. 2010), as a
    posterior constraint: q is proportional to p exp(y · number of matching arcs), with the
    least y >= 0 for which the expectation is reached.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction.chart import (
    Expectations,
    Grammar,
    TagCorpus,
    expectations,
)
from treegauge.systems.dependency_induction.tag_inventory import TagInventory
from treegauge.systems.dependency_induction.universal_rules import (
    find_rules,
    rule_matrix,
    spellings,
)
from treegauge.systems.errors import SystemsError

FUNCTION_TAGS = spellings(["ADP", "AUX", "CONJ", "DET", "PART", "PRT", "SCONJ"])
BARRED = 1e-12
_FIRMLY_BARRED = 1e-250
"""Less than what the strongest penalty on arcs may leave of all others."""
_EXACT = 1e-3
"""How near the expected share of matching arcs must be to what is asked for."""
_MOST_STEPS = 30
_LARGEST = 20.0
"""Of the dual variable: what exp(20) does not reach, the sentences do not have."""

Table = NDArray[np.float64]


@dataclass
class Constraints:
    """Weights by tags, and the dual variable of the rules, kept from step to step."""

    bars: Table | None = None
    """[T + 1, T], row 0 for the root: the weight of barred arcs, 1 elsewhere."""
    rules: NDArray[np.bool_] | None = None
    """[T + 1, T], row 0 for the root: arcs that match a rule."""
    share: float = 0.8
    dual: float = 0.0

    @classmethod
    def of(
        cls, inventory: TagInventory, *, no_function_heads: bool, rules: str, share: float
    ) -> Constraints:
        """Return the constraints on the tags of an inventory, by their universal tags."""
        if (no_function_heads or rules != "none") and not any(inventory.universal):
            raise SystemsError(
                "function heads and universal rules are known by universal tags, and the text "
                "has none"
            )
        bars = matching = None
        n = len(inventory.tags)
        if no_function_heads:
            bars = np.ones((n + 1, n))
            bars[1:][[tag in FUNCTION_TAGS for tag in inventory.universal]] = BARRED
        if rules != "none":
            # Rows of heads, then the root; here the root comes first.
            matching = np.roll(rule_matrix(find_rules(rules), inventory.universal), 1, axis=0)
        return cls(bars, matching, share)

    @property
    def are_there(self) -> bool:
        """Whether anything is constrained."""
        return self.bars is not None or self.rules is not None

    def firmer_than_penalties(self) -> Constraints:
        """Return constraints whose bars hold where other arcs are penalised as well."""
        if self.bars is None:
            return self
        return replace(self, bars=np.where(self.bars < 1, _FIRMLY_BARRED, 1.0))

    def barred(self, grammar: Grammar) -> Grammar:
        """Return a grammar in which barred arcs have next to no weight."""
        bars = self.bars_for(grammar.n_tags)
        return grammar if bars is None else grammar.weighted(bars)

    def bars_for(self, n_tags: int) -> Table | None:
        """Return bars for as many tags as were learnt, or for a tag more that nobody has seen."""
        bars = self.bars
        if bars is not None and n_tags > bars.shape[1]:
            # A tag that was never seen is nobody's function word.
            bars = np.pad(bars, ((0, 1), (0, 1)), constant_values=1.0)
            bars[1:-1, -1] = bars[1:-1, 0]
        return bars

    def expectations(self, grammar: Grammar, corpus: TagCorpus) -> tuple[Expectations, float]:
        """Return the E-step under the constraints, and what they subtract from the objective.

        The objective of posterior regularisation is log Z(y) - y · tau · words; with it, EM
        does not fall from step to step.
        """
        barred = self.barred(grammar)
        if self.rules is None:
            return expectations(barred, corpus), 0.0
        wanted = self.share * corpus.n_words
        e_step, self.dual = self._least_dual(barred, corpus, wanted)
        return e_step, -self.dual * wanted

    def _least_dual(
        self, grammar: Grammar, corpus: TagCorpus, wanted: float
    ) -> tuple[Expectations, float]:
        """Find the least y whose expected number of matching arcs is enough, by bisection."""

        def at(dual: float) -> tuple[Expectations, float]:
            assert self.rules is not None
            weighted = grammar.weighted(np.where(self.rules, np.exp(dual), 1.0))
            e_step = expectations(weighted, corpus)
            arcs = e_step.counts.attach.sum(axis=(1, 2))
            matching = float(e_step.counts.root[self.rules[0]].sum() + arcs[self.rules[1:]].sum())
            return e_step, matching - wanted

        close = _EXACT * wanted
        # Most steps of EM change little: begin around the last answer.
        low, high = 0.0, min(max(self.dual * 1.1, 0.5), _LARGEST)
        if self.dual > 0:
            e_step, excess = at(self.dual)
            if 0 <= excess <= close:
                return e_step, self.dual
        e_step, excess = at(0.0)
        if excess >= 0:
            return e_step, 0.0
        e_step, excess = at(high)
        while excess < 0 and high < _LARGEST:
            low, high = high, min(2 * high, _LARGEST)
            e_step, excess = at(high)
        for _ in range(_MOST_STEPS):
            if excess <= close:
                break
            middle = (low + high) / 2
            middle_e_step, over = at(middle)
            if over >= 0:
                high, e_step, excess = middle, middle_e_step, over
            else:
                low = middle
        return e_step, high

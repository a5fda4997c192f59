"""Posterior sparsity: EM that is told to use few types of arcs.

References
----------
Gillenwater, Ganchev, Graça, Pereira and Taskar (2010), Sparsity in dependency grammar induction.
ACL; and (2011), Posterior sparsity in unsupervised dependency parsing. JMLR.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.chart import (
    Counts,
    Grammar,
    TagCorpus,
    expectations,
    minimum_risk,
    viterbi,
)
from treegauge.systems.dependency_induction.constraints import Constraints
from treegauge.systems.dependency_induction.posterior_projection import (
    EdgeTypes,
    Projection,
    project_posterior,
)
from treegauge.systems.dependency_induction.valences import ValenceInducer, ValenceSettings
from treegauge.systems.errors import SystemsError
from treegauge.systems.system import OnProgress
from treegauge.treebank import Treebank

FINAL_SMOOTHING = exp(-10)


@dataclass(frozen=True)
class PosteriorSparseSettings(ValenceSettings):
    """The penalty, and how closely each E-step minimises it."""

    smoothing: float = setting(0.0, "added to every count", minimum=0)
    penalty: Literal["symmetric", "asymmetric"] = setting(
        "symmetric", "instances of a type: pairs of words, or child words (asymmetric)"
    )
    # exp(-sigma) is the least weight of an arc, and must be a number.
    sigma: float = setting(140.0, "strength of the penalty on types", minimum=0, maximum=700)
    directed_types: bool = setting(False, "count left and right arcs as two types")
    constrain_root: bool = setting(True, "count the root as a head")
    gradient_steps: int = setting(10, "largest number of gradient steps per E-step", minimum=0)
    final_smoothing: float = setting(
        FINAL_SMOOTHING, "added to every learnt probability", minimum=1e-12
    )
    project_at_test: bool = setting(False, "also penalise types in the text that is parsed")


class PosteriorSparse(ValenceInducer):
    """Prefers posteriors that use few pairs of child tag and parent tag."""

    name = "posterior-sparse"
    settings_type: ClassVar[type[Settings]] = PosteriorSparseSettings
    seconds_per_word = 1e-4

    def _learn(
        self, corpus: TagCorpus, random: np.random.Generator, on_progress: OnProgress
    ) -> Grammar:
        if self.settings.rules != "none":
            raise SystemsError(
                "posterior-sparse: universal rules and few types would be two constraints on one "
                "posterior; use no_function_heads, or rules with another system"
            )
        short = corpus.up_to(self.settings.max_length)
        types = self._types(short)
        last: Projection | None = None

        def step(grammar: Grammar) -> tuple[Counts, float, float]:
            nonlocal last
            barred = self.constraints.barred(grammar)
            last = self._projected(barred, short, types, last)
            log_likelihood = expectations(barred, short).log_likelihood
            return last.posterior.counts, log_likelihood, last.objective

        grammar = self._climb(self.initial(short, random), step, on_progress, "")
        return smoothed(grammar, self.settings.final_smoothing)

    def _constraints(self) -> Constraints:
        return super()._constraints().firmer_than_penalties()

    def _types(self, corpus: TagCorpus) -> EdgeTypes:
        return EdgeTypes.of(
            corpus,
            penalty=self.settings.penalty,
            directed=self.settings.directed_types,
            constrain_root=self.settings.constrain_root,
        )

    def _projected(
        self, grammar: Grammar, corpus: TagCorpus, types: EdgeTypes, start: Projection | None
    ) -> Projection:
        return project_posterior(
            grammar,
            corpus,
            types,
            sigma=self.settings.sigma,
            steps=self.settings.gradient_steps,
            start=start,
        )

    def _heads(self, words: Treebank, on_progress: OnProgress) -> NDArray[np.int32]:
        if not self.settings.project_at_test:
            return super()._heads(words, on_progress)
        corpus = self.inventory.encode(words)
        grammar = self.grammar
        if corpus.n_tags > grammar.n_tags:
            grammar = self.inventory.with_unknown(grammar)
        grammar = self.constraints.barred(grammar)
        types = self._types(corpus)
        duals = self._projected(grammar, corpus, types, None).duals
        decode = viterbi if self.settings.decode == "viterbi" else minimum_risk
        heads = decode(grammar, corpus, arc_weights=types.arc_weights(duals, corpus)).heads
        on_progress(1.0, "parsed")
        return heads


def smoothed(grammar: Grammar, added: float = FINAL_SMOOTHING) -> Grammar:
    """Return a grammar in which every event can happen."""

    def rows(table: NDArray[np.float64]) -> NDArray[np.float64]:
        more: NDArray[np.float64] = (table + added) / (table + added).sum(axis=-1, keepdims=True)
        return more

    decisions = rows(np.stack([grammar.stop, grammar.go], axis=-1))
    return Grammar(
        rows(grammar.root),
        decisions[..., 0],
        decisions[..., 1],
        rows(grammar.attach),
        grammar.child_valence_order,
    )

"""The extended valence grammar, with smoothed children.

References
----------
Headden, Johnson and McClosky (2009), Improving unsupervised dependency parsing with richer
contexts and smoothing. NAACL.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.backoff_mixture import BackoffGrammar
from treegauge.systems.dependency_induction.chart import Counts, Grammar, TagCorpus, expectations
from treegauge.systems.dependency_induction.valences import ValenceInducer, ValenceSettings
from treegauge.systems.system import OnProgress


@dataclass(frozen=True)
class EvgSettings(ValenceSettings):
    """How children are smoothed."""

    smoothing_kind: Literal["interpolated", "mixture"] = setting(
        "mixture",
        "smooth children in the M-step (smoothing, backoff), or in the model (prior)",
    )
    prior: float = setting(1.0, "Dirichlet prior of every distribution (mixture)", minimum=1e-6)


class Evg(ValenceInducer):
    """Children, too, depend on how many their head has already."""

    name = "evg"
    settings_type: ClassVar[type[Settings]] = EvgSettings

    def _learn(
        self, corpus: TagCorpus, random: np.random.Generator, on_progress: OnProgress
    ) -> Grammar:
        short = corpus.up_to(self.settings.max_length)
        grammar = self.initial(short, random)
        if self.settings.smoothing_kind == "interpolated":
            return self.expectation_maximisation(grammar, short, on_progress)
        return self._variational(grammar, short, on_progress)

    def _variational(self, grammar: Grammar, corpus: TagCorpus, on_progress: OnProgress) -> Grammar:
        """Climb the variational bound of the model in which children back off."""

        def step(grammar: Grammar) -> tuple[Counts, float, float]:
            e_step, penalty = self._expectations(grammar, corpus)
            # Mean-field weights are no probabilities: the likelihood is that of the means.
            means = self.constraints.barred(_posterior_mean(grammar))
            log_likelihood = expectations(means, corpus).log_likelihood
            return e_step.counts, log_likelihood, e_step.log_likelihood + penalty

        first, _ = self._expectations(grammar, corpus)
        start = BackoffGrammar.from_first_counts(first, self.settings.prior)
        return _posterior_mean(self._climb(start, step, on_progress, ""))

    def _estimate(self, counts: Counts, previous: Grammar) -> Grammar:
        if isinstance(previous, BackoffGrammar):
            return previous.updated(counts)
        return super()._estimate(counts, previous)

    def _log_prior(self, grammar: Grammar) -> float:
        if isinstance(grammar, BackoffGrammar):
            return -grammar.known_posterior.divergence()
        return super()._log_prior(grammar)


def _posterior_mean(grammar: Grammar) -> Grammar:
    assert isinstance(grammar, BackoffGrammar)
    return grammar.known_posterior.mean()

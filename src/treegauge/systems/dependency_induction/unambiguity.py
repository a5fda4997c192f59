"""Unambiguity regularisation: EM that begins hard and becomes soft (Tu's challenge entry).

The E-step takes p^(1 / (1 - sigma)): sigma = 0 is EM, sigma = 1 Viterbi EM. Sigma falls from
1 to 0 over 100 iterations; then EM goes on until the objective rests.

Beside unambiguity the entry preferred sparse grammars, by one of two means that it chose between
on dev data: Dirichlet priors below 1 (`alpha`), or posterior regularisation (`penalty`), where
the powered posterior is the one that is projected on few types of arcs.

References
----------
Tu and Honavar (2012), Unambiguity regularization for unsupervised learning of probabilistic
grammars. EMNLP.
Tu (2012), Combining the sparsity and unambiguity biases for grammar induction. WILS.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.chart import (
    Counts,
    Grammar,
    TagCorpus,
    estimate_with_prior,
    expectations,
    log_prior,
    viterbi,
)
from treegauge.systems.dependency_induction.constraints import Constraints
from treegauge.systems.dependency_induction.grammar_inducer import Step
from treegauge.systems.dependency_induction.posterior_projection import (
    EdgeTypes,
    Projection,
    project_posterior,
)
from treegauge.systems.dependency_induction.posterior_sparse import smoothed
from treegauge.systems.dependency_induction.valences import ValenceInducer, ValenceSettings
from treegauge.systems.errors import SystemsError
from treegauge.systems.system import OnProgress

Posterior = Callable[[Grammar, float], tuple[Counts, float]]
"""From a grammar and a sigma to expected counts and the objective."""

HARD = 0.95
"""Above it powers overflow, and best trees are all that counts."""


@dataclass(frozen=True)
class UnambiguitySettings(ValenceSettings):
    """The schedule of sigma, and what wants sparse grammars: a Dirichlet prior or a penalty."""

    smoothing: float = setting(0.0, "not used: alpha is the prior", minimum=0, maximum=0)
    alpha: float = setting(1.0, "Dirichlet prior of every distribution", minimum=1e-6)
    sigma: tuple[float, ...] = setting(
        (1.0, -0.01, 0.0),
        "start, change per iteration, end: 0 is EM, 1 is Viterbi EM",
    )
    iterations: int = setting(200, "largest number of iterations", minimum=0)
    penalty: Literal["none", "symmetric", "asymmetric"] = setting(
        "none", "penalty on types of arcs, as in posterior-sparse; sigma is then at most 0.95"
    )
    # exp(-strength) is the least weight of an arc, and must be a number.
    strength: float = setting(140.0, "strength of the penalty; 0: none", minimum=0, maximum=700)
    gradient_steps: int = setting(10, "largest number of steps per penalised E-step", minimum=0)


class Unambiguity(ValenceInducer):
    """Prefers grammars under which sentences have few likely trees."""

    name = "unambiguity"
    settings_type: ClassVar[type[Settings]] = UnambiguitySettings

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        sigma = self.settings.sigma
        if len(sigma) != 3 or not (0 <= sigma[2] <= sigma[0] <= 1) or sigma[1] > 0:
            raise SystemsError(
                "unambiguity: setting sigma: expected a start, a step that is not positive, and an "
                f"end, between 0 and 1, as in 1,-0.01,0; found {', '.join(map(str, sigma))}"
            )

    @property
    def _is_penalised(self) -> bool:
        return bool(self.settings.penalty != "none" and self.settings.strength > 0)

    def _constraints(self) -> Constraints:
        constraints = super()._constraints()
        return constraints.firmer_than_penalties() if self._is_penalised else constraints

    def _learn(
        self, corpus: TagCorpus, random: np.random.Generator, on_progress: OnProgress
    ) -> Grammar:
        if self.settings.rules != "none":
            raise SystemsError(
                "unambiguity: universal rules constrain a posterior that sigma changes; "
                "use no_function_heads, or another system"
            )
        short = corpus.up_to(self.settings.max_length)
        grammar = self.initial(short, random)
        posterior = self._posterior(short)
        last = -np.inf
        for i in range(self.settings.iterations):
            sigma = self._sigma(i)
            counts, value = posterior(grammar, sigma)
            objective = value + log_prior(grammar, max(0.0, self.settings.alpha - 1))
            self.history.append(Step(objective, value, f"sigma {sigma:.2f}"))
            share = (i + 1) / self.settings.iterations
            on_progress(share, f"sigma {sigma:.2f}: objective {objective:.1f}")
            # Objectives of different sigmas cannot be compared.
            rests = i > 0 and sigma == self._sigma(i - 1)
            if rests and abs(objective - last) < self.settings.tolerance * abs(objective):
                break
            last = objective
            grammar = estimate_with_prior(
                counts,
                alpha=self.settings.alpha,
                backoff=self.settings.backoff,
                previous=grammar,
            )
        return smoothed(grammar) if self._is_penalised else grammar

    def _sigma(self, iteration: int) -> float:
        start, step, end = self.settings.sigma
        return float(max(end, round(start + iteration * step, 12)))

    def _posterior(self, corpus: TagCorpus) -> Posterior:
        """Return the E-step: powered posteriors, projected if there is a penalty."""
        if not self._is_penalised:
            return lambda grammar, sigma: self._powered_counts(grammar, corpus, sigma)
        types = EdgeTypes.of(corpus, penalty=self.settings.penalty)
        last: Projection | None = None

        def projected(grammar: Grammar, sigma: float) -> tuple[Counts, float]:
            nonlocal last
            sigma = min(sigma, HARD)  # best trees have no posterior that could be projected
            last = project_posterior(
                self._powered(grammar, sigma),
                corpus,
                types,
                sigma=self.settings.strength,
                steps=self.settings.gradient_steps,
                start=last,
            )
            # log Z - KL(q || powered) - penalty: neither E-step nor M-step lowers it.
            return last.posterior.counts, (1 - sigma) * last.objective

        return projected

    def _powered_counts(
        self, grammar: Grammar, corpus: TagCorpus, sigma: float
    ) -> tuple[Counts, float]:
        """Return counts under the powered posterior, and (1 - sigma) log Z of the powers."""
        if sigma > HARD:
            best = viterbi(self.constraints.barred(grammar), corpus)
            assert best.counts is not None
            return best.counts, float(best.scores.sum())
        e_step = expectations(self._powered(grammar, sigma), corpus)
        return e_step.counts, (1 - sigma) * e_step.log_likelihood

    def _powered(self, grammar: Grammar, sigma: float) -> Grammar:
        return self.constraints.barred(grammar.power(1 / (1 - sigma)))

"""The dependency model with valence under logistic normal priors.

Minimum-risk decoding and the grammar at the prior's mean, as the paper reports them. Where
universal rules are told, the expected trees of all sentences together must match them
before every sweep, so that sweeps are done by all sentences at once.

References
----------
Cohen, Gimpel and Smith (2008), Logistic normal priors for unsupervised probabilistic grammar
induction. NIPS.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.chart import Grammar, TagCorpus
from treegauge.systems.dependency_induction.coarse_groups import coarse_groups
from treegauge.systems.dependency_induction.grammar_inducer import (
    GrammarInducer,
    GrammarSettings,
    Step,
)
from treegauge.systems.dependency_induction.logistic_normal import (
    LogisticNormal,
)
from treegauge.systems.dependency_induction.variational_posterior import VariationalPosterior
from treegauge.systems.system import OnProgress

_EXACT = 1e-3
"""By how much, relatively, more arcs than asked for may be expected to match rules."""
_LARGEST = 20.0
"""Of the dual variable: what exp(20) does not reach, the sentences do not have."""


@dataclass(frozen=True)
class LndmvSettings(GrammarSettings):
    """Of the logistic normal prior."""

    smoothing: float = setting(0.0, "not used: the prior smooths", minimum=0, maximum=0)
    decode: Literal["viterbi", "minimum-risk"] = setting(
        "minimum-risk", "the most probable tree, or the tree with the most probable arcs"
    )
    covariance: Literal["identity", "families"] = setting(
        "identity", "initial covariance: none, or 0.5 between tags of one coarse group"
    )
    sweeps: int = setting(10, "largest number of sweeps over a sentence per iteration", minimum=1)


class Lndmv(GrammarInducer):
    """Every sentence has its own grammar, drawn from a logistic normal prior that is learnt."""

    name = "lndmv"
    settings_type: ClassVar[type[Settings]] = LndmvSettings
    seconds_per_word = 2e-4

    def _learn(
        self, corpus: TagCorpus, random: np.random.Generator, on_progress: OnProgress
    ) -> Grammar:
        short = corpus.up_to(self.settings.max_length)
        prior = self._prior(self.initial(short, random))
        posterior = VariationalPosterior(short, prior)
        last = -np.inf
        for i in range(self.settings.iterations):
            bound, objective = self._improve(posterior, prior, short.n_words)
            self.history.append(Step(objective, bound))
            on_progress((i + 1) / self.settings.iterations, f"log-likelihood >= {bound:.1f}")
            if abs(objective - last) < self.settings.tolerance * abs(objective):
                break
            last = objective
            prior = posterior.best_prior(prior)
        return prior.grammar

    def _prior(self, grammar: Grammar) -> LogisticNormal:
        if self.settings.covariance == "identity":
            return LogisticNormal.around(grammar)
        groups = coarse_groups(self.inventory, purpose=f"{self.name}: families of covariance")
        return LogisticNormal.around(grammar, groups=groups)

    def _improve(
        self, posterior: VariationalPosterior, prior: LogisticNormal, words: int
    ) -> tuple[float, float]:
        """Return the bound, and the objective: less what rules subtract."""
        rules = self.constraints.rules
        if rules is None:
            bound = posterior.improve(
                prior, by_tags=self._arc_logs(0.0), sweeps=self.settings.sweeps
            )
            return bound, bound
        wanted = self.constraints.share * words
        for _ in range(self.settings.sweeps):
            dual = self._least_dual(posterior, prior, rules, wanted)
            bound = posterior.improve(prior, by_tags=self._arc_logs(dual), sweeps=1)
        self.constraints.dual = dual
        return bound, bound - dual * wanted

    def _arc_logs(self, dual: float) -> NDArray[np.float64] | None:
        """Return what constraints add to the logarithms of arcs."""
        if not self.constraints.are_there:
            return None
        n = len(self.inventory.tags)
        logs = np.zeros((n + 1, n))
        if self.constraints.bars is not None:
            logs += np.log(self.constraints.bars)
        if self.constraints.rules is not None:
            logs += dual * self.constraints.rules
        return logs

    def _least_dual(
        self,
        posterior: VariationalPosterior,
        prior: LogisticNormal,
        rules: NDArray[np.bool_],
        wanted: float,
    ) -> float:
        """Find the least y >= 0 for which enough arcs are expected to match."""

        def excess(dual: float) -> float:
            matching = posterior.matching_arcs(prior, rules, by_tags=self._arc_logs(dual))
            return matching - (1 + _EXACT / 2) * wanted

        if excess(0.0) >= 0:
            return 0.0
        if excess(_LARGEST) <= 0:
            return _LARGEST
        return float(brentq(excess, 0.0, _LARGEST, xtol=1e-4))

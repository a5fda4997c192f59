"""The dependency model with valence, with features: related tags learn from each other.

Classes of tags are known by their universal names, as in the paper. The default of kappa is not
the paper's: of 10, 1 and 0.1 it had the best accuracy on the development parts of ten treebanks,
so that results with it owe that much to labelled text.

References
----------
Berg-Kirkpatrick, Bouchard-Côté, DeNero and Klein (2010), Painless unsupervised learning with
features. NAACL.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from scipy.optimize import OptimizeResult, minimize

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.chart import Counts, Grammar, TagCorpus
from treegauge.systems.dependency_induction.grammar_inducer import (
    GrammarInducer,
    GrammarSettings,
    Step,
)
from treegauge.systems.dependency_induction.log_linear_grammar import (
    Floats,
    LogLinearGrammar,
    LogLinearModel,
)
from treegauge.systems.dependency_induction.tag_classes import tag_classes
from treegauge.systems.errors import SystemsError
from treegauge.systems.system import OnProgress


@dataclass(frozen=True)
class FeatureSettings(GrammarSettings):
    """The features, what keeps their weights small, and how they are learnt."""

    smoothing: float = setting(0.0, "not used: kappa is the prior", minimum=0, maximum=0)
    kappa: float = setting(1.0, "weight of the penalty on squared feature weights", minimum=0)
    features: Literal["all", "basic"] = setting(
        "all", "features of tags and of tag classes, or of tags alone"
    )
    learning: Literal["em", "gradient"] = setting(
        "em", "EM that fits the weights in every M-step, or L-BFGS on the likelihood"
    )
    fitting_steps: int = setting(20, "largest number of Newton steps per M-step", minimum=1)


class FeatureDmv(GrammarInducer):
    """Events of related tags share features, and so what is learnt of them."""

    name = "feature-dmv"
    settings_type: ClassVar[type[Settings]] = FeatureSettings
    seconds_per_word = 5e-5

    model: LogLinearModel

    def _learn(
        self, corpus: TagCorpus, random: np.random.Generator, on_progress: OnProgress
    ) -> Grammar:
        short = corpus.up_to(self.settings.max_length)
        self.model = LogLinearModel.of(
            tag_classes(self.inventory), shared=self.settings.features == "all"
        )
        first, _ = self._expectations(self.initial(short, random), short)
        grammar = self._fitted(first.counts, np.zeros(self.model.n_features))
        if self.settings.learning == "em":
            return self.expectation_maximisation(grammar, short, on_progress)
        if self.settings.rules != "none":
            raise SystemsError(
                "feature-dmv: the gradient of the likelihood knows no universal rules; "
                "use learning=em with them"
            )
        return self._ascend(_feature_weights(grammar), short, on_progress)

    def _fitted(self, counts: Counts, weights: Floats) -> LogLinearGrammar:
        return self.model.grammar(
            self.model.fitted(
                counts, weights, kappa=self.settings.kappa, steps=self.settings.fitting_steps
            )
        )

    def _estimate(self, counts: Counts, previous: Grammar) -> Grammar:
        return self._fitted(counts, _feature_weights(previous))

    def _log_prior(self, grammar: Grammar) -> float:
        weights = _feature_weights(grammar)
        return -float(self.settings.kappa * (weights @ weights))

    def _ascend(self, start: Floats, corpus: TagCorpus, on_progress: OnProgress) -> Grammar:
        """Climb the likelihood with kappa's penalty by L-BFGS (the paper's direct gradient).

        By Fisher's identity its gradient is that of an M-step at the counts of the E-step.
        """
        likelihoods: dict[float, float] = {}
        kappa = self.settings.kappa

        def loss(weights: Floats) -> tuple[float, Floats]:
            grammar = self.model.grammar(weights)
            e_step, _ = self._expectations(grammar, corpus)
            value = -(e_step.log_likelihood + self._log_prior(grammar))
            likelihoods[value] = e_step.log_likelihood
            return value, 2 * kappa * weights - self.model.gradient(e_step.counts, weights)

        def on_iteration(intermediate_result: OptimizeResult) -> None:
            value = float(intermediate_result.fun)
            self.history.append(Step(-value, likelihoods[value]))
            share = len(self.history) / max(1, self.settings.iterations)
            on_progress(min(1.0, share), f"log-likelihood {likelihoods[value]:.1f}")

        optimum = minimize(
            loss,
            start,
            jac=True,
            method="L-BFGS-B",
            callback=on_iteration,
            options={"maxiter": self.settings.iterations, "ftol": self.settings.tolerance},
        )
        return self.model.grammar(optimum.x)


def _feature_weights(grammar: Grammar) -> Floats:
    assert isinstance(grammar, LogLinearGrammar)
    assert grammar.feature_weights is not None
    return grammar.feature_weights

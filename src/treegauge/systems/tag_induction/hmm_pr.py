"""A hidden Markov model with features of words, told to give every type few tags.

Emissions are log-linear: rare words share what they look like
(`maximum_entropy_emissions.py`). EM is told through the posterior that the words of a frequent
type are to have few tags (`sparse_posterior.py`); without that (`sigma=0`) it is plain EM, which
gives a type five tags or more. The first rounds are plain: types that are told so while all tags
are still alike would agree on one tag for them all. A round takes one step of the projection from
where the last round left it, so that posteriors become sparse along with EM.

Tags are those of the model that was learnt, without the constraints, so that texts of any kind
can be tagged; an unseen word has the emissions of its features.

References
----------
Graça, Ganchev, Taskar and Pereira (2009); Graça, Ganchev, Coheur, Pereira and Taskar (2011),
Controlling complexity in part-of-speech induction. JAIR.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import setting
from treegauge.systems.hidden_markov.limited_memory_ascent import ascend
from treegauge.systems.hidden_markov.maximum_entropy_emissions import (
    Emissions,
    design,
    known_features,
)
from treegauge.systems.hidden_markov.parameters import (
    Floats,
    normalised_transitions,
    possible,
    scaled,
)
from treegauge.systems.saved_state import SavedState, vocabulary_arrays
from treegauge.systems.system import Arrays, OnProgress
from treegauge.systems.tag_induction.encoded_text import EncodedText
from treegauge.systems.tag_induction.hidden_markov_inducer import (
    HiddenMarkovInducer,
    HiddenMarkovSettings,
)
from treegauge.systems.tag_induction.sparse_posterior import (
    SparsePosterior,
    WordsByType,
    sparse_posterior,
)
from treegauge.treebank import Vocabulary


@dataclass(frozen=True)
class HmmPrSettings(HiddenMarkovSettings):
    """What can be chosen about the model."""

    sigma: float = setting(
        32.0, "strength of the penalty on many tags per type; 0: none", minimum=0
    )
    constrained_count: int = setting(10, "smallest frequency of a type for this penalty", minimum=1)
    iterations: int = setting(200, "iterations of EM in total", minimum=1)
    plain_iterations: int = setting(
        30,
        "initial iterations of plain EM, so that posteriors differ before they become sparse",
        minimum=0,
    )
    dual_steps: int = setting(1, "steps of the projection per iteration", minimum=0)
    steps: int = setting(10, "steps of the emission optimiser per iteration", minimum=1)
    variance: float = setting(1.0, "variance of the prior on feature weights", minimum=1e-6)
    smoothing: float = setting(0.1, "added to the expected count of every transition", minimum=1e-6)
    frequent_word: int = setting(
        10, "smallest frequency of words that are features themselves", minimum=1
    )
    frequent_ending: int = setting(20, "smallest frequency of endings that are features", minimum=1)


class HmmPr(HiddenMarkovInducer):
    """An HMM with maximum-entropy emissions and sparse posteriors.

    Attributes
    ----------
    history : list of float
        The objective before every round: log-likelihood, minus divergence and penalty of the
        posterior, with the log prior. It falls once, after the plain rounds, which pay no
        penalty. Else it never falls if projections come to rest; with few steps it can, a
        little.
    tags_per_type : float
        The sum of the largest posteriors of a type's tags, on average over constrained types:
        about how many tags such a type has. 0 if none is constrained.
    """

    name = "hmm-pr"
    settings_type = HmmPrSettings
    seconds_per_word = 6e-4

    tags_per_type: float
    _features: tuple[str, ...]
    _weights: Floats
    _log_sums: Floats

    def _learn(self, text: EncodedText, n_states: int, on_progress: OnProgress) -> Floats:
        settings = self.settings
        generator = np.random.default_rng(self.seed)
        self._features = known_features(
            text.forms.strings,
            text.counts.tolist(),
            frequent_word=settings.frequent_word,
            frequent_ending=settings.frequent_ending,
        )
        model = Emissions.of(design(text.forms.strings, self._features), settings.variance)
        words = WordsByType.of(text, settings.constrained_count)
        self._begin(text, n_states, model, generator)
        self.history = []
        point: SparsePosterior | None = None
        for i in range(settings.iterations):
            emissions, scales = scaled(model.log_chances_of_looks(self._weights))
            log_prior = self._log_prior(model)
            is_plain = i < settings.plain_iterations
            point = sparse_posterior(
                text,
                emissions[model.look_of],
                scales[model.look_of],
                self.transitions,
                words,
                sigma=0.0 if is_plain else settings.sigma,
                steps=settings.dual_steps,
                start=point,
            )
            self.history.append(point.objective + log_prior)
            self.tags_per_type = words.norm(point.expected) / max(words.n_constrained, 1)
            on_progress(
                (i + 1) / settings.iterations,
                f"EM {i + 1}: {self.history[-1]:.1f}, {self.tags_per_type:.2f} tags per type",
            )
            self._improve(words.counts(point.posterior.emitted), point.posterior.passed, model)
        assert point is not None
        self._log_sums = model.log_sums(self._weights)
        expected: Floats = point.posterior.emitted.sum(axis=0)
        return expected

    def _begin(
        self,
        text: EncodedText,
        n_states: int,
        model: Emissions,
        generator: np.random.Generator,
    ) -> None:
        """Estimate parameters from random posteriors."""
        self._weights = np.zeros((len(self._features), n_states))
        drawn = generator.random((len(text.words), n_states))
        drawn /= drawn.sum(axis=1, keepdims=True)
        emitted: Floats = np.stack(
            [np.bincount(text.words, drawn[:, t], text.n_types) for t in range(n_states)], axis=1
        ).astype(np.float64)
        passed = 1 + generator.random((n_states + 1, n_states + 1))
        self._improve(emitted, passed, model)

    def _improve(self, emitted: Floats, passed: Floats, model: Emissions) -> None:
        """Take parameters that are better for expected counts."""
        self.transitions = normalised_transitions(passed + self.settings.smoothing)
        counts = model.counts_of_looks(emitted)
        self._weights = ascend(
            partial(model.gain, counts),
            self._weights,
            steps=self.settings.steps,
            diagonal=1 / model.curvature(counts.sum(axis=0), self._weights),
        )

    def _log_prior(self, model: Emissions) -> float:
        """Return the log prior of the parameters, but for a constant."""
        transitions = self.settings.smoothing * np.log(possible(self.transitions)).sum()
        return float(transitions) - model.penalty(self._weights)

    def _order_emissions(self, order: NDArray[np.int64]) -> None:
        self._weights = self._weights[:, order]
        self._log_sums = self._log_sums[order]

    def _log_emissions(self, words: Sequence[str]) -> Floats:
        logs: Floats = design(words, self._features) @ self._weights - self._log_sums
        return logs

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = super()._state()
        arrays |= vocabulary_arrays(Vocabulary.from_strings(self._features), "features")
        arrays |= {"weights": self._weights, "log_sums": self._log_sums}
        return arrays, facts | {"tags_per_type": self.tags_per_type}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        super()._restore(arrays, facts)
        saved = SavedState(arrays, facts)
        self._features = saved.vocabulary("features").strings
        self._weights = saved.numbers("weights", (len(self._features), self.n_classes))
        self._log_sums = saved.numbers("log_sums", (self.n_classes,))
        self.tags_per_type = saved.number("tags_per_type")

"""The hidden Markov model over words, learnt by EM or by Gibbs sampling.

EM raises the likelihood, with the prior that smoothing stands for, from random emissions; it
gives all tags about equally many words, which real tags have not. The sampler has the parameters
integrated out (`tagged_counts.py`), and with priors below 1 prefers tags of few words. Its
parameters are the posterior means that belong to the last sample.

An unseen word is taken for the known word with the longest common suffix, of several the most
frequent.

References
----------
Merialdo (1994); Goldwater and Griffiths (2007); Johnson (2007); Gao and Johnson (2008).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import setting
from treegauge.systems.hidden_markov.expectations import expectations
from treegauge.systems.hidden_markov.parameters import (
    Floats,
    normalised_transitions,
    possible,
    scaled,
)
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress
from treegauge.systems.tag_induction.encoded_text import EncodedText
from treegauge.systems.tag_induction.hidden_markov_inducer import (
    HiddenMarkovInducer,
    HiddenMarkovSettings,
)
from treegauge.systems.tag_induction.suffix_neighbours import SuffixNeighbours
from treegauge.systems.tag_induction.tagged_counts import TaggedCounts

_LOOK_EVERY = 10
"""Sweeps between looks at the joint probability."""
_SECONDS_OF_SAMPLER = 1.7e-4
"""For a word: a sweep costs a state what a round of EM costs a pair of states."""


@dataclass(frozen=True)
class HmmSettings(HiddenMarkovSettings):
    """What can be chosen about the model."""

    learner: Literal["em", "gibbs"] = setting("em", "the learning algorithm")
    iterations: int = setting(
        1000, "largest number of iterations of EM, or sweeps of the sampler", minimum=1
    )
    tolerance: float = setting(
        1e-6, "EM stops when an iteration gains less than this share of the objective", minimum=0
    )
    smoothing: float = setting(
        0.1, "added to every count of a transition; the sampler's prior", minimum=1e-9
    )
    word_smoothing: float = setting(
        0.001, "added to every count of a word with a tag; the sampler's prior", minimum=1e-9
    )


class Hmm(HiddenMarkovInducer):
    """A first-order hidden Markov model."""

    name = "hmm"
    settings_type = HmmSettings
    seconds_per_word = 2e-4

    _logs: Floats
    """log P(type | state), [types, states]."""

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        if self.settings.learner == "gibbs":
            self.seconds_per_word = _SECONDS_OF_SAMPLER

    def _learn(self, text: EncodedText, n_states: int, on_progress: OnProgress) -> Floats:
        generator = np.random.default_rng(self.seed)
        self.history = []
        if self.settings.learner == "gibbs":
            return self._sample(text, n_states, generator, on_progress)
        return self._maximise(text, n_states, generator, on_progress)

    def _maximise(
        self,
        text: EncodedText,
        n_states: int,
        generator: np.random.Generator,
        on_progress: OnProgress,
    ) -> Floats:
        iterations = self.settings.iterations
        emitted = text.counts[:, None] * generator.exponential(size=(text.n_types, n_states))
        self._estimate(emitted, generator.random((n_states + 1, n_states + 1)))
        for i in range(iterations):
            e_step = expectations(text.words, text.offsets, *scaled(self._logs), self.transitions)
            self.history.append(e_step.log_likelihood + self._log_prior())
            emitted = e_step.emitted
            is_at_rest = self._is_at_rest()
            share = 1.0 if is_at_rest else (i + 1) / iterations
            on_progress(share, f"EM {i + 1}: {self.history[-1]:.1f}")
            if is_at_rest:
                break
            self._estimate(e_step.emitted, e_step.passed)
        expected: Floats = emitted.sum(axis=0)
        return expected

    def _is_at_rest(self) -> bool:
        if len(self.history) < 2:
            return False
        before, now = self.history[-2:]
        return bool(now - before < self.settings.tolerance * abs(before))

    def _sample(
        self,
        text: EncodedText,
        n_states: int,
        generator: np.random.Generator,
        on_progress: OnProgress,
    ) -> Floats:
        iterations = self.settings.iterations
        counts = TaggedCounts(
            text.words,
            text.offsets,
            generator.integers(0, n_states, len(text.words)).astype(np.int32),
            n_types=text.n_types,
            n_tags=n_states,
            alpha=self.settings.smoothing,
            beta=self.settings.word_smoothing,
        )
        for i in range(iterations):
            moves = counts.sweep(generator)
            if (i + 1) % _LOOK_EVERY and i + 1 < iterations:
                continue
            self.history.append(counts.log_joint())
            on_progress(
                (i + 1) / iterations,
                f"sweep {i + 1}: {self.history[-1]:.1f}, {moves:,} words moved",
            )
        self._estimate(counts.emitted.astype(np.float64), counts.passed.astype(np.float64))
        return counts.totals.astype(np.float64)

    def _estimate(self, emitted: Floats, passed: Floats) -> None:
        """Take the smoothed shares of counts for parameters."""
        self.transitions = normalised_transitions(passed + self.settings.smoothing)
        emitted = emitted + self.settings.word_smoothing
        self._logs = np.log(emitted) - np.log(emitted.sum(axis=0))

    def _log_prior(self) -> float:
        """Return the log prior of the parameters, but for a constant."""
        transitions = self.settings.smoothing * np.log(possible(self.transitions)).sum()
        return float(transitions + self.settings.word_smoothing * self._logs.sum())

    def _order_emissions(self, order: NDArray[np.int64]) -> None:
        self._logs = self._logs[:, order]

    def _log_emissions(self, words: Sequence[str]) -> Floats:
        place = {form: i for i, form in enumerate(self.forms)}
        numbers = [place.get(word, -1) for word in words]
        if -1 in numbers:
            # Types are numbered by frequency: the least number is the most frequent.
            neighbours = SuffixNeighbours(self.forms.strings, np.arange(len(self.forms)))
            numbers = [
                neighbours.class_of(word) if number < 0 else number
                for word, number in zip(words, numbers, strict=True)
            ]
        return self._logs[np.array(numbers, np.int64)]

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = super()._state()
        return arrays | {"log_emissions": self._logs}, facts

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        super()._restore(arrays, facts)
        saved = SavedState(arrays, facts)
        self._logs = saved.numbers("log_emissions", (len(self.forms), self.n_classes))

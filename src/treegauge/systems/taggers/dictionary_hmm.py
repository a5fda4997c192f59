"""A tagger from raw text and a dictionary: an HMM in which words have only the tags listed.

First-order transitions, maximum-entropy emissions, EM (Li, Graça and Taskar 2012, "Wiki-ly
supervised part-of-speech tagging"). Words are looked up as they stand, then in lower case; marks
and numbers that the dictionary lacks are `.` and NUM; other words may have any tag, or any of the
open classes.

The model keeps the fingerprint of its dictionary, and what it tags says so in a comment: the same
dictionary must not score it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.dictionaries import Matching, TagDictionary
from treegauge.dictionaries.matching import look_up
from treegauge.dictionaries.tag_sets import ALL_TAGS, CODE, TAGS, tag_mask
from treegauge.dictionaries.training_use import FACT
from treegauge.settings import Settings, setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.hidden_markov._hmm_numba import best_path
from treegauge.systems.hidden_markov.expectations import expectations, likeliest_tags
from treegauge.systems.hidden_markov.maximum_entropy_emissions import (
    Emissions,
    design,
    known_features,
)
from treegauge.systems.hidden_markov.parameters import (
    normalised_transitions,
    possible,
    scaled,
)
from treegauge.systems.saved_state import SavedState, damaged, vocabulary_arrays
from treegauge.systems.system import Arrays, OnProgress, Supervision, System
from treegauge.systems.taggers.training_dictionary import marked, open_dictionary
from treegauge.treebank import Column, Treebank, Vocabulary, is_punctuation_form

Allowed = NDArray[np.bool_]
"""Which tags words may have, `[words, tags]`; each has at least one."""
OPEN_CLASSES = ("NOUN", "VERB", "ADJ", "ADV", "NUM", "X")
_LOOKED_UP = Matching(casing="backoff", numbers=True)
_LEAST = 1e-30
"""No smoothed transition is less likely, whatever the text."""


@dataclass(frozen=True)
class DictionaryHmmSettings(Settings):
    """What can be chosen about the tagger."""

    dictionary: str = setting("", "words and their possible tags: a file, or toy:svo")
    unknown: Literal["all", "open"] = setting(
        "all", "tags of a word that is not in it: any, or those of open classes"
    )
    iterations: int = setting(50, "largest number of iterations of EM", minimum=1)
    tolerance: float = setting(
        1e-5,
        "EM stops when an iteration gains less than this share of the log-likelihood",
        minimum=0,
    )
    variance: float = setting(1.0, "variance of the prior on feature weights", minimum=1e-6)
    smoothing: float = setting(0.1, "added to the expected count of every transition", minimum=1e-6)
    steps: int = setting(10, "steps of the optimiser per iteration", minimum=1)
    frequent_word: int = setting(
        10, "smallest frequency of words that are features themselves", minimum=1
    )
    frequent_ending: int = setting(20, "smallest frequency of endings that are features", minimum=1)
    decoding: Literal["posterior", "viterbi"] = setting(
        "posterior", "the most probable tag of every word, or the most probable tag sequence"
    )


class DictionaryHmm(System):
    """An HMM with maximum-entropy emissions whose words have the tags of a dictionary.

    Attributes
    ----------
    history : list of float
        What EM raises, before every round: log-likelihood and log prior.
    has_converged : bool
        Whether EM came to rest.
    """

    name = "dictionary-hmm"
    task = "tags"
    settings_type = DictionaryHmmSettings
    seconds_per_word = 2e-4

    @property
    def supervision(self) -> Supervision:
        """It is told which tags words may have."""
        return "dictionary"

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        self._dictionary = self._opened()
        forms = treebank.form.compact()
        words = forms.vocabulary.strings
        counts = np.bincount(forms.codes, minlength=len(words))
        allowed = self._allowed(words)
        self._features = known_features(
            words,
            counts.tolist(),
            frequent_word=self.settings.frequent_word,
            frequent_ending=self.settings.frequent_ending,
        )
        model = Emissions.of(design(words, self._features), self.settings.variance)
        offsets = np.asarray(treebank.offsets, np.int64)
        self._learn(forms.codes, offsets, model, allowed, on_progress)

    def _opened(self) -> TagDictionary:
        if not self.settings.dictionary:
            raise SystemsError(
                f"{self.name} needs a dictionary of the language\n"
                "  --set dictionary=FILE; `treegauge dictionary import` makes one"
            )
        return open_dictionary(self.settings.dictionary)

    def _learn(
        self,
        words: NDArray[np.int32],
        offsets: NDArray[np.int64],
        model: Emissions,
        allowed: Allowed,
        on_progress: OnProgress,
    ) -> None:
        n_tags = len(TAGS)
        # All alike: what breaks the symmetry is the dictionary.
        self._weights = np.zeros((model.features.shape[1], n_tags))
        self._transitions = normalised_transitions(np.ones((n_tags + 1, n_tags + 1)))
        self.history: list[float] = []
        self.has_converged = False
        for iteration in range(self.settings.iterations):
            logs = np.where(allowed, model.log_chances(self._weights), -np.inf)
            e_step = expectations(words, offsets, *scaled(logs), self._transitions)
            self.history.append(e_step.log_likelihood + self._log_prior(model))
            on_progress(
                iteration / self.settings.iterations,
                f"EM {iteration + 1}: log-likelihood {e_step.log_likelihood:.1f}",
            )
            if self._is_at_rest():
                self.has_converged = True
                break
            self._transitions = normalised_transitions(e_step.passed + self.settings.smoothing)
            counts = model.counts_of_looks(e_step.emitted)
            self._weights = model.fitted(counts, self._weights, steps=self.settings.steps)
        self._log_sums = model.log_sums(self._weights)

    def _log_prior(self, model: Emissions) -> float:
        """Return the log prior of the parameters, but for a constant."""
        transitions = self.settings.smoothing * np.log(possible(self._transitions)).sum()
        return float(transitions) - model.penalty(self._weights)

    def _is_at_rest(self) -> bool:
        if len(self.history) < 2:
            return False
        before, now = self.history[-2:]
        return bool(now - before < self.settings.tolerance * abs(before))

    def _allowed(self, words: Sequence[str]) -> Allowed:
        """Return which tags words may have, `[words, tags]`."""
        entries = look_up(self._dictionary, words, _LOOKED_UP)
        masks = entries.mask.astype(np.int64)
        missing = masks == 0
        is_mark = np.array([is_punctuation_form(word) for word in words], np.bool_)
        anything = ALL_TAGS if self.settings.unknown == "all" else tag_mask(OPEN_CLASSES)
        masks[missing] = np.where(is_mark[missing], 1 << CODE["."], anything)
        allowed: Allowed = (masks[:, None] >> np.arange(len(TAGS)) & 1).astype(np.bool_)
        return allowed

    def _annotate(self, treebank: Treebank, _on_progress: OnProgress) -> Treebank:
        forms = treebank.form.compact()
        words = forms.vocabulary.strings
        # A word that was not in the text has the score that one of its looks would have had.
        scores = design(words, self._features) @ self._weights - self._log_sums
        emissions, scales = scaled(np.where(self._allowed(words), scores, -np.inf))
        offsets = np.asarray(treebank.offsets, np.int64)
        if self.settings.decoding == "viterbi":
            tags = np.zeros(treebank.n_words, np.int32)
            best_path(forms.codes, offsets, emissions, self._transitions, tags)
        else:
            tags = likeliest_tags(forms.codes, offsets, emissions, scales, self._transitions)
        return treebank.replace(
            columns={"upos": Column(tags, Vocabulary.from_strings(TAGS)).compact()}
        )

    def _merged(self, treebank: Treebank, annotated: Treebank) -> Treebank:
        return marked(super()._merged(treebank, annotated), self._dictionary.fingerprint)

    # ------------------------------------------------------------------ save and load

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays: Arrays = {
            **vocabulary_arrays(self._dictionary.forms, "forms"),
            "masks": self._dictionary.masks,
            **vocabulary_arrays(Vocabulary.from_strings(self._features), "features"),
            "weights": self._weights,
            "log_sums": self._log_sums,
            "transitions": self._transitions,
        }
        facts = {
            FACT: self._dictionary.fingerprint,
            "dictionary_name": self._dictionary.name,
            "history": self.history,
            "has_converged": self.has_converged,
        }
        return arrays, facts

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        n_tags = len(TAGS)
        forms = saved.vocabulary("forms")
        masks = saved.integers(
            "masks", shape=(len(forms),), least=1, below=ALL_TAGS + 1, dtype=np.uint16
        )
        self._dictionary = TagDictionary(forms, masks, name=saved.text("dictionary_name"))
        if self._dictionary.fingerprint != saved.text(FACT):
            raise damaged("its dictionary is not the one it was trained with")
        self._features = saved.vocabulary("features").strings
        self._weights = saved.numbers("weights", (len(self._features), n_tags))
        self._log_sums = saved.numbers("log_sums", (n_tags,))
        self._transitions = saved.numbers("transitions", (n_tags + 1, n_tags + 1), most=1)
        if (possible(self._transitions) < _LEAST).any():
            raise damaged("a transition has no probability")
        self.history = saved.series("history")
        self.has_converged = saved.truth("has_converged")

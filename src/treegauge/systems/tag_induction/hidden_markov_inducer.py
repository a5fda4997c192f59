"""What inducers share that are hidden Markov models over words: states are tags.

A subclass learns transitions and emissions (`_learn`); numbering the text, ordering states,
decoding, saving, and the states in words are here. A word can have another tag wherever it
stands.

States are numbered by the words that the model expects of them in the text, the most first.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.hidden_markov._hmm_numba import best_path
from treegauge.systems.hidden_markov.expectations import likeliest_tags
from treegauge.systems.hidden_markov.parameters import Floats, possible, scaled
from treegauge.systems.saved_state import SavedState, damaged, vocabulary_arrays
from treegauge.systems.system import Arrays, OnProgress, System
from treegauge.systems.tag_induction.encoded_text import EncodedText, encode, preprocessed
from treegauge.systems.tag_induction.word_class_inducer import WordClassSettings
from treegauge.treebank import Column, Treebank, Vocabulary

_LONGEST_SHOWN = 40
"""Characters of a word that `describe_grammar` shows."""
_LEAST = 1e-100
"""Of transitions in a model: smoothing keeps all of them far above it, and sums from underflow."""


@dataclass(frozen=True)
class HiddenMarkovSettings(WordClassSettings):
    """What all of them can be told."""

    decoding: Literal["posterior", "viterbi"] = setting(
        "posterior", "the most probable tag of every word, or the most probable tag sequence"
    )


class HiddenMarkovInducer(System):
    """A hidden Markov model whose states are tags.

    Attributes
    ----------
    forms : Vocabulary
        The types of the text, the most frequent first.
    transitions : array
        P(b | a); the last state is the boundary.
    shares : array
        The share of words that each state is expected to have in the text.
    history : list of float
        What learning raises, or looks at, before every iteration.
    """

    task = "tags"
    settings_type: ClassVar[type[Settings]] = HiddenMarkovSettings
    is_deterministic = False
    tags_types: ClassVar[bool] = False
    """Words of one type can have different tags."""

    forms: Vocabulary
    transitions: Floats
    shares: Floats
    history: list[float]

    @abstractmethod
    def _learn(self, text: EncodedText, n_states: int, on_progress: OnProgress) -> Floats:
        """Learn from a text with at least one word; return the words expected of each state."""

    @abstractmethod
    def _order_emissions(self, order: NDArray[np.int64]) -> None:
        """Take the states in another order."""

    @abstractmethod
    def _log_emissions(self, words: Sequence[str]) -> Floats:
        """Return log P(word | state), [words, states], up to a factor for each word."""

    @property
    def n_classes(self) -> int:
        """The number of states."""
        return len(self.shares)

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        text = encode(
            treebank,
            fold_case=self.settings.fold_case,
            conflate_digits=self.settings.conflate_digits,
        )
        self.forms = text.forms
        expected = self._learn(text, min(self.settings.classes, text.n_types), on_progress)
        order = np.argsort(-expected, kind="stable")
        self.shares = expected[order] / expected.sum()
        with_boundary = np.append(order, len(order))
        self.transitions = self.transitions[np.ix_(with_boundary, with_boundary)]
        self._order_emissions(order)

    def _annotate(self, treebank: Treebank, _on_progress: OnProgress) -> Treebank:
        forms = preprocessed(
            treebank.form,
            fold_case=self.settings.fold_case,
            conflate_digits=self.settings.conflate_digits,
        ).compact()
        emissions, scales = scaled(self._log_emissions(forms.vocabulary.strings))
        offsets = np.asarray(treebank.offsets, np.int64)
        if self.settings.decoding == "viterbi":
            tags = np.zeros(treebank.n_words, np.int32)
            best_path(forms.codes, offsets, emissions, self.transitions, tags)
        else:
            tags = likeliest_tags(forms.codes, offsets, emissions, scales, self.transitions)
        names = Vocabulary.from_strings(map(str, range(self.n_classes)))
        return treebank.replace(columns={"upos": Column(tags, names).compact()})

    # ------------------------------------------------------------------ for people, for files

    def describe_grammar(self, top: int = 10) -> str:
        """Return the states in words: their share, likeliest words and likeliest successor."""
        logs = self._log_emissions(self.forms.strings)
        noun = "state" if self.n_classes == 1 else "states"
        lines = [f"{self.n_classes:,} {noun}: {len(self.forms):,} types"]
        for state in range(self.n_classes):
            likeliest = np.argsort(-logs[:, state], kind="stable")[:top]
            shown = " ".join(self.forms[int(i)][:_LONGEST_SHOWN] for i in likeliest)
            successor = int(np.argmax(self.transitions[state]))
            follows = "the end" if successor == self.n_classes else str(successor)
            lines.append(
                f"{state:>4}  {self.shares[state]:6.1%} of words  "
                f"then {follows} ({self.transitions[state, successor]:.0%})  {shown}"
            )
        return "\n".join(lines) + "\n"

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays = {
            **vocabulary_arrays(self.forms, "forms"),
            "transitions": self.transitions,
            "shares": self.shares,
        }
        return arrays, {"history": self.history}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        self.forms = saved.vocabulary("forms")
        self.shares = saved.numbers("shares", (None,))
        n_states = len(self.shares)
        self.transitions = saved.numbers("transitions", (n_states + 1, n_states + 1), most=1)
        if not n_states or (possible(self.transitions) < _LEAST).any():
            raise damaged("a transition has no probability")
        self.history = saved.series("history")

"""S1 of Søgaard (2012): words ranked by PageRank over their sentence, trees grown by rank.

Words link to words they stand close to, to neighbours that are function words, to words that
look different, and to verbs; so rank flows to what is central in the sentence. The highest
word is the root, and each further one hangs on the nearest word above it in rank.

The paper leaves much open; the graph here is one reading of it, and is not known to give the
published figures. Auxiliaries count as verbs only if asked for: the paper's 12 tags make no
difference between the two, but those of Universal Dependencies do, and there a verb is the
head. Trees need not be projective.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction import _soegaard_numba as kernels
from treegauge.systems.dependency_induction.function_words import function_words
from treegauge.systems.dependency_induction.universal_rules import find_rules, rule_matrix
from treegauge.systems.long_sentences import QUADRATIC, whole_up_to
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, DependencyInducer, OnProgress, Supervision
from treegauge.treebank import Column, Treebank, without_punctuation


@dataclass(frozen=True)
class GraphSettings(Settings):
    """What links words, and how they are ranked."""

    tags: str = setting("u", "the tag column for verbs and rules: u, u12")
    auxiliaries_are_verbs: bool = setting(False, "count AUX as VERB, as the 12 universal tags do")
    damping: float = setting(
        0.85,
        "probability that a walk follows a link and does not restart",
        minimum=0.0,
        maximum=1.0,
    )
    tolerance: float = setting(1e-8, "largest change of stable ranks", minimum=0.0)
    max_iterations: int = setting(1000, "largest number of rounds of PageRank", minimum=1)
    reach: int = setting(2, "largest distance of linked words", minimum=0)
    affix: int = setting(
        3, "number of first and last letters to compare; 0: no such links", minimum=0
    )
    verbs: bool = setting(True, "link all words to verbs; this needs tags")
    n_function_words: int = setting(100, "number of function words in the text", minimum=0)
    longest_whole: int = whole_up_to(QUADRATIC)


@dataclass(frozen=True)
class SoegaardPagerankSettings(GraphSettings):
    """Settings of S1."""

    universal_rules: bool = setting(False, "prefer heads that a universal rule allows")
    rules: Literal["naseem", "noji", "udp"] = setting(
        "naseem", "the rules, if universal_rules is true"
    )


class SoegaardPagerank(DependencyInducer):
    """Ranks words by PageRank and hangs each on the nearest word of higher rank.

    Fitting counts which words are function words; a system that was never fitted finds them
    in the text it annotates, as the paper did.
    """

    name = "soegaard-pagerank"
    settings_type = SoegaardPagerankSettings
    seconds_per_word = 1e-6

    def __init__(
        self, settings: Settings | Mapping[str, Any] | None = None, *, seed: int = 0
    ) -> None:
        super().__init__(settings, seed=seed)
        self.function_words: tuple[str, ...] | None = None
        self.is_fitted = True

    @property
    def supervision(self) -> Supervision:
        """Rules are told, everything else is found."""
        return "universal rules" if self.settings.universal_rules else "unsupervised"

    def memory_for(self, words: int) -> int:
        """Return the bytes for the links between the words of a sentence."""
        return 8 * words**2

    def _fit(self, treebank: Treebank, _on_progress: OnProgress) -> None:
        words = without_punctuation(treebank)
        self.function_words = function_words(words, self.settings.n_function_words)

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        known = self.function_words
        return {}, {"function_words": None if known is None else list(known)}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        known = saved.fact("function_words")
        self.function_words = None if known is None else saved.strings("function_words")

    def _heads(self, words: Treebank, _on_progress: OnProgress) -> NDArray[np.int32]:
        if not words.n_words:
            return np.zeros(0, np.int32)
        settings = self.settings
        tag = Column.constant("_", words.n_words)
        allowed = np.zeros((2, 1), np.bool_)
        if settings.universal_rules:
            tag = tags_of(words, settings)
            allowed = rule_matrix(find_rules(settings.rules), tag.vocabulary)
        orders = word_orders(words, settings, self.function_words)
        heads: NDArray[np.int32] = kernels.trees_by_rank(words.offsets, orders, tag.codes, allowed)
        return heads


def word_orders(
    words: Treebank, settings: GraphSettings, known: tuple[str, ...] | None = None
) -> NDArray[np.int64]:
    """Return the words of every sentence by descending rank, as positions from 0.

    Parameters
    ----------
    known : tuple of str, optional
        The function words; found in the text when missing.
    """
    if known is None:
        known = function_words(words, settings.n_function_words)
    if settings.verbs:
        is_verb = has_value(tags_of(words, settings), frozenset({"VERB"}))
    else:
        is_verb = np.zeros(words.n_words, np.bool_)
    size = settings.affix
    orders: NDArray[np.int64] = kernels.word_orders(
        words.offsets,
        words.form.codes,
        words.form.map(lambda form: form[:size]).codes,
        # form[-0:] would be all of it.
        words.form.map(lambda form: form[max(len(form) - size, 0) :] if size else "").codes,
        has_value(words.form, frozenset(known)),
        is_verb,
        settings.reach,
        settings.damping,
        settings.tolerance,
        settings.max_iterations,
    )
    return orders


def tags_of(words: Treebank, settings: GraphSettings) -> Column:
    """Return the tags, auxiliaries counted as the settings say."""
    tags = words.tags(settings.tags)
    if settings.auxiliaries_are_verbs:
        return tags.map(lambda tag: "VERB" if tag == "AUX" else tag)
    return tags


def has_value(column: Column, values: frozenset[str]) -> NDArray[np.bool_]:
    """Return which words have one of these values in a column."""
    by_code = np.array([value in values for value in column.vocabulary], np.bool_)
    mask: NDArray[np.bool_] = by_code[column.codes]
    return mask

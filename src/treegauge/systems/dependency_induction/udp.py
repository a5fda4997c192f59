"""UDP of Martínez Alonso et al. (2017): head rules, PageRank and two passes.

Dependents link to all heads that the rules allow them, so rank flows to what may govern
much; restarts favour the first verb. Content words then hang on the nearest word of higher
rank that may govern them, and function words on the nearest content word, on the side where
words of their tag have their head. Of the language, nothing is known but on which side
adpositions stand, which is counted. The paper is about UD version 1, in which a conjunction hangs
on the conjunct before it; in version 2 it hangs on the one behind it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction import _udp_numba as kernels
from treegauge.systems.dependency_induction.universal_rules import (
    find_rules,
    rule_matrix,
    spellings,
)
from treegauge.systems.long_sentences import QUADRATIC, whole_up_to
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, DependencyInducer, OnProgress, Supervision
from treegauge.treebank import Treebank, without_punctuation

ADPOSITION = "ADP"
NOMINAL = frozenset({"DET", "NOUN", "PROPN", "PRON"})
"""What stands behind a preposition, or before a postposition."""
CONJUNCTION, VERSION_2_CONJUNCTION = "CONJ", "CCONJ"

LEFT, EITHER, RIGHT = -1, 0, 1
_SIDES = {"left": LEFT, "either": EITHER, "right": RIGHT}


@dataclass(frozen=True)
class UdpSettings(Settings):
    """Settings of UDP; CONJ covers CCONJ, and PUNCT the full stop of the 12 tags."""

    tags: str = setting("u", "the tag column: u, u12")
    rules: Literal["udp", "noji", "naseem"] = setting("udp", "which rules")
    content: tuple[str, ...] = setting(
        ("ADJ", "NOUN", "PROPN", "VERB"), "tags of words that may have dependents"
    )
    head_right: tuple[str, ...] = setting(
        ("AUX", "DET", "SCONJ"), "function tags with the head on the right"
    )
    head_left: tuple[str, ...] = setting(
        ("PUNCT", "PROPN"), "function tags with the head on the left"
    )
    conjunctions: Literal["auto", "left", "right", "either"] = setting(
        "auto", "side of the head of a conjunction: UD version 1 left, 2 right; auto: by its tag"
    )
    adpositions: Literal["counted", "right", "left", "either"] = setting(
        "counted", "side of the head of an adposition"
    )
    bonus: float = setting(
        5.0, "weight of the first verb in restarts; other words have 1", minimum=0.0
    )
    damping: float = setting(
        0.95,
        "probability that a walk follows a link and does not restart",
        minimum=0.0,
        maximum=1.0,
    )
    tolerance: float = setting(1e-8, "largest change of stable ranks", minimum=0.0)
    max_iterations: int = setting(1000, "largest number of rounds of PageRank", minimum=1)
    longest_whole: int = whole_up_to(QUADRATIC)


@dataclass(frozen=True)
class AdpositionCounts:
    """How often adpositions stand next to what they may belong to."""

    before_nominal: int
    after_nominal: int

    @property
    def side(self) -> int:
        """Where the head of an adposition stands."""
        return RIGHT if self.before_nominal > self.after_nominal else LEFT


class Udp(DependencyInducer):
    """Ranks words by PageRank over head rules; function words become leaves.

    Fitting counts on which side adpositions stand; a system that was never fitted counts in
    the text it annotates, as the paper did. A sentence without content words hangs on its
    first word.
    """

    name = "udp"
    settings_type = UdpSettings
    seconds_per_word = 2e-6

    def __init__(
        self, settings: Settings | Mapping[str, Any] | None = None, *, seed: int = 0
    ) -> None:
        super().__init__(settings, seed=seed)
        self.adpositions: AdpositionCounts | None = None
        self.is_fitted = True

    @property
    def supervision(self) -> Supervision:
        """Head rules and the sides of function words are told."""
        return "universal rules"

    def memory_for(self, words: int) -> int:
        """Return the bytes for the links between the words of a sentence."""
        return 8 * words**2

    def _fit(self, treebank: Treebank, _on_progress: OnProgress) -> None:
        self.adpositions = count_adpositions(without_punctuation(treebank), self.settings.tags)

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        counts = self.adpositions
        known = None if counts is None else [counts.before_nominal, counts.after_nominal]
        return {}, {"adpositions": known}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        if saved.fact("adpositions") is None:
            self.adpositions = None
        else:
            self.adpositions = AdpositionCounts(*saved.counts("adpositions", size=2))

    def _heads(self, words: Treebank, _on_progress: OnProgress) -> NDArray[np.int32]:
        if not words.n_words:
            return np.zeros(0, np.int32)
        settings = self.settings
        tag = words.tags(settings.tags)
        content = spellings(settings.content)
        heads: NDArray[np.int32] = kernels.trees(
            words.offsets,
            tag.codes,
            rule_matrix(find_rules(settings.rules), tag.vocabulary),
            np.array([value in content for value in tag.vocabulary], np.bool_),
            np.array([value == "VERB" for value in tag.vocabulary], np.bool_),
            self._sides(words, tag.vocabulary.strings),
            settings.bonus,
            settings.damping,
            settings.tolerance,
            settings.max_iterations,
        )
        return heads

    def _sides(self, words: Treebank, tags: tuple[str, ...]) -> NDArray[np.int64]:
        """Return the side on which words of every tag have their head."""
        settings = self.settings
        sides = dict.fromkeys(spellings([CONJUNCTION]), self._conjunction_side(words))
        sides.update(dict.fromkeys(spellings(settings.head_right), RIGHT))
        sides.update(dict.fromkeys(spellings(settings.head_left), LEFT))
        if settings.adpositions == "counted":
            counts = self.adpositions or count_adpositions(words, settings.tags)
            sides[ADPOSITION] = counts.side
        else:
            sides[ADPOSITION] = _SIDES[settings.adpositions]
        return np.array([sides.get(tag, EITHER) for tag in tags], np.int64)

    def _conjunction_side(self, words: Treebank) -> int:
        """Return where a conjunction has its head; the version of UD shows in its tag's name."""
        chosen = self.settings.conjunctions
        if chosen != "auto":
            return _SIDES[chosen]
        # Version 2 renamed CONJ, and hung conjunctions on the conjunct that follows.
        return RIGHT if VERSION_2_CONJUNCTION in words.upos.counts() else LEFT


def count_adpositions(words: Treebank, tags: str = "u") -> AdpositionCounts:
    """Count on which side of determiners and nominals adpositions stand.

    >>> import treegauge as tg
    >>> text = "in/ADP a/DET house/NOUN\\n"
    >>> count_adpositions(tg.parse(text, format="slashed"))
    AdpositionCounts(before_nominal=1, after_nominal=0)
    """
    if not words.n_words:
        return AdpositionCounts(0, 0)
    column = words.tags(tags)
    strings = column.vocabulary
    is_adposition = np.array([tag == ADPOSITION for tag in strings], np.bool_)[column.codes]
    is_nominal = np.array([tag in NOMINAL for tag in strings], np.bool_)[column.codes]
    sentence = words.sentence_of_word
    together = sentence[:-1] == sentence[1:]
    before = together & is_adposition[:-1] & is_nominal[1:]
    after = together & is_nominal[:-1] & is_adposition[1:]
    return AdpositionCounts(int(before.sum()), int(after.sum()))

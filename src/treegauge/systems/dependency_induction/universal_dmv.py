"""The dependency model with valence, told which universal tags govern which.

Every arc is multiplied by a weight: by tags, side, distance, what stands between, coordination and
names. Words with an adposition are told apart from words without (marked tags), so that the
grammar can learn that objects and obliques differ. The table of weights is
`universal_weights.txt`; it says how Universal Dependencies annotates, content words as heads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.arc_scores import ArcScores, Flags, Floats, boundaries
from treegauge.systems.dependency_induction.chart import Grammar
from treegauge.systems.dependency_induction.udp import RIGHT, count_adpositions
from treegauge.systems.dependency_induction.universal_weights import (
    CODE,
    TAGS,
    UniversalWeights,
    read_weights,
    standard_weights,
)
from treegauge.systems.dependency_induction.weighted_inducer import (
    WeightedInducer,
    WeightedSettings,
    WeightedText,
    arc_posteriors,
    grammar_bytes,
    learn_with_weights,
)
from treegauge.systems.errors import SystemsError
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress, Supervision
from treegauge.treebank import Treebank, tag_column

OTHER_SPELLINGS = {"CONJ": "CCONJ", "PRT": "PART", ".": "PUNCT"}
"""What UD version 1 and the 12 universal tags call the same."""
MARKABLE = ("NOUN", "PROPN", "PRON", "NUM", "ADJ", "VERB")
"""Tags of words that are told apart by whether they have an adposition."""
_MARK_REACH = 5
_ENDS_SEARCH = ("NOUN", "PROPN", "VERB", "PRON", "X", "SYM", "INTJ", "CCONJ", "SCONJ")
"""What no adposition of the word can stand before."""


@dataclass(frozen=True)
class UniversalDmvSettings(WeightedSettings):
    """What arcs are worth; logarithms."""

    tags: str = setting("u", "the tag column: u, u12")
    max_length: int = setting(20, "longest sentence that is learnt from, in words", minimum=1)
    iterations: int = setting(10, "iterations of EM", minimum=0)
    weights: str = setting("", "a file with other weights of tags (see universal_weights.txt)")
    distance: float = setting(0.5, "cost of distance: times its logarithm", minimum=0)
    verb_between: float = setting(1.0, "cost of every verb between head and dependent", minimum=0)
    boundary: float = setting(3.0, "cost of every punctuation between them", minimum=0)
    coordination: float = setting(1.0, "weight of conjuncts after a conjunction", minimum=0)
    names: float = setting(3.0, "weight of the first word of a name as its head", minimum=0)
    main_verb: float = setting(2.0, "weight of the first verb that nothing subordinates", minimum=0)
    subordinate_root: float = setting(4.0, "cost of a subordinate verb as the root", minimum=0)
    marked_tags: bool = setting(True, "tell words with an adposition apart from others")


class UniversalDmv(WeightedInducer):
    """Soft EM of the dependency model with valence, with arcs weighted by universal tags."""

    name = "universal-dmv"
    settings_type: ClassVar[type[Settings]] = UniversalDmvSettings

    grammar: Grammar
    weights: UniversalWeights
    adpositions_right: bool
    """Whether adpositions stand before what they belong to."""

    @property
    def supervision(self) -> Supervision:
        """The weights are knowledge about all languages."""
        return "universal rules"

    def _learn(self, words: Treebank, short: Treebank, on_progress: OnProgress) -> None:
        file = self.settings.weights
        self.weights = read_weights(file) if file else standard_weights()
        self._codes(words)  # refuses other tags
        side = count_adpositions(words, self.settings.tags).side
        self.adpositions_right = side == RIGHT
        text = self._read(short)
        self.grammar = learn_with_weights(text, self.settings, self._note_steps(on_progress))

    def _codes(self, words: Treebank) -> NDArray[np.int32]:
        """Return the codes of universal tags; words without a tag count as X."""
        column = tag_column(words, self.settings.tags).column
        names = [OTHER_SPELLINGS.get(tag, tag) for tag in column.vocabulary]
        used = np.unique(column.codes)
        unknown = [names[code] for code in used.tolist() if names[code] not in (*TAGS, "_")]
        if unknown or all(names[code] == "_" for code in used.tolist()):
            raise SystemsError(
                f"{self.name}: these are not universal tags: {', '.join(unknown[:3]) or 'none'}\n"
                "  `openclass-dmv` reads any tags; --tag-map FILE makes tags universal"
            )
        by_value = np.array([CODE.get(name, CODE["X"]) for name in names], np.int32)
        codes: NDArray[np.int32] = by_value[column.codes]
        return codes

    def _read(self, words: Treebank) -> WeightedText:
        """Return symbols and scores."""
        settings = self.settings
        kind = self._codes(words)
        symbols = kind
        if settings.marked_tags:
            marked = has_adposition(kind, words.offsets, before=self.adpositions_right)
            symbols = kind + len(TAGS) * marked.astype(np.int32)
        is_verb = kind == CODE["VERB"]
        scores = ArcScores(
            words.offsets,
            self._root_scores(kind, words),
            kind,
            self.weights.pairs,
            self.weights.by_side(self.adpositions_right),
            distance=settings.distance,
            over=settings.verb_between * is_verb,
            gap=settings.boundary * boundaries(words),
            is_conjunction=kind == CODE["CCONJ"],
            coordination=settings.coordination,
            run=runs(kind == CODE["PROPN"], words.offsets),
            name=settings.names,
        )
        return WeightedText.of(symbols, 2 * len(TAGS), scores)

    def _root_scores(self, kind: NDArray[np.int32], words: Treebank) -> Floats:
        scores: Floats = self.weights.root[kind]
        main, subordinate = main_verbs(kind, words)
        scores[main] += self.settings.main_verb
        scores[subordinate] -= self.settings.subordinate_root
        return scores

    def arc_posteriors(self, words: Treebank) -> Floats:
        """Return how probable arcs are, packed; of a treebank without punctuation."""
        return arc_posteriors(self.grammar, self._read(words))

    def _grammar_bytes(self, words: int) -> int:
        return grammar_bytes(self.grammar, words)

    # ------------------------------------------------------------------ for files

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        facts = {"adpositions_right": self.adpositions_right}
        return {**self.grammar.arrays(), **self.weights.arrays()}, facts

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        raise NotImplementedError


def has_adposition(
    kind: NDArray[np.int32], offsets: NDArray[np.int64], *, before: bool
) -> Flags:
    """Return which words have an adposition: before them, or right behind them."""
    markable = np.isin(kind, [CODE[tag] for tag in MARKABLE])
    place = np.arange(kind.size) - np.repeat(offsets[:-1], np.diff(offsets))
    if not before:
        last = np.repeat(np.diff(offsets), np.diff(offsets)) - 1
        following = np.append(kind[1:], -1)
        return markable & (place < last) & (following == CODE["ADP"])
    ends = np.isin(kind, [CODE[tag] for tag in _ENDS_SEARCH])
    marked, searching = np.zeros(kind.size, np.bool_), markable.copy()
    for step in range(1, _MARK_REACH + 1):
        searching &= place >= step
        at = np.flatnonzero(searching)
        met = kind[at - step] == CODE["ADP"]
        marked[at[met]] = True
        searching[at[met | ends[at - step]]] = False
    return marked


def runs(mask: Flags, offsets: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the numbers of unbroken runs in a mask, from 1, and 0 outside.

    >>> runs(np.array([True, True, False, True, True]), np.array([0, 4, 5])).tolist()
    [1, 1, 0, 2, 3]
    """
    begins = mask.copy()
    begins[1:] &= ~mask[:-1]
    first = offsets[:-1][np.diff(offsets) > 0]
    begins[first] = mask[first]
    numbers: NDArray[np.int32] = np.where(mask, np.cumsum(begins), 0).astype(np.int32)
    return numbers


def main_verbs(
    kind: NDArray[np.int32], words: Treebank
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the main verb of every sentence that has verbs, and all verbs that are subordinate.

    A verb is subordinate if a subordinating conjunction stands between it and the verb before it
    (or the begin of the sentence). The main verb is the first that is not; else the first of all.
    """
    verbs = np.flatnonzero(kind == CODE["VERB"])
    if not verbs.size:
        return verbs, verbs
    sentence = words.sentence_of_word[verbs]
    begin = words.offsets[:-1][sentence]
    is_first = np.append(True, sentence[1:] != sentence[:-1])
    since = np.where(is_first, begin, np.append(0, verbs[:-1]))
    conjunctions = np.append(0, np.cumsum(kind == CODE["SCONJ"]))
    is_subordinate = conjunctions[verbs] > conjunctions[since]
    # The first by (subordinate, place) in each sentence.
    order = np.lexsort((verbs, is_subordinate, sentence))
    chosen = order[np.append(True, np.diff(sentence[order]) > 0)]
    return verbs[chosen], verbs[is_subordinate]

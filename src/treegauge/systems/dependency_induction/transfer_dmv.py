"""`universal-dmv` with a parser of other languages among its weights.

A log-linear choice of heads by tags is learnt from annotated treebanks of other languages; those
whose tag sequences are like the target's count most. Every arc of the DMV is then multiplied by
P(head | word) and by a power of the weights of `universal-dmv`, and EM adapts the grammar to the
raw text. Gold trees of the text itself are never seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.arc_scores import ArcScores, Floats
from treegauge.systems.dependency_induction.delexicalised_arcs import (
    N_TAGS,
    ORDER_STEPS,
    Source,
    TaggedText,
    head_log_probabilities,
    learn_head_choice,
    nearness,
    trigrams,
    usual_order,
)
from treegauge.systems.dependency_induction.udp import RIGHT, count_adpositions
from treegauge.systems.dependency_induction.universal_dmv import UniversalDmv, UniversalDmvSettings
from treegauge.systems.errors import SystemsError
from treegauge.systems.saved_state import SavedState
from treegauge.systems.source_treebanks import open_source, refuse_target
from treegauge.systems.system import Arrays, OnProgress, Supervision
from treegauge.treebank import Treebank, without_punctuation

_LEAST = -30.0
"""Logarithms of probabilities are cut there."""


@dataclass(frozen=True)
class TransferDmvSettings(UniversalDmvSettings):
    """What is learnt from other languages, and how much it weighs."""

    sources: tuple[str, ...] = setting((), "treebanks of other languages, by name or path")
    source_sentences: int = setting(500, "largest number of sentences per source", minimum=1)
    source_length: int = setting(25, "the longest sentence of a source, in words", minimum=2)
    drawn: int = setting(12_000, "sentences drawn from sources per epoch", minimum=1)
    epochs: int = setting(2, "number of epochs", minimum=1)
    nearness: float = setting(
        4.0,
        "exponent of tag similarity: larger values prefer similar sources",
        minimum=0,
        maximum=20,
    )
    transfer: float = setting(
        1.0,
        "exponent of the sources' head probabilities in the weight of an arc",
        minimum=0,
        maximum=10,
    )
    rules: float = setting(
        0.5,
        "exponent of the weights of universal-dmv in the weight of an arc",
        minimum=0,
        maximum=10,
    )
    bits: int = setting(18, "2 to this power: number of feature weights", minimum=10, maximum=28)


@dataclass(frozen=True, eq=False)
class TransferScores(ArcScores):
    """Scores by rules, and what other languages say of heads."""

    rules: float = 1.0
    transferred: Floats = field(default_factory=lambda: np.zeros(0))
    """Packed logarithms, added to `rules` times the scores."""

    def weights(self) -> Floats:
        """Return exp(score) of every arc, packed as `TagCorpus` packs arcs."""
        with np.errstate(divide="ignore"):  # a word is not its own head
            known = np.log(super().weights())
        with np.errstate(invalid="ignore"):
            scores = np.where(np.isinf(known), known, self.rules * known + self.transferred)
        return np.exp(scores)


class TransferDmv(UniversalDmv):
    """Soft EM of the dependency model with valence, with arcs weighted by other languages."""

    name = "transfer-dmv"
    settings_type: ClassVar[type[Settings]] = TransferDmvSettings
    is_deterministic = False

    features: NDArray[np.float32]
    """Weights of features, learnt from sources."""
    order: NDArray[np.int64]
    """How usual orders of tags are in the text."""

    @property
    def supervision(self) -> Supervision:
        """It is told annotation of other languages."""
        return "cross-lingual"

    def _learn(self, words: Treebank, short: Treebank, on_progress: OnProgress) -> None:
        names = self.settings.sources
        if not names:
            raise SystemsError(
                f"{self.name} needs treebanks of other languages\n  --set sources=NAME,NAME"
            )
        banks = [without_punctuation(open_source(name)) for name in names]
        refuse_target(self.name, names, banks, words)
        tags = self._codes(words, most_unknown=0)
        self.order = usual_order(tags, words.offsets)
        pairs = [self._source(name, bank) for name, bank in zip(names, banks, strict=True)]
        settings = self.settings
        self.features = learn_head_choice(
            [source for source, _ in pairs],
            nearness(
                trigrams(tags, words.offsets), [counts for _, counts in pairs], settings.nearness
            ),
            bits=settings.bits,
            epochs=settings.epochs,
            sentences=settings.drawn,
            random=np.random.default_rng(self.seed),
        )
        super()._learn(words, short, on_progress)

    def _source(self, name: str, words: Treebank) -> tuple[Source, Floats]:
        """Return sentences to learn from, and the trigrams of the whole text."""
        tags = self._codes(words)
        counts = trigrams(tags, words.offsets)
        order = usual_order(tags, words.offsets)
        before = count_adpositions(words, self.settings.tags).side == RIGHT
        fits = (words.lengths > 1) & (words.lengths <= self.settings.source_length)
        heads = np.where(words.head < 0, np.iinfo(np.int32).max, words.head)
        fits[words.sentence_of_word[heads > words.lengths[words.sentence_of_word]]] = False
        usable = np.flatnonzero(fits)
        if not usable.size:
            raise SystemsError(
                f"{self.name}: {name} has no annotated sentence of 2 to "
                f"{self.settings.source_length} words"
            )
        random = np.random.default_rng(self.seed)
        chosen = np.sort(random.permutation(usable)[: self.settings.source_sentences])
        part = words.take(chosen)
        text = TaggedText.of(part, self._codes(part), before=before)
        return Source(text, part.head.astype(np.int64), order), counts

    def scores(self, tags: NDArray[np.int32], words: Treebank) -> ArcScores:
        """Return what arcs are worth in sentences without punctuation."""
        text = TaggedText.of(words, tags, before=self.adpositions.side == RIGHT)
        known = head_log_probabilities(text, self.order, self.features)
        return TransferScores(
            **vars(super().scores(tags, words)),
            rules=self.settings.rules,
            transferred=self.settings.transfer * np.maximum(known, _LEAST),
        )

    def memory_for(self, words: int) -> int:
        """Return the bytes of the chart of a sentence and of the weights of its arcs."""
        return super().memory_for(words) + 32 * words**2

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = super()._state()
        places = np.flatnonzero(self.features)
        arrays |= {"features": places, "feature_weights": self.features[places]}
        return {**arrays, "order": self.order}, facts

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        super()._restore(arrays, facts)
        saved = SavedState(arrays, facts)
        self.features = saved.weights("features", "feature_weights", 2**self.settings.bits)
        self.order = saved.integers("order", shape=(N_TAGS, N_TAGS), below=len(ORDER_STEPS) + 1)

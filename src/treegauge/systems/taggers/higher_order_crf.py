"""A conditional random field of high order, coarse to fine (Mueller, Schmid and Schütze 2013).

Tags see the one, two or three tags before them. That would cost the tag set to the fourth
power; instead, lattices are built from order 0 up, and each keeps only states whose posterior
reaches a threshold. Thresholds are moved while training, so that a wanted number of states per
word is left. Training is by stochastic gradient on the lattice of the highest order; where the
gold tags were pruned, on the lattice before (an early update).

Here weights are averaged over all steps, and the states of the best path always survive, so that
no lattice is without a path.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.saved_state import SavedState, vocabulary_arrays
from treegauge.systems.system import Arrays, OnProgress
from treegauge.systems.taggers._lattice_numba import tag_sentences
from treegauge.systems.taggers._sgd_numba import train_epoch
from treegauge.systems.taggers.sequence_tagger import (
    Sentences,
    SequenceTagger,
    SequenceTaggerSettings,
)
from treegauge.systems.taggers.token_features import TokenFeatures
from treegauge.systems.taggers.word_templates import WordTemplates
from treegauge.treebank import Vocabulary

LARGEST_TABLE = 4_000_037
"""The most weights for n-grams of one length: a prime, so that n-grams that share one are few."""
LARGEST_WEIGHTS = 40_000_000
"""The most weights for features; with very many tags, features share rows."""
_SLACK = 0.1
_ADAPTATIONS = 100
"""How often an epoch thresholds are moved."""


@dataclass(frozen=True)
class HigherOrderCrfSettings(SequenceTaggerSettings):
    """What can be chosen; defaults are the paper's but for what development data preferred."""

    order: Literal[0, 1, 2, 3] = setting(2, "number of previous tags on which a tag depends")
    epochs: int = setting(20, "number of epochs", minimum=1)
    rate: float = setting(0.2, "initial learning rate; falls with every epoch", minimum=0.0)
    penalty: float = setting(0.0, "weight of the squares of all weights (L2)", minimum=0.0)
    prune: bool = setting(True, "leave out improbable states; false: exact and slow")
    threshold: float = setting(0.01, "initial threshold of posteriors", minimum=0.0, maximum=1.0)
    states: tuple[float, ...] = setting(
        (4.0, 2.0, 1.5), "target number of states per word after order 0, 1, 2", minimum=1.0
    )
    rare: int | None = setting(
        None, "largest frequency of words whose affixes are used; none: all words", minimum=0
    )
    prefixes: int = setting(10, "the longest prefix", minimum=0)
    suffixes: int = setting(10, "the longest suffix", minimum=0)


class HigherOrderCrf(SequenceTagger):
    """A conditional random field of high order, coarse to fine.

    >>> import treegauge as tg
    >>> train = tg.parse("we/PRON fish/VERB\\nthe/DET fish/NOUN\\n", format="slashed")
    >>> tagger = HigherOrderCrf().fit(train)
    >>> list(tagger.annotate(train).upos)
    ['PRON', 'VERB', 'DET', 'NOUN']
    """

    name = "higher-order-crf"
    settings_type = HigherOrderCrfSettings
    is_deterministic = False
    seconds_per_word = 1e-4

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        if not self.settings.states:
            raise SystemsError(
                f"{self.name}: setting states: expected at least one number of states per word"
            )

    @property
    def _templates(self) -> WordTemplates:
        return WordTemplates(self.settings.prefixes, self.settings.suffixes)

    def _n_rows(self) -> int:
        """Return the number of rows of weights: one per feature, if that is not too many."""
        return min(len(self._features.names), max(1, LARGEST_WEIGHTS // len(self._tags)))

    def _learn(
        self, sentences: Sentences, gold: NDArray[np.int32], on_progress: OnProgress
    ) -> None:
        settings = self.settings
        on_progress(0.0, "features")
        self._features, lists = TokenFeatures.learn(sentences, self._templates, rare=settings.rare)
        n_tags = len(self._tags)
        table_starts = _table_starts(n_tags, settings.order)
        n_rows = self._n_rows()
        weights = np.zeros((n_rows, n_tags))
        table = np.zeros(table_starts[-1])
        weights_late, table_late = np.zeros_like(weights), np.zeros_like(table)
        self._thresholds = np.full(
            settings.order + 1, settings.threshold if settings.prune else 0.0
        )
        targets = np.array([*settings.states, *[settings.states[-1]] * settings.order])
        clock = np.array([0.0, 1.0, 0.0])
        generator = np.random.default_rng(self.seed)
        n_sentences = len(sentences.offsets) - 1
        for epoch in range(settings.epochs):
            likelihood, n_early = train_epoch(
                generator.permutation(n_sentences),
                sentences.offsets,
                lists.starts,
                lists.features % np.int32(n_rows),
                gold,
                settings.order,
                table_starts,
                weights,
                weights_late,
                table,
                table_late,
                self._thresholds,
                targets,
                _SLACK,
                max(1, n_sentences // _ADAPTATIONS),
                settings.rate,
                settings.penalty,
                clock,
            )
            on_progress(
                (epoch + 1) / settings.epochs,
                f"epoch {epoch + 1}: log-likelihood {likelihood:.1f}, {n_early} early updates",
            )
        # Means of the weights after all steps; single precision is what is saved, so it is
        # what is used.
        sum_of_scales = clock[2]
        self._weights = (weights - weights_late / sum_of_scales).astype(np.float32)
        self._table = (table - table_late / sum_of_scales).astype(np.float32)
        self._weights *= np.float32(sum_of_scales / clock[0])
        self._table *= np.float32(sum_of_scales / clock[0])

    def _tag(self, sentences: Sentences, _on_progress: OnProgress) -> NDArray[np.int32]:
        lists = self._features.of(sentences)
        tags = np.empty(len(sentences.forms), np.int32)
        tag_sentences(
            sentences.offsets,
            lists.starts,
            lists.features % np.int32(len(self._weights)),
            self._weights,
            self.settings.order,
            self._table,
            _table_starts(len(self._tags), self.settings.order),
            self._thresholds,
            tags,
        )
        return tags

    # ------------------------------------------------------------------ save and load

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        _, facts = super()._state()
        frequent = Vocabulary.from_strings(sorted(self._features.frequent))
        return {
            **vocabulary_arrays(self._features.names, "features"),
            **vocabulary_arrays(frequent, "frequent_words"),
            "weights": self._weights,
            "table": self._table,
            "thresholds": self._thresholds,
        }, facts

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        super()._restore(arrays, facts)
        saved = SavedState(arrays, facts)
        names = saved.vocabulary("features")
        frequent = saved.vocabulary("frequent_words")
        self._features = TokenFeatures(self._templates, names, frozenset(frequent))
        n_tags, order = len(self._tags), self.settings.order
        self._weights = saved.numbers("weights", (self._n_rows(), n_tags), dtype=np.float32)
        n_grams = int(_table_starts(n_tags, order)[-1])
        self._table = saved.numbers("table", (n_grams,), dtype=np.float32)
        self._thresholds = saved.numbers("thresholds", (order + 1,))


def _table_starts(n_tags: int, order: int) -> NDArray[np.int64]:
    """Return where the weights of bigrams, trigrams, ... begin in one array."""
    sizes = [min((n_tags + 1) ** (k + 1), LARGEST_TABLE) for k in range(1, order + 1)]
    return np.cumsum([0, *sizes])

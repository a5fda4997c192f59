"""The averaged perceptron: a linear model that learns from its mistakes, tag by tag.

Collins (2002), "Discriminative training methods for hidden Markov models", with greedy search
from left to right: the tags before a word are the tagger's own, in training too, so that it
learns to live with its mistakes. Features are hashed into one table of weights. Words that are
frequent and nearly always have one tag are looked up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import setting
from treegauge.systems.saved_state import SavedState, vocabulary_arrays
from treegauge.systems.system import Arrays, OnProgress
from treegauge.systems.taggers._perceptron_numba import N_PLACES, hash_words, learn, tag
from treegauge.systems.taggers.lexicon import Lexicon
from treegauge.systems.taggers.sequence_tagger import (
    Sentences,
    SequenceTagger,
    SequenceTaggerSettings,
)
from treegauge.treebank import Interner, Vocabulary

_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class PerceptronSettings(SequenceTaggerSettings):
    """What can be chosen about the perceptron."""

    epochs: int = setting(10, "number of epochs", minimum=1)
    bits: int = setting(22, "2 to this power: number of weights", minimum=10, maximum=28)
    frequent: int = setting(
        20, "smallest frequency of unambiguous words that are looked up", minimum=1
    )
    unambiguous: float = setting(
        0.99,
        "smallest share of occurrences in which such a word has its tag",
        minimum=0.5,
        maximum=1,
    )


class Perceptron(SequenceTagger):
    """An averaged perceptron with hashed features, tagging from left to right.

    >>> import treegauge as tg
    >>> train = tg.parse("we/PRON fish/VERB in/ADP ponds/NOUN\\nthey/PRON fish/VERB\\n")
    >>> text = tg.parse("they/X fish/X in/X ponds/X\\n", format="slashed")
    >>> list(Perceptron().fit(train).annotate(text).upos)
    ['PRON', 'VERB', 'ADP', 'NOUN']
    """

    name = "perceptron"
    settings_type = PerceptronSettings
    is_deterministic = False
    seconds_per_word = 1.2e-5

    def _learn(
        self, sentences: Sentences, gold: NDArray[np.int32], on_progress: OnProgress
    ) -> None:
        n_tags, forms = len(self._tags), sentences.forms
        self._looked_up, self._tag_of = unambiguous_words(
            Lexicon.of(forms, gold, n_tags), self.settings.frequent, self.settings.unambiguous
        )
        mask = 2**self.settings.bits - 1
        weights = np.zeros(mask + 1 + n_tags, np.float32)
        sums = np.zeros(len(weights))
        hashed = self._hashed(forms.vocabulary, mask)
        fixed = self._fixed(forms.vocabulary)
        random = np.random.default_rng(self.seed)
        clock = 0
        for epoch in range(self.settings.epochs):
            order = random.permutation(len(sentences.offsets) - 1)
            clock, mistakes = learn(
                order,
                sentences.offsets,
                forms.codes,
                gold,
                fixed,
                *hashed,
                mask,
                weights,
                sums,
                clock,
            )
            share = 1 - mistakes / len(gold)
            on_progress((epoch + 1) / self.settings.epochs, f"epoch {epoch + 1}: {share:.2%} right")
        self._weights = (weights - sums / max(clock, 1)).astype(np.float32)

    def _tag(self, sentences: Sentences, _on_progress: OnProgress) -> NDArray[np.int32]:
        forms = sentences.forms
        mask = 2**self.settings.bits - 1
        tags = np.empty(len(forms), np.int32)
        tag(
            sentences.offsets,
            forms.codes,
            self._fixed(forms.vocabulary),
            *self._hashed(forms.vocabulary, mask),
            mask,
            self._weights,
            tags,
        )
        return tags

    def _fixed(self, forms: Vocabulary) -> NDArray[np.int32]:
        """Return the tag of words that are looked up, -1 for others."""
        both = Interner()
        both.add_vocabulary(self._looked_up)
        place = both.add_vocabulary(forms)
        is_there = place < len(self._looked_up)
        tags = np.full(len(forms), -1, np.int32)
        tags[is_there] = self._tag_of[place[is_there]]
        return tags

    def _hashed(self, forms: Vocabulary, mask: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the places of the features of every word, and hashes of the words."""
        words = forms.strings
        plain = [_DIGIT.sub("0", word.lower()) for word in words]
        places = np.empty((len(words) + 1, N_PLACES), np.int32)
        hashes = np.empty(len(words) + 1, np.int64)
        shapes = np.array([word_shape(word) for word in words], np.int64)
        hash_words(*_characters(words), *_characters(plain), shapes, mask, places, hashes)
        return places, hashes

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = super()._state()
        places = np.flatnonzero(self._weights)
        return arrays | {
            **vocabulary_arrays(self._looked_up, "looked_up"),
            "tag_of": self._tag_of,
            "places": places.astype(np.int32),
            "weights": self._weights[places],
        }, facts

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        super()._restore(arrays, facts)
        saved = SavedState(arrays, facts)
        n_tags = len(self._tags)
        self._looked_up = saved.vocabulary("looked_up")
        self._tag_of = saved.integers(
            "tag_of", shape=(len(self._looked_up),), below=n_tags, dtype=np.int32
        )
        self._weights = saved.weights("places", "weights", 2**self.settings.bits + n_tags)


def unambiguous_words(
    lexicon: Lexicon, frequent: int, share: float
) -> tuple[Vocabulary, NDArray[np.int32]]:
    """Return frequent words that nearly always have one tag, and that tag."""
    entry = lexicon.entry_of_pair
    frequencies = lexicon.frequencies
    is_clear = (lexicon.counts >= share * frequencies[entry]) & (frequencies[entry] >= frequent)
    # Above a half there is one at most; at exactly a half, the first.
    pairs = np.flatnonzero(is_clear)
    words, first = np.unique(entry[pairs], return_index=True)
    return lexicon.forms.take(words.astype(np.int32)), lexicon.tags[pairs[first]]


def word_shape(word: str) -> int:
    """Return what a word looks like: capitals, digits, hyphens and whether it has letters.

    >>> word_shape("Oslo") == word_shape("Bergen") != word_shape("USA")
    True
    """
    has_letter = any(map(str.isalpha, word))
    return (
        word[:1].isupper()
        | (word.isupper() << 1)
        | ((not word.islower()) << 2)
        | (any(map(str.isdigit, word)) << 3)
        | (("-" in word) << 4)
        | (has_letter << 5)
        | ((len(word) == 1) << 6)
        | (("." in word) << 7)
    )


def _characters(words: Any) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Return all characters one behind the other, and where words begin."""
    starts = np.zeros(len(words) + 1, np.int64)
    np.cumsum([len(word) for word in words], out=starts[1:])
    return np.frombuffer("".join(words).encode("utf-32-le"), np.uint32), starts

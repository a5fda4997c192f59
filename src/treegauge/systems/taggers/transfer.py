"""Transfer: a tagger that learns from other languages what languages share.

Words themselves say nothing across languages. What is left: what a word looks like (capitals,
digits, marks), how long and how frequent it is in its own text, its neighbours seen in the same
way, the tags before it, and, for related languages, its first and last characters. Frequency is a
rank, in logarithmic bins, so that texts of different size compare; of the target it is that of the
raw text that the system is shown.

The kernels are those of the averaged perceptron; sources take turns sentence by sentence, so that
the largest treebank does not decide. The place in the sentence is seen through its boundaries.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.saved_state import SavedState, vocabulary_arrays
from treegauge.systems.source_treebanks import open_source, refuse_target
from treegauge.systems.system import Arrays, OnProgress, Supervision, System
from treegauge.systems.taggers._perceptron_numba import (
    AFTER,
    BEFORE,
    FAR_AFTER,
    FAR_BEFORE,
    N_OWN,
    N_PLACES,
    learn,
    tag,
)
from treegauge.systems.taggers.perceptron import word_shape
from treegauge.systems.taggers.word_templates import generic
from treegauge.treebank import EMPTY, Column, Treebank, Vocabulary, blind, tag_column

_LONG = 12
"""Longer words are alike."""
_SUFFIXES, _PREFIXES = 4, 2


@dataclass(frozen=True)
class TransferSettings(Settings):
    """What can be chosen about transfer."""

    sources: tuple[str, ...] = setting((), "treebanks of other languages, by name or path")
    tags: Literal["u", "u12"] = setting("u", "the tags to learn: u or u12")
    characters: bool = setting(
        True, "use the first and last characters of words, for related languages"
    )
    ranks: int = setting(
        10, "number of frequency bins; 2 to this power is rare", minimum=1, maximum=30
    )
    epochs: int = setting(5, "number of epochs", minimum=1)
    sentences: int = setting(2000, "largest number of sentences per source per epoch", minimum=1)
    bits: int = setting(18, "2 to this power: number of weights", minimum=10, maximum=28)


class Transfer(System):
    """An averaged perceptron over what languages share."""

    name = "transfer"
    task = "tags"
    settings_type = TransferSettings
    is_deterministic = False
    seconds_per_word = 1e-4

    @property
    def supervision(self) -> Supervision:
        """It is told annotation of other languages."""
        return "cross-lingual"

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        names = self.settings.sources
        if not names:
            raise SystemsError(
                f"{self.name} needs treebanks of other languages\n  --set sources=NAME,NAME"
            )
        sources = [blind(open_source(name), heads=True) for name in names]
        refuse_target(self.name, names, sources, treebank)
        corpus = _Corpus.of(sources, names, self.settings.tags, self.settings.ranks)
        self._tags = corpus.tags
        self._train(corpus, on_progress)
        self._ranked, self._bins = rank_bins(treebank.form, self.settings.ranks)

    def _train(self, corpus: _Corpus, on_progress: OnProgress) -> None:
        mask = 2**self.settings.bits - 1
        weights = np.zeros(mask + 1 + len(self._tags), np.float32)
        sums = np.zeros(len(weights))
        places, signatures = self._places(corpus.words, corpus.bins)
        nothing_fixed = np.full(len(corpus.words), -1, np.int32)
        random = np.random.default_rng(self.seed)
        clock = 0
        for epoch in range(self.settings.epochs):
            order = in_turn(corpus.sentences_of, self.settings.sentences, random)
            clock, mistakes = learn(
                order,
                corpus.offsets,
                corpus.types,
                corpus.gold,
                nothing_fixed,
                places,
                signatures,
                mask,
                weights,
                sums,
                clock,
            )
            n_words = int(np.diff(corpus.offsets)[order].sum())
            on_progress(
                (epoch + 1) / self.settings.epochs,
                f"epoch {epoch + 1}: {1 - mistakes / n_words:.2%} right",
            )
        self._weights = (weights - sums / max(clock, 1)).astype(np.float32)

    def _annotate(self, treebank: Treebank, _on_progress: OnProgress) -> Treebank:
        forms = treebank.form.compact()
        words = forms.vocabulary.strings
        known = dict(zip(self._ranked, self._bins.tolist(), strict=True))
        bins = [known.get(generic(word), self.settings.ranks) for word in words]
        places, signatures = self._places(words, bins)
        tags = np.empty(treebank.n_words, np.int32)
        tag(
            np.asarray(treebank.offsets, np.int64),
            forms.codes,
            np.full(len(words), -1, np.int32),
            places,
            signatures,
            2**self.settings.bits - 1,
            self._weights,
            tags,
        )
        column = Column(tags, Vocabulary.from_strings(self._tags)).compact()
        return treebank.replace(columns={"upos": column})

    def _places(
        self, words: Sequence[str], bins: Sequence[int]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the places of the features of every word, and what its neighbours see of it.

        The last row is that of the boundary of a sentence.
        """
        mask = 2**self.settings.bits - 1
        places = np.empty((len(words) + 1, N_PLACES), np.int32)
        signatures = np.empty(len(words) + 1, np.int64)
        described = [
            (*_own_and_seen(word, rank, characters=self.settings.characters),)
            for word, rank in zip(words, bins, strict=True)
        ]
        boundary = (["boundary"] * N_OWN, ["boundary"] * 3)
        for row, (own, seen) in enumerate([*described, boundary]):
            for k, feature in enumerate(own):
                places[row, k] = _hashed(f"{k}:{feature}") & mask
            for k, feature in enumerate(seen):
                places[row, BEFORE + k] = _hashed(f"-1:{k}:{feature}") & mask
                places[row, AFTER + k] = _hashed(f"+1:{k}:{feature}") & mask
            places[row, FAR_BEFORE] = _hashed(f"-2:{seen[0]}") & mask
            places[row, FAR_AFTER] = _hashed(f"+2:{seen[0]}") & mask
            signatures[row] = _hashed(seen[0])
        return places, signatures

    # ------------------------------------------------------------------ save and load

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        places = np.flatnonzero(self._weights)
        arrays: Arrays = {
            **vocabulary_arrays(Vocabulary.from_strings(self._ranked), "ranked"),
            "bins": self._bins,
            "places": places.astype(np.int32),
            "weights": self._weights[places],
        }
        return arrays, {"tags": self._tags}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        self._tags = saved.names("tags")
        self._ranked = saved.vocabulary("ranked").strings
        self._bins = saved.integers(
            "bins", shape=(len(self._ranked),), below=self.settings.ranks + 1
        )
        size = 2**self.settings.bits + len(self._tags)
        self._weights = saved.weights("places", "weights", size)


@dataclass(frozen=True)
class _Corpus:
    """Sentences of all sources; a word type is a form of one source."""

    words: tuple[str, ...]
    bins: tuple[int, ...]
    types: NDArray[np.int32]
    offsets: NDArray[np.int64]
    gold: NDArray[np.int32]
    tags: tuple[str, ...]
    sentences_of: tuple[NDArray[np.int64], ...]
    """The sentences of every source."""

    @classmethod
    def of(
        cls, sources: Sequence[Treebank], names: Sequence[str], which: str, ranks: int
    ) -> _Corpus:
        columns = [tag_column(source, which).column.compact() for source in sources]
        tags = tuple(sorted({t for column in columns for t in column.vocabulary} - {"", EMPTY}))
        code = {name: place for place, name in enumerate(tags)}
        words: list[str] = []
        bins: list[int] = []
        types, gold, offsets, sentences = [], [], [np.zeros(1, np.int64)], []
        n_sentences = n_words = 0
        for source, column, name in zip(sources, columns, names, strict=True):
            forms = source.form.compact()
            ranked, bin_of = rank_bins(forms, ranks)
            known = dict(zip(ranked, bin_of.tolist(), strict=True))
            types.append(forms.codes + len(words))
            words += forms.vocabulary.strings
            bins += [known[generic(word)] for word in forms.vocabulary]
            codes = np.array([code.get(t, -1) for t in column.vocabulary])[column.codes]
            gold.append(codes)
            offsets.append(source.offsets[1:] + n_words)
            whole = _whole_sentences(codes >= 0, source)
            if not len(whole):
                raise SystemsError(f"transfer: no sentence of {name} has a tag on every word")
            sentences.append(whole + n_sentences)
            n_sentences += source.n_sentences
            n_words += source.n_words
        return cls(
            tuple(words),
            tuple(bins),
            np.concatenate(types).astype(np.int32),
            np.concatenate(offsets).astype(np.int64),
            np.concatenate(gold).astype(np.int32),
            tags,
            tuple(sentences),
        )


def _whole_sentences(is_tagged: NDArray[np.bool_], treebank: Treebank) -> NDArray[np.int64]:
    n_without = np.concatenate([[0], np.cumsum(~is_tagged)])
    missing = np.diff(n_without[treebank.offsets])
    return np.flatnonzero((missing == 0) & (treebank.lengths > 0))


def rank_bins(forms: Column, ranks: int) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return word types, case and digits aside, and the bin of each one's frequency rank.

    The most frequent type is in bin 0, the next two in bin 1, the next four in bin 2, and so on;
    types of equal frequency are in one bin, that of the best of them, and none is beyond `ranks`.

    >>> rank_bins(Column.from_strings("the The dog the dog sees a cat".split()), 5)
    (('the', 'dog', 'sees', 'a', 'cat'), array([0, 1, 1, 1, 1]))
    """
    types = forms.map(generic).compact()
    counts = np.bincount(types.codes, minlength=len(types.vocabulary))
    # How many types are more frequent.
    rank = np.searchsorted(np.sort(-counts), -counts, side="left")
    return types.vocabulary.strings, np.minimum(np.log2(rank + 1).astype(np.int64), ranks)


def in_turn(
    groups: Sequence[NDArray[np.int64]], at_most: int, random: np.random.Generator
) -> NDArray[np.int64]:
    """Return members of all groups in turn; small groups begin again until large ones are through.

    >>> order = in_turn([np.array([0]), np.array([1, 2])], 2, np.random.default_rng(0))
    >>> order[::2].tolist(), sorted(order[1::2].tolist())
    ([0, 0], [1, 2])
    """
    wanted = min(max(map(len, groups)), at_most)
    drawn = [np.fromiter(_endlessly(group, random, wanted), np.int64, wanted) for group in groups]
    order: NDArray[np.int64] = np.stack(drawn, axis=1).ravel()
    return order


def _endlessly(group: NDArray[np.int64], random: np.random.Generator, wanted: int) -> Iterator[int]:
    given = 0
    while given < wanted:
        for member in random.permutation(group)[: wanted - given].tolist():
            yield member
            given += 1


def _own_and_seen(word: str, rank: int, *, characters: bool) -> tuple[list[str], list[str]]:
    """Return a word's features as itself, and as a neighbour; the first of those says most."""
    text = generic(word)
    shape = word_shape(word)
    length = min(len(word), _LONG)
    mark = "" if any(map(str.isalpha, word)) else text
    own = ["", f"{shape}", f"{rank}", f"{length}", f"{shape}/{rank}", f"{rank}/{length}", mark]
    affixes = [text[-k:] for k in range(1, _SUFFIXES + 1)]
    affixes += [text[:k] for k in range(1, _PREFIXES + 1)]
    own += affixes if characters else [""] * len(affixes)
    return own, [f"{shape}/{rank}/{mark}", f"{shape}", f"{rank}"]


def _hashed(feature: str) -> int:
    return zlib.crc32(feature.encode())

"""A text as numbers: a type for every word, the most frequent type first.

Types are numbered by frequency, then by first occurrence, so that nothing an inducer does can
depend on the order of a hash table, as bit strings of Liang's program do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.tag_induction.bigrams import Bigrams, count_bigrams, with_boundaries
from treegauge.treebank import Column, Treebank, Vocabulary

_IS_DIGIT = str.maketrans({str(digit): "0" for digit in range(10)})


class CountedText(Protocol):
    """The types of a text and their neighbours: all that clustering by bigrams needs of it."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often every type occurs; the most frequent come first."""

    @property
    def forms(self) -> Vocabulary:
        """The types as strings."""

    @property
    def n_types(self) -> int:
        """The number of types."""

    @property
    def n_words(self) -> int:
        """All words, those without a type included."""

    @property
    def n_sentences(self) -> int:
        """The sentences that have words."""

    def frequent(self, min_count: int) -> Self:
        """Return the text without the types that occur less often; their places stay."""

    def bigrams(self, *, within_sentences: bool) -> Bigrams:
        """Count neighbours; also those of different sentences, unless within sentences."""

    def bigrams_with_boundary(self) -> Bigrams:
        """Count neighbours; between sentences is a boundary, a type more than there are."""


@dataclass(frozen=True)
class EncodedText:
    """The words of a text as types, and what the types are."""

    words: NDArray[np.int32]
    """The type of every word; -1 where it was left out for being rare."""
    offsets: NDArray[np.int64]
    """Where sentences begin, and the end."""
    counts: NDArray[np.int64]
    """How often every type occurs."""
    forms: Vocabulary
    """The types as strings."""

    @property
    def n_types(self) -> int:
        """The number of types."""
        return len(self.counts)

    @property
    def n_words(self) -> int:
        """All words, those without a type included."""
        return len(self.words)

    @property
    def n_sentences(self) -> int:
        """The sentences that have words."""
        return int((np.diff(self.offsets) > 0).sum())

    def bigrams(self, *, within_sentences: bool) -> Bigrams:
        """Count neighbours; also those of different sentences, unless within sentences."""
        offsets = self.offsets if within_sentences else None
        return count_bigrams(self.words, self.n_types, offsets)

    def bigrams_with_boundary(self) -> Bigrams:
        """Count neighbours; between sentences is a boundary, a type more than there are."""
        words = with_boundaries(self.words, self.offsets, self.n_types)
        return count_bigrams(words, self.n_types + 1)

    def frequent(self, min_count: int) -> EncodedText:
        """Return the text without the types that occur less often; their places stay, as -1."""
        kept = n_frequent(self.counts, min_count)
        if kept == self.n_types:
            return self
        return EncodedText(
            np.where(self.words < kept, self.words, np.int32(-1)),
            self.offsets,
            self.counts[:kept],
            self.forms.take(np.arange(kept, dtype=np.int32)),
        )


def encode(
    treebank: Treebank, *, fold_case: bool = False, conflate_digits: bool = False
) -> EncodedText:
    """Number the words of a treebank by type.

    >>> import treegauge as tg
    >>> text = encode(tg.parse("a/X b/X b/X\\n", format="slashed"))
    >>> list(text.forms), text.counts.tolist(), text.words.tolist()
    (['b', 'a'], [2, 1], [1, 0, 0])
    """
    forms = preprocessed(treebank.form, fold_case=fold_case, conflate_digits=conflate_digits)
    forms = forms.compact()
    counts = np.bincount(forms.codes, minlength=len(forms.vocabulary))
    order, type_of_code = by_frequency(counts)
    return EncodedText(
        type_of_code[forms.codes],
        np.asarray(treebank.offsets, np.int64),
        counts[order].astype(np.int64),
        forms.vocabulary.take(order),
    )


def by_frequency(counts: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return codes, which are numbered by first occurrence, by frequency; and their types."""
    order = np.argsort(-counts, kind="stable").astype(np.int32)
    type_of_code = np.empty(len(order), np.int32)
    type_of_code[order] = np.arange(len(order), dtype=np.int32)
    return order, type_of_code


def n_frequent(counts: NDArray[np.int64], min_count: int) -> int:
    """Return how many types, the most frequent first, occur so often."""
    return int(np.searchsorted(-counts, -min_count, side="right"))


def preprocessed(forms: Column, *, fold_case: bool, conflate_digits: bool) -> Column:
    """Return words in lower case, with every digit as 0, or as they are."""
    if fold_case:
        forms = forms.map(str.lower)
    if conflate_digits:
        forms = forms.map(lambda form: form.translate(_IS_DIGIT))
    return forms

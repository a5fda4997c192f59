"""Features of words as numbers, for models whose weights are rows of a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.taggers._token_features_numba import gather_features
from treegauge.systems.taggers.sequence_tagger import Sentences
from treegauge.systems.taggers.word_templates import (
    AFTER,
    BEFORE,
    WINDOW,
    WordTemplates,
    generic,
)
from treegauge.treebank import Column, Vocabulary


@dataclass(frozen=True)
class FeatureLists:
    """The features of every word."""

    starts: NDArray[np.int64]
    """Word -> its first feature; the number of features at the end."""
    features: NDArray[np.int32]


class TokenFeatures:
    """Numbers features: all that occur in training, no others.

    Parameters
    ----------
    templates : WordTemplates
        What is seen of words.
    names : Vocabulary
        The features that have numbers.
    frequent : frozenset of str
        Words that are so frequent that their affixes are not seen.
    """

    def __init__(
        self, templates: WordTemplates, names: Vocabulary, frequent: frozenset[str]
    ) -> None:
        self.templates = templates
        self.names = names
        self.frequent = frequent

    @classmethod
    def learn(
        cls, sentences: Sentences, templates: WordTemplates, *, rare: int | None
    ) -> tuple[TokenFeatures, FeatureLists]:
        """Number the features of training sentences; words up to a frequency are rare, or all."""
        count = np.bincount(sentences.forms.codes, minlength=len(sentences.forms.vocabulary))
        frequent = frozenset(
            form
            for form, n in zip(sentences.forms.vocabulary, count.tolist(), strict=True)
            if rare is not None and n > rare
        )
        numbers = _Numbers(is_learning=True)
        lists = _feature_lists(sentences, templates, frequent, numbers)
        return cls(templates, Vocabulary.from_strings(numbers.of_name), frequent), lists

    def of(self, sentences: Sentences) -> FeatureLists:
        """Return the features of all words, those without a number left out."""
        return _feature_lists(sentences, self.templates, self.frequent, _Numbers(self.names))


class _Numbers:
    """Numbers for names: new ones while learning, afterwards only those that there are."""

    def __init__(self, names: Iterable[str] = (), *, is_learning: bool = False) -> None:
        self.of_name = {name: number for number, name in enumerate(names)}
        self.is_learning = is_learning

    def find(self, names: Iterable[str]) -> list[int]:
        """Return the numbers of the names that have one."""
        of_name = self.of_name
        if self.is_learning:
            return [of_name.setdefault(name, len(of_name)) for name in names]
        return [of_name[name] for name in names if name in of_name]


def _feature_lists(
    sentences: Sentences, templates: WordTemplates, frequent: frozenset[str], numbers: _Numbers
) -> FeatureLists:
    # The two forms that are not words have the last numbers.
    words = list(sentences.forms.vocabulary)
    forms = [*words, BEFORE, AFTER]
    starts, features = [], []
    for offset in range(-WINDOW, WINDOW + 1):
        if offset:
            lists = [numbers.find(templates.of_neighbour(form, offset)) for form in forms]
        else:
            lists = [
                numbers.find(templates.of_word(word, is_rare=word not in frequent))
                for word in words
            ]
        starts.append(np.cumsum([0, *map(len, lists)]))
        features.append(np.fromiter(chain.from_iterable(lists), np.int32))
    around = _forms_around(sentences, len(words))
    pairs = _pair_features(around, forms, templates, numbers)
    return FeatureLists(*gather_features(around, tuple(starts), tuple(features), pairs))


def _forms_around(sentences: Sentences, n_words: int) -> NDArray[np.int32]:
    """Return the forms around every word: a column for each place of the window."""
    codes = sentences.forms.codes
    lengths = np.diff(sentences.offsets)
    place = np.arange(len(codes)) - np.repeat(sentences.offsets[:-1], lengths)
    behind = np.repeat(lengths, lengths) - 1 - place
    columns = []
    for offset in range(-WINDOW, WINDOW + 1):
        column = np.roll(codes, -offset)
        column[place + offset < 0] = n_words
        column[behind - offset < 0] = n_words + 1
        columns.append(column)
    return np.column_stack(columns).astype(np.int32)


def _pair_features(
    around: NDArray[np.int32], forms: list[str], templates: WordTemplates, numbers: _Numbers
) -> NDArray[np.int32]:
    """Return the features of pairs of neighbours: one column per pair, -1 where there is none."""
    generics = Column.from_strings(map(generic, forms))
    names = list(generics.vocabulary)
    columns = []
    for first, second in templates.pairs:
        left = generics.codes[around[:, WINDOW + first]].astype(np.int64)
        right = generics.codes[around[:, WINDOW + second]]
        pairs, inverse = np.unique(left * len(names) + right, return_inverse=True)
        feature = [
            next(iter(numbers.find([templates.of_pair(first, names[a], second, names[b])])), -1)
            for a, b in zip(
                (pairs // len(names)).tolist(), (pairs % len(names)).tolist(), strict=True
            )
        ]
        columns.append(np.array(feature, np.int32)[inverse])
    return np.column_stack(columns)

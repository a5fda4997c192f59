"""The values that a treebank has, numbered, for parsers that give every value a vector."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.neural.special_codes import FIRST, NO_TARGET, PADDING, ROOT, UNKNOWN
from treegauge.systems.saved_state import SavedState, vocabulary_arrays
from treegauge.systems.system import Arrays
from treegauge.treebank import EMPTY, Column, Treebank, Vocabulary

COLUMNS = ("form", "lemma", "upos", "xpos")
"""Columns with one value per word; forms in lower case, since letters have the case."""
LETTERS, FEATURES, VECTORS, _RELATIONS = "letters", "features", "vectors", "relations"
_MOST_LETTERS = 24
"""Of a longer form, half as many at either end are read: a network reads letter by letter."""


class ValueInventory:
    """What was seen in training.

    Parameters
    ----------
    vocabularies : mapping of str to Vocabulary
        Values of those of `COLUMNS` that are read, `letters` if forms are, `features` if FEATS
        are, `vectors` (words) if there are vectors from a file, and `relations`.
    """

    def __init__(self, vocabularies: Mapping[str, Vocabulary]) -> None:
        self.vocabularies = dict(vocabularies)
        self._numbers = {
            name: {value: code for code, value in enumerate(vocabulary, FIRST)}
            for name, vocabulary in self.vocabularies.items()
        }

    @classmethod
    def of(cls, treebank: Treebank, with_vectors: Vocabulary | None = None) -> ValueInventory:
        """Number what a treebank has; columns without annotation are not read."""
        vocabularies = {
            name: _values(treebank, name).compact().vocabulary
            for name in COLUMNS
            if treebank.columns[name].is_annotated
        }
        if "form" in vocabularies:
            count = Counter(
                letter for form in treebank.form.compact().vocabulary for letter in set(form)
            )
            # What one form alone has is unknown, so that there is something to learn of that.
            common = sorted(letter for letter, forms in count.items() if forms > 1)
            vocabularies[LETTERS] = Vocabulary.from_strings(common)
            if with_vectors is not None:
                vocabularies[VECTORS] = with_vectors
        if treebank.feats.is_annotated:
            vocabularies[FEATURES] = Vocabulary.from_strings(
                dict.fromkeys(
                    feature
                    for value in treebank.feats.compact().vocabulary
                    for feature in _single_features(value)
                )
            )
        vocabularies[_RELATIONS] = treebank.deprel.compact().vocabulary
        return cls(vocabularies)

    @property
    def relations(self) -> Vocabulary:
        """The relations in the order of their codes, which begin at 0."""
        return self.vocabularies[_RELATIONS]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns with one value per word that are read."""
        return tuple(name for name in COLUMNS if name in self.vocabularies)

    def n_codes(self, name: str) -> int:
        """Return how many codes a vocabulary has, those before its values counted; 0 if none."""
        return FIRST + len(self.vocabularies[name]) if name in self.vocabularies else 0

    def encode(self, treebank: Treebank) -> Arrays:
        """Return a treebank as the arrays of `neural.parser_codes.Codes`."""
        offsets = treebank.offsets + np.arange(len(treebank.offsets))
        rows = word_rows(treebank)
        n_rows = int(offsets[-1])
        arrays: Arrays = {"offsets": offsets}
        for name in self.columns:
            arrays[f"column.{name}"] = _with_roots(
                self._codes(name, _values(treebank, name)), rows, n_rows, ROOT
            )
        if VECTORS in self.vocabularies:
            arrays[f"column.{VECTORS}"] = _with_roots(
                self._vectors(treebank.form), rows, n_rows, ROOT
            )
        if LETTERS in self.vocabularies:
            arrays |= self._spelling(treebank.form, rows, n_rows)
        if FEATURES in self.vocabularies:
            arrays |= self._features(treebank.feats, rows, n_rows)
        return arrays

    def encode_trees(self, treebank: Treebank) -> Arrays:
        """Return the heads and relations of a treebank that the inventory is of.

        A relation that the root never has, or a word never has, is not allowed there; where
        none was seen, all are.
        """
        rows = word_rows(treebank)
        n_rows = treebank.n_words + treebank.n_sentences
        relations = self._codes(_RELATIONS, treebank.deprel) - np.int32(FIRST)
        allowed = np.zeros((2, len(self.relations)), np.bool_)
        for kind, chosen in enumerate((treebank.head > 0, treebank.head == 0)):
            allowed[kind, relations[chosen]] = True
        return {
            "heads": _with_roots(treebank.head, rows, n_rows, NO_TARGET),
            "relations": _with_roots(relations, rows, n_rows, NO_TARGET),
            "allowed": allowed | ~allowed.any(axis=1, keepdims=True),
        }

    def _codes(self, name: str, column: Column) -> NDArray[np.int32]:
        known = self._numbers[name]
        by_value = np.array([known.get(value, UNKNOWN) for value in column.vocabulary], np.int32)
        return by_value[column.codes] if len(column) else np.zeros(0, np.int32)

    def _vectors(self, form: Column) -> NDArray[np.int32]:
        """Return the codes of forms as they are, or else in lower case."""
        exact = self._codes(VECTORS, form)
        return np.where(exact != UNKNOWN, exact, self._codes(VECTORS, form.map(str.lower)))

    def _spelling(self, form: Column, rows: NDArray[np.intp], n_rows: int) -> Arrays:
        known, forms = self._numbers[LETTERS], form.compact()
        letters = [[ROOT]]
        for value in forms.vocabulary:
            if len(value) > _MOST_LETTERS:
                value = value[: _MOST_LETTERS // 2] + value[-_MOST_LETTERS // 2 :]
            # No form is empty, but an LSTM cannot read nothing.
            letters.append([known.get(letter, UNKNOWN) for letter in value] or [UNKNOWN])
        return {
            "spelling": _with_roots(forms.codes + np.int32(1), rows, n_rows, 0),
            "letters": np.array([code for codes in letters for code in codes], np.int32),
            "letter_starts": np.cumsum([0, *map(len, letters)], dtype=np.int64),
        }

    def _features(self, column: Column, rows: NDArray[np.intp], n_rows: int) -> Arrays:
        known, values = self._numbers[FEATURES], column.compact()
        sets = [[known[f] for f in _single_features(v) if f in known] for v in values.vocabulary]
        table = np.full((len(sets) + 1, max([1, *map(len, sets)])), PADDING, np.int32)
        for row, members in zip(table[1:], sets, strict=True):
            row[: len(members)] = members
        return {
            "feature_set": _with_roots(values.codes + np.int32(1), rows, n_rows, 0),
            "features": table,
        }

    # ------------------------------------------------------------------ save and load

    def to_arrays(self) -> Arrays:
        """Return the inventory as arrays."""
        arrays: Arrays = {}
        for name, vocabulary in self.vocabularies.items():
            arrays |= vocabulary_arrays(vocabulary, f"values_{name}")
        return arrays

    @classmethod
    def restored(cls, saved: SavedState) -> ValueInventory:
        """Return the inventory that `to_arrays` gave."""
        names = [
            name for name in (*COLUMNS, LETTERS, FEATURES, VECTORS) if f"values_{name}" in saved
        ]
        return cls({name: saved.vocabulary(f"values_{name}") for name in (*names, _RELATIONS)})


def word_rows(treebank: Treebank) -> NDArray[np.intp]:
    """Return the row of every word, where sentences have a row for the root in front."""
    return np.arange(treebank.n_words) + treebank.sentence_of_word + 1


def _with_roots(
    codes: NDArray[np.int32], rows: NDArray[np.intp], n_rows: int, root: int
) -> NDArray[np.int32]:
    table = np.full(n_rows, root, np.int32)
    table[rows] = codes
    return table


def _values(treebank: Treebank, name: str) -> Column:
    column: Column = treebank.columns[name]
    return column.map(str.lower) if name == "form" else column


def _single_features(value: str) -> list[str]:
    return [] if value in ("", EMPTY) else list(dict.fromkeys(value.split("|")))

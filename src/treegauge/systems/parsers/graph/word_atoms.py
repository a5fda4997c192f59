"""What features are made of: a handful of small facts about every word, as numbers.

| atom | what it is |
| :-- | :-- |
| `w` | the form |
| `r` | its first five characters |
| `s` | its last three characters |
| `l` | the lemma |
| `p` | the tag (UPOS, or what the settings put there) |
| `x` | the fine tag (XPOS) |
| `f` | all morphological features together (FEATS) |

`p<`, `p>`, `x<` and `x>` are the tags of the words before and after. Values are numbered by the
training data; 0 stands for a place outside the sentence, 1 for the root, 2 for an unseen value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.saved_state import SavedState, vocabulary_arrays
from treegauge.systems.system import Arrays
from treegauge.treebank import EMPTY, Column, Treebank, Vocabulary

OUTSIDE, ROOT, UNKNOWN = 0, 1, 2
_FIRST_CODE = 3

_OF_WORD: dict[str, tuple[str, Callable[[str], str]]] = {
    "w": ("form", str),
    "r": ("form", lambda form: form[:5]),
    "s": ("form", lambda form: form[-3:]),
    "l": ("lemma", str),
    "p": ("upos", str),
    "x": ("xpos", str),
    "f": ("feats", str),
}
_OF_NEIGHBOUR = {"p<": "p", "p>": "p", "x<": "x", "x>": "x"}
ATOMS = (*_OF_WORD, *_OF_NEIGHBOUR)
"""All atoms; their places here are the columns of `AtomTable.codes`."""
LEXICAL = ("w", "r", "s", "l")
"""Those that are replaced by `UNKNOWN` now and then in training, so that it is known."""


@dataclass(frozen=True)
class AtomTable:
    """The atoms of all words of a treebank.

    The words of sentence s are rows `offsets[s] + s + 1` and on; row `offsets[s] + s` is its root.
    """

    codes: NDArray[np.int32]
    """A row for every word and every root, a column for every one of `ATOMS`."""
    offsets: NDArray[np.int64]
    """Where sentences begin in the treebank."""
    features: NDArray[np.int32]
    """The single features, `Case=Nom` and so on, of all distinct values of FEATS."""
    feature_starts: NDArray[np.int64]
    """Where those of each value begin."""
    feature_value: NDArray[np.int32]
    """Which of these values every row has."""

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The row of every sentence's root."""
        return self.offsets + np.arange(len(self.offsets))

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """The row of every word of the treebank."""
        sentence = np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))
        return np.arange(int(self.offsets[-1])) + sentence + 1


class AtomInventory:
    """Numbers for the values that were seen in training.

    Parameters
    ----------
    values : dict
        For each atom that has any, its values in the order of their numbers.
    features : sequence of str
        Single morphological features in the order of their numbers.
    """

    def __init__(self, values: dict[str, Vocabulary], features: Vocabulary) -> None:
        self.values = values
        self.features = features

    @classmethod
    def of(cls, treebank: Treebank) -> AtomInventory:
        """Number what is in a treebank; columns without annotation have no atoms."""
        values = {}
        for atom, (column, change) in _OF_WORD.items():
            if treebank.columns[column].is_annotated:
                values[atom] = treebank.columns[column].map(change).compact().vocabulary
        features: dict[str, None] = {}
        for value in values.get("f", ()):
            features.update(dict.fromkeys(_single_features(value)))
        return cls(values, Vocabulary.from_strings(features))

    @property
    def atoms(self) -> tuple[str, ...]:
        """The atoms that there are."""
        return tuple(a for a in ATOMS if _OF_NEIGHBOUR.get(a, a) in self.values)

    def encode(self, treebank: Treebank) -> AtomTable:
        """Return the atoms of a treebank; what was never seen is `UNKNOWN`."""
        offsets = treebank.offsets
        n_rows = treebank.n_words + len(offsets) - 1
        features, starts, value = self._features(treebank)
        table = AtomTable(
            np.full((n_rows, len(ATOMS)), ROOT, np.int32),
            offsets,
            features,
            starts,
            np.zeros(n_rows, np.int32),
        )
        table.feature_value[table.rows] = value
        for atom, (column, change) in _OF_WORD.items():
            place = ATOMS.index(atom)
            if atom not in self.values:
                table.codes[:, place] = OUTSIDE
            else:
                codes = self._codes(atom, treebank.columns[column].map(change))
                table.codes[table.rows, place] = codes
        is_first = np.zeros(treebank.n_words + 1, np.bool_)
        is_first[offsets] = True
        for atom, of_word in _OF_NEIGHBOUR.items():
            shift = -1 if atom.endswith("<") else 1
            at_edge = is_first[:-1] if shift < 0 else is_first[1:]
            if len(table.rows):
                neighbour = np.clip(table.rows + shift, 0, len(table.codes) - 1)
                table.codes[table.rows, ATOMS.index(atom)] = np.where(
                    at_edge, OUTSIDE, table.codes[neighbour, ATOMS.index(of_word)]
                )
            # The root has no place among the words: left and right of it there is nothing.
            table.codes[table.starts[:-1], ATOMS.index(atom)] = OUTSIDE
        return table

    def _codes(self, atom: str, column: Column) -> NDArray[np.int32]:
        number = self._numbers[atom]
        by_value = np.array([number.get(v, UNKNOWN) for v in column.vocabulary], np.int32)
        return by_value[column.codes] if len(column) else np.zeros(0, np.int32)

    @cached_property
    def _numbers(self) -> dict[str, dict[str, int]]:
        return {
            atom: {value: code for code, value in enumerate(values, start=_FIRST_CODE)}
            for atom, values in self.values.items()
        }

    def _features(
        self, treebank: Treebank
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
        """Return the single features that are known, by value of FEATS, and everyone's value."""
        number = {feature: code for code, feature in enumerate(self.features)}
        values = ["", *treebank.feats.vocabulary]  # the root has none
        lists = [[number[f] for f in _single_features(v) if f in number] for v in values]
        starts = np.zeros(len(lists) + 1, np.int64)
        np.cumsum([len(part) for part in lists], out=starts[1:])
        features = np.array([code for part in lists for code in part], np.int32)
        return features, starts, treebank.feats.codes + np.int32(1)

    def occurrences(self, treebank: Treebank) -> NDArray[np.int64]:
        """Return how often each word's form, or else its lemma, occurs; 1 without either."""
        for column in (treebank.form, treebank.lemma):
            if column.is_annotated:
                counts = np.bincount(column.codes, minlength=len(column.vocabulary))
                return np.asarray(counts[column.codes])
        return np.ones(treebank.n_words, np.int64)

    # ------------------------------------------------------------------ save and load

    def to_arrays(self) -> Arrays:
        """Return the inventory as arrays."""
        arrays: Arrays = {}
        for name, vocabulary in {**self.values, "features": self.features}.items():
            arrays |= vocabulary_arrays(vocabulary, f"atom_{name}")
        return arrays

    @classmethod
    def restored(cls, saved: SavedState) -> AtomInventory:
        """Return the inventory that `to_arrays` gave."""
        values = {
            atom: saved.vocabulary(f"atom_{atom}") for atom in _OF_WORD if f"atom_{atom}" in saved
        }
        return cls(values, saved.vocabulary("atom_features"))


def _single_features(value: str) -> list[str]:
    return [] if value in ("", EMPTY) else list(dict.fromkeys(value.split("|")))

"""Strings as numbers: what the features of a word are made of.

Every kind of atom has a vocabulary of what was seen in training, behind three numbers that all
kinds have: no word, the root, never seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.parsers.transition._features_numba import (
    FORM,
    LEMMA,
    MORPHOLOGY,
    N_COLUMNS,
    N_SPECIAL,
    NONE,
    ROOT_ATOM,
    SUFFIX,
    TAG,
    UNKNOWN,
    XPOS,
)
from treegauge.treebank import EMPTY, Column, Treebank, Vocabulary

_SUFFIX_LENGTH = 3

VOCABULARIES = ("forms", "lemmas", "tags", "fine_tags", "features", "suffixes", "attributes")
_ATTRIBUTES = 6


@dataclass(frozen=True)
class EncodedWords:
    """The words of a treebank as kernels read them.

    Attributes
    ----------
    atoms : int32 array, words + 2 x N_COLUMNS
        A row per word; then the root's, then that of no word.
    feature_set : int32 array, one per word
        Which set of attributes a word has; set 0 is empty.
    begins, members : int32 arrays
        The attributes of set s are `members[begins[s]:begins[s + 1]]`.
    """

    atoms: NDArray[np.int32]
    feature_set: NDArray[np.int32]
    begins: NDArray[np.int32]
    members: NDArray[np.int32]


class Lexicon:
    """What was seen in training.

    Parameters
    ----------
    vocabularies : mapping of str to Vocabulary
        One for each of `VOCABULARIES`; empty where nothing is annotated.
    """

    def __init__(self, vocabularies: Mapping[str, Vocabulary]) -> None:
        self.vocabularies = {name: vocabularies[name] for name in VOCABULARIES}
        self._codes = [
            {string: code for code, string in enumerate(vocabularies[name], start=N_SPECIAL)}
            for name in VOCABULARIES
        ]

    @classmethod
    def of(cls, treebank: Treebank) -> Lexicon:
        """Number what a treebank has."""
        return cls(
            {
                **{
                    VOCABULARIES[kind]: Vocabulary.from_strings(
                        value for value in column.compact().vocabulary if value not in ("", EMPTY)
                    )
                    for kind, column in enumerate(_columns(treebank))
                },
                "attributes": Vocabulary.from_strings(
                    dict.fromkeys(
                        attribute
                        for value in treebank.feats.compact().vocabulary
                        for attribute in _attributes(value)
                    )
                ),
            }
        )

    @property
    def kinds(self) -> frozenset[int]:
        """The kinds of atoms there are."""
        return frozenset(kind for kind in range(N_COLUMNS) if self._codes[kind])

    def encode(self, treebank: Treebank) -> EncodedWords:
        """Return the words of a treebank as numbers."""
        n = treebank.n_words
        atoms = np.empty((n + 2, N_COLUMNS), np.int32)
        atoms[n], atoms[n + 1] = ROOT_ATOM, NONE
        for kind, column in enumerate(_columns(treebank)):
            known = self._codes[kind]
            codes = [
                NONE if value in ("", EMPTY) else known.get(value, UNKNOWN)
                for value in column.vocabulary
            ]
            atoms[:n, kind] = np.array(codes, np.int32)[column.codes]
        known = self._codes[_ATTRIBUTES]
        features = treebank.feats.compact()
        sets = [
            [known[attribute] for attribute in _attributes(value) if attribute in known]
            for value in features.vocabulary
        ]
        begins = np.cumsum([0, 0, *(len(members) for members in sets)], dtype=np.int32)
        members = np.array([member for members in sets for member in members], np.int32)
        return EncodedWords(atoms, features.codes + np.int32(1), begins, members)


def forget_rare_words(
    atoms: NDArray[np.int32], seen_once: NDArray[np.bool_], generator: np.random.Generator
) -> NDArray[np.int32]:
    """Return the atoms with half of the words that were seen once unknown."""
    forgotten = generator.random(len(atoms) - 2) < 0.5
    changed = atoms.copy()
    for i, kind in enumerate((FORM, LEMMA)):
        changed[:-2][forgotten & seen_once[:, i], kind] = UNKNOWN
    return changed


def seen_once(atoms: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return which words have a form and a lemma that no other word has."""
    words = atoms[:-2, [FORM, LEMMA]]
    counts = [np.bincount(words[:, i])[words[:, i]] for i in range(2)]
    once: NDArray[np.bool_] = np.stack(counts, axis=1) == 1
    return once


def _columns(treebank: Treebank) -> list[Column]:
    """Return the columns of a treebank by the kind of their atoms."""
    columns = {
        FORM: treebank.form,
        LEMMA: treebank.lemma,
        TAG: treebank.upos,
        XPOS: treebank.xpos,
        MORPHOLOGY: treebank.feats,
        SUFFIX: treebank.form.map(_suffix),
    }
    return [columns[kind] for kind in range(N_COLUMNS)]


def _suffix(form: str) -> str:
    return form[-_SUFFIX_LENGTH:].lower()


def _attributes(value: str) -> list[str]:
    return [attribute for attribute in value.split("|") if attribute not in ("", EMPTY)]

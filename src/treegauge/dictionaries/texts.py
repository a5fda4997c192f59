"""Texts with tags, as arrays: what is looked up once and scored for many taggers."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treegauge.dictionaries.errors import DictionaryError
from treegauge.dictionaries.matching import Entries, Matching, look_up
from treegauge.dictionaries.tag_dictionary import TagDictionary
from treegauge.dictionaries.tag_sets import tag_code
from treegauge.treebank import (
    Column,
    Treebank,
    align_by_position,
    is_punctuation_form,
    tag_column,
)

Codes = NDArray[np.int8]
"""A tag for every word, by its place in `TAGS`."""


class Text:
    """The words of a text, held against a dictionary under conventions.

    Nothing here is about a tagger: several are scored on one text.

    Attributes
    ----------
    entry : int array, one per word
        The word's place in `dictionary`, one behind the last for numbers, -1 if it has none.
    mask : uint16 array, one per word
        Its tags, 0 where it is not covered.
    is_scored : bool array
        False for punctuation that is ignored.
    is_punctuation : bool array
        By form.
    sentence : int array
        The number of the word's sentence.
    """

    def __init__(
        self, treebank: Treebank, dictionary: TagDictionary, matching: Matching | None = None
    ) -> None:
        self.treebank = treebank
        self.matching = matching or Matching()
        self.given = dictionary
        form = treebank.form.canonical()
        entries: Entries = look_up(dictionary, form.vocabulary, self.matching)
        self.dictionary = entries.dictionary
        self.type: NDArray[np.int32] = form.codes
        self.entry: NDArray[np.int64] = entries.place[form.codes]
        self.mask = entries.mask[form.codes]
        marks = np.array([is_punctuation_form(one) for one in form.vocabulary], np.bool_)
        self.is_punctuation: NDArray[np.bool_] = marks[form.codes]
        self.is_scored = (
            ~self.is_punctuation
            if self.matching.punctuation == "ignored"
            else np.ones(len(form), np.bool_)
        )
        self.sentence = treebank.sentence_of_word

    @property
    def is_covered(self) -> NDArray[np.bool_]:
        """Which scored words have an entry."""
        covered: NDArray[np.bool_] = (self.mask > 0) & self.is_scored
        return covered

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that depend on the words and sentences alone."""
        form = self.treebank.form.canonical()
        digest = hashlib.blake2b(digest_size=8)
        for array in (self.treebank.offsets.astype("<i8"), form.codes.astype("<i4")):
            digest.update(array.tobytes())
        digest.update("\n".join(form.vocabulary).encode())
        return digest.hexdigest()

    def codes(self, tagged: Treebank) -> Codes:
        """Return a tagger's tags of this text.

        Raises
        ------
        AlignmentError
            If it is another text; the message says where.
        TreebankError
            If it has no universal tags.
        """
        if tagged is not self.treebank:
            align_by_position(self.treebank, tagged)
        return tag_codes(tagged, self.matching)

    def accepted(self, codes: Codes) -> NDArray[np.bool_]:
        """Return which words are covered and have a tag that the dictionary warrants."""
        allowed = np.right_shift(self.mask, codes.astype(np.uint16)) & 1
        accepted: NDArray[np.bool_] = (allowed == 1) & self.is_scored
        return accepted

    def by_sentence(self, *masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Count the words of each mask in each sentence: `[sentences, masks]`."""
        n = self.treebank.n_sentences
        return np.stack(
            [np.bincount(self.sentence[mask], minlength=n) for mask in masks], axis=1
        ).astype(np.float64)


def tag_codes(treebank: Treebank, matching: Matching | None = None) -> Codes:
    """Return the universal tags of a treebank by their places among the 12."""
    tag_column(treebank, "u12")  # complains about missing and unknown tags
    symbols = (matching or Matching()).symbols
    column: Column = treebank.upos
    of_value = [tag_code(tag, symbols=symbols) for tag in column.vocabulary]
    return np.array(of_value, np.int8)[column.codes]


@dataclass(frozen=True)
class Tagged:
    """A tagger's name and its tags of a text."""

    name: str
    codes: Codes


def tagged_texts(text: Text, treebanks: Sequence[Treebank]) -> list[Tagged]:
    """Return the tags of several taggers, whose names must differ."""
    names = [treebank.name or f"tagger {i}" for i, treebank in enumerate(treebanks, start=1)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DictionaryError(f"two taggers are called {twice[0]!r}; name them NAME=FILE")
    return [
        Tagged(name, text.codes(treebank)) for name, treebank in zip(names, treebanks, strict=True)
    ]

"""One column of a treebank: a code for every word, and what the codes mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.treebank._interning_numba import is_numbered_by_first_use, number_by_first_use
from treegauge.treebank.interning import Interner
from treegauge.treebank.vocabulary import Immutable, Vocabulary, frozen
from treegauge.wording import counted

EMPTY = "_"
"""How the column formats write that nothing is annotated."""

KNOWN_COLUMNS = (
    "form",
    "lemma",
    "upos",
    "xpos",
    "cpos",
    "feats",
    "deprel",
    "deps",
    "misc",
    "phead",
    "pdeprel",
)
"""Columns that every treebank has; one that its file lacks is `_` throughout."""

_PORTION = 1 << 14


class Column(Immutable, Sequence[str]):
    """An immutable sequence of strings, stored as integer codes into a vocabulary.

    Parameters
    ----------
    codes : array of int32
        The code of every word. The array is not copied and becomes read-only.
    vocabulary : Vocabulary
        The strings by code.

    Examples
    --------
    >>> tags = Column.from_strings(["DET", "NOUN", "DET"])
    >>> tags[0], tags.codes.tolist(), list(tags.vocabulary)
    ('DET', [0, 1, 0], ['DET', 'NOUN'])
    >>> list(tags.map(str.lower))
    ['det', 'noun', 'det']
    >>> tags.counts()
    {'DET': 2, 'NOUN': 1}
    >>> list(tags.take([1, 2]))
    ['NOUN', 'DET']
    """

    def __init__(self, codes: NDArray[np.int32], vocabulary: Vocabulary) -> None:
        self.codes = frozen(codes)
        self.vocabulary = vocabulary

    @classmethod
    def from_strings(cls, strings: Iterable[str]) -> Column:
        """Return a column of strings, numbered in the order of first use.

        Parameters
        ----------
        strings : iterable of str
            One per word.

        Returns
        -------
        Column
            The column.
        """
        interner = Interner()
        codes = interner.add_strings(list(strings))
        return cls(codes, interner.vocabulary())

    @classmethod
    def constant(cls, string: str, length: int) -> Column:
        """Return a column with the same string for every word.

        Parameters
        ----------
        string : str
            The string.
        length : int
            The number of words.

        Returns
        -------
        Column
            The column.

        Examples
        --------
        >>> list(Column.constant("_", 3))
        ['_', '_', '_']
        """
        return cls(np.zeros(length, np.int32), Vocabulary.from_strings([string]))

    @classmethod
    def concatenate(cls, columns: Sequence[Column]) -> Column:
        """Join columns into one.

        Parameters
        ----------
        columns : sequence of Column
            In this order.

        Returns
        -------
        Column
            All values.

        Examples
        --------
        >>> list(Column.concatenate([Column.constant("a", 2), Column.constant("b", 1)]))
        ['a', 'a', 'b']
        """
        interner = Interner()
        parts = [interner.add_vocabulary(column.vocabulary)[column.codes] for column in columns]
        codes = np.concatenate(parts) if parts else np.zeros(0, np.int32)
        return cls(codes, interner.vocabulary())

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Column: ...
    def __getitem__(self, index: int | slice) -> str | Column:
        if isinstance(index, slice):
            return Column(self.codes[index], self.vocabulary)
        return self.vocabulary[int(self.codes[index])]

    def __iter__(self) -> Iterator[str]:
        strings = self.vocabulary.strings
        return (strings[code] for code in self.codes.tolist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Column):
            return NotImplemented
        if len(self) != len(other):
            return False
        if np.array_equal(self.codes, other.codes) and self.vocabulary == other.vocabulary:
            return True
        mine, theirs = self.canonical(), other.canonical()
        return np.array_equal(mine.codes, theirs.codes) and mine.vocabulary == theirs.vocabulary

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = " ".join(self[:8])
        return f"Column({shown}{' …' if len(self) > 8 else ''}; {counted(len(self), 'word')})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Column, (self.codes, self.vocabulary)

    @property
    def is_annotated(self) -> bool:
        """Whether any word has a value; `_` and the empty string are not values."""
        blank, empty = self.vocabulary.code(EMPTY), self.vocabulary.code("")
        # Most columns are by their first words.
        portions = (self.codes[i : i + _PORTION] for i in range(0, len(self.codes), _PORTION))
        return any(((codes != blank) & (codes != empty)).any() for codes in portions)

    def take(self, words: ArrayLike) -> Column:
        """Return the values of some words.

        Parameters
        ----------
        words : array of int or of bool
            Indices from 0, or a mask over all words.

        Returns
        -------
        Column
            The values.
        """
        chosen = np.asarray(words)
        if not chosen.size and chosen.dtype != np.bool_:
            chosen = chosen.astype(np.intp)  # NumPy takes an empty list for floats
        return Column(self.codes[chosen], self.vocabulary)

    def map(self, function: Callable[[str], str]) -> Column:
        """Apply a function to every value, once per distinct value.

        Parameters
        ----------
        function : callable
            Takes a string and returns a string.

        Returns
        -------
        Column
            The new values.
        """
        _, order = self._by_first_use()
        interner = Interner()
        new_code = np.full(len(self.vocabulary), -1, np.int32)
        changed = [function(value) for value in self.vocabulary.take(order)]
        new_code[order] = interner.add_strings(changed)
        return Column(new_code[self.codes], interner.vocabulary())

    def canonical(self) -> Column:
        """Return the same values as `compact`; the column itself if it is compact already.

        Returns
        -------
        Column
            The same values.

        Examples
        --------
        >>> tags = Column.from_strings(["DET", "NOUN"])
        >>> tags.canonical() is tags
        True
        """
        if is_numbered_by_first_use(self.codes, len(self.vocabulary)):
            return self
        return self.compact()

    def compact(self) -> Column:
        """Return the same values, with codes numbered by first use and no unused codes.

        Two columns with equal values are equal arrays afterwards. If this column was cut from a
        larger one, nothing of the larger one can be reached from the result.

        Returns
        -------
        Column
            The same values.

        Examples
        --------
        >>> last = Column.from_strings(["DET", "NOUN"])[1:]
        >>> list(last.vocabulary), list(last.compact().vocabulary)
        (['DET', 'NOUN'], ['NOUN'])
        """
        new_code, order = self._by_first_use()
        return Column(new_code[self.codes], self.vocabulary.take(order))

    def _by_first_use(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the new code of every old one, -1 if it is not used, and the old ones in order."""
        new_code = np.full(len(self.vocabulary), -1, np.int32)
        order = np.empty(len(self.vocabulary), np.int32)
        used = number_by_first_use(self.codes, new_code, order)
        return new_code, order[:used]

    def counts(self) -> dict[str, int]:
        """Count every value.

        Returns
        -------
        dict from str to int
            How often every value occurs, the most frequent first.
        """
        totals = np.bincount(self.codes, minlength=len(self.vocabulary))
        order = np.argsort(-totals, kind="stable")
        return {self.vocabulary[int(code)]: int(totals[code]) for code in order if totals[code]}

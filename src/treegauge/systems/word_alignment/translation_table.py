"""Probabilities of translations: P(target word | source word), for pairs that ever meet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.word_alignment.bitext import Bitext, Side

_CHUNK = 2_000_000
"""So many pairs of words are looked at at once."""


@dataclass(frozen=True)
class TranslationTable:
    """A sparse table: a row for every source word, the last one for the empty word.

    Attributes
    ----------
    row_starts : int array
        Where rows begin, and the end.
    columns : int array
        The target words of rows, in ascending order.
    chances : float array
        Their probabilities; those of a row sum to 1.
    """

    row_starts: NDArray[np.int64]
    columns: NDArray[np.int32]
    chances: NDArray[np.float64]

    @classmethod
    def even(cls, bitext: Bitext) -> TranslationTable:
        """Return the table in which all words that a word ever meets are equally likely."""
        source, target = bitext.source, bitext.target
        n_source, n_target = len(source.words.vocabulary), len(target.words.vocabulary)
        # The empty word stands in every sentence.
        pairs = np.arange(n_target, dtype=np.int64) + n_source * n_target
        chunk = np.cumsum(source.lengths * target.lengths) // _CHUNK
        for number in np.unique(chunk).tolist():
            keys = [
                (sentence(source, s).astype(np.int64)[:, None] * n_target + sentence(target, s))
                for s in np.flatnonzero(chunk == number).tolist()
            ]
            pairs = np.union1d(pairs, np.concatenate([key.ravel() for key in keys]))
        sizes = np.bincount(pairs // n_target, minlength=n_source + 1)
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        columns = (pairs % n_target).astype(np.int32)
        return cls(starts, columns, np.repeat(1 / sizes, sizes))

    def estimated(self, counts: NDArray[np.float64]) -> TranslationTable:
        """Return the table of the relative frequencies of counts."""
        totals = np.add.reduceat(counts, self.row_starts[:-1])
        seen = np.repeat(totals, np.diff(self.row_starts))
        # A word with which nothing was ever linked keeps what it had.
        chances = np.divide(counts, seen, out=self.chances.copy(), where=seen > 0)
        return TranslationTable(self.row_starts, self.columns, chances)

    def row(self, word: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Return the target words of a source word, by code, with their probabilities."""
        row = slice(self.row_starts[word], self.row_starts[word + 1])
        return self.columns[row], self.chances[row]


def sentence(side: Side, number: int) -> NDArray[np.int32]:
    """Return the words of a sentence by their codes."""
    codes: NDArray[np.int32] = side.words.codes
    return codes[side.offsets[number] : side.offsets[number + 1]]

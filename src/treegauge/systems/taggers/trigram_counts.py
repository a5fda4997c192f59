"""Trigrams of tags: two boundaries before every sentence, one behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.saved_state import SavedState, damaged
from treegauge.systems.system import Arrays


@dataclass(frozen=True)
class TrigramCounts:
    """How often every trigram that occurs does.

    The boundary is the state behind all others: as a context the beginning of a sentence, as
    an outcome its end.
    """

    n_states: int
    """Without the boundary."""
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    third: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of(
        cls, states: NDArray[np.integer[Any]], offsets: NDArray[np.integer[Any]], n_states: int
    ) -> TrigramCounts:
        """Count the trigrams of sentences, which begin at `offsets`.

        >>> counts = TrigramCounts.of(np.array([0, 1]), np.array([0, 2]), n_states=2)
        >>> [(int(a), int(b), int(c)) for a, b, c in zip(counts.first, counts.second, counts.third)]
        [(0, 1, 2), (2, 0, 1), (2, 2, 0)]
        """
        lengths = np.diff(offsets)
        lengths = lengths[lengths > 0]
        n_sentences = len(lengths)
        begins = np.cumsum(lengths + 3) - (lengths + 3)
        padded = np.full(len(states) + 3 * n_sentences, n_states, np.int64)
        word_begins = np.cumsum(lengths) - lengths
        within = np.arange(len(states)) - np.repeat(word_begins, lengths)
        padded[np.repeat(begins + 2, lengths) + within] = states
        is_outcome = np.ones(len(padded), np.bool_)
        is_outcome[begins] = is_outcome[begins + 1] = False
        at = np.flatnonzero(is_outcome)
        size = n_states + 1
        codes, counts = np.unique(
            (padded[at - 2] * size + padded[at - 1]) * size + padded[at], return_counts=True
        )
        return cls.from_codes(codes, counts.astype(np.int64), n_states)

    @classmethod
    def from_codes(
        cls, codes: NDArray[np.int64], counts: NDArray[np.int64], n_states: int
    ) -> TrigramCounts:
        """Take trigrams as single numbers, in ascending order."""
        size = n_states + 1
        return cls(n_states, codes // size**2, codes // size % size, codes % size, counts)

    @property
    def codes(self) -> NDArray[np.int64]:
        """Every trigram as one number."""
        size = self.n_states + 1
        return (self.first * size + self.second) * size + self.third

    @property
    def contexts(self) -> NDArray[np.int64]:
        """The context of every trigram as one number."""
        return self.first * (self.n_states + 1) + self.second

    def arrays(self) -> Arrays:
        """Return the counts as `save` writes them."""
        return {"trigrams": self.codes, "trigram_counts": self.counts}

    @classmethod
    def restored(cls, saved: SavedState, n_states: int) -> TrigramCounts:
        """Take back what `arrays` gave."""
        codes = saved.integers("trigrams", below=(n_states + 1) ** 3)
        counts = saved.integers("trigram_counts", shape=(len(codes),), least=1)
        if not len(codes) or (np.diff(codes) <= 0).any():
            raise damaged("trigrams are not in ascending order")
        return cls.from_codes(codes, counts, n_states)

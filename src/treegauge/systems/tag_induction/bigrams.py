"""Which types stand beside which, and how often: all that class bigram models need of a text."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.tag_induction._bigrams_numba import count_successors, transposed


class Bigrams(NamedTuple):
    """Counts of neighbouring types, from both sides.

    The successors of type w are `right[right_starts[w]:right_starts[w + 1]]`, with their counts
    in `right_count`; predecessors in the same way to the left. Both ascend.
    """

    right_starts: NDArray[np.int64]
    right: NDArray[np.int32]
    right_count: NDArray[np.int64]
    left_starts: NDArray[np.int64]
    left: NDArray[np.int32]
    left_count: NDArray[np.int64]

    @property
    def total(self) -> int:
        """The number of pairs in the text."""
        return int(self.right_count.sum())


def count_bigrams(
    words: NDArray[np.int32], n_types: int, offsets: NDArray[np.int64] | None = None
) -> Bigrams:
    """Count neighbours in a text of types; -1 is no type and has none.

    Given the offsets of sentences, the last word of one is no neighbour of the first of the
    next.

    >>> bigrams = count_bigrams(np.array([0, 1, 0, 1, 1], np.int32), 2)
    >>> bigrams.right.tolist(), bigrams.right_count.tolist()
    ([1, 0, 1], [2, 1, 1])
    """
    breaks = np.zeros(len(words), np.bool_)
    if offsets is not None:
        breaks[offsets[:-1][offsets[:-1] < len(words)]] = True
    return both_sides(count_successors(words, breaks, n_types))


Neighbours = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]


def both_sides(successors: Neighbours) -> Bigrams:
    """Return bigrams by successors, in whatever order; those of a type become ascending."""
    predecessors = transposed(*successors)
    return Bigrams(*transposed(*predecessors), *predecessors)


def with_boundaries(
    words: NDArray[np.int32], offsets: NDArray[np.int64], boundary: int
) -> NDArray[np.int32]:
    """Return the text with a boundary before and after every sentence, shared by neighbours.

    >>> with_boundaries(np.array([4, 5, 6], np.int32), np.array([0, 1, 3]), 9).tolist()
    [9, 4, 9, 5, 6, 9]
    """
    begins = offsets[:-1][np.diff(offsets) > 0]
    text = np.insert(words, begins, np.int32(boundary))
    return np.append(text, np.int32(boundary))

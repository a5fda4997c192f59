"""Classes for words that were never seen: those of the known words with the same ending.

The neighbours of a word are the known words that share its longest suffix, in characters; of
their classes the largest is taken. A word whose last letter no known word ends in is
a neighbour of all.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike


class SuffixNeighbours:
    """Known words, ordered from their last character to their first.

    Parameters
    ----------
    words : sequence of str
        At least one.
    classes : array of int
        Their classes; of two the smaller number is the larger class.

    >>> known = SuffixNeighbours(["walking", "king", "walked"], [1, 0, 2])
    >>> known.class_of("talking"), known.class_of("singing"), known.class_of("red")
    (1, 0, 2)
    """

    def __init__(self, words: Sequence[str], classes: ArrayLike) -> None:
        backwards = [word[::-1] for word in words]
        order = sorted(range(len(backwards)), key=backwards.__getitem__)
        self._backwards = [backwards[i] for i in order]
        self._classes = np.asarray(classes)[order]
        # Ranges of words with one suffix are nested: keeping their answers, the work for any
        # number of unseen words is bounded by the depth of the tree of suffixes.
        self._known_ranges: dict[tuple[int, int], int] = {}

    def class_of(self, word: str) -> int:
        """Return the largest class among the words that share the longest suffix."""
        backwards = word[::-1]
        place = bisect_left(self._backwards, backwards)
        near = self._backwards[max(place - 1, 0) : place + 1]
        shared = backwards[: max(_common_prefix(backwards, other) for other in near)]
        return self._largest(
            bisect_left(self._backwards, shared),
            bisect_right(self._backwards, shared, key=lambda other: other[: len(shared)]),
        )

    def _largest(self, first: int, last: int) -> int:
        if (first, last) not in self._known_ranges:
            self._known_ranges[first, last] = int(self._classes[first:last].min())
        return self._known_ranges[first, last]


def _common_prefix(a: str, b: str) -> int:
    if a == b:
        return len(a)
    pairs = zip(a, b, strict=False)
    different = (i for i, (x, y) in enumerate(pairs) if x != y)
    return next(different, min(len(a), len(b)))

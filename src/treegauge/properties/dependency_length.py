"""Dependency length: how far apart heads and dependents stand.

Conventions
-----------
The length of an arc is the distance of its ends, |i - j| (`distance`), or the number of words in
the span it covers, both ends counted, |i - j| + 1 (`span`; Gulordava and Merlo 2016, footnote 3).
The arc to a root is none. Lengths are whole numbers; a sentence of one word has length 0.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.treebank import Treebank

LengthUnit = Literal["distance", "span"]


def arc_lengths(treebank: Treebank, *, unit: LengthUnit = "distance") -> NDArray[np.int64]:
    """Return the length of the arc to every word; 0 where there is no arc.

    Roots have none, nor have words without a head, with one outside the sentence, or on themselves.

    Examples
    --------
    >>> import treegauge as tg
    >>> words = tg.Column.from_strings(["John", "threw", "out", "the", "trash"])
    >>> john = tg.Treebank({"form": words}, [2, 0, 2, 5, 2], offsets=[0, 5])
    >>> arc_lengths(john).tolist(), arc_lengths(john, unit="span").tolist()
    ([1, 0, 1, 1, 3], [2, 0, 2, 2, 4])
    """
    position = np.arange(treebank.n_words) - np.repeat(treebank.offsets[:-1], treebank.lengths) + 1
    is_arc = (treebank.head > 0) & (treebank.head <= np.repeat(treebank.lengths, treebank.lengths))
    is_arc &= treebank.head != position
    one_more = 1 if unit == "span" else 0
    lengths: NDArray[np.int64] = np.where(is_arc, np.abs(position - treebank.head) + one_more, 0)
    return lengths


def dependency_lengths(treebank: Treebank, *, unit: LengthUnit = "distance") -> NDArray[np.int64]:
    """Return the sum of the arc lengths of every sentence."""
    sums = np.concatenate([[0], np.cumsum(arc_lengths(treebank, unit=unit))])
    return np.asarray(np.diff(sums[treebank.offsets]))


def mean_dependency_length(treebank: Treebank, *, unit: LengthUnit = "distance") -> float | None:
    """Return the mean length of all arcs; None if there are none."""
    lengths = arc_lengths(treebank, unit=unit)
    arcs = int((lengths > 0).sum())
    return int(lengths.sum()) / arcs if arcs else None

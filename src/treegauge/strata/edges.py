"""Strata by the edge from a word to its head: how long it is, and which way it goes.

Conventions
-----------
Lengths count positions in gold as it is given: where punctuation was removed, those without
it, as in the challenge's Figure 1. Left and right say where the head stands, seen from the
word; the signed length is the head's position minus the word's, so that left is negative and
comes first. The edge of a root has no length and no side, and is a stratum of its own. Words
whose head is missing, outside the sentence, or the word itself belong to no stratum.

References
----------
Gelling, Cohn, Blunsom and Graça (2012), The PASCAL Challenge on Grammar Induction, Figure 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.strata.bins import bin_names, binned
from treegauge.strata.strata import NO_STRATUM, Strata
from treegauge.treebank import Treebank

_LONG = 10
"""Where the open bin begins; the challenge's figure ends before it."""

_LENGTHS = range(1, _LONG + 1)

ROOT = "root"


def edge_length(gold: Treebank) -> Strata:
    """Divide by distance to the head: 1 to 9, 10 and more, root."""
    codes = binned(np.abs(_signed_lengths(gold)), _LENGTHS)
    codes[gold.head == 0] = len(_LENGTHS)
    return Strata(codes, (*bin_names(_LENGTHS), ROOT))


def signed_edge_length(gold: Treebank) -> Strata:
    """Divide by distance and side: `2 left` has its head two words to the left."""
    lengths = np.clip(_signed_lengths(gold), -_LONG, _LONG)
    # No edge has length 0, so what lies right of it moves up by one.
    codes = np.where(lengths < 0, lengths + _LONG, lengths + _LONG - 1).astype(np.int32)
    codes[lengths == 0] = NO_STRATUM
    codes[gold.head == 0] = 2 * _LONG
    names = bin_names(_LENGTHS)
    left = [f"{name} left" for name in reversed(names)]
    right = [f"{name} right" for name in names]
    return Strata(codes, (*left, *right, ROOT))


def direction(gold: Treebank) -> Strata:
    """Divide by the side on which the head stands: left, right, root."""
    side = np.sign(_signed_lengths(gold))
    codes = np.array([NO_STRATUM, 1, 0], np.int32)[side]  # -1, left, is the last
    codes[gold.head == 0] = 2
    return Strata(codes, ("left", "right", ROOT))


def _signed_lengths(gold: Treebank) -> NDArray[np.int64]:
    """Return the head's position minus the word's; 0 where there is no edge between words."""
    head = gold.head.astype(np.int64)
    position = np.arange(1, gold.n_words + 1) - np.repeat(gold.offsets[:-1], gold.lengths)
    inside = (head >= 1) & (head <= np.repeat(gold.lengths, gold.lengths))
    return np.where(inside, head - position, 0)

"""Strata by the sentence that a word stands in."""

from __future__ import annotations

import numpy as np

from treegauge.strata.bins import bin_names, binned
from treegauge.strata.strata import Strata
from treegauge.treebank import Treebank

_LENGTHS = (1, 6, 11, 21, 31, 41)


def sentence_length(gold: Treebank) -> Strata:
    """Divide by the words of the sentence as it was read, punctuation and all.

    Length cut-offs such as `@10` count in the same way, so that the two agree.
    """
    codes = binned(gold.original_lengths, _LENGTHS)
    return Strata(np.repeat(codes, gold.lengths), bin_names(_LENGTHS))

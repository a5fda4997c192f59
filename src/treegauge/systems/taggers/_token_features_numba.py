"""Kernel that puts the features of words together from those of forms."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def gather_features(around, starts, features, pairs):
    """Return the features of every word as one list, and where those of each word begin.

    Parameters
    ----------
    around
        The form at every place of the window, of every word.
    starts, features
        For every place of the window, the features of forms there.
    pairs
        Features of every word that it has alone; -1 is none.
    """
    n_words, n_places = around.shape
    begins = np.zeros(n_words + 1, np.int64)
    for word in range(n_words):
        count = 0
        for place in range(n_places):
            form = around[word, place]
            count += starts[place][form + 1] - starts[place][form]
        for pair in range(pairs.shape[1]):
            count += pairs[word, pair] >= 0
        begins[word + 1] = begins[word] + count
    gathered = np.empty(begins[n_words], np.int32)
    for word in range(n_words):
        target = begins[word]
        for place in range(n_places):
            form = around[word, place]
            for source in range(starts[place][form], starts[place][form + 1]):
                gathered[target] = features[place][source]
                target += 1
        for pair in range(pairs.shape[1]):
            if pairs[word, pair] >= 0:
                gathered[target] = pairs[word, pair]
                target += 1
    return begins, gathered

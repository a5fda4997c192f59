"""The windows of three words that a type occurs in: all that a trigram model asks of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class TypeWindows(NamedTuple):
    """Distinct trigrams of types, and those of each type.

    Type w is in the windows `windows[starts[w]:starts[w + 1]]`, each listed once even if the
    type is in it twice.
    """

    types: NDArray[np.int32]
    """[window, place]; sentences have two boundaries before them and one behind."""
    counts: NDArray[np.int32]
    """How often each window occurs."""
    starts: NDArray[np.int64]
    windows: NDArray[np.int32]


def type_windows(words: NDArray[np.int32], offsets: NDArray[np.int64], n_types: int) -> TypeWindows:
    """Collect the trigrams of a text; the boundary is the type after the last.

    >>> windows = type_windows(np.array([0, 1, 0], np.int32), np.array([0, 3]), 2)
    >>> windows.types.tolist()
    [[0, 1, 0], [1, 0, 2], [2, 0, 1], [2, 2, 0]]
    >>> windows.starts.tolist(), windows.windows.tolist()
    ([0, 4, 7], [0, 1, 2, 3, 0, 1, 2])
    """
    offsets = offsets[np.append(True, np.diff(offsets) > 0)]  # empty sentences say nothing
    n_sentences = len(offsets) - 1
    lengths = np.diff(offsets)
    text = np.full(len(words) + 3 * n_sentences, n_types, np.int32)
    number = np.repeat(np.arange(n_sentences), lengths)
    text[np.arange(len(words)) + 3 * number + 2] = words
    # A window begins everywhere but at the last two places of a sentence and its boundaries.
    ends = offsets[1:] + 3 * np.arange(1, n_sentences + 1)
    begins = np.delete(np.arange(len(text)), np.concatenate([ends - 1, ends - 2]))
    trigrams = np.stack([text[begins], text[begins + 1], text[begins + 2]], axis=1)
    types, counts = np.unique(trigrams, axis=0, return_counts=True)

    first, second, third = types.T
    holds = [
        first < n_types,
        (second < n_types) & (second != first),
        (third < n_types) & (third != first) & (third != second),
    ]
    window = np.concatenate([np.flatnonzero(held) for held in holds])
    kind = np.concatenate([types[held, place] for place, held in enumerate(holds)])
    order = np.lexsort((window, kind))
    starts = np.searchsorted(kind[order], np.arange(n_types + 1))
    return TypeWindows(
        types, counts.astype(np.int32), starts.astype(np.int64), window[order].astype(np.int32)
    )

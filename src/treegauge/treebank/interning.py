"""Growing vocabularies: from byte slices to codes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.treebank._interning_numba import intern_slices, refill_slots
from treegauge.treebank.vocabulary import Vocabulary

_MOST_OF_32_BITS = np.iinfo(np.int32).max


class Interner:
    """Gives equal byte slices equal codes, block after block, in order of first sight.

    Examples
    --------
    >>> interner = Interner()
    >>> block = np.frombuffer(b"abab", np.uint8)
    >>> interner.add(block, np.array([0, 1, 2]), np.array([1, 2, 4])).tolist()
    [0, 1, 2]
    >>> list(interner.vocabulary())
    ['a', 'b', 'ab']
    """

    def __init__(self) -> None:
        self._size = 0
        self._data = np.empty(1 << 10, np.uint8)
        self._starts = np.zeros((1 << 6) + 1, np.int64)
        self._hashes = np.empty(1 << 6, np.int64)
        self._slots = np.full(1 << 7, -1, np.int32)
        self._single = np.full(256, -1, np.int32)

    def __len__(self) -> int:
        return self._size

    def add(
        self,
        block: NDArray[np.uint8],
        first: NDArray[np.integer[Any]],
        last: NDArray[np.integer[Any]],
        codes: NDArray[np.int32] | None = None,
    ) -> NDArray[np.int32]:
        """Return the code of every slice `block[first[i]:last[i]]`, in an array if one is given."""
        if len(block) <= _MOST_OF_32_BITS:  # so that one version of the kernel is compiled
            first = first.astype(np.int32, copy=False)
            last = last.astype(np.int32, copy=False)
        if codes is None:
            codes = np.empty(len(first), np.int32)
        done = 0
        while done < len(first):
            self._size, done = intern_slices(
                block,
                first,
                last,
                self._data,
                self._starts,
                self._hashes,
                self._slots,
                self._single,
                self._size,
                codes,
                done,
            )
            if done < len(first):
                self._make_room(int(last[done]) - int(first[done]))
        return codes

    def add_strings(self, strings: list[str]) -> NDArray[np.int32]:
        """Return the code of every string."""
        encoded = [string.encode() for string in strings]
        bounds = np.zeros(len(encoded) + 1, np.int64)
        np.cumsum([len(item) for item in encoded], out=bounds[1:])
        block = np.frombuffer(b"".join(encoded), np.uint8)
        return self.add(block, bounds[:-1], bounds[1:])

    def add_vocabulary(self, vocabulary: Vocabulary) -> NDArray[np.int32]:
        """Return the code of every string of a vocabulary."""
        return self.add(vocabulary.data, vocabulary.starts[:-1], vocabulary.starts[1:])

    def vocabulary(self) -> Vocabulary:
        """Return everything seen so far."""
        starts = self._starts[: self._size + 1].copy()
        return Vocabulary(self._data[: starts[-1]].copy(), starts)

    def _make_room(self, length: int) -> None:
        """Make room for a slice of some length; twice of what there is, so that it is rare."""
        if self._size == len(self._hashes):
            self._hashes = _grown(self._hashes, 2 * self._size)
            self._starts = _grown(self._starts, 2 * self._size + 1)
        used = int(self._starts[self._size])
        if used + length > len(self._data):
            self._data = _grown(self._data, 2 * (used + length))
        if 2 * self._size >= len(self._slots):
            self._slots = np.full(4 * len(self._slots), -1, np.int32)
            refill_slots(self._hashes, self._size, self._slots)


def _grown(array: NDArray[Any], size: int) -> NDArray[Any]:
    """Return a larger array with the same beginning; the rest is not even touched."""
    larger = np.empty(size, array.dtype)
    larger[: len(array)] = array
    return larger

"""Growing vocabularies: from byte slices to codes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.treebank._interning_numba import intern_slices, refill_slots
from treegauge.treebank.vocabulary import Vocabulary


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
        first: NDArray[np.int64],
        last: NDArray[np.int64],
    ) -> NDArray[np.int32]:
        """Return the code of every slice `block[first[i]:last[i]]`."""
        codes = np.empty(len(first), np.int32)
        # Slices are taken in portions: making room for the worst case (all of them new)
        # costs little then, and the tables stay small enough for the cache.
        for begin in range(0, len(first), _PORTION):
            portion = slice(begin, begin + _PORTION)
            bytes_needed = int((last[portion] - first[portion]).sum())
            self._make_room(len(first[portion]), bytes_needed)
            self._size = intern_slices(
                block,
                first[portion],
                last[portion],
                self._data,
                self._starts,
                self._hashes,
                self._slots,
                self._single,
                self._size,
                codes[portion],
            )
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

    def _make_room(self, slices: int, bytes_needed: int) -> None:
        entries = self._size + slices
        if entries > len(self._hashes):
            capacity = max(entries, 2 * len(self._hashes))
            self._hashes = _grown(self._hashes, capacity)
            self._starts = _grown(self._starts, capacity + 1)
        used = int(self._starts[self._size])
        if used + bytes_needed > len(self._data):
            self._data = _grown(self._data, max(used + bytes_needed, 2 * len(self._data)))
        if 2 * entries > len(self._slots):
            self._slots = np.full(1 << (2 * entries - 1).bit_length(), -1, np.int32)
            refill_slots(self._hashes, self._size, self._slots)


_PORTION = 1 << 12


def _grown(array: NDArray[Any], size: int) -> NDArray[Any]:
    """Return a larger array with the same beginning; the rest is not even touched."""
    larger = np.empty(size, array.dtype)
    larger[: len(array)] = array
    return larger

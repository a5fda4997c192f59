"""How many different values there are, of more than memory should hold.

Values are told apart by 128 bits of a hash: among a billion different ones, the chance that any two
share theirs is 1 in 10 to the power of 20. Sorted hashes go to a file when they take more than a
limit, which several collections may share.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from treegauge.spilling import Spill

Hashes = NDArray[np.bytes_]

_BYTES = 16
_FEWEST = 1 << 16
"""Values that are gathered before they are sorted in."""
_PREFIXES = np.array([bytes([first]) for first in range(1, 256)], f"S{_BYTES}")


class DistinctValues:
    """Counts different values; `len` says how many there were.

    Examples
    --------
    >>> values = DistinctValues(Spill(memory=0))
    >>> values.add([b"a", b"b"])
    >>> values.add([b"b", b"c"])
    >>> len(values)
    3
    """

    def __init__(self, spill: Spill) -> None:
        self._spill = spill
        self._new = bytearray()
        self._known: Hashes = np.empty(0, f"S{_BYTES}")
        self._runs: list[tuple[int, NDArray[np.int64]]] = []
        """Of every sorted run in the file, where it begins, and in it the hashes with each first
        byte, and its end."""

    def add(self, values: Iterable[bytes]) -> None:
        """Add values, new or not."""
        for value in values:
            self._new += blake2b(value, digest_size=_BYTES).digest()
        if len(self._new) >= max(_FEWEST * _BYTES, self._known.nbytes // 4):
            self._sort_in()

    def _sort_in(self) -> None:
        self._spill.give_back(self._known.nbytes)
        every = np.concatenate([self._known, np.frombuffer(self._new, f"S{_BYTES}")])
        self._new, self._known = bytearray(), every[:0]
        every.sort(kind="stable")  # fast where most of it is sorted
        is_first = np.ones(len(every), np.bool_)
        is_first[1:] = every[1:] != every[:-1]
        self._known = every[is_first]
        if self._spill.take(self._known.nbytes):
            return
        begin = self._spill.write(self._known.tobytes())
        self._runs.append((begin, _bounds(self._known)))
        self._known = self._known[:0].copy()

    def __len__(self) -> int:
        self._sort_in()
        if not self._runs:
            return len(self._known)
        total = 0
        own = _bounds(self._known)
        for first in range(256):
            parts = [self._known[own[first] : own[first + 1]]]
            for begin, bounds in self._runs:
                size = int(bounds[first + 1] - bounds[first]) * _BYTES
                content = self._spill.read(begin + int(bounds[first]) * _BYTES, size)
                parts.append(np.frombuffer(content, f"S{_BYTES}"))
            total += len(np.unique(np.concatenate(parts)))
        return total


def _bounds(hashes: Hashes) -> NDArray[np.int64]:
    """Return where the hashes with each first byte begin, and where the last ones end."""
    inner = np.searchsorted(hashes, _PREFIXES)
    return np.concatenate([[0], inner, [len(hashes)]])

"""How many different values there are, of more than memory should hold.

Values are told apart by 128 bits of a hash: among a billion different ones, the chance that any two
share theirs is 1 in 10 to the power of 20. Sorted hashes go to a file without a name when they take
more than a limit.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from hashlib import blake2b
from typing import IO

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.bytes_]

MEMORY = 100 << 20
"""Bytes of hashes that are kept in memory."""
_BYTES = 16
_FEWEST = 1 << 16
"""Values that are gathered before they are sorted in."""
_PREFIXES = np.array([bytes([first]) for first in range(1, 256)], f"S{_BYTES}")


class DistinctValues:
    """Counts different values; `len` says how many there were.

    Examples
    --------
    >>> values = DistinctValues(memory=0)
    >>> values.add([b"a", b"b"])
    >>> values.add([b"b", b"c"])
    >>> len(values)
    3
    """

    def __init__(self, *, memory: int | None = None) -> None:
        self._memory = MEMORY if memory is None else memory
        self._new: list[bytes] = []
        self._known: Hashes = np.empty(0, f"S{_BYTES}")
        self._file: IO[bytes] | None = None
        self._runs: list[NDArray[np.int64]] = []
        """Of every sorted run in the file, where the hashes with each first byte begin, and end."""

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, values: Iterable[bytes]) -> None:
        """Add values, new or not."""
        self._new += [blake2b(value, digest_size=_BYTES).digest() for value in values]
        if len(self._new) >= max(_FEWEST, len(self._known) // 4) or not self._memory:
            self._sort_in()

    def _sort_in(self) -> None:
        self._known = np.union1d(self._known, np.array(self._new, f"S{_BYTES}"))
        self._new = []
        if self._known.nbytes <= self._memory:
            return
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="treegauge-")  # noqa: SIM115
        begin = self._file.seek(0, 2) // _BYTES
        self._file.write(self._known.tobytes())
        inner = np.searchsorted(self._known, _PREFIXES)
        self._runs.append(begin + np.concatenate([[0], inner, [len(self._known)]]))
        self._known = self._known[:0]

    def __len__(self) -> int:
        self._sort_in()
        if self._file is None:
            return len(self._known)
        total = 0
        own = np.concatenate([[0], np.searchsorted(self._known, _PREFIXES), [len(self._known)]])
        for first in range(256):
            parts = [self._known[own[first] : own[first + 1]]]
            for bounds in self._runs:
                self._file.seek(int(bounds[first]) * _BYTES)
                size = int(bounds[first + 1] - bounds[first])
                parts.append(np.frombuffer(self._file.read(size * _BYTES), f"S{_BYTES}"))
            total += len(np.unique(np.concatenate(parts)))
        return total

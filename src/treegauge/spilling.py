"""What does not fit in memory goes to a file: one limit for all that a command keeps.

The file has no name, and is gone when the program ends, however it ends.
"""

from __future__ import annotations

import tempfile
from typing import IO

MEMORY = 64 << 20
"""Bytes that a command keeps before it uses a file: statistics, distinct words, ids."""


class Spill:
    """Memory that several collections share, and the file for what exceeds it.

    Parameters
    ----------
    memory : int, optional
        Bytes that all of them together keep; `MEMORY` when missing.

    Examples
    --------
    >>> spill = Spill(memory=10)
    >>> spill.take(8), spill.take(8)
    (True, False)
    >>> spill.give_back(8)
    >>> spill.take(8)
    True
    >>> place = spill.write(b"birds")
    >>> spill.read(place, 4)
    b'bird'
    """

    def __init__(self, *, memory: int | None = None) -> None:
        self._free = MEMORY if memory is None else memory
        self._file: IO[bytes] | None = None
        self._end = 0

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def take(self, size: int) -> bool:
        """Reserve bytes of memory, if there are so many left; return whether there were."""
        if size > self._free:
            return False
        self._free -= size
        return True

    def give_back(self, size: int) -> None:
        """Release bytes that were reserved."""
        self._free += size

    def write(self, content: bytes) -> int:
        """Write to the file; return where the content begins."""
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="treegauge-")  # noqa: SIM115
        begin = self._end
        self._file.seek(begin)
        self._end += self._file.write(content)
        return begin

    def read(self, begin: int, size: int) -> bytes:
        """Read what was written."""
        if self._file is None:
            return b""
        self._file.seek(begin)
        return self._file.read(size)

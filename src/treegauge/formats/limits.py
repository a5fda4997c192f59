"""How much is read: bytes of a file after decompression, files of a folder.

No treebank comes near the limits. They are for files without an end, and for small files that
decompress into more than a memory holds. The environment carries them, so that they hold for
every reader of a process, and for the processes that it starts.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from treegauge.formats.findings import FormatError

Item = TypeVar("Item")

MAX_BYTES = "TREEGAUGE_MAX_BYTES"
"""The environment variable for bytes of one file, after decompression."""
MAX_FILES = "TREEGAUGE_MAX_FILES"
"""The environment variable for files of one folder."""

_BYTES = "4GiB"
_FILES = "100000"
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY_UNITS = {"k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


def max_bytes(default: str = _BYTES) -> int:
    """Return how many bytes of a file are read at most."""
    return parse_size(os.environ.get(MAX_BYTES) or default, name=MAX_BYTES)


def max_stream_bytes() -> int:
    """Return how many bytes of a stream are read at most: all, unless somebody says otherwise."""
    return max_bytes() if os.environ.get(MAX_BYTES) else sys.maxsize


def max_files() -> int:
    """Return how many files of a folder are looked at, at most."""
    return parse_size(os.environ.get(MAX_FILES) or _FILES, name=MAX_FILES)


class TooManyFilesError(FormatError):
    """A folder has more files than are looked at."""


class FileCount:
    """Counts the files that are looked at in one place, in folders below it as well."""

    def __init__(self, place: object) -> None:
        self._place = place
        self._limit = max_files()
        self._count = 0

    def counted(self, files: Iterable[Item]) -> Iterator[Item]:
        """Give files until there are too many.

        Raises
        ------
        TooManyFilesError
            If there are more than `TREEGAUGE_MAX_FILES` allows.
        """
        for file in files:
            self._count += 1
            if self._count > self._limit:
                raise TooManyFilesError(
                    f"{self._place}: there are more than {self._limit:,} files in it\n"
                    "  name a folder or a file below; `treegauge validate --max-files N`, or the "
                    f"variable {MAX_FILES} for every command, allows more"
                )
            yield file


def parse_size(text: str, *, name: str = "--max-bytes") -> int:
    """Read a number of bytes, or of anything else, with or without a unit.

    >>> parse_size("4GiB"), parse_size("1.5 GB"), parse_size("100,000")
    (4294967296, 1500000000, 100000)
    """
    match = re.fullmatch(r"([\d,]*\.?\d+)\s*([kmgt]?)(i?)b?", text.strip().lower())
    number = float(match[1].replace(",", "")) if match else 0.0
    if match is None or number <= 0 or (match[3] and not match[2]):
        raise FormatError(f"{name}: expected a size above 0, such as 4GB or 500MB, found {text!r}")
    return round(number * (_BINARY_UNITS if match[3] else _UNITS)[match[2]])


def shown_size(size: int) -> str:
    """Return a number of bytes as people write it.

    >>> shown_size(4 << 30), shown_size(1_500_000), shown_size(12)
    ('4 GiB', '1.5 MB', '12 bytes')
    """
    for unit, factor in reversed(_BINARY_UNITS.items()):
        if size % factor == 0:
            return f"{size // factor} {unit.upper()}iB"
    for unit, factor in reversed(_UNITS.items()):
        if unit and size >= factor:
            return f"{size / factor:.4g} {unit.upper()}B"
    return f"{size} bytes"

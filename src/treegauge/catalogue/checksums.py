"""Checksums: SHA-256 or MD5, given by somebody or recorded beside a file."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from treegauge.catalogue.errors import CatalogueError

_LENGTHS = {32: "md5", 64: "sha256"}
"""Algorithms by the number of hexadecimal digits."""


@dataclass(frozen=True)
class Checksum:
    """What the bytes of a file should add up to.

    >>> Checksum.parse("MD5:D41D8CD98F00B204E9800998ECF8427E")
    Checksum(algorithm='md5', digest='d41d8cd98f00b204e9800998ecf8427e')
    """

    algorithm: str
    digest: str

    @classmethod
    def parse(cls, text: str) -> Checksum:
        """Take `sha256:...`, `md5:...` or the digits alone."""
        prefix, _, digits = text.strip().lower().rpartition(":")
        algorithm = _LENGTHS.get(len(digits), "")
        if not algorithm or prefix not in ("", algorithm) or re.search(r"[^0-9a-f]", digits):
            raise CatalogueError(
                f"[checksum] expected 64 hexadecimal digits (SHA-256) or 32 (MD5), found {text!r}"
            )
        return cls(algorithm, digits)

    @classmethod
    def of_file(cls, path: Path, algorithm: str = "sha256") -> Checksum:
        """Add a file up."""
        with path.open("rb") as stream:
            return cls(algorithm, hashlib.file_digest(stream, algorithm).hexdigest())

    def __str__(self) -> str:
        return f"{self.algorithm}:{self.digest}"


def recorded_checksum(path: Path) -> Checksum | None:
    """Return the checksum in `FILE.sha256` or `FILE.md5`, if there is one."""
    for algorithm in _LENGTHS.values():
        record = _record(path, algorithm)
        if record.is_file():
            words = record.read_text(encoding="utf-8", errors="replace").split()
            return Checksum.parse(f"{algorithm}:{words[0] if words else ''}")
    return None


def record_checksum(path: Path) -> Checksum:
    """Write `FILE.sha256`, in the form that `sha256sum --check` reads."""
    checksum = Checksum.of_file(path)
    line = f"{checksum.digest}  {path.name}\n"
    _record(path, checksum.algorithm).write_text(line, encoding="utf-8")
    return checksum


def _record(path: Path, algorithm: str) -> Path:
    return path.with_name(f"{path.name}.{algorithm}")

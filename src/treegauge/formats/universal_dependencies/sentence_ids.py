"""Rules about the ids of all sentences, of which there may be more than memory should hold.

Ids are gathered while a file is read, and looked at in the end, group by group: the same id is
always in the same group, so that no other group needs to be known.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple
from zlib import crc32

from treegauge.formats.line_flaws import quoted
from treegauge.formats.universal_dependencies.rules import Breach
from treegauge.spilling import Spill

_GROUPS = 256
_BYTES = 200
"""Memory of an id that is kept, about."""
_AT_ONCE = 1 << 12
"""Ids for which memory is asked together."""
_SIZES = struct.Struct("<QII")


class NamedLine(NamedTuple):
    """A line with an id, and the `sent_id` of its sentence if that is another id."""

    name: bytes
    line: int
    sentence: bytes = b""


class SentenceIds:
    """Ids in the order of a file, in memory or in a temporary file; given back in groups.

    Parameters
    ----------
    spill : Spill
        Memory and a file, which several collections may share.
    group_of : function, optional
        What ids of one group have in common; the id itself when missing.

    Examples
    --------
    >>> ids = SentenceIds(Spill(memory=0))
    >>> for line, name in enumerate([b"one", b"two", b"one"], start=1):
    ...     ids.add(NamedLine(name, line))
    >>> [(breach.line, breach.found) for group in ids.groups() for breach, _ in repeated_ids(group)]
    [(3, '"one", as in line 1')]
    """

    def __init__(self, spill: Spill, group_of: Callable[[bytes], bytes] = bytes) -> None:
        self._spill = spill
        self._group_of = group_of
        self._kept: list[NamedLine] = []
        self._room = 0
        self._places: list[list[tuple[int, int]]] = []
        """Where the ids of each group are in the file."""

    def add(self, named: NamedLine) -> None:
        """Add the next id."""
        if len(self._kept) >= self._room:
            if self._spill.take(_AT_ONCE * _BYTES):
                self._room += _AT_ONCE
            else:
                self._write()
        self._kept.append(named)

    def _write(self) -> None:
        groups = [bytearray() for _ in range(_GROUPS)]
        for name, line, sentence in self._kept:
            group = groups[crc32(self._group_of(name)) % _GROUPS]
            group += _SIZES.pack(line, len(name), len(sentence))
            group += name
            group += sentence
        self._places = self._places or [[] for _ in groups]
        for places, group in zip(self._places, groups, strict=True):
            if group:
                places.append((self._spill.write(bytes(group)), len(group)))
        self._kept = []

    def groups(self) -> Iterator[Iterable[NamedLine]]:
        """Give all ids, those of one group together, in their order."""
        if not self._places:
            yield self._kept
            return
        self._write()
        for places in self._places:
            yield _parsed(b"".join(self._spill.read(*place) for place in places))


def parallel_sentence(name: bytes) -> bytes:
    """Return which sentence a parallel id is about; the rest is an alternative or a part of it."""
    return b"/".join(name.split(b"/", 2)[:2])


def _parsed(content: bytes) -> Iterator[NamedLine]:
    at = 0
    while at < len(content):
        line, of_name, of_sentence = _SIZES.unpack_from(content, at)
        at += _SIZES.size
        name = content[at : at + of_name]
        at += of_name
        yield NamedLine(name, line, content[at : at + of_sentence])
        at += of_sentence


def repeated_ids(group: Iterable[NamedLine]) -> Iterator[tuple[Breach, str]]:
    """Give the sentences whose id another one had before, and the id."""
    line_of: dict[bytes, int] = {}
    for name, line, _ in group:
        known = line_of.setdefault(name, line)
        if known != line:
            identifier = name.decode(errors="replace")
            found = f"{quoted(identifier)}, as in line {known}"
            yield Breach(line, "non-unique-sent-id", found), identifier


def flawed_parallel_ids(group: Iterable[NamedLine]) -> Iterator[tuple[Breach, str]]:
    """Give the sentences whose parallel id was there before, or is not the next of its kind."""
    whole: set[bytes] = set()
    last: dict[tuple[bytes, str], int | None] = {}
    for name, line, sentence in group:
        shown, identifier = quoted(name.decode()), sentence.decode(errors="replace")
        if name in whole:
            yield Breach(line, "non-unique-parallel-id", shown), identifier
            continue
        whole.add(name)
        about = parallel_sentence(name)
        for suffix in ("alt", "part"):
            digits = re.search(rf"/(?:alt\d+)?{suffix}(\d+)".encode(), name[len(about) :])
            number = int(digits[1]) if digits else None
            key = (about, suffix)
            before = last.get(key, 0)
            fits = number is None if before is None else number == before + 1
            if not fits and not (number is None and key not in last):
                yield Breach(line, f"parallel-id-{suffix}", shown), identifier
            last[key] = number

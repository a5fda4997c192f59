"""Reads zips that strangers made, member by member, and never extracts one.

The directory at the end of a zip can say anything: other names, other sizes, members that lie on
top of each other. So nothing is believed that was not compared with the bytes: names and sizes
with those before the data, places with each other, sizes and checksums with what really comes out,
counted while it comes. What is odd is refused, and the message names the member. Nobody needs
zips of several disks, with encryption, or of more than 4 GB here.
"""

from __future__ import annotations

import stat
import struct
import unicodedata
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import BinaryIO

from treegauge.challenges.errors import ChallengeError
from treegauge.errors import reason_of
from treegauge.formats.limits import shown_size
from treegauge.formats.signatures import LOOKED_AT, recognise

_END = struct.Struct("<4s4H2LH")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_END_MARK, _ENTRY_MARK, _LOCAL_MARK = b"PK\x05\x06", b"PK\x01\x02", b"PK\x03\x04"
_LONGEST_COMMENT = 0xFFFF
_ENCRYPTED, _SIZES_FOLLOW, _IS_UTF8 = 0x1, 0x8, 0x800
_STORED, _DEFLATED = 0, 8
_CHUNK = 1 << 18
_LONGEST_ENTRY = 1 << 10
"""Bytes that an entry of the directory may have on average."""
_ARCHIVES = (
    *(".zip", ".tar", ".tgz", ".txz", ".gz", ".xz", ".bz2", ".7z", ".rar", ".zst", ".jar"),
)
LEFT_BY_SYSTEMS = frozenset({"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"})
"""What file managers add to folders; left aside."""


@dataclass(frozen=True)
class ZipLimits:
    """How much of a zip is read at most."""

    file_bytes: int = 200_000_000
    members: int = 500
    unpacked_bytes: int = 500_000_000


@dataclass(frozen=True)
class _Entry:
    """A member, as the directory tells it."""

    name: str
    raw_name: bytes
    flags: int
    method: int
    checksum: int
    packed: int
    size: int
    mode: int
    offset: int

    @property
    def is_folder(self) -> bool:
        return self.name.endswith("/")


class ZipMembers:
    """The members of a zip, by name; read one by one.

    Raises
    ------
    ChallengeError
        If anything about the zip is odd; the message names the member.
    """

    def __init__(self, path: str | Path, limits: ZipLimits | None = None) -> None:
        self.path = Path(path)
        self.limits = limits or ZipLimits()
        self._unpacked = 0
        try:
            with self.path.open("rb") as stream:
                self._length = stream.seek(0, 2)
                entries = self._directory(stream)
                self._data_starts = self._checked_places(stream, entries)
        except OSError as error:
            raise ChallengeError(f"{self.path}: cannot be read: {reason_of(error)}") from None
        self._entries = {
            entry.name: entry
            for entry in entries
            if not entry.is_folder and LEFT_BY_SYSTEMS.isdisjoint(entry.name.split("/"))
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all files, in order."""
        return tuple(sorted(self._entries))

    def read(self, name: str) -> bytes:
        """Return the bytes of a member, which must be text."""
        entry = self._entries[name]
        try:
            with self.path.open("rb") as stream:
                stream.seek(self._data_starts[name])
                content = self._inflated(stream, entry)
        except OSError as error:
            raise ChallengeError(f"{self.path}: cannot be read: {reason_of(error)}") from None
        no_text = recognise(content[:LOOKED_AT])
        if no_text is not None:
            raise self._odd(entry.name, f"is {no_text.found}, not text", no_text.advice)
        return content

    # ------------------------------------------------------------------ the directory

    def _directory(self, stream: BinaryIO) -> list[_Entry]:
        if self._length > self.limits.file_bytes:
            most = shown_size(self.limits.file_bytes)
            raise ChallengeError(f"{self.path}: a zip has at most {most}; send less in one")
        tail_length = min(self._length, _END.size + _LONGEST_COMMENT)
        stream.seek(self._length - tail_length)
        tail = stream.read(tail_length)
        at = tail.rfind(_END_MARK)
        if at < 0 or len(tail) - at < _END.size:
            raise self._damaged("it has no directory")
        _, disk, first_disk, here, total, size, offset, comment = _END.unpack_from(tail, at)
        end = self._length - tail_length + at
        if 0xFFFF in (here, total) or 0xFFFFFFFF in (size, offset):
            raise ChallengeError(f"{self.path}: zip64 is not read; zip it in the usual way")
        if disk or first_disk or here != total or at + _END.size + comment != len(tail):
            raise self._damaged("its end does not fit")
        if total > self.limits.members or size > self.limits.members * _LONGEST_ENTRY:
            raise ChallengeError(
                f"{self.path}: there are {total:,} members in it, and more than "
                f"{self.limits.members} are not read; zip the files of the submission alone"
            )
        if offset + size != end:
            raise self._damaged("its directory does not lie before its end")
        stream.seek(offset)
        entries = self._parsed(stream.read(size), total)
        self._check_names(entries)
        unpacked = sum(entry.size for entry in entries)
        if unpacked > self.limits.unpacked_bytes:
            raise self._too_large(max(entries, key=lambda entry: entry.size).name)
        self._directory_start = offset
        return entries

    def _parsed(self, directory: bytes, total: int) -> list[_Entry]:
        entries, at = [], 0
        for _ in range(total):
            if len(directory) - at < _ENTRY.size:
                raise self._damaged("its directory is cut off")
            fields = _ENTRY.unpack_from(directory, at)
            (mark, _, _, flags, method, _, _, checksum, packed, size) = fields[:10]
            name_length, extra_length, comment_length, disk, _, attributes, offset = fields[10:]
            begin = at + _ENTRY.size
            raw_name = directory[begin : begin + name_length]
            at = begin + name_length + extra_length + comment_length
            if mark != _ENTRY_MARK or at > len(directory) or disk:
                raise self._damaged("its directory does not fit")
            name = self._decoded(raw_name, flags)
            entry = _Entry(
                *(name, raw_name, flags, method, checksum, packed, size, attributes >> 16, offset)
            )
            entries.append(entry)
        if at != len(directory):
            raise self._damaged("its directory has more than its members")
        return entries

    def _decoded(self, raw_name: bytes, flags: int) -> str:
        try:
            return raw_name.decode("utf-8" if flags & _IS_UTF8 else "cp437")
        except UnicodeDecodeError:
            raise self._odd(repr(raw_name), "has a name that is no UTF-8", "rename it") from None

    def _check_names(self, entries: list[_Entry]) -> None:
        spellings: dict[str, str] = {}
        for entry in entries:
            self._check_member(entry)
            spelling = unicodedata.normalize("NFKC", entry.name.rstrip("/")).casefold()
            other = spellings.setdefault(spelling, entry.name)
            if other is not entry.name:
                both = "is there twice" if other == entry.name else f"is also spelt {other!r}"
                raise self._odd(entry.name, both, "keep one of them")

    def _check_member(self, entry: _Entry) -> None:
        """Refuse what no submission needs, whatever its data is."""
        name = entry.name
        posix, windows = PurePosixPath(name), PureWindowsPath(name)
        if posix.is_absolute() or windows.drive or windows.root:
            raise self._odd(name, "is an absolute path", "zip the folder, not a path to it")
        if ".." in posix.parts or ".." in windows.parts:
            raise self._odd(name, "leads out of the folder", "zip the folder, not a path to it")
        if not posix.parts or any(unicodedata.category(char).startswith("C") for char in name):
            raise self._odd(name, "has no name that can be read", "rename it")
        if stat.S_IFMT(entry.mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise self._odd(name, "is a link or a device", "put the file itself into the zip")
        if entry.flags & _ENCRYPTED:
            raise self._odd(name, "is encrypted", "zip it without a password")
        if name.lower().endswith(_ARCHIVES):
            raise self._odd(name, "is an archive inside the zip", "unpack it, and zip the files")
        if entry.method not in (_STORED, _DEFLATED):
            raise self._odd(name, "is compressed in a rare way", "store or deflate it")
        if entry.is_folder and entry.size:
            raise self._odd(name, "is a folder with content", "zip the folder again")

    # ------------------------------------------------------------------ places and sizes

    def _checked_places(self, stream: BinaryIO, entries: list[_Entry]) -> dict[str, int]:
        """Return where the data of every member begins; no two may lie on top of each other."""
        starts, end_of_last = {}, 0
        for entry in sorted(entries, key=lambda entry: entry.offset):
            if entry.offset < end_of_last:
                raise self._odd(entry.name, "overlaps another member", "zip the files again")
            stream.seek(entry.offset)
            header = stream.read(_LOCAL.size + len(entry.raw_name))
            if len(header) < _LOCAL.size or header[:4] != _LOCAL_MARK:
                raise self._odd(entry.name, "is not where the directory says", "zip it again")
            _, _, flags, method, _, _, _, packed, size, name_length, extra = _LOCAL.unpack_from(
                header
            )
            follow = bool(flags & _SIZES_FOLLOW)
            sizes_fit = follow or (packed, size) in (
                (entry.packed, entry.size),
                (0xFFFFFFFF, 0xFFFFFFFF),  # the real ones are then in a field of zip64
            )
            name_fits = header[_LOCAL.size :] == entry.raw_name and name_length == len(
                entry.raw_name
            )
            if not name_fits:
                raise self._odd(entry.name, "has another name before its data", "zip it again")
            if not sizes_fit or method != entry.method or flags & _ENCRYPTED:
                raise self._odd(entry.name, "has another size before its data", "zip it again")
            start = entry.offset + _LOCAL.size + name_length + extra
            end_of_last = start + entry.packed
            if end_of_last > self._directory_start:
                raise self._odd(entry.name, "does not end before the directory", "zip it again")
            starts[entry.name] = start
        return starts

    def _inflated(self, stream: BinaryIO, entry: _Entry) -> bytes:
        """Read a member, counting what comes out; it must be what the directory says."""
        inflating = zlib.decompressobj(-zlib.MAX_WBITS) if entry.method == _DEFLATED else None
        pieces: list[bytes] = []
        length, left = 0, entry.packed
        try:
            while left and length <= entry.size:
                packed = stream.read(min(_CHUNK, left))
                if not packed:
                    raise self._damaged("it is cut off")
                left -= len(packed)
                while packed:
                    # One byte more than was said is enough to know that it was false.
                    room = min(_CHUNK << 2, entry.size + 1 - length)
                    if room <= 0:
                        break
                    piece = inflating.decompress(packed, room) if inflating else packed
                    packed = inflating.unconsumed_tail if inflating else b""
                    length += len(piece)
                    self._unpacked += len(piece)
                    if self._unpacked > self.limits.unpacked_bytes:
                        raise self._too_large(entry.name)
                    pieces.append(piece)
        except zlib.error as error:
            raise self._odd(entry.name, f"is damaged ({error})", "zip it again") from None
        content = b"".join(pieces)
        if len(content) != entry.size or (inflating is not None and not inflating.eof):
            raise self._odd(entry.name, "has another size than the zip says", "zip it again")
        if zlib.crc32(content) != entry.checksum:
            raise self._odd(entry.name, "is damaged: its checksum differs", "zip it again")
        return content

    # ------------------------------------------------------------------ messages

    def _odd(self, member: str, reason: str, advice: str) -> ChallengeError:
        return ChallengeError(f"{self.path}: member {member!r} {reason}; {advice}")

    def _damaged(self, reason: str) -> ChallengeError:
        return ChallengeError(f"{self.path}: this is no whole zip: {reason}; zip the files again")

    def _too_large(self, member: str) -> ChallengeError:
        most = shown_size(self.limits.unpacked_bytes)
        return self._odd(member, f"makes it more than {most} unpacked", "send less in one zip")

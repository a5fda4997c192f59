"""What was sent, in files that are called by their SHA-256.

A file is written under a temporary name, synced, renamed, and its folder is synced: write < fsync
< rename < fsync of the folder. Only then may a row say that it is there. What a crash leaves behind
is a temporary file, or a file that no row speaks of; start-up removes both.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Protocol

from treegauge.challenge_server.errors import DiskFullError, ServerError
from treegauge.errors import reason_of

_DIGEST = re.compile(r"[0-9a-f]{64}")
ORPHANS_KEPT = timedelta(days=1)
"""How long a file that no row speaks of is kept: its upload may not be over yet."""
RESERVE = 500_000_000
"""Bytes that must stay free on the disk: the database needs room to say what happened."""


class Points:
    """Named points between the steps of an upload or a job; tests stop or kill there.

    Points are: `written`, `synced`, `renamed`, `folder synced` (here), `committed` (intake),
    `claimed`, `read`, `scored`, `result committed`, `board committed` (workers), `answered`.
    """

    def reached(self, name: str) -> None:
        """Do nothing: a server goes on."""


@dataclass(frozen=True)
class Blob:
    """A file that is safe on disk."""

    sha256: str
    size: int


class FileCalls(Protocol):
    """The calls whose order matters; a test records them."""

    def sync_file(self, number: int) -> None:
        """Sync an open file."""

    def rename(self, source: Path, target: Path) -> None:
        """Rename a file."""

    def sync_folder(self, folder: Path) -> None:
        """Sync a folder, so that a rename in it survives a loss of power."""


class SystemCalls:
    """The calls of the system."""

    def sync_file(self, number: int) -> None:
        """Sync an open file."""
        os.fsync(number)

    def rename(self, source: Path, target: Path) -> None:
        """Rename a file."""
        source.replace(target)

    def sync_folder(self, folder: Path) -> None:
        """Sync a folder."""
        number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


class IncomingBlob:
    """An upload that is coming in: `write` it piece by piece, then `keep` it."""

    def __init__(self, store: BlobStore, path: Path, stream: IO[bytes]) -> None:
        self._store = store
        self._path = path
        self._stream = stream
        self._sum = hashlib.sha256()
        self.size = 0

    def write(self, piece: bytes) -> None:
        """Add bytes.

        Raises
        ------
        DiskFullError
            If there is no room for them.
        """
        try:
            self._stream.write(piece)
        except OSError as error:
            raise _full(error) from None
        self._sum.update(piece)
        self.size += len(piece)

    def keep(self) -> Blob:
        """Put the file in its place, safe against a loss of power, and return what it is."""
        store, calls = self._store, self._store.calls
        blob = Blob(self._sum.hexdigest(), self.size)
        try:
            self._stream.flush()
            store.points.reached("written")
            calls.sync_file(self._stream.fileno())
            store.points.reached("synced")
            target = store.path(blob.sha256)
            if not target.parent.is_dir():
                target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                calls.sync_folder(store.blobs)
            # Also where the file is there already: it is young again, and no orphan.
            calls.rename(self._path, target)
            store.points.reached("renamed")
            calls.sync_folder(target.parent)
        except OSError as error:
            raise _full(error) from None
        store.points.reached("folder synced")
        return blob


class BlobStore:
    """The files of a server.

    Parameters
    ----------
    folder : Path
        `server` in the challenge's folder.
    """

    def __init__(
        self, folder: Path, points: Points | None = None, calls: FileCalls | None = None
    ) -> None:
        self.blobs = folder / "blobs"
        self.incoming = folder / "incoming"
        self.points = points or Points()
        self.calls: FileCalls = calls or SystemCalls()
        for own in (folder, self.blobs, self.incoming):
            try:
                own.mkdir(mode=0o700, exist_ok=True)
            except OSError as error:
                raise ServerError(f"{own}: cannot be written: {reason_of(error)}") from None

    @contextlib.contextmanager
    def receive(self) -> Iterator[IncomingBlob]:
        """Give an upload to write; what is not kept is removed.

        Raises
        ------
        DiskFullError
            If the disk is nearly full.
        """
        self.refuse_if_full()
        path = self.incoming / secrets.token_hex(16)
        try:
            stream = path.open("xb")
        except OSError as error:
            raise _full(error) from None
        try:
            with stream:
                yield IncomingBlob(self, path, stream)
        finally:
            path.unlink(missing_ok=True)

    def refuse_if_full(self) -> None:
        """Refuse to take more where the disk is nearly full."""
        if self.free_bytes() < RESERVE:
            raise DiskFullError(
                "the server's disk is nearly full; try again later, or ask the organisers to "
                "free some space"
            )

    def free_bytes(self) -> int:
        """Return how much room the disk has."""
        return shutil.disk_usage(self.blobs).free

    def path(self, sha256: str) -> Path:
        """Return where a file is, or would be.

        Raises
        ------
        ValueError
            If that is no SHA-256: a fault of ours, since nobody else names files.
        """
        if not _DIGEST.fullmatch(sha256):
            raise ValueError(f"not a SHA-256: {sha256!r}")
        return self.blobs / sha256[:2] / sha256[2:]

    def has(self, sha256: str) -> bool:
        """Return whether a file is there."""
        return self.path(sha256).is_file()

    def digests(self) -> Iterator[str]:
        """Give the SHA-256 that every file is called by."""
        for folder in sorted(self.blobs.iterdir()):
            for file in sorted(folder.iterdir()):
                if _DIGEST.fullmatch(folder.name + file.name):
                    yield folder.name + file.name

    def computed_digest(self, sha256: str) -> str:
        """Return the SHA-256 that the bytes of a file have."""
        with self.path(sha256).open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()

    def used_bytes(self) -> int:
        """Return the size of all files."""
        return sum(self.path(digest).stat().st_size for digest in self.digests())

    # ------------------------------------------------------------------ what crashes leave

    def orphans(self, known: Iterable[str]) -> list[str]:
        """Return the files that no row speaks of."""
        rows = set(known)
        return [digest for digest in self.digests() if digest not in rows]

    def remove_leftovers(self, known: Iterable[str], now: datetime) -> list[str]:
        """Remove uploads that were cut off, and orphans of more than a day; return their names.

        Only for start-up, while no other server works on the folder.
        """
        removed = []
        for file in self.incoming.iterdir():
            file.unlink(missing_ok=True)
            removed.append(file.name)
        for digest in self.orphans(known):
            path = self.path(digest)
            changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            if now - changed > ORPHANS_KEPT:
                path.unlink(missing_ok=True)
                removed.append(digest)
        return removed


def _full(error: OSError) -> ServerError:
    return DiskFullError(
        f"the upload cannot be kept ({reason_of(error)}); tell the organisers, and send it again"
    )

"""`backup`: everything of a challenge and its server in one file, also while it serves.

    backup.json          what it is: challenge, schema
    folder/…             the challenge's folder, gold and salt as well; packs in folder/packs
    tables/NAME.jsonl    the rows of a table, one per line
    blobs/SHA256         what was sent
    manifest.json        the SHA-256 of all of these

Rows are those of one moment: the database is read in one transaction, and what it speaks of is on
disk and never changes. Rows are written so that either database can take them, and the same
content gives the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from treegauge.challenge_server import schema
from treegauge.challenge_server.blobs import BlobStore
from treegauge.challenge_server.database import SERVER_FOLDER, Database, read_setting
from treegauge.challenge_server.errors import ServerError
from treegauge.challenge_server.pack_shelf import PackShelf
from treegauge.challenges import ChallengeFolder
from treegauge.challenges.packs import canonical_json
from treegauge.errors import reason_of
from treegauge.temporaries import replacing

FORMAT = 1
ABOUT, MANIFEST = "backup.json", "manifest.json"
FOLDER, TABLES, BLOBS = "folder", "tables", "blobs"
_IN_MEMORY = 10_000_000
"""Bytes of a table beyond which its rows wait in a file."""

OnProgress = Callable[[float], None]


@dataclass(frozen=True)
class Backup:
    """What was written; packs that were not there are in no backup."""

    file: Path
    submissions: int
    size: int
    missing_packs: tuple[str, ...] = ()


def write_backup(
    database: Database,
    target: str | Path,
    *,
    packs: Sequence[str | Path] = (),
    on_progress: OnProgress = lambda _share: None,
) -> Backup:
    """Write a backup, for the organisers' eyes alone.

    Parameters
    ----------
    packs : sequence of paths
        Folders with packs, where they are neither beside the challenge nor in it.

    Raises
    ------
    ServerError
        If a file cannot be read or written, or bytes of a submission are missing.
    """
    path = Path(target)
    if _is_inside(path, database.folder):
        raise ServerError(f"{path}: it is inside the folder to back up; name another place")
    store = BlobStore(database.server_folder)
    shelf = PackShelf(ChallengeFolder(database.folder), packs)
    try:
        with replacing(path) as temporary:
            temporary.chmod(0o600)  # gold is inside, before a byte of it is
            with tarfile.open(temporary, "w", format=tarfile.PAX_FORMAT) as archive:
                writing = _Writing(archive)
                with database.read() as connection:
                    number = _write_all(
                        writing, _files(database.folder, shelf), connection, store, on_progress
                    )
                writing.finish()
    except OSError as error:
        raise ServerError(f"{error.filename or path}: {reason_of(error)}") from None
    return Backup(path, number, path.stat().st_size, tuple(shelf.missing))


def _write_all(
    writing: _Writing,
    files: dict[str, Path],
    connection: Connection,
    store: BlobStore,
    on_progress: OnProgress,
) -> int:
    about = {
        "format": FORMAT,
        "challenge": read_setting(connection, "challenge"),
        "schema": int(read_setting(connection, "schema") or 0),
    }
    writing.add_bytes(ABOUT, canonical_json(about))
    for name in sorted(files):
        writing.add_file(f"{FOLDER}/{name}", files[name])
    for table in schema.metadata.sorted_tables:
        with tempfile.SpooledTemporaryFile(_IN_MEMORY) as rows:
            for line in table_lines(connection, table):
                rows.write(line)
            writing.add_stream(f"{TABLES}/{table.name}.jsonl", rows)
    contents = sorted(set(connection.scalars(sa.select(schema.submission.c.content))))
    for done, digest in enumerate(contents):
        if not store.has(digest):
            raise ServerError(
                f"{store.path(digest)}: the bytes of a submission are missing; "
                "`treegauge challenge doctor` lists all that is wrong"
            )
        writing.add_file(f"{BLOBS}/{digest}", store.path(digest))
        on_progress((done + 1) / len(contents))
    return len(contents)


def _is_inside(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())


def _files(folder: Path, shelf: PackShelf) -> dict[str, Path]:
    """Return the files of a challenge and its packs, without those of its server, by name."""
    files = {}
    for path in folder.rglob("*"):
        inside = path.relative_to(folder)
        if inside.parts[0] == SERVER_FOLDER or path.name.endswith(".part"):
            continue
        if path.is_symlink():
            raise ServerError(f"{path}: this is a link; put the file itself into the folder")
        if path.is_file():
            files[inside.as_posix()] = path
    for pack in shelf.packs:
        if not _is_inside(pack.path, folder):
            files.setdefault(f"packs/{pack.name}", pack.path)
    return files


class _Writing:
    """An archive that is being written, with the sums of what is in it."""

    def __init__(self, archive: tarfile.TarFile) -> None:
        self._archive = archive
        self._sums: dict[str, str] = {}

    def add_bytes(self, name: str, content: bytes) -> None:
        self._add(name, io.BytesIO(content), len(content))
        self._sums[name] = hashlib.sha256(content).hexdigest()

    def add_file(self, name: str, path: Path) -> None:
        with path.open("rb") as stream:
            self.add_stream(name, stream)

    def add_stream(self, name: str, stream: Any) -> None:
        """Add the whole of a stream; the sum is of what goes into the archive."""
        size = stream.seek(0, io.SEEK_END)
        stream.seek(0)
        counted = _Summing(stream)
        self._add(name, counted, size)
        self._sums[name] = counted.sum.hexdigest()

    def _add(self, name: str, stream: Any, size: int) -> None:
        member = tarfile.TarInfo(name)
        member.size = size
        member.mode = 0o600
        self._archive.addfile(member, stream)

    def finish(self) -> None:
        """Write the sums of all members."""
        content = canonical_json({"files": self._sums})
        self._add(MANIFEST, io.BytesIO(content), len(content))


class _Summing:
    """A stream that adds up what is read from it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.sum = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        piece = self._stream.read(size)
        self.sum.update(piece)
        return piece


# ---------------------------------------------------------------------- rows


def table_lines(connection: Connection, table: sa.Table) -> Iterator[bytes]:
    """Give the rows of a table as lines of JSON, in the order of their keys on any database."""
    collation = "C" if connection.dialect.name == "postgresql" else "BINARY"
    keys = [
        sa.collate(column, collation) if isinstance(column.type, sa.Text) else column
        for column in table.primary_key
    ]
    chosen = [sa.type_coerce(column, _plain(column.type)).label(column.name) for column in table.c]
    rows = connection.execution_options(stream_results=True).execute(
        sa.select(*chosen).order_by(*keys)
    )
    for row in rows:
        document = {name: _as_json(value) for name, value in row._asdict().items()}
        text = json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        yield f"{text}\n".encode()


def _plain(type: sa.types.TypeEngine[Any]) -> sa.types.TypeEngine[Any]:
    """Return the type without our own meaning: what is kept is what is written."""
    return sa.BigInteger() if isinstance(type, schema.Moment) else type


def _as_json(value: Any) -> Any:
    if isinstance(value, bytes | memoryview):
        return {"base64": base64.b64encode(bytes(value)).decode()}
    return value


def row_of_line(line: bytes) -> dict[str, Any]:
    """Return a row, as a database takes it."""
    document: dict[str, Any] = json.loads(line)
    return {
        name: base64.b64decode(value["base64"]) if isinstance(value, dict) else value
        for name, value in document.items()
    }

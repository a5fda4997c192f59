"""`restore`: a challenge and its server from a backup, into an empty folder and either database."""

from __future__ import annotations

import hashlib
import io
import json
import re
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO, Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from treegauge.challenge_server import schema
from treegauge.challenge_server.backup import (
    ABOUT,
    BLOBS,
    FOLDER,
    FORMAT,
    MANIFEST,
    TABLES,
    row_of_line,
)
from treegauge.challenge_server.blobs import BlobStore
from treegauge.challenge_server.database import MIGRATIONS, SERVER_FOLDER, Database, Migration
from treegauge.challenge_server.errors import ServerError
from treegauge.errors import reason_of
from treegauge.temporaries import temporary_folder

_CHUNK = 1 << 20
_ROWS_AT_ONCE = 200
_DIGEST = re.compile(r"[0-9a-f]{64}")


def restore_backup(
    source: str | Path,
    folder: str | Path,
    url: str | None = None,
    *,
    migrations: Sequence[Migration] = MIGRATIONS,
) -> Database:
    """Put a backup into a folder that is empty or not there yet; return its open database.

    Parameters
    ----------
    url : str, optional
        An empty PostgreSQL; SQLite in the folder without one.

    Raises
    ------
    ServerError
        If the backup is damaged, the folder has files or the database has rows; nothing is
        written then.
    """
    source, target = Path(source), Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ServerError(f"{target}: it is not empty; name a new folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    with temporary_folder(target.parent) as place:
        unpacked = place / "challenge"
        unpacked.mkdir(mode=0o700)
        reading = _Reading(source, unpacked, len(migrations))
        reading.run()
        # Rows go into the schema that they were kept in; the steps from there come afterwards.
        database = Database.open(unpacked, url, migrations=migrations[: reading.schema])
        _fill(database, reading, unpacked, target)
    return Database.open(target, url, migrations=migrations)


def _fill(database: Database, reading: _Reading, unpacked: Path, target: Path) -> None:
    """Put rows into the database, and the folder into its place, both or neither."""
    try:
        with database.write() as connection:
            _refuse_rows(connection, database)
            _insert_rows(connection, reading.rows)
            if not database.is_sqlite:
                _move(unpacked, target)
    finally:
        database.close()
    if database.is_sqlite:
        _move(unpacked, target)


def _move(unpacked: Path, target: Path) -> None:
    if target.exists():
        target.rmdir()
    unpacked.rename(target)


def _refuse_rows(connection: Connection, database: Database) -> None:
    for table in schema.metadata.sorted_tables:
        if table is not schema.setting and connection.execute(sa.select(table).limit(1)).first():
            raise ServerError(f"{database.shown_url}: it is not empty; name an empty database")


def _insert_rows(connection: Connection, rows: Path) -> None:
    """Insert what is kept, in an order in which every row knows the ones that it speaks of."""
    connection.execute(sa.delete(schema.setting))
    names = [table.name for table in schema.metadata.sorted_tables]
    for name in names:
        path = rows / f"{name}.jsonl"
        if not path.exists():
            continue
        with path.open("rb") as lines:
            while batch := [row_of_line(line) for line in islice(lines, _ROWS_AT_ONCE)]:
                table = sa.table(name, *(sa.column(column) for column in batch[0]))
                connection.execute(sa.insert(table), batch)


@dataclass
class _Reading:
    """A backup that is unpacked under names that were looked at."""

    source: Path
    folder: Path
    newest: int
    about: dict[str, Any] = field(default_factory=dict)
    _sums: dict[str, str] = field(default_factory=dict)
    _manifest: dict[str, Any] = field(default_factory=dict)

    @property
    def rows(self) -> Path:
        """Where the rows of tables are."""
        return self.folder.parent / TABLES

    @property
    def schema(self) -> int:
        """Of the rows."""
        return int(self.about["schema"])

    def run(self) -> None:
        """Unpack everything, and compare it with its sums."""
        self.rows.mkdir()
        self._store = BlobStore(self.folder / SERVER_FOLDER)
        try:
            with tarfile.open(self.source, "r:") as archive:
                for member in archive:
                    self._unpack(archive, member)
        except (tarfile.TarError, EOFError):
            raise self._damaged("it cannot be read to its end") from None
        except OSError as error:
            raise ServerError(f"{self.source}: {reason_of(error)}") from None
        if not self.about or self._manifest.get("files") != self._sums:
            raise self._damaged("its checksums are wrong")

    def _damaged(self, why: str) -> ServerError:
        return ServerError(f"{self.source}: this is not a complete backup ({why}); use another one")

    def _unpack(self, archive: tarfile.TarFile, member: tarfile.TarInfo) -> None:
        stream = archive.extractfile(member) if member.isreg() else None
        if stream is None or member.name in self._sums:
            raise self._damaged(f"{member.name!r} is not a plain file")
        if member.name == MANIFEST:
            self._manifest = self._document(stream)
            return
        if member.name == ABOUT:
            self._look(stream)
            return
        if not self.about:
            raise self._damaged(f"{ABOUT} is not its first member")
        with self._place(member.name).open("xb") as target:
            self._sums[member.name] = _copied(stream, target)

    def _document(self, stream: IO[bytes]) -> dict[str, Any]:
        try:
            document = json.loads(stream.read())
        except (ValueError, RecursionError):
            document = None
        if not isinstance(document, dict):
            raise self._damaged("it does not describe itself")
        return document

    def _look(self, stream: IO[bytes]) -> None:
        content = stream.read()
        self._sums[ABOUT] = hashlib.sha256(content).hexdigest()
        about = self._document(io.BytesIO(content))
        numbers = about.get("format"), about.get("schema")
        if not all(isinstance(number, int) and number > 0 for number in numbers):
            raise self._damaged("it does not describe itself")
        if about["format"] > FORMAT or about["schema"] > self.newest:
            raise ServerError(
                f"{self.source}: a newer version of treegauge wrote this backup; install that "
                f"version"
            )
        self.about = about

    def _place(self, name: str) -> Path:
        """Return where a member goes; names that lead anywhere else are refused."""
        first, *inside = PurePosixPath(name).parts
        is_plain = name == "/".join((first, *inside)) and ".." not in inside
        if is_plain and first == BLOBS and len(inside) == 1 and _DIGEST.fullmatch(inside[0]):
            path = self._store.path(inside[0])
        elif is_plain and first == TABLES and inside in [[f"{one}.jsonl"] for one in _TABLES]:
            path = self.rows / inside[0]
        elif is_plain and first == FOLDER and inside and inside[0] != SERVER_FOLDER:
            path = self.folder.joinpath(*inside)
        else:
            raise self._damaged(f"{name!r} is not a name that backups contain")
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return path


_TABLES = tuple(table.name for table in schema.metadata.sorted_tables)


def _copied(stream: IO[bytes], target: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while piece := stream.read(_CHUNK):
        digest.update(piece)
        target.write(piece)
    return digest.hexdigest()

"""The database of a server: SQLite in the challenge's folder, or PostgreSQL.

    with database.write() as connection: ...   one writer at a time; all of it or nothing
    with database.read() as connection: ...    a view that does not change while it is read

Writers come one after the other on both databases (`BEGIN IMMEDIATE`, or a lock that a transaction
holds), so that what is counted stays true until it is written. Transactions are short: hashing,
reading and scoring happen outside of them.

    demo/server/
      challenge.sqlite      the database, with its -wal and -shm
      blobs/ab/cdef…        what was sent, called by its SHA-256
      incoming/             what is being sent
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from treegauge.challenge_server import schema
from treegauge.challenge_server.errors import DatabaseAwayError, DiskFullError, ServerError
from treegauge.challenge_server.file_systems import network_file_system
from treegauge.challenges import ChallengeFolder
from treegauge.errors import reason_of

SERVER_FOLDER = "server"
SQLITE_FILE = "challenge.sqlite"
DATABASE_VARIABLE = "TREEGAUGE_CHALLENGE_DATABASE"
"""The environment variable that names a PostgreSQL, for all verbs."""
_WAIT = 10.0
"""Seconds that a transaction waits for another one."""

_DISK_FULL = "53100"
"""What PostgreSQL calls it."""

Migration = Callable[[Connection], None]
MIGRATIONS: tuple[Migration, ...] = (schema.metadata.create_all,)
"""The step to every schema from the one before; schema 1 comes first. Steps are never edited:
databases out there have taken them."""


class Database:
    """The database of a challenge's server.

    Parameters
    ----------
    folder : Path
        Of the challenge.
    url : URL
        As SQLAlchemy writes it.
    """

    def __init__(self, folder: Path, url: URL) -> None:
        self.folder = folder
        self.url = url
        self.engine: Engine = _engine(url)
        self._one_writer = threading.Lock()

    @classmethod
    def open(
        cls,
        folder: str | Path,
        url: str | None = None,
        *,
        make: bool = True,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> Database:
        """Open the database of a challenge's folder; make it, or bring it up to date, first.

        Parameters
        ----------
        folder : path
            Of the challenge.
        url : str, optional
            `postgresql://user@host/name`; SQLite in the folder without one.
        make : bool
            Whether to make a database where there is none.

        Raises
        ------
        ServerError
            If the folder has no challenge, lies on a network file system, or if the database is
            newer than this program or belongs to another challenge.
        DatabaseAwayError
            If it does not answer.
        """
        challenge = ChallengeFolder(folder).challenge
        path = Path(folder)
        url = url or os.environ.get(DATABASE_VARIABLE)
        server = path / SERVER_FOLDER
        if not make and not (server.is_dir() if url else (server / SQLITE_FILE).is_file()):
            raise ServerError(
                f"{server}: there is no database; `treegauge challenge team add` and `serve` "
                f"create one"
            )
        try:
            server.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise ServerError(f"{server}: cannot be written: {reason_of(error)}") from None
        database = cls(path, _url(path, url))
        try:
            database._migrate(migrations)
            database._belong_to(challenge.name)
        except BaseException:
            database.close()
            raise
        return database

    @property
    def server_folder(self) -> Path:
        """Where the server keeps its files."""
        return self.folder / SERVER_FOLDER

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file in the folder."""
        return self.engine.dialect.name == "sqlite"

    @property
    def shown_url(self) -> str:
        """Its address, without the password."""
        return self.url.render_as_string(hide_password=True)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextlib.contextmanager
    def write(self) -> Iterator[Connection]:
        """Give a connection that is the only one to write; commit in the end, or roll back.

        Raises
        ------
        DatabaseAwayError
            If the database does not answer, or other writers take too long.
        """
        with self._known_troubles(), self._turn(), self.engine.connect() as connection:
            if self.is_sqlite:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{int(_WAIT)}s'")
                connection.exec_driver_sql(
                    "SELECT pg_advisory_xact_lock(hashtext(current_schema()))"
                )
            yield connection
            connection.commit()

    @contextlib.contextmanager
    def read(self) -> Iterator[Connection]:
        """Give a connection that sees one state of the database and changes nothing."""
        with self._known_troubles(), self.engine.connect() as connection:
            if self.is_sqlite:
                connection.exec_driver_sql("BEGIN")
            else:
                connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                connection.exec_driver_sql("SET TRANSACTION READ ONLY")
            yield connection
            connection.rollback()

    def is_there(self) -> bool:
        """Return whether the database answers."""
        try:
            with self.read() as connection:
                connection.execute(sa.select(sa.literal(1)))
        except DatabaseAwayError:
            return False
        return True

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for the other writers of this process; SQLite's own waiting is not fair."""
        if not self._one_writer.acquire(timeout=_WAIT):
            raise DatabaseAwayError("the database is busy; try again in a moment")
        try:
            yield
        finally:
            self._one_writer.release()

    @contextlib.contextmanager
    def _known_troubles(self) -> Iterator[None]:
        """Turn what a database may be down with into one sentence; faults of ours stay as is."""
        try:
            yield
        except (sa.exc.OperationalError, sa.exc.TimeoutError) as error:
            cause = getattr(error, "orig", None)
            reason = str(cause or error).strip().split("\n")[0]
            if _is_full(cause):
                raise DiskFullError(
                    "the disk of the database is full; ask the organisers to free some space"
                ) from error
            if _is_fault_of_ours(cause):
                raise
            raise DatabaseAwayError(f"the database does not answer: {reason}") from error
        except (sa.exc.DataError, UnicodeEncodeError, OverflowError) as error:
            # A NUL, half a character or an endless number, from a form or an address.
            raise ServerError(
                "this contains a character or a number that cannot be stored; change it"
            ) from error

    # ------------------------------------------------------------------ schema

    def _migrate(self, migrations: Sequence[Migration]) -> None:
        newest = len(migrations)
        with self.write() as connection:
            number = self._schema_number(connection)
            if number > newest:
                raise ServerError(
                    f"{self.shown_url}: its schema is {number}, and this treegauge knows "
                    f"{newest}; install the newer treegauge again"
                )
            if number == newest:
                return
            if number:
                self._keep_copy(number)
            for step in migrations[number:]:
                step(connection)
            set_setting(connection, "schema", str(newest))

    def _schema_number(self, connection: Connection) -> int:
        if not sa.inspect(connection).has_table(schema.setting.name):
            return 0
        return int(read_setting(connection, "schema") or 0)

    def _keep_copy(self, number: int) -> None:
        """Copy an SQLite as it is before a step; PostgreSQL takes a step as a whole or not."""
        if not self.is_sqlite:
            return
        source = self.server_folder / SQLITE_FILE
        copy = self.server_folder / f"before-schema-{number + 1}.sqlite"
        with (
            contextlib.closing(sqlite3.connect(source)) as old,
            contextlib.closing(sqlite3.connect(copy)) as new,
        ):
            old.backup(new)
        copy.chmod(0o600)

    def _belong_to(self, challenge: str) -> None:
        with self.read() as connection:
            owner = read_setting(connection, "challenge")
        if owner == challenge:
            return
        if owner:
            raise ServerError(
                f"{self.shown_url}: this is the database of the challenge {owner!r}, and not of "
                f"{challenge!r}; name another database"
            )
        with self.write() as connection:
            set_setting(connection, "challenge", challenge)


def read_setting(connection: Connection, name: str) -> str | None:
    """Return a setting of the server as a whole, or None."""
    table = schema.setting
    value: str | None = connection.scalar(sa.select(table.c.value).where(table.c.name == name))
    return value


def set_setting(connection: Connection, name: str, value: str) -> None:
    """Set a setting of the server as a whole."""
    table = schema.setting
    connection.execute(sa.delete(table).where(table.c.name == name))
    connection.execute(sa.insert(table).values(name=name, value=value))


# ---------------------------------------------------------------------- engines


def _url(folder: Path, url: str | None) -> URL:
    if not url:
        place = folder / SERVER_FOLDER
        if kind := network_file_system(place):
            raise ServerError(
                f"{place}: it is on {kind}, a network file system, where SQLite loses data; "
                f"move the challenge to a local disk, or name a PostgreSQL database with --database"
            )
        file = place / SQLITE_FILE
        try:
            file.touch(mode=0o600)  # before it holds anything; its log gets the same rights
        except OSError as error:
            raise ServerError(f"{file}: cannot be written: {reason_of(error)}") from None
        return URL.create("sqlite", database=str(file))
    try:
        parsed = make_url(url)
    except ArgumentError:
        parsed = None
    if parsed is None or parsed.get_backend_name() not in ("postgresql", "postgres"):
        raise ServerError(
            "--database: expected an address such as postgresql://user@localhost/demo"
        )
    return parsed.set(drivername="postgresql+psycopg")


def _engine(url: URL) -> Engine:
    if url.get_backend_name() == "sqlite":
        engine = sa.create_engine(
            url,
            # The driver begins and commits nothing of its own accord.
            connect_args={"isolation_level": None, "timeout": _WAIT, "check_same_thread": False},
            pool_size=8,
            max_overflow=56,
            pool_timeout=_WAIT,
        )
        sa.event.listen(engine, "connect", _prepare_sqlite)
        return engine
    try:
        return sa.create_engine(
            url,
            pool_size=4,
            max_overflow=16,
            pool_timeout=_WAIT,
            pool_pre_ping=True,  # the database may have been started anew
            connect_args={"connect_timeout": int(_WAIT)},
        )
    except (ImportError, NoSuchModuleError):
        raise ServerError(
            "PostgreSQL needs psycopg; `pip install treegauge[postgres]` installs it"
        ) from None


def _prepare_sqlite(connection: Any, record: Any) -> None:  # noqa: ARG001
    cursor = connection.cursor()
    for line in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {line}")
    cursor.close()


# ---------------------------------------------------------------------- troubles


def _is_full(cause: object) -> bool:
    code = getattr(cause, "sqlite_errorcode", None)
    return code == sqlite3.SQLITE_FULL or getattr(cause, "sqlstate", None) == _DISK_FULL


def _is_fault_of_ours(cause: object) -> bool:
    """Return whether SQLite means a mistake in a statement, which it reports in the same way."""
    return getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR

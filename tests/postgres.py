"""A PostgreSQL server for tests, started once a session and gone with it.

It listens on a socket in a folder of its own, so that no port is taken and nobody else can
connect. `initdb` refuses root; then an unprivileged user runs it. Where PostgreSQL is not
installed, tests that need it are skipped, and say so; under continuous integration they fail.
"""

from __future__ import annotations

import getpass
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest

UNPRIVILEGED = ("postgres", "nobody")
"""Who may run the server in place of root."""
DEBIAN = Path("/usr/lib/postgresql")
"""Where Debian has the programs of all versions, only some of which are on the path."""

IN_MEMORY = Path("/dev/shm")
"""Where disks are spared, and files written at once."""

MISSING = "needs PostgreSQL: pg_ctl is not installed (Debian: apt-get install postgresql)"


def programs() -> Path | None:
    """Return the folder with `initdb` and `pg_ctl`, or nothing."""
    on_path = [Path(found).parent for found in [shutil.which("pg_ctl")] if found]
    folders = [*on_path, *sorted(DEBIAN.glob("*/bin"), reverse=True)]
    return next((one for one in folders if (one / "initdb").exists()), None)


def need_postgres() -> None:
    """Skip a test where PostgreSQL is missing; under continuous integration, fail."""
    if programs() is None:
        if os.environ.get("CI"):
            pytest.fail(f"{MISSING}; continuous integration does not go without it")
        pytest.skip(MISSING)


@dataclass
class PostgresServer:
    """A server that runs, and databases in it."""

    folder: Path
    user: str
    _numbers: Iterator[int] = field(default_factory=count)

    def url(self, database: str) -> str:
        """Return the address of a database, as `--database` takes it."""
        return f"postgresql+psycopg://{self.user}@/{database}?host={self.folder}"

    def new_database(self) -> str:
        """Make an empty database, and return its address."""
        import psycopg

        name = f"test_{next(self._numbers)}"
        with psycopg.connect(
            host=str(self.folder), user=self.user, dbname="postgres", autocommit=True
        ) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)


def _run_as(user: str, *command: str | Path) -> None:
    """Run a program as a user, if that is another one than we are."""
    options: dict[str, Any] = {}
    if user != getpass.getuser():
        account = pwd.getpwnam(user)
        options = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    # What `pg_ctl` starts keeps its output open, so that a pipe would never end.
    with tempfile.TemporaryFile() as output:
        ended = subprocess.run(
            command, cwd="/", stdin=subprocess.DEVNULL, stdout=output, stderr=output, **options
        )
        output.seek(0)
        assert not ended.returncode, output.read().decode(errors="replace")


def start_postgres(folder: Path) -> PostgresServer:
    """Start a server in an empty folder.

    Nothing of it is worth a wait for the disk: tests kill our processes, never the server.
    """
    home = programs()
    assert home is not None
    user = getpass.getuser()
    if os.getuid() == 0:
        known = {account.pw_name for account in pwd.getpwall()}
        user = next(name for name in UNPRIVILEGED if name in known)
        shutil.chown(folder, user)
    data = folder / "data"
    _run_as(user, home / "initdb", "--pgdata", data, "--auth=trust", "--no-sync", "--no-locale",
            "--encoding=UTF8")  # fmt: skip
    settings = (
        f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off "
        "-c full_page_writes=off -c synchronous_commit=off -c max_connections=200"
    )
    log = folder / "log.txt"
    _run_as(user, home / "pg_ctl", "start", "--wait", "--pgdata", data, "--log", log,
            "--options", settings)  # fmt: skip
    return PostgresServer(folder, user)


def stop_postgres(server: PostgresServer) -> None:
    """Stop a server at once, whoever is connected."""
    home = programs()
    assert home is not None
    data = server.folder / "data"
    _run_as(server.user, home / "pg_ctl", "stop", "--pgdata", data, "--mode=immediate")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """PostgreSQL, as the system has it."""
    need_postgres()
    # Not a folder of pytest's: another user could not enter it.
    inside = IN_MEMORY if IN_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="postgres-", dir=inside) as name:
        server = start_postgres(Path(name))
        try:
            yield server
        finally:
            stop_postgres(server)


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> str:
    """The address of an empty database of PostgreSQL."""
    return postgres_server.new_database()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str | None:
    """Both kinds of databases: None is SQLite in the folder of the server."""
    if request.param == "sqlite":
        return None
    url: str = request.getfixturevalue("postgres_url")
    return url

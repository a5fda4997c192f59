"""`serve`: one web process and some workers on one folder, and what would stop them.

The supervisor binds the port and keeps it. A web process that dies is started anew on the same
socket: who connects in the meantime waits, and is not turned away.
"""

from __future__ import annotations

import contextlib
import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from treegauge.challenge_server.blobs import BlobStore
from treegauge.challenge_server.database import (
    DATABASE_VARIABLE,
    SERVER_FOLDER,
    Database,
    read_setting,
    set_setting,
)
from treegauge.challenge_server.doctor import clean_up
from treegauge.challenge_server.errors import ServerError
from treegauge.challenge_server.pack_shelf import PackShelf
from treegauge.challenge_server.supervisor import ProcessPlan, Supervisor, python_module
from treegauge.challenge_server.web_settings import WebSettings
from treegauge.challenges import ChallengeFolder
from treegauge.errors import TreegaugeError, reason_of
from treegauge.wording import counted

LOCK_FILE = "serve.lock"
BACKLOG = 1024
"""Connections that wait while the web process is started anew."""


@dataclass(frozen=True)
class ServerPlan:
    """What `serve` is told.

    Attributes
    ----------
    workers : int
        How many processes score; none if they are started elsewhere.
    port : int
        0 for any that is free.
    database : str
        Address of a PostgreSQL; SQLite in the folder if empty.
    address : str
        What people type, where that is not this machine and port.
    packs : tuple of str
        Folders with packs; beside the challenge and in it without any.
    """

    folder: Path
    workers: int = 1
    host: str = "127.0.0.1"
    port: int = 8000
    database: str = ""
    address: str = ""
    packs: tuple[str, ...] = ()


def obstacles(plan: ServerPlan) -> list[str]:
    """Return what would stop a server, in sentences; no process is started."""
    found: list[str] = []

    def attempt(check: Callable[[], object]) -> bool:
        try:
            check()
        except TreegaugeError as error:
            found.append(str(error))
            return False
        return True

    if not attempt(lambda: ChallengeFolder(plan.folder)):
        return found
    folder = ChallengeFolder(plan.folder)
    attempt(lambda: WebSettings(plan.address))
    attempt(folder.read_gold)
    attempt(lambda: _need_packs(folder, plan.packs))
    if attempt(lambda: _need_writable(plan.folder)):
        attempt(lambda: _open_database(plan))
        attempt(lambda: _locked(plan.folder).release())
        attempt(lambda: BlobStore(plan.folder / SERVER_FOLDER).refuse_if_full())
    attempt(lambda: listening_socket(plan.host, plan.port).close())
    return found


def serve(plan: ServerPlan, say: Callable[[str], None], on_address: Callable[[str], None]) -> int:
    """Serve a challenge until SIGTERM; return the exit code.

    Parameters
    ----------
    say : callable
        Told in a sentence what organisers should know.
    on_address : callable
        Told the address once the port is ours.

    Raises
    ------
    TreegaugeError
        If something stops it: the first of its obstacles.
    """
    folder = ChallengeFolder(plan.folder)
    WebSettings(plan.address)
    folder.read_gold()
    _need_packs(folder, plan.packs)
    _need_writable(plan.folder)
    lock = _locked(plan.folder)
    try:
        with contextlib.closing(listening_socket(plan.host, plan.port)) as listening:
            address = plan.address or _address_of(listening)
            _prepare(plan, address)
            processes = counted(plan.workers, "worker")
            supervisor = Supervisor(process_plans(plan, listening.fileno()), say)

            def announce() -> None:
                on_address(address)
                say(f"serving {folder.challenge.name} with {processes}; Ctrl-C ends it")

            return supervisor.run(announce)
    finally:
        lock.release()


def process_plans(plan: ServerPlan, listening: int) -> list[ProcessPlan]:
    """Return the processes of a server; the database's password is in no command line."""
    if plan.database:
        os.environ[DATABASE_VARIABLE] = plan.database
    folder = str(plan.folder)
    packs = [os.path.abspath(one) for one in plan.packs]  # noqa: PTH100
    web = "treegauge.challenge_server.web_process"
    worker = "treegauge.challenge_server.worker_process"
    plans = [
        ProcessPlan(
            "web process",
            python_module(web, folder, str(listening), plan.address, *packs),
            (listening,),
            is_needed=True,
        )
    ]
    plans += [
        ProcessPlan(f"worker {number}", python_module(worker, folder))
        for number in range(1, plan.workers + 1)
    ]
    return plans


def listening_socket(host: str, port: int) -> socket.socket:
    """Bind a port.

    Raises
    ------
    ServerError
        If another program has it, or the address is not one of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except (OSError, OverflowError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        raise ServerError(
            f"port {port} of {host} are not available: {reason}; name another with --port, "
            "or end the program that uses it"
        ) from None


def _address_of(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _need_packs(folder: ChallengeFolder, places: tuple[str, ...]) -> None:
    path = folder.path
    if not folder.record().get("packs"):
        raise ServerError(
            f"{path}: there are no packs; `treegauge challenge pack {path} -o packs` writes them"
        )
    shelf = PackShelf(folder, places)
    if shelf.missing:
        where = " or ".join(str(place) for place in shelf.places)
        raise ServerError(
            f"{', '.join(shelf.missing)}: not in {where}, or not what `pack` wrote last; name the "
            f"folder with --packs, or run `treegauge challenge pack {path} -o packs` again"
        )


def _need_writable(folder: Path) -> None:
    place = folder / SERVER_FOLDER
    try:
        place.mkdir(mode=0o700, exist_ok=True)
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        raise ServerError(
            f"{place}: cannot be written: {reason_of(error)}; let the user who runs the server "
            "own the folder"
        ) from None


def _open_database(plan: ServerPlan) -> None:
    Database.open(plan.folder, plan.database or None).close()


def _locked(folder: Path) -> FileLock:
    """Return the lock that one server has; a server that died has it no more."""
    lock = FileLock(folder / SERVER_FOLDER / LOCK_FILE, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise ServerError(
            f"{folder}: another server works on this folder; end it first (further workers are "
            f"`treegauge challenge worker {folder}`)"
        ) from None
    return lock


def _prepare(plan: ServerPlan, address: str) -> None:
    """Remove what a crash left, and note where the server is found."""
    with _closing(Database.open(plan.folder, plan.database or None)) as database:
        clean_up(database, BlobStore(database.server_folder), datetime.now(UTC))
        with database.write() as connection:
            if read_setting(connection, "address") != address:
                set_setting(connection, "address", address)


@contextlib.contextmanager
def _closing(database: Database) -> Iterator[Database]:
    try:
        yield database
    finally:
        database.close()

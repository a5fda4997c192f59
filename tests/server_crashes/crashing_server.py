"""A server whose processes are started and killed by a test, and what must be true in the end."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from tests.unit.challenges.small_challenge import IN_PHASE, gold_of, make_folder, write_submission
from treegauge.challenge_server import schema
from treegauge.challenge_server.audit import SHELL
from treegauge.challenge_server.blobs import BlobStore
from treegauge.challenge_server.client import ServerClient
from treegauge.challenge_server.database import Database
from treegauge.challenge_server.doctor import clean_up, diagnose
from treegauge.challenge_server.invitations import add_invited_team, redeem
from treegauge.challenges import ChallengeFolder, score_submissions
from treegauge.challenges.packs import sha256, zip_bytes

ROOT = Path(__file__).parents[2]
TOKENS = 60
TREEBANKS = ("svo", "sov")


@dataclass
class CrashingServer:
    """Processes of a server, by what they are."""

    folder: Path
    url: str | None
    nursery: subprocess.Popen[str]
    port: int
    token: str
    reads_apart: bool = False
    running: dict[str, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self, name: str, point: str = "", number: int = signal.SIGKILL) -> int:
        """Start a process: `web`, or any name for a worker."""
        kind = "web" if name == "web" else "worker"
        order = {"start": kind, "point": point, "signal": int(number)}
        self.running[name] = self._ask(order | {"reads apart": self.reads_apart})
        return self.running[name]

    def wait(self, name: str) -> int:
        """Wait for the end of a process; return how it ended."""
        return self._ask({"wait": self.running.pop(name)})

    def kill(self, name: str) -> None:
        """Kill a process, and what it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.running[name], signal.SIGKILL)
        self.wait(name)

    def end(self, name: str) -> None:
        """End a process politely."""
        os.kill(self.running[name], signal.SIGTERM)
        # The web process ends by the signal in the end, when all is done.
        assert self.wait(name) in (0, signal.SIGTERM)

    def _ask(self, order: Mapping[str, Any]) -> int:
        assert self.nursery.stdin is not None
        assert self.nursery.stdout is not None
        with self._lock:
            self.nursery.stdin.write(f"{json.dumps(order)}\n")
            self.nursery.stdin.flush()
            answer: int = json.loads(self.nursery.stdout.readline())
        return answer

    def client(self) -> ServerClient:
        """Return a client of the team."""
        return ServerClient(f"http://127.0.0.1:{self.port}", self.token, pause=0.05, patience=120)

    def send(self, content: bytes) -> dict[str, Any]:
        """Send a submission until it is answered."""
        return self.client().send(content, track="dependencies", phase="test")

    def open(self) -> Database:
        """Return the database, for a look from outside."""
        return Database.open(self.folder, self.url)

    def wait_for_results(self, seconds: float = 120.0) -> None:
        """Wait until no job waits or runs."""
        last = time.monotonic() + seconds
        database = self.open()
        job = schema.job
        busy = sa.select(sa.func.count()).select_from(job)
        busy = busy.where(job.c.state.in_(("waiting", "running")))
        try:
            while True:
                with database.read() as connection:
                    if not connection.scalar(busy):
                        return
                assert time.monotonic() < last, "jobs are left"
                time.sleep(0.1)
        finally:
            database.close()


@contextlib.contextmanager
def crashing_server(
    home: Path, url: str | None = None, *, reads_apart: bool = False
) -> Iterator[CrashingServer]:
    """Give a server of which nothing runs yet, with one team."""
    folder = make_folder(home / "small", tokens=TOKENS).path
    database = Database.open(folder, url)
    _, secret = add_invited_team(database, "blue", actor=SHELL, now=IN_PHASE)
    token = redeem(database, secret, now=IN_PHASE, token_name="test").token
    database.close()
    command = [sys.executable, "-m", "tests.server_crashes.nursery", str(folder)]
    with subprocess.Popen(
        [*command, *([url] if url else [])],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as nursery:
        assert nursery.stdout is not None
        port = json.loads(nursery.stdout.readline())
        server = CrashingServer(folder, url, nursery, port, token, reads_apart)
        try:
            yield server
        finally:
            for name in list(server.running):
                server.kill(name)
            assert nursery.stdin is not None
            nursery.stdin.close()


def submissions(place: Path, number: int, seed: int = 0) -> list[bytes]:
    """Return zips that differ: heads drawn at random, some of them none at all."""
    dice = random.Random(seed)
    zips = []
    for i in range(number):
        annotated = {}
        for name in TREEBANKS:
            gold = gold_of(name, TOKENS)
            lengths = gold.lengths[gold.sentence_of_word]
            head = [dice.randint(0, int(length)) for length in lengths]
            annotated[name] = gold.replace(head=head)
        folder = write_submission(place / f"s{i}", annotated, system=f"dice {i}", team="blue")
        zips.append(zip_bytes({path.name: path.read_bytes() for path in folder.iterdir()}))
    return zips


def check_all(server: CrashingServer, sent: Mapping[str, bytes]) -> None:
    """Check what must be true: every answered upload has its row, its bytes and one result.

    Parameters
    ----------
    sent : mapping
        What was sent, by the id that the answer has.
    """
    database = server.open()
    store = BlobStore(database.server_folder)
    with database.read() as connection:
        rows = {row.id: row for row in connection.execute(sa.select(schema.submission))}
        results: dict[str, list[bytes]] = {}
        for row in connection.execute(sa.select(schema.result)):
            results.setdefault(row.submission, []).append(bytes(row.document))
    assert set(sent) <= set(rows)
    assert len({row.content for row in rows.values()}) == len(rows)
    for id, content in sent.items():
        assert rows[id].content == sha256(content)
        assert store.path(rows[id].content).read_bytes() == content
    for id, row in rows.items():
        assert row.state == "accepted"
        assert len(results[id]) == 1
    kit = _scored_by_the_kit(server, [store.path(row.content) for row in rows.values()])
    assert {row.canonical: results[id][0] for id, row in rows.items()} == kit
    clean_up(database, store, IN_PHASE)
    found = diagnose(database, store, IN_PHASE)
    assert found.flaws == []
    assert not list(store.incoming.iterdir())
    database.close()


def _scored_by_the_kit(server: CrashingServer, paths: list[Path]) -> dict[str, bytes]:
    """Return what `score` writes, by its id of a submission."""
    from unittest import mock

    from tests.server_crashes.nursery import read_here

    folder = make_folder(server.folder.parent / "kit" / "small", tokens=TOKENS)
    with mock.patch("treegauge.challenges.scoring.read_apart", read_here):
        scoring = score_submissions(ChallengeFolder(folder.path), paths, now=IN_PHASE)
    assert scoring.refused == {}
    return {path.stem: path.read_bytes() for path in folder.results.glob("*/*.json")}

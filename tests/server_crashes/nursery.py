"""A process that has imported everything, and forks the processes of a server.

python -m tests.server_crashes.nursery FOLDER [DATABASE]

So a start takes milliseconds, and a test can afford many. It holds the listening socket, as the
supervisor of a server does. Orders come as lines of JSON: `{"start": "web", "point": "synced"}` is
answered with a number, `{"wait": NUMBER}` with how the process ended. A process with a point sends
itself a signal when it reaches that point: SIGKILL, or SIGSTOP.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sys
import traceback
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest import mock

from tests.unit.challenges.small_challenge import IN_PHASE
from treegauge.challenge_server.app import web_server
from treegauge.challenge_server.blobs import Points
from treegauge.challenge_server.board_bytes import board_policy
from treegauge.challenge_server.clock import Clock
from treegauge.challenge_server.database import Database
from treegauge.challenge_server.gold_room import GoldRoom
from treegauge.challenge_server.pack_shelf import PackShelf
from treegauge.challenge_server.page_writing import script, style_sheet
from treegauge.challenge_server.served import ServedChallenge
from treegauge.challenge_server.warming import compile_kernels
from treegauge.challenge_server.worker import Worker, WorkerSettings
from treegauge.challenges import ChallengeFolder
from treegauge.challenges.reading_process import decoded_submission, encoded_submission

LEASE = timedelta(seconds=1)
LONGER_LEASE = timedelta(seconds=15)
"""Where every submission has a process that reads it: two cores may be slow at starting those."""


class DeadlyPoints(Points):
    """Points of which one is deadly, or puts to sleep."""

    def __init__(self, point: str, number: int) -> None:
        self.point = point
        self.number = number

    def reached(self, name: str) -> None:
        if name == self.point:
            os.kill(os.getpid(), self.number)


def read_here(source: Any, task: Any, **_limits: Any) -> Any:
    """Read a submission without another process, which takes most of a second to start."""
    return decoded_submission(encoded_submission(str(source), task), task, str(source))


def run_web(folder: Path, url: str | None, listening: socket.socket, points: Points) -> None:
    opened = ChallengeFolder(folder)
    clock = Clock(lambda: IN_PHASE)
    database = Database.open(folder, url)
    served = ServedChallenge(opened, database, PackShelf(opened), clock=clock, points=points)
    web_server(served).run(sockets=[listening])


def run_worker(folder: Path, url: str | None, points: Points, lease: timedelta) -> None:
    database = Database.open(folder, url)
    settings = WorkerSettings(lease=lease, seconds_between_looks=0.05, trials=50)
    worker = Worker(database, settings, Clock(lambda: IN_PHASE), points)
    signal.signal(signal.SIGTERM, lambda *_: worker.stop())
    worker.run()


def run(order: dict[str, Any], folder: Path, url: str | None, listening: socket.socket) -> None:
    """Be a process of the server, until the end."""
    points = DeadlyPoints(order.get("point") or "", order.get("signal") or signal.SIGKILL)
    # What reads submissions in another process belongs to this one, and is killed with it.
    os.setsid()
    reads_here = not order.get("reads apart")
    patch = mock.patch("treegauge.challenge_server.worker.read_apart", read_here)
    with patch if reads_here else contextlib.nullcontext():
        if order["start"] == "web":
            run_web(folder, url, listening, points)
        else:
            run_worker(folder, url, points, LEASE if reads_here else LONGER_LEASE)


def main(folder: Path, url: str | None) -> None:
    listening = socket.create_server(("127.0.0.1", 0), backlog=256)
    with mock.patch("treegauge.challenge_server.warming.read_apart", read_here):
        compile_kernels(GoldRoom(folder))
    for prepared in (style_sheet, script, board_policy):  # what every web process would make anew
        prepared()
    _answer(listening.getsockname()[1])
    children = set()
    for line in sys.stdin:
        order = json.loads(line)
        if "wait" in order:
            _answer(os.waitpid(order["wait"], 0)[1])
            children.remove(order["wait"])
            continue
        number = os.fork()
        if number:
            children.add(number)
            _answer(number)
            continue
        code = 1
        try:
            run(order, folder, url, listening)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    for number in children:  # whoever gave the orders has ended before them
        os.killpg(number, signal.SIGKILL)


def _answer(value: int) -> None:
    sys.stdout.write(f"{json.dumps(value)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)

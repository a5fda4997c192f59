"""Web process and workers are killed between any two steps, and nothing is lost or done twice."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server_crashes.crashing_server import (
    CrashingServer,
    check_all,
    crashing_server,
    submissions,
)
from tests.unit.challenge_server.sent_submissions import quick_folder

WEB_POINTS = ("written", "synced", "renamed", "folder synced", "committed", "answered")
WORKER_POINTS = ("claimed", "read", "scored", "result committed", "board committed")


@pytest.fixture
def home() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder


def send_all(server: CrashingServer, contents: list[bytes], sent: dict[str, bytes]) -> None:
    for content in contents:
        answer = server.send(content)
        sent[answer["receipt"]["submission"]] = content


def die_at_points(
    server: CrashingServer, contents: list[bytes], points: tuple[str, ...]
) -> dict[str, bytes]:
    """Send submissions to web processes that die at points, then let workers die at theirs."""
    sent: dict[str, bytes] = {}
    for point, content in zip(points, contents, strict=True):
        server.start("web", point)
        client = threading.Thread(target=send_all, args=(server, [content], sent))
        client.start()
        assert os.WTERMSIG(server.wait("web")) == signal.SIGKILL
        server.start("web")
        client.join()
        server.end("web")
    for point in WORKER_POINTS:
        server.start("worker", point)
        assert os.WTERMSIG(server.wait("worker")) == signal.SIGKILL
    server.start("worker")
    server.wait_for_results()
    server.end("worker")
    return sent


@pytest.mark.long
def test_a_kill_at_every_named_point_loses_nothing(home) -> None:
    contents = submissions(home, len(WEB_POINTS))
    with crashing_server(home) as server:
        sent = die_at_points(server, contents, WEB_POINTS)
        assert sorted(sent.values()) == sorted(contents)
        check_all(server, sent)


@pytest.mark.long
def test_a_worker_that_was_stopped_past_its_lease_does_no_harm(home) -> None:
    (content,) = submissions(home, 1)
    sent: dict[str, bytes] = {}
    with crashing_server(home) as server:
        server.start("web")
        send_all(server, [content], sent)
        number = server.start("sleeper", "scored", signal.SIGSTOP)
        wait_until_stopped(number)
        server.start("worker")
        server.wait_for_results()
        os.kill(number, signal.SIGCONT)
        time.sleep(0.3)
        server.wait_for_results()
        for name in ("sleeper", "worker", "web"):
            server.end(name)
        check_all(server, sent)


def wait_until_stopped(number: int) -> None:
    while "State:\tT" not in Path(f"/proc/{number}/status").read_text(encoding="ascii"):
        time.sleep(0.02)


def play(
    server: CrashingServer, contents: list[bytes], *, kills: int, seed: int, clients: int
) -> dict[str, bytes]:
    """Let clients submit while processes are killed at seeded moments; return what was sent."""
    dice = random.Random(seed)
    names = ["web", "worker 1", "worker 2"]
    for name in names:
        server.start(name)
    sent: dict[str, bytes] = {}
    shares = [contents[k::clients] for k in range(clients)]
    threads = [threading.Thread(target=send_all, args=(server, own, sent)) for own in shares]
    for thread in threads:
        thread.start()
    for _ in range(kills):
        time.sleep(dice.uniform(0.1, 0.8))
        name = dice.choice(names)
        server.kill(name)
        time.sleep(dice.uniform(0.0, 0.2))
        server.start(name)
    for thread in threads:
        thread.join()
    server.wait_for_results(900.0)
    for name in names:
        server.end(name)
    return sent


@pytest.mark.long
def test_kills_at_seeded_moments_lose_nothing(home) -> None:
    contents = submissions(home, 16, seed=1)
    with crashing_server(home) as server:
        sent = play(server, contents, kills=5, seed=1, clients=4)
        assert sorted(sent.values()) == sorted(contents)
        check_all(server, sent)


@pytest.mark.slow
def test_200_submissions_and_20_kills_lose_nothing(home, database_url) -> None:
    contents = submissions(home, 200, seed=2)
    with crashing_server(home, database_url, reads_apart=True) as server:
        sent = play(server, contents, kills=20, seed=2, clients=8)
        assert sorted(sent.values()) == sorted(contents)
        check_all(server, sent)


@pytest.mark.slow
def test_a_kill_at_every_named_point_loses_nothing_on_postgresql(home, postgres_url) -> None:
    contents = submissions(home, len(WEB_POINTS), seed=3)
    with crashing_server(home, postgres_url) as server:
        sent = die_at_points(server, contents, WEB_POINTS)
        assert sorted(sent.values()) == sorted(contents)
        check_all(server, sent)

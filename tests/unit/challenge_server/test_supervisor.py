"""Processes that run together: started anew when they die, ended together."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from treegauge.challenge_server import supervisor as module
from treegauge.challenge_server.supervisor import ProcessPlan, Supervisor

pytestmark = pytest.mark.long

SLEEPER = "import time; time.sleep(60)"
DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"


def plan(name: str, source: str, *arguments: str, is_needed: bool = False) -> ProcessPlan:
    return ProcessPlan(name, (sys.executable, "-c", source, *arguments), is_needed=is_needed)


def wait_until(condition: Callable[[], bool], seconds: float = 15.0) -> None:
    last = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < last, "waited in vain"
        time.sleep(0.02)


def is_alive(number: int) -> bool:
    try:
        status = Path(f"/proc/{number}/status").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return False
    # A process that nobody waited for yet is still listed.
    return "State:\tZ" not in status


@pytest.fixture
def running():
    """Run a supervisor in a thread; stop it in the end."""
    started: list[tuple[Supervisor, threading.Thread, list[int]]] = []

    def run(*plans: ProcessPlan, **options: object) -> tuple[Supervisor, list[int]]:
        supervisor = Supervisor(plans, **options)
        codes: list[int] = []
        thread = threading.Thread(target=lambda: codes.append(supervisor.run()))
        thread.start()
        started.append((supervisor, thread, codes))
        wait_until(lambda: len(supervisor.processes) == len(plans) or bool(codes))
        return supervisor, codes

    yield run
    for supervisor, thread, _ in started:
        supervisor.stop()
        thread.join()


def test_a_process_that_was_killed_is_started_again(running) -> None:
    said: list[str] = []
    supervisor, _ = running(plan("worker 1", SLEEPER), plan("web", SLEEPER), say=said.append)
    before = supervisor.processes
    os.kill(before["worker 1"], signal.SIGKILL)
    wait_until(lambda: supervisor.processes.get("worker 1") not in (None, before["worker 1"]))
    assert supervisor.processes["web"] == before["web"]
    assert said == ["worker 1 ended with signal 9; it is started again"]


def test_what_a_killed_process_started_ends_too(running, tmp_path) -> None:
    note = tmp_path / "number"
    source = (
        "import subprocess, sys, time, pathlib; "
        f"child = subprocess.Popen([sys.executable, '-c', {SLEEPER!r}]); "
        "pathlib.Path(sys.argv[1]).write_text(str(child.pid) + '\\n'); time.sleep(60)"
    )
    supervisor, _ = running(plan("worker", source, str(note)))
    wait_until(lambda: note.exists() and note.read_text().endswith("\n"))
    child = int(note.read_text())
    os.kill(supervisor.processes["worker"], signal.SIGKILL)
    wait_until(lambda: not is_alive(child))


def test_a_needed_process_that_cannot_start_ends_all(running, monkeypatch) -> None:
    monkeypatch.setattr(module, "FIRST_DELAY", 0.001)
    said: list[str] = []
    supervisor, codes = running(
        plan("web", "raise SystemExit(3)", is_needed=True),
        plan("worker", SLEEPER),
        say=said.append,
    )
    wait_until(lambda: bool(codes))
    assert codes == [1]
    assert supervisor.processes == {}
    assert said[-1].startswith("web ended with exit code 3, 5 times in a row")


def test_stop_ends_all_and_kills_who_does_not_listen(running) -> None:
    supervisor, codes = running(plan("polite", SLEEPER), plan("deaf", DEAF), patience=0.5)
    numbers = list(supervisor.processes.values())
    time.sleep(0.3)  # until the deaf one is deaf
    supervisor.stop()
    wait_until(lambda: bool(codes))
    assert codes == [0]
    assert not any(is_alive(number) for number in numbers)


CHILD = (
    "from treegauge.challenge_server.supervisor import end_with_the_supervisor; "
    "import time, sys, os, pathlib; end_with_the_supervisor(); "
    "pathlib.Path(sys.argv[1]).write_text(str(os.getpid()) + '\\n'); time.sleep(60)"
)
PARENT = (
    "import sys; from treegauge.challenge_server.supervisor import ProcessPlan, Supervisor; "
    f"Supervisor([ProcessPlan('child', (sys.executable, '-c', {CHILD!r}, sys.argv[1]))]).run()"
)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_no_process_outlives_the_supervisor(tmp_path, number) -> None:
    note = tmp_path / "number"
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(note)])
    wait_until(lambda: note.exists() and note.read_text().endswith("\n"))
    child = int(note.read_text())
    parent.send_signal(number)
    assert parent.wait(15) == (-number if number == signal.SIGKILL else 0)
    wait_until(lambda: not is_alive(child))

"""A Dask cluster of one scheduler and some workers on this machine, in processes of their own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

WAITS = 60


def start(module: str, log: Path, *arguments: str) -> subprocess.Popen[bytes]:
    program = [sys.executable, "-m", f"distributed.cli.{module}", *arguments]
    with log.open("wb") as stream:
        return subprocess.Popen(program, stdout=stream, stderr=subprocess.STDOUT)


class LocalCluster:
    """A scheduler and its workers."""

    def __init__(self, folder: Path, workers: int = 2) -> None:
        self._file = folder / "scheduler.json"
        self.scheduler = start(
            "dask_scheduler",
            folder / "scheduler.log",
            *("--host", "127.0.0.1", "--port", "0", "--no-dashboard"),
            *("--scheduler-file", str(self._file)),
        )
        self.workers: list[subprocess.Popen[bytes]] = []
        for _ in range(workers):
            self.add_worker()

    def add_worker(self) -> None:
        """Start another worker."""
        folder = self._file.parent / f"worker-{len(self.workers)}"
        worker = start(
            "dask_worker",
            folder.with_suffix(".log"),
            *("--scheduler-file", str(self._file), "--local-directory", str(folder)),
            *("--nthreads", "1", "--no-nanny", "--no-dashboard"),
        )
        self.workers.append(worker)

    @property
    def address(self) -> str:
        deadline = time.monotonic() + WAITS
        while time.monotonic() < deadline:
            if self._file.exists() and self._file.read_text():
                return json.loads(self._file.read_text())["address"]
            time.sleep(0.1)
        raise AssertionError("the scheduler did not start")

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


def until(condition) -> None:
    deadline = time.monotonic() + WAITS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)

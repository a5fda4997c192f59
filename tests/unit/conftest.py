from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, Future
from pathlib import Path

import pytest

from tests.unit.runs.foreign_package.installing import installed
from tests.unit.runs.small_banks import write_bank
from treegauge.runs.job import run_job


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    return write_bank(tmp_path / "birds")


@pytest.fixture
def banks(tmp_path: Path) -> list[Path]:
    return [
        write_bank(tmp_path / name, language)
        for name, language in (("birds", "toy:svo"), ("fish", "toy:sov"))
    ]


@pytest.fixture
def odd_systems(tmp_path: Path) -> Iterator[Path]:
    """The module of another package's systems."""
    with installed(tmp_path / "site") as module:
        yield module


class InProcess(Executor):
    """Runs cells in this process, one after the other: for tests that are about other things."""

    workers = 1

    def __init__(self) -> None:
        self.jobs = []

    def submit(self, _function, job):
        self.jobs.append(job)
        future = Future()
        future.set_result(run_job(job).to_bytes())
        return future


@pytest.fixture
def in_process() -> InProcess:
    return InProcess()

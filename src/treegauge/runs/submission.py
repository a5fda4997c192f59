"""Where jobs run: in processes of this machine, or where an executor runs them."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

from treegauge.runs.clock import Clock
from treegauge.runs.cluster import ClusterExecutor
from treegauge.runs.job import Job, run_elsewhere, run_isolated, run_with_texts
from treegauge.runs.outcome import Outcome


class Submit(Protocol):
    """Starts a job, here or elsewhere."""

    def __call__(self, job: Job) -> Future[Any]:
        """Return what will hold the outcome, or its bytes."""

    @property
    def window(self) -> int:
        """How many jobs may be under way, each with all threads of a worker."""

    @property
    def is_here(self) -> bool:
        """Whether jobs run on this machine, so that they can write to folders of it."""

    def require_workers(self) -> None:
        """Raise if nobody is there, nor can be expected, to run jobs."""

    def logs(self) -> str:
        """Return what those who run jobs have logged, for a job that gave no outcome."""

    def warm_up(self, systems: Sequence[str]) -> None:
        """Compile ahead what systems need, where that is not shared."""


@contextlib.contextmanager
def submitter(executor: Executor | None, clock: Clock) -> Iterator[Submit]:
    """Yield what starts jobs: an executor, or without one, processes of this machine."""
    if executor is not None:
        yield _Elsewhere(executor, clock)
        return
    given_up = threading.Event()
    with ThreadPoolExecutor(clock.workers * clock.threads) as pool:
        try:
            yield _Here(pool, given_up, clock.workers)
        except BaseException:
            given_up.set()
            raise


@dataclass(frozen=True)
class _Here:
    """Jobs in processes of this machine."""

    pool: ThreadPoolExecutor
    given_up: threading.Event
    window: int
    is_here: bool = True

    def __call__(self, job: Job) -> Future[Outcome]:
        return self.pool.submit(run_isolated, job, self.given_up)

    def require_workers(self) -> None:
        """The threads of this process are always there."""

    def logs(self) -> str:
        """What a cell prints comes with its outcome; there is nothing else."""
        return ""

    def warm_up(self, systems: Sequence[str]) -> None:
        """Cells of one machine share what they compile."""


@dataclass(frozen=True)
class _Elsewhere:
    """Jobs where an executor runs them; a cluster says how many workers it has by now."""

    executor: Executor
    clock: Clock
    is_here: bool = False

    def __call__(self, job: Job) -> Future[bytes]:
        if isinstance(self.executor, ClusterExecutor):
            return self.executor.submit_with_data(run_with_texts, *job.without_texts())
        return self.executor.submit(run_elsewhere, job)

    def logs(self) -> str:
        return self.executor.logs() if isinstance(self.executor, ClusterExecutor) else ""

    def warm_up(self, systems: Sequence[str]) -> None:
        if isinstance(self.executor, ClusterExecutor):
            self.executor.warm_up(systems)

    @property
    def window(self) -> int:
        if isinstance(self.executor, ClusterExecutor):
            self.clock.workers = self.executor.workers
        # One more each is sent ahead, so that nobody waits for the way of a job.
        return 2 * self.clock.workers

    def require_workers(self) -> None:
        if isinstance(self.executor, ClusterExecutor):
            self.executor.require_workers()

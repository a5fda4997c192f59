"""Cells on a Dask cluster: the same experiment on more than one machine.

Every worker of the cluster runs cells as this machine would, each in a process of its own; what
comes back is the same. The cluster gives the cells of a worker that is lost to another one.

Treebanks are sent once, not with every cell: they are tasks of their own, under a name that says
what they are, which workers keep as long as cells may come, and make again where they were lost.
"""

from __future__ import annotations

import contextlib
import logging
import re
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from treegauge.runs.errors import ClusterLostError, ExperimentError
from treegauge.runs.worker_setup import warm_up_plugin

if TYPE_CHECKING:
    from distributed import Client

P = ParamSpec("P")
T = TypeVar("T")

_PATIENCE = 10.0
"""Seconds to wait for a scheduler."""
_PATIENCE_WITHOUT_WORKERS = 300.0
"""Seconds to wait for another worker when the last one is lost."""
_ADDRESS = re.compile(
    r"(?:(?:tcp|tls|ucx|wss?)://)?(?:[^\s/:\[\]]+|\[[0-9a-fA-F:]+\]):\d+|inproc://\S+"
)
"""Others are refused by a client that is half made by then, and complains when it is dropped."""
_SIZE_TO_WARN_OF = "distributed.admin.large-graph-warning-threshold"
_LARGEST_JOB = "64GiB"
"""Dask would warn of jobs from 10 MB on: those with a large treebank, or with chains."""
_KEPT_AT_ONCE = 256
"""Parts of treebanks, or shards of a text, that workers keep for what comes."""
_LINES_OF_LOG = 40
_ADVICE = "its address is like tcp://host:8786; `dask scheduler` prints it when it starts"


class ClusterExecutor(Executor):
    """An executor whose jobs run on the workers of a Dask cluster."""

    def __init__(self, client: Client, *, warms_up: bool = False) -> None:
        self._client = client
        self._warms_up = warms_up
        self._sent: OrderedDict[str, Any] = OrderedDict()
        """What workers keep, by its fingerprint."""
        self._executor = client.get_executor(pure=False)  # type: ignore[no-untyped-call]
        self._workers = 1
        self._has_had_workers = False
        self._deserted_since: float | None = None

    @property
    def workers(self) -> int:
        """How many cells can run at the same time: the threads of all workers there are now."""
        from distributed.client import ClosedClientError
        from distributed.comm.core import CommClosedError

        with contextlib.suppress(ClosedClientError, CommClosedError, OSError, TimeoutError):
            threads = sum(self._client.nthreads().values())  # type: ignore[no-untyped-call]
            self._workers = max(threads, 1)
            if threads:
                self._has_had_workers = True
                self._deserted_since = None
            elif self._has_had_workers and self._deserted_since is None:
                self._deserted_since = time.monotonic()
        return self._workers

    def require_workers(self) -> None:
        """Wait no longer for a cluster that lost its last worker some minutes ago.

        The first worker may take its time: those of a batch system stand in a queue.

        Raises
        ------
        ClusterLostError
            If nobody has been there to run cells for too long.
        """
        _ = self.workers
        if self._deserted_since is None:
            return
        alone = time.monotonic() - self._deserted_since
        if alone > _PATIENCE_WITHOUT_WORKERS:
            raise ClusterLostError(
                f"the cluster lost all its workers {alone:.0f} s ago, and no new worker has "
                "joined\n"
                "  start some with `dask worker ADDRESS`; the same command continues the run"
            )

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run a function, which takes `given_up`, on a worker.

        Raises
        ------
        ClusterLostError
            If the cluster is lost.
        """
        from distributed.client import ClosedClientError
        from distributed.comm.core import CommClosedError

        try:
            there: Future[T] = self._executor.submit(_on_worker, function, *args, **kwargs)
        except (ClosedClientError, CommClosedError, OSError) as error:
            raise cluster_lost() from error
        return _forgotten_there(there)

    def submit_with_data(
        self, function: Callable[..., T], job: Any, data: Sequence[object]
    ) -> Future[T]:
        """Run a function of a job and of data that many jobs share, on a worker.

        Raises
        ------
        ClusterLostError
            If the cluster is lost.
        """
        from distributed.client import ClosedClientError
        from distributed.comm.core import CommClosedError

        try:
            return self.submit(function, job, *map(self.kept, data))
        except (ClosedClientError, CommClosedError, OSError) as error:
            raise cluster_lost() from error

    def kept(self, data: object) -> Any:
        """Return a future of data that a worker has, or gets when it needs them."""
        from dask.tokenize import tokenize

        key = f"treegauge-data-{tokenize(data)}"
        if key not in self._sent:
            # A task, not something scattered: it can be done again where its worker is lost.
            self._sent[key] = self._client.submit(_itself, data, key=key)
            while len(self._sent) > _KEPT_AT_ONCE:
                self._sent.popitem(last=False)
        self._sent.move_to_end(key)
        return self._sent[key]

    def warm_up(self, systems: Sequence[str]) -> None:
        """Compile ahead what systems need, once on each worker, also on those that come later."""
        if not self._warms_up or not systems:
            return
        from distributed.client import ClosedClientError
        from distributed.comm.core import CommClosedError

        try:
            self._client.register_plugin(warm_up_plugin(systems))
        except (ClosedClientError, CommClosedError, OSError) as error:
            raise cluster_lost() from error

    def logs(self) -> str:
        """Return what scheduler and workers have logged of late, to be kept with a failed cell."""
        with contextlib.suppress(Exception):  # a log that cannot be had is no reason to fail
            sources = {"scheduler": self._client.get_scheduler_logs(_LINES_OF_LOG)}  # type: ignore[no-untyped-call]
            sources |= self._client.get_worker_logs(_LINES_OF_LOG)  # type: ignore[no-untyped-call]
            return "\n".join(
                f"{name}: {line}" for name, lines in sources.items() for _, line in lines[::-1]
            )
        return ""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take back what has not been finished."""
        from distributed.client import ClosedClientError

        del wait, cancel_futures
        # A client that has lost its scheduler closes itself, and then has nothing to take back.
        with contextlib.suppress(ClosedClientError):
            self._executor.shutdown(wait=False)  # cancels what has not ended


def _forgotten_there(there: Future[T]) -> Future[T]:
    """Return a future of the same result, which the cluster may forget once it is here.

    Dask computes a result again when its worker is lost, as long as anybody holds its future.
    """
    home: Future[T] = Future()
    waiting = weakref.ref(there)  # Dask's loop holds it while it waits

    def give_up(home: Future[T]) -> None:
        if home.cancelled() and (future := waiting()) is not None:
            future.cancel()

    home.add_done_callback(give_up)
    there.add_done_callback(partial(_bring_home, home))
    return home


def _bring_home(home: Future[T], there: Future[T]) -> None:
    if there.cancelled():
        home.cancel()
    if not home.set_running_or_notify_cancel():
        return
    if (error := there.exception()) is not None:
        home.set_exception(error)
    else:
        home.set_result(there.result())


def _itself(data: T) -> T:
    """Return data that came with their task, so that the worker keeps them as its result."""
    return data


@contextlib.contextmanager
def cluster_executor(address: str, *, warms_up: bool = True) -> Iterator[ClusterExecutor]:
    """Give an executor of a cluster that is running already.

    Parameters
    ----------
    address : str
        Where its scheduler listens, `tcp://host:8786`.
    warms_up : bool
        Whether a run first lets every worker compile ahead what its systems need.

    Raises
    ------
    ExperimentError
        If Dask is not installed, or no scheduler answers.
    """
    if not _ADDRESS.fullmatch(address):
        raise ExperimentError(f"{address}: this is not the address of a scheduler\n  {_ADVICE}")
    try:
        import dask
        from distributed import Client
    except ImportError:
        raise ExperimentError(
            "a cluster needs Dask, which is not installed: pip install 'treegauge[cluster]'"
        ) from None
    with _silent_libraries(), dask.config.set({_SIZE_TO_WARN_OF: _LARGEST_JOB}):
        try:
            client = Client(  # type: ignore[no-untyped-call]
                address, timeout=_PATIENCE, set_as_default=False
            )
        except (OSError, ValueError) as error:
            raise ExperimentError(
                f"{address}: no Dask scheduler answers ({_first_line(error)})\n  {_ADVICE}"
            ) from None
        with client, ClusterExecutor(client, warms_up=warms_up) as executor:
            yield executor


def cluster_lost() -> ClusterLostError:
    """Return what to raise when the scheduler does not answer any more."""
    return ClusterLostError(
        "the connection to the cluster was lost; its running cells are lost too\n"
        "  the same command continues the run"
    )


@contextlib.contextmanager
def _silent_libraries() -> Iterator[None]:
    """Keep Dask from logging tracebacks of what is said in a line when a cluster is lost."""
    loggers = [
        logging.getLogger(name)
        for name in ("asyncio", "distributed", "tornado", *logging.root.manager.loggerDict)
        if name.partition(".")[0] in ("asyncio", "distributed", "tornado")
    ]
    levels = {logger: logger.level for logger in loggers}
    for logger in levels:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).partition("\n")[0]


def _on_worker(function: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    """Run a function on a worker, and tell it when nobody waits for it any more.

    What it raises then goes to nobody, unless somebody waits again: Dask gives up tasks that it
    soon wants back when another worker is lost. A worker must not end over it, as it would over an
    interruption.
    """
    from distributed import Reschedule, get_worker

    worker = get_worker()
    given_up = _Cancelled(worker, worker.get_current_task())
    try:
        return function(*args, given_up=given_up, **kwargs)
    except (Exception, KeyboardInterrupt):
        if given_up.has_been_set:
            raise Reschedule from None
        raise


class _Cancelled:
    """Whether a task of a worker was cancelled: a thread that runs is not told."""

    def __init__(self, worker: Any, task: Any) -> None:
        self._worker = worker
        self._task = task
        self.has_been_set = False

    def is_set(self) -> bool:
        state = self._worker.state.tasks.get(self._task)
        self.has_been_set |= state is None or state.state == "cancelled"
        return self.has_been_set

"""One pass over shards: the same function for each, on threads here or on workers elsewhere."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any, Protocol, TypeVar

from treegauge.errors import TreegaugeError
from treegauge.kernels import threads
from treegauge.shards.errors import ShardError

T = TypeVar("T")

_IN_FLIGHT = 2
"""Tasks that are sent ahead, for every thread there is."""


class GivenUp(Protocol):
    """Says that nobody waits for a result any more."""

    def is_set(self) -> bool:
        """Return whether to stop."""


_elsewhere: ContextVar[Executor | None] = ContextVar("elsewhere", default=None)


@contextlib.contextmanager
def passes_on(executor: Executor) -> Iterator[None]:
    """Make passes that are given no executor on this one, as long as this lasts.

    For systems whose `fit` counts on files that their settings name.

    >>> with ThreadPoolExecutor(1) as executor, passes_on(executor):
    ...     list(in_order(abs, [(-1,), (2,)]))
    [1, 2]
    """
    token = _elsewhere.set(executor)
    try:
        yield
    finally:
        _elsewhere.reset(token)


def pass_executor() -> Executor | None:
    """Return where passes are made; none for threads of this process."""
    return _elsewhere.get()


def stop_if(given_up: GivenUp | None) -> None:
    """End a task that nobody waits for.

    Raises
    ------
    ShardError
        If that is so.
    """
    if given_up is not None and given_up.is_set():
        raise ShardError("the pass was given up")


def in_order(
    function: Callable[..., T],
    tasks: Sequence[tuple[Any, ...]],
    executor: Executor | None = None,
    names: Sequence[str] = (),
) -> Iterator[T]:
    """Give what a function makes of every task, in the order of tasks, whoever was faster.

    Parameters
    ----------
    function : callable
        Takes a task's arguments; workers elsewhere also give it `given_up`.
    tasks : sequence of tuples
        Everything in them can be sent to another process.
    executor : Executor, optional
        Where functions run; when missing, where `passes_on` says, or on threads of this process.
        One that has `workers` gets so many tasks at once, twice over.
    names : sequence of str
        What messages call the tasks: the files.

    Raises
    ------
    ShardError
        If a worker cannot be kept alive over a task; errors of the function come as they are.
    """
    executor = pass_executor() if executor is None else executor
    with contextlib.ExitStack() as stack:
        if executor is None:
            executor = stack.enter_context(ThreadPoolExecutor(threads()))
            workers = threads()
        else:
            workers = int(getattr(executor, "workers", threads()))
        waiting: deque[tuple[str, Future[T]]] = deque()
        stack.callback(_cancel, waiting)
        for number, task in enumerate(tasks):
            name = names[number] if names else f"part {number + 1}"
            waiting.append((name, executor.submit(function, *task)))
            if len(waiting) >= _IN_FLIGHT * workers:
                yield _result(*waiting.popleft())
        while waiting:
            yield _result(*waiting.popleft())


def _result(name: str, future: Future[T]) -> T:
    try:
        return future.result()
    except TreegaugeError:
        raise
    except Exception as error:
        if type(error).__name__ != "KilledWorker":  # of Dask, which need not be installed
            raise
        raise ShardError(
            f"{name}: several workers died over this shard one after the other\n"
            "  they may need more memory; smaller shards need less"
        ) from error


def _cancel(waiting: deque[tuple[str, Future[Any]]]) -> None:
    for _, future in waiting:
        future.cancel()

"""Who is told when numba compiles a kernel. It imports next to nothing: every verb listens."""

# mypy: allow-untyped-calls

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import Any

OnStart = Callable[[str, int], None]
"""Told the name of a kernel, behind that of its module, and how many more are known to follow."""

_watchers: list[tuple[OnStart, Callable[[], None]]] = []


@contextmanager
def watched_compilation(on_start: OnStart, on_end: Callable[[], None]) -> Iterator[None]:
    """Call a function when a kernel is about to be compiled, and one afterwards.

    What a kernel calls is compiled meanwhile, and told in between. That is also what is known to
    follow; which kernels will be called next, nobody knows.
    """
    watcher = (on_start, on_end)
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


class CompilationClock:
    """Adds up how long kernels are compiled while it runs."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._begin = 0.0
        self._depth = 0

    def running(self) -> AbstractContextManager[None]:
        """Return a context in which the clock runs."""
        return watched_compilation(self._start, self._stop)

    def _start(self, _name: str, _left: int) -> None:
        self._depth += 1
        if self._depth == 1:
            self._begin = time.perf_counter()

    def _stop(self) -> None:
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.perf_counter() - self._begin


@cache
def watch_numba() -> None:
    """Tell whoever watches what numba compiles, and when it is done; once per process."""
    from numba.core import event

    class Listener(event.Listener):
        # Numba holds a lock while it compiles, so that threads do not mix.
        def __init__(self) -> None:
            self._depth = 0
            self._to_come: set[str] = set()

        def on_start(self, event: Any) -> None:
            function = event.data["dispatcher"].py_func
            if _is_part_of_numba(function):
                return
            if self._depth == 0:
                self._to_come = _called_by(function)
            self._depth += 1
            self._to_come.discard(_name(function))
            for on_start, _ in tuple(_watchers):
                on_start(_name(function), len(self._to_come))

        def on_end(self, event: Any) -> None:
            if _is_part_of_numba(event.data["dispatcher"].py_func):
                return
            self._depth -= 1
            for _, on_end in tuple(_watchers):
                on_end()

    event.register("numba:compile", Listener())


def _is_part_of_numba(function: Any) -> bool:
    return str(function.__module__).startswith("numba.")


def _name(function: Any) -> str:
    return f"{function.__module__}.{function.__name__}"


def _called_by(function: Any) -> set[str]:
    """Return the names of kernels that a kernel calls, directly or not, and that are not ready.

    Those that are on disk are among them: nobody has looked yet.
    """
    waiting, names = [function], set()
    while waiting:
        caller = waiting.pop()
        for word in caller.__code__.co_names:
            kernel = caller.__globals__.get(word)
            called = getattr(kernel, "py_func", None)
            if called is None or _name(called) in names or _is_ready(kernel):
                continue
            names.add(_name(called))
            waiting.append(called)
    return names


def _is_ready(kernel: Any) -> bool:
    return "part" in vars(kernel) and bool(kernel.part.overloads)

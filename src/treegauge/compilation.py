"""Who is told when numba compiles a kernel. It imports next to nothing: every verb listens."""

# mypy: allow-untyped-calls

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

_watchers: list[tuple[Callable[[str], None], Callable[[], None]]] = []


@contextmanager
def watched_compilation(
    on_start: Callable[[str], None], on_end: Callable[[], None]
) -> Iterator[None]:
    """Call a function when a kernel is about to be compiled, by its name, and one afterwards.

    The name is that of its module and its own. What a kernel calls is compiled meanwhile, and told
    in between.
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

    def _start(self, _name: str) -> None:
        self._depth += 1
        if self._depth == 1:
            self._begin = time.perf_counter()

    def _stop(self) -> None:
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.perf_counter() - self._begin


def watch_numba() -> None:
    """Tell whoever watches what numba compiles, and when it is done; once a process."""
    from numba.core import event

    class Listener(event.Listener):
        # Numba holds a lock while it compiles, so that threads do not mix.
        def on_start(self, event: Any) -> None:
            name = _name(event)
            for on_start, _ in tuple(_watchers) if name else ():
                on_start(name)

        def on_end(self, event: Any) -> None:
            for _, on_end in tuple(_watchers) if _name(event) else ():
                on_end()

    event.register("numba:compile", Listener())


def _name(event: Any) -> str:
    """Return the name of a kernel; nothing for what numba has of its own, which is part of it."""
    function = event.data["dispatcher"].py_func
    is_own = function.__module__.startswith("numba.")
    return "" if is_own else f"{function.__module__}.{function.__name__}"

"""Says that kernels are being compiled, which happens once on a machine: never a silent wait.

On a terminal it is a line that vanishes, with the kernel, how many are done and how many are known
to follow. Elsewhere it is one line for the whole command.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from treegauge.cli import console
from treegauge.compilation import watched_compilation

SILENCE = "TREEGAUGE_SAY_COMPILING"
"""Tests set this variable to 0: what they compare may not depend on what was compiled before."""

_ERASE = "\r\x1b[2K"


@contextmanager
def announced_compilation() -> Iterator[None]:
    """Say what is compiled inside; a command that is typed by another one leaves it to that."""
    if _Message.is_there or os.environ.get(SILENCE) == "0":
        yield
        return
    message = _Message()
    _Message.is_there = True
    try:
        with watched_compilation(message.begin, message.end):
            yield
    finally:
        _Message.is_there = False


class _Message:
    is_there = False

    def __init__(self) -> None:
        self._depth = self._done = 0
        self._was_said = False

    def begin(self, kernel: str, left: int) -> None:
        """Say that a kernel is compiled, and that at least so many follow."""
        self._depth += 1
        if console.manners.quiet:
            return
        if _is_on_terminal():
            follow = f", about {left} to go" if left else ""
            name = kernel.rpartition(".")[2]
            self._show(f"compiling {name} (only the first time): {self._done} done{follow}")
        elif not self._was_said:
            self._was_said = True
            console.say(
                "compiling kernels for their first use; `treegauge warm-up` does it ahead of time"
            )

    def end(self) -> None:
        """Take the line away when the last kernel that was called for is ready."""
        self._done += 1
        self._depth -= 1
        if self._depth == 0 and not console.manners.quiet and _is_on_terminal():
            self._show("")

    def _show(self, line: str) -> None:
        if console.manners.interject is not None:
            console.manners.interject(line)
            return
        columns = console.standard_error().width
        sys.stderr.write(f"{_ERASE}{line[: columns - 1]}")
        sys.stderr.flush()


def _is_on_terminal() -> bool:
    error = console.standard_error()
    return error.is_terminal and not error.is_dumb_terminal

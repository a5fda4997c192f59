"""Which commands the systems of a model would run: nobody runs those of a stranger unasked.

A system that runs commands can stand inside another, as a parser of an ensemble does, at any
depth. All of them are made when a model is loaded, so that is where their commands are noted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_noted: ContextVar[list[str] | None] = ContextVar("noted", default=None)


@contextmanager
def noted_commands() -> Iterator[list[str]]:
    """Give the list of the commands of all systems that are made inside."""
    commands: list[str] = []
    token = _noted.set(commands)
    try:
        yield commands
    finally:
        _noted.reset(token)


def note_commands(commands: Iterable[str]) -> None:
    """Note the commands of a system that is being made, if anybody asks."""
    noted = _noted.get()
    if noted is not None:
        noted.extend(commands)

"""What a `treegauge.toml` says about the verb that runs, and the command that needs no file."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treegauge.cli.configuration import Configuration, Given


@dataclass
class _InForce:
    """The file in use, if there is one; one per process."""

    configuration: Configuration | None = None
    given: Sequence[Given] = ()
    """What the file says about options that were not typed."""
    command: Sequence[str] = ()
    """What to type behind `treegauge` for the same without the file."""


in_force = _InForce()


def typed_command() -> str:
    """Return what was typed, and what a file said besides, so that a shell understands it."""
    return shlex.join(["treegauge", *(in_force.command or sys.argv[1:])])


def program() -> list[str]:
    """Return how a command begins that does the same whatever the file in use says."""
    return ["treegauge", *(["--no-config"] if in_force.configuration else [])]


def with_place(message: str, option: Any = None) -> str:
    """Return a message with file and line of the value that it is about, if a file has it."""
    blamed = [one for one in in_force.given if one.is_blamed(message, option)]
    return f"{blamed[0].place}: {message}" if blamed else message

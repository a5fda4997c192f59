"""What is written under a temporary name, and must not stay when it does not become complete."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

_unfinished: set[Path] = set()


@contextlib.contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """Remove a file or folder afterwards, unless it was renamed by then.

    It is removed too where the program is ended while a kernel runs (`remove_unfinished`).
    """
    _unfinished.add(path)
    try:
        yield path
    finally:
        _remove(path)
        _unfinished.discard(path)


def remove_unfinished() -> None:
    """Remove all that is being written at the moment, in whatever thread; for a sudden end."""
    for path in tuple(_unfinished):
        _remove(path)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)

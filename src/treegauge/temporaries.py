"""Temporary files and folders, and the end of those that killed processes left behind.

Files are written beside their place and renamed, so that they are there as a whole or not at
all. Names of temporaries say whose they are: the machine, the process and when it began. Who
writes into a folder first removes what processes of this machine that have ended left there. What
other machines left is removed after a month: nobody here can tell whether they still use it.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import tempfile
import time
import zlib
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

_SUFFIX = ".part"
_NAME = re.compile(r"\..*\.([0-9a-f]{8})-(\d+)-(\d+)-[^.]*\.part", re.DOTALL)
_LONGEST_NAME = 40
"""Characters of a file's name in that of its temporary: file systems allow 255 bytes."""
_A_MONTH = 30 * 24 * 3600.0

_being_written: set[Path] = set()


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary file that takes the place of a path in the end, or is removed.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    _sweep(path.parent.absolute())
    # Known before it is there: a signal may come at any moment.
    name = f"{_prefix(path.name)}{secrets.token_hex(4)}{_SUFFIX}"
    with _unfinished(path.parent / name) as temporary:
        temporary.touch(exist_ok=False)
        yield temporary
        temporary.replace(path)


@contextlib.contextmanager
def temporary_folder(inside: Path | None = None) -> Iterator[Path]:
    """Give a folder that is removed in the end, inside another one or where the system has them."""
    place = Path(tempfile.gettempdir()) if inside is None else inside
    _sweep(place.absolute())
    name = tempfile.mkdtemp(dir=place, prefix=_prefix("treegauge"), suffix=_SUFFIX)
    with _unfinished(Path(name)) as folder:
        yield folder


def remove_unfinished() -> None:
    """Remove all that is being written at the moment, in whatever thread; for a sudden end."""
    for path in tuple(_being_written):
        _remove(path)


@contextlib.contextmanager
def _unfinished(path: Path) -> Iterator[Path]:
    """Remove a file or folder afterwards, unless it was renamed by then."""
    _being_written.add(path)
    try:
        yield path
    finally:
        _remove(path)
        _being_written.discard(path)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _prefix(name: str) -> str:
    pid = os.getpid()
    return f".{name[:_LONGEST_NAME]}.{_machine()}-{pid}-{_beginning(pid) or 0}-"


# ---------------------------------------------------------------------- sweeping


@lru_cache(maxsize=4096)
def _sweep(folder: Path) -> None:
    """Remove what was left behind in a folder; a process does so once."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            owner = _NAME.fullmatch(entry.name)
            if owner and _is_left_behind(entry, owner[1], int(owner[2]), int(owner[3])):
                _remove(Path(entry.path))


def _is_left_behind(entry: os.DirEntry[str], machine: str, pid: int, beginning: int) -> bool:
    if machine != _machine():
        return time.time() - entry.stat(follow_symlinks=False).st_mtime > _A_MONTH
    return _beginning(pid) not in (beginning, 0)


@cache
def _machine() -> str:
    """Return a name for where numbers of processes mean the same: a machine, or a container."""
    import platform

    numbering = ""
    with contextlib.suppress(OSError):
        numbering = os.readlink("/proc/self/ns/pid")  # noqa: PTH115
    return f"{zlib.crc32(f'{platform.node()} {numbering}'.encode()):08x}"


def _beginning(pid: int) -> int | None:
    """Return when a process began, as Linux counts it; 0 if that cannot be said; None if it ended.

    Numbers of processes are given away again, but not with the same beginning.
    """
    try:
        state, *numbers = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return None if state in (b"Z", b"X") else int(numbers[18])
    except (OSError, ValueError, IndexError):
        pass
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return None
    except OSError:
        pass
    return 0

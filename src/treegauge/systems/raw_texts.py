"""Further texts that a setting `raw` names: files, or treebanks of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from treegauge.formats import read_pieces
from treegauge.systems.source_treebanks import open_source
from treegauge.treebank import Treebank

_SECONDS_OF_BYTE, _PACKED = 2.5e-7, 5
"""Of reading a raw text and counting on it, and how much larger it is than when it is packed."""


def pieces_of(name: str, on_progress: Callable[[float], None]) -> Iterator[Treebank]:
    """Read a file piece by piece, a treebank of the catalogue as a whole."""
    if Path(name).is_file() or not _is_name(name):
        yield from read_pieces(name, on_progress=on_progress)
    else:
        yield open_source(name)
        on_progress(1.0)


def _is_name(text: str) -> bool:
    """Tell the name of a treebank from a path that is not there."""
    return "/" not in text and "." not in text


def seconds_of_files(names: Sequence[str]) -> float:
    """Guess how long it takes to read raw texts and count on them."""
    seconds = 0.0
    for path in map(Path, names):
        packed = _PACKED if path.suffix in (".gz", ".xz") else 1
        seconds += _SECONDS_OF_BYTE * packed * path.stat().st_size if path.is_file() else 0.0
    return seconds


def fingerprint_of_files(names: Sequence[str]) -> str:
    """Return what tells whether the files are still the same: sizes and times, not all bytes."""
    marks = []
    for name in names:
        path = Path(name)
        about = path.stat() if path.is_file() else None
        marks.append(f"{name} {about.st_size} {about.st_mtime_ns}" if about else name)
    return "\n".join(marks)

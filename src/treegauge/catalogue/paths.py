"""Treebanks by path: a file, a folder, or a pattern of either."""

from __future__ import annotations

import glob
import os
from pathlib import Path

from treegauge.catalogue.entry import CatalogueEntry
from treegauge.catalogue.errors import CatalogueError
from treegauge.catalogue.scanning import entry_of_file, scan
from treegauge.formats.limits import FileCount


def is_path(text: str) -> bool:
    """Return whether a text can only be a path.

    A folder in the current one may be called like a treebank; then somebody has to ask.
    """
    path = Path(text).expanduser()
    return path.is_file() or (path.is_dir() and (os.sep in text or text in (".", "..", "~")))


def entries_of_path(text: str) -> list[CatalogueEntry]:
    """Return the treebank in a file, or all those in a folder.

    Raises
    ------
    CatalogueError
        If there is none.
    """
    path = Path(text).expanduser()
    if path.is_file():
        return [entry_of_file(path)]
    scanned = scan(path)
    if not scanned.entries:
        notes = "".join(f"\n  note: {remark}" for remark in scanned.remarks)
        raise CatalogueError(
            f"{text}: [empty-folder] no treebank in this folder{notes}\n"
            "  expected {train,dev,test}.{conllu,conllx,pascal}, perhaps .gz or .xz, "
            "or a Universal Dependencies release"
        )
    return list(scanned.entries)


def entries_of_pattern(pattern: str) -> list[CatalogueEntry]:
    """Return the treebanks in all paths that a pattern matches, by path."""
    matches = glob.iglob(str(Path(pattern).expanduser()), recursive=True)  # noqa: PTH207
    paths = sorted(FileCount(pattern).counted(matches))
    return [entry for path in paths for entry in entries_of_path(path)]

"""Treebanks of one name: the same one found twice, or a question to the user."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from treegauge.catalogue.entry import CatalogueEntry
from treegauge.catalogue.errors import CatalogueError


def real_files(entry: CatalogueEntry) -> tuple[str, ...]:
    """Return what makes two entries one treebank, whichever way they were found."""
    return tuple(str(file.resolve()) for files in entry.parts.values() for file in files)


def place(entry: CatalogueEntry) -> Path:
    """Return the path to choose a treebank by: its file if there is one only."""
    files = [file for files in entry.parts.values() for file in files]
    return files[0] if len(files) == 1 else entry.folder


def which_one(name: str, entries: Sequence[CatalogueEntry]) -> CatalogueError:
    """Return the question which of several treebanks is meant, with all ways to answer it."""
    listed = "\n".join(
        f"  {place(entry)}{entry.release and f' (release {entry.release})'}" for entry in entries
    )
    releases = [entry.release for entry in entries if entry.release]
    advice = "name one by its path"
    if releases and len(set(releases)) == len(releases):
        choices = " or ".join(f"{entries[0].name}@{release}" for release in releases)
        advice += f", or by its release: {choices}"
    return CatalogueError(
        f"[several-treebanks] which {name}? there are {len(entries)}:\n{listed}\n  {advice}"
    )


def set_or_treebank(name: str, namesake: CatalogueEntry) -> CatalogueError:
    """Return the question whether a set or a treebank of its name is meant."""
    return CatalogueError(
        f"[several-treebanks] which {name}? there are a set and a treebank of this name\n"
        f"  name the treebank by its path, {place(namesake)}; or call the set something else"
    )

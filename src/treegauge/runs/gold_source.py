"""Where the gold of a run was read, and the way back to it from any folder.

Whoever wants to see the trees of a run, or to score it again, has to find the files that it was
scored against. They are remembered by their place, and by their place as seen from the folder of
the run: the first holds when the run is moved, the second when everything is. A fingerprint says
whether a file is still what it was.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treegauge.catalogue import Catalogue, CatalogueEntry
from treegauge.catalogue.memory import MemoryEntry
from treegauge.errors import TreegaugeError
from treegauge.runs.errors import ExperimentError
from treegauge.treebank import Treebank
from treegauge.treebank.parts import PARTS


@dataclass(frozen=True)
class GoldSource:
    """The gold of one treebank of a run, as the folder of the run remembers it."""

    treebank: str
    split: str
    fingerprint: str
    """Of the content; only its beginning where an older version wrote it down."""
    given: str = ""
    """What the experiment says."""
    files: tuple[str, ...] = ()
    """Whole paths; none where the sentences are generated."""
    files_from_run: tuple[str, ...] = ()
    """The same files, seen from the folder of the run."""

    @property
    def is_kept_by_run(self) -> bool:
        """Whether it was in no file, so that the folder of the run keeps it."""
        return any(file.startswith("gold/") for file in self.files_from_run)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> GoldSource:
        """Return what JSON has kept."""
        files = {name: tuple(document[name]) for name in ("files", "files_from_run")}
        return cls(**{**document, **files})


@dataclass(frozen=True)
class Gold:
    """The gold of a treebank of a run, found again."""

    treebank: Treebank
    name: str
    """What to type for it in any folder; empty where no name will do."""


def gold_source(
    entry: CatalogueEntry, split: str, fingerprint: str, given: str, run: Path
) -> GoldSource:
    """Return what is to be remembered of gold that was just read."""
    files = tuple(str(file.resolve()) for file in entry.files(split))
    return GoldSource(
        entry.name,
        split,
        fingerprint,
        given,
        files,
        tuple(os.path.relpath(file, run.resolve()) for file in files),
    )


def find_gold(source: GoldSource, run: Path, catalogue: Catalogue) -> Gold:
    """Read the gold of a run again.

    Parameters
    ----------
    run : path
        The folder of the run.
    catalogue : Catalogue
        Where the treebank is looked for by its name when its files are gone.

    Raises
    ------
    ExperimentError
        If it is gone, or is not what the run was scored against.
    """
    changed = ""
    problem = ""
    for entry in _candidates(source, run, catalogue):
        try:
            treebank = entry.read(source.split, findings=[])
        except (TreegaugeError, OSError) as error:
            problem = problem or str(error).partition("\n")[0]
            continue
        if treebank.fingerprint.startswith(source.fingerprint):
            return Gold(treebank, _typed(entry, source.split))
        changed = changed or ", ".join(map(str, entry.files(source.split))) or entry.name
    if changed:
        raise ExperimentError(f"its gold has changed since the run was scored: {changed}")
    raise ExperimentError(f"its gold is gone: {problem or ', '.join(source.files) or 'no file'}")


def _candidates(source: GoldSource, run: Path, catalogue: Catalogue) -> Iterator[CatalogueEntry]:
    """Give the places where gold may be, the likeliest first."""
    from_run = tuple((run / file).resolve() for file in source.files_from_run)
    for files in dict.fromkeys((from_run, tuple(map(Path, source.files)))):
        if files and all(file.exists() for file in files):
            yield CatalogueEntry(source.treebank, files[0].parent, {source.split: files})
    try:
        # By its name: what the experiment says may be a path, and depend on the current folder.
        for one in catalogue.parts(source.treebank):
            if one.part == source.split:
                yield one.entry
    except TreegaugeError:
        return


def _typed(entry: CatalogueEntry, split: str) -> str:
    """Return what names a part in any folder."""
    if isinstance(entry, MemoryEntry):
        return ""
    files = entry.files(split)
    if not files:
        return f"{entry.name}:{split}" if split in PARTS else entry.name
    if len(files) == 1:
        return str(files[0].resolve())
    name = f"{entry.folder.resolve()}:{split}"
    chosen = Catalogue().select(name)
    return name if [one.entry.files(split) for one in chosen] == [files] else ""

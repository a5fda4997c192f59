"""Finds the treebanks in a folder, whichever way it is laid out.

A release of Universal Dependencies (`ud-treebanks-v2.16/UD_English-EWT/en_ewt-ud-dev.conllu`),
a folder of folders that hold `train`, `dev` and `test` files, with or without a manifest, one
such folder alone, loose files, a single file; or several of these side by side, a few levels
down.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from treegauge.catalogue.annotation import KNOWN_ANNOTATION
from treegauge.catalogue.entry import CatalogueEntry
from treegauge.catalogue.errors import CatalogueError
from treegauge.catalogue.languages import LANGUAGES
from treegauge.catalogue.manifest import MANIFEST, ManifestRecord, read_manifest
from treegauge.catalogue.names import joined_name, short_name, split_long_name
from treegauge.catalogue.ud_folder import FolderFacts, folder_facts, release_of_folder
from treegauge.errors import reason_of
from treegauge.formats import bare_name, format_of_name
from treegauge.formats.limits import FileCount
from treegauge.treebank.parts import PARTS, WHOLE

_DEPTH = 3
"""How far down treebanks are looked for: data folder, release, treebank."""

_TREE_FORMATS = ("conllu", "conllx", "pascal")
# Large training sets come in pieces: `cs_pdt-ud-train-la`, `de_hdt-ud-train-a-1`.
_PART = re.compile(
    r"(?:(?P<name>.+?)[-._])??(?P<part>train|dev|test)"
    r"(?:-(?P<piece>(?!dev)[a-z0-9]{1,3}(?:-\d{1,2})?))?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Scan:
    """What was found in a folder, and what was passed over."""

    entries: tuple[CatalogueEntry, ...]
    remarks: tuple[str, ...] = ()
    """One sentence for everything that looked like a treebank and could not be used."""


@dataclass(frozen=True)
class _PartFile:
    path: Path
    name: str
    """Empty where the file is called `train`, `dev` or `test` and no more."""
    part: str
    piece: str


def scan(place: str | Path) -> Scan:
    """Find the treebanks in a folder, or the one in a file.

    Raises
    ------
    CatalogueError
        If the folder cannot be read, or a manifest in it is broken.
    TooManyFilesError
        If there are more files in it than `TREEGAUGE_MAX_FILES` allows.
    """
    # Names come from folders, and `.` has none.
    path = Path(place).expanduser().absolute()
    if path.is_file():
        is_release_folder = split_long_name(path.parent.name) is not None
        entries, remarks = _treebanks_of_files([path], path.parent, alone=is_release_folder)
        return Scan(tuple(entries), tuple(remarks))
    try:
        entries, remarks = _scan_folder(path, FileCount(place), depth=0)
    except OSError as error:
        raise CatalogueError(
            f"{place}: [data-folder] cannot be read: {reason_of(error)}\n"
            "  --data and TREEGAUGE_DATA name folders of treebanks"
        ) from None
    return Scan(tuple(sorted(entries, key=lambda entry: entry.name)), tuple(remarks))


def entry_of_file(path: str | Path) -> CatalogueEntry:
    """Return the entry of a file that somebody named: it is what it is, train or test."""
    path = Path(path)
    return CatalogueEntry(
        name=bare_name(path.name),
        folder=path.parent,
        parts={WHOLE: (path,)},
        format=format_of_name(path.name) or "",
    )


def _scan_folder(
    folder: Path, count: FileCount, *, depth: int
) -> tuple[list[CatalogueEntry], list[str]]:
    inside = count.counted(folder.iterdir())
    children = sorted(child for child in inside if not child.name.startswith("."))
    records: dict[str, ManifestRecord] = {}
    if any(child.name == MANIFEST for child in children):
        records = read_manifest(folder / MANIFEST)
    is_release_folder = split_long_name(folder.name) is not None
    files = [child for child in children if _is_tree_file(child)]
    alone = is_release_folder or any(_part_file(file).name == "" for file in files)
    entries, remarks = _treebanks_of_files(files, folder, alone=alone)
    # What lies below a treebank is a matter of its own (`not-to-release`, say).
    if not alone and depth < _DEPTH:
        for child in children:
            if child.is_dir():
                try:
                    below = _scan_folder(child, count, depth=depth + 1)
                except OSError as error:
                    remarks.append(f"{child}: skipped: {reason_of(error)}")
                    continue
                except CatalogueError as error:
                    # Somebody else's manifest below the folder named is not in the way.
                    remarks.append(f"{str(error).splitlines()[0]}; the folder is skipped")
                    continue
                entries += below[0]
                remarks += below[1]
    for record in records.values():
        if not _describe(entries, folder / record.name, record):
            remarks.append(f"{folder / MANIFEST}: no treebank {record.name} in the folder")
    return entries, remarks


def _treebanks_of_files(
    files: Iterable[Path], folder: Path, *, alone: bool
) -> tuple[list[CatalogueEntry], list[str]]:
    """Group files into treebanks; a folder that is one itself (alone) has no loose files."""
    groups: dict[str, list[_PartFile]] = defaultdict(list)
    for path in files:
        file = _part_file(path)
        if not (alone and file.part == WHOLE):
            groups[file.name or folder.name].append(file)
    entries, remarks = [], []
    for name, group in groups.items():
        parts = _parts(group)
        if parts is None:
            names = ", ".join(file.path.name for file in group)
            remarks.append(f"{folder}: {name} skipped: one part, several files among {names}")
        else:
            entries.append(_entry(name, folder, parts, alone=alone))
    return entries, remarks


def _parts(group: list[_PartFile]) -> dict[str, tuple[Path, ...]] | None:
    """Return the files of every part, or None if it cannot be said which they are."""
    by_part: dict[str, list[_PartFile]] = defaultdict(list)
    for file in sorted(group, key=lambda file: file.piece):
        by_part[file.part].append(file)
    for files in by_part.values():
        pieces = [file.piece for file in files]
        # `test` beside `test-old` is more likely a copy than the other half.
        if len(set(pieces)) < len(pieces) or ("" in pieces and len(pieces) > 1):
            return None
    if WHOLE in by_part and len(by_part) > 1:
        return None
    return {
        part: tuple(file.path for file in by_part[part])
        for part in (*PARTS, WHOLE)
        if part in by_part
    }


def _entry(
    name: str, folder: Path, parts: dict[str, tuple[Path, ...]], *, alone: bool
) -> CatalogueEntry:
    entry = CatalogueEntry(
        name=name,
        folder=folder,
        parts=parts,
        format=format_of_name(next(iter(parts.values()))[0].name) or "",
        release=release_of_folder(folder),
    )
    long_name = split_long_name(folder.name) if alone else None
    if long_name is not None:
        name = (short_name(folder.name) or name) if name == folder.name else name
        entry = replace(entry, name=name, language=long_name[0], aliases=(folder.name,))
    iso = name.partition("_")[0]
    # A loose file may be called anything: `it_works.conllu` is not Italian.
    if WHOLE not in parts and (entry.language or iso in LANGUAGES):
        entry = replace(entry, iso=iso, language=entry.language or LANGUAGES[iso])
    # A README beside loose files is not about them.
    facts = folder_facts(folder) if alone else FolderFacts()
    return replace(
        entry,
        licence=facts.licence,
        annotation=KNOWN_ANNOTATION.get(name) or facts.annotation,
        sizes={part: size for part, size in facts.sizes.items() if part in parts},
        notes=facts.notes,
    )


def _describe(entries: list[CatalogueEntry], folder: Path, record: ManifestRecord) -> bool:
    """Put what a manifest says into the entry of a folder; return whether there is one."""
    inside = [i for i, entry in enumerate(entries) if entry.folder == folder]
    named = [i for i in inside if entries[i].name == record.name]
    # Several treebanks in one folder are told apart by name; one alone is the one meant.
    if not named and len(inside) != 1:
        return False
    chosen = (named or inside)[0]
    entries[chosen] = _with_record(entries[chosen], record)
    return True


def _with_record(entry: CatalogueEntry, record: ManifestRecord) -> CatalogueEntry:
    texts = record.texts
    long_name = texts["source"].rpartition("/")[2]
    halves = split_long_name(long_name)
    # Only the treebank itself goes by the long name, not `ro_rrt_r12` made from it.
    is_own = halves is not None and joined_name(texts["iso"], halves[1]) == record.name
    return replace(
        entry,
        name=record.name,
        language=texts["language"] or entry.language,
        iso=texts["iso"] or entry.iso,
        licence=texts["licence"] or entry.licence,
        release=re.sub(r"^[rv](?=\d)", "", texts["version"]) or entry.release,
        annotation=(texts["annotation"] or KNOWN_ANNOTATION.get(record.name) or entry.annotation),
        source=texts["source"] or entry.source,
        notes=texts["notes"] or entry.notes,
        sizes={part: size for part, size in record.sizes.items() if part in entry.parts},
        aliases=(long_name,) if is_own else entry.aliases,
    )


def _part_file(path: Path) -> _PartFile:
    match = _PART.fullmatch(bare_name(path.name))
    if match is None:
        return _PartFile(path, bare_name(path.name), WHOLE, "")
    name = re.sub(r"-s?ud$", "", match["name"] or "", flags=re.IGNORECASE)
    return _PartFile(path, name, match["part"].lower(), match["piece"] or "")


def _is_tree_file(path: Path) -> bool:
    return format_of_name(path.name) in _TREE_FORMATS and path.is_file()

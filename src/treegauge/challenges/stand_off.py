"""Treebanks whose words may not be given out: what a licensee needs to rebuild a file.

A stand-off file names the source by its SHA-256, the sentences by their numbers in it, and lists
the values that the organisers changed: sentence, word, column, value. It has values of shown
columns only, so that it tells no more of gold than the file that is rebuilt from it. Whoever has
the source may have gold; packs and boards say so.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.catalogue import Checksum
from treegauge.challenges.challenge import Hidden
from treegauge.challenges.data import file_bytes, shown_copy
from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.packs import Pack, sha256, with_manifest
from treegauge.challenges.word_check import different_stretches
from treegauge.errors import reason_of
from treegauge.formats import Findings, bare_name, read
from treegauge.formats.limits import FileCount
from treegauge.treebank import Column, Treebank, concatenate
from treegauge.wording import text_of_name


@dataclass(frozen=True)
class Source:
    """A file that licensees have."""

    name: str
    sha256: str
    bytes: int


def source_of(path: Path) -> Source:
    """Return what tells a file from all others."""
    try:
        return Source(path.name, Checksum.of_file(path).digest, path.stat().st_size)
    except OSError as error:
        raise ChallengeError(f"{path}: cannot be read: {reason_of(error)}") from None


def stand_off(
    packed: Treebank, sources: Sequence[Path], hide: Iterable[Hidden], place: str
) -> dict[str, Any]:
    """Return what rebuilds the file of a treebank from the files that licensees have.

    Raises
    ------
    ChallengeError
        If there is no source, or its words were divided, joined or added to.
    """
    if not sources:
        raise ChallengeError(
            f"{place}: it has no file that a licensee could have; write source = {{ … }} with the "
            "names of the files, or redistribute = true"
        )
    hidden = sorted(hide)
    source = _read_all(sources)
    numbers = _sentence_numbers(packed, source, place)
    wanted, given = shown_copy(packed, hidden), shown_copy(source[numbers], hidden)
    return {
        "sources": [asdict(source_of(path)) for path in sources],
        "sentences": _ranges(numbers),
        "hide": hidden,
        "values": _changed_values(wanted, given),
    }


def rebuilt(recipe: Mapping[str, Any], sources: Sequence[Path]) -> Treebank:
    """Return the treebank that a stand-off file describes."""
    source = _read_all(sources)
    runs = [(first, last) for first, last in recipe["sentences"]]
    if not all(0 < first <= last <= source.n_sentences for first, last in runs):
        raise ValueError("sentences that the source does not have")
    numbers = [i for first, last in runs for i in range(first - 1, last)]
    given = shown_copy(source[np.array(numbers, np.intp)], recipe["hide"])
    strings = {name: list(column) for name, column in given.columns.items()}
    head = given.head.copy()
    for sentence, position, column, value in recipe["values"]:
        word = int(given.offsets[sentence - 1]) + position - 1
        if column == "head":
            head[word] = value
        else:
            strings[column][word] = value
    changed = {column for _, _, column, _ in recipe["values"]} - {"head"}
    columns = {name: Column.from_strings(strings[name]) for name in sorted(changed)}
    return given.replace(columns=columns, head=head)


def fill(pack: Pack, source_folder: str | Path) -> dict[str, bytes]:
    """Return the files of a pack with those that could not be given out, and a new manifest.

    Raises
    ------
    ChallengeError
        If a source is not in the folder, or what is rebuilt is not what the organisers packed.
    """
    to_fill = pack.manifest.get("to_fill", {})
    if not to_fill:
        raise ChallengeError(f"{pack.path}: nothing is missing in it; use it as it is")
    by_size = _files_by_size(Path(source_folder))
    files = {}
    for name, target in to_fill.items():
        try:
            recipe = json.loads(pack.read(target["recipe"]))
            sources = [_find_source(one, by_size, source_folder) for one in recipe["sources"]]
            content = file_bytes(rebuilt(recipe, sources), target["format"])
        except (KeyError, TypeError, ValueError, IndexError):
            raise ChallengeError(
                f"{pack.path}: it does not say how to rebuild {name}; get the pack again"
            ) from None
        if sha256(content) != target["sha256"]:
            raise ChallengeError(
                f"{pack.path}: {name} was not rebuilt as the organisers have it; install their "
                f"version of treegauge ({pack.manifest.get('treegauge', 'unknown')}), and ask them"
            )
        files[name] = content
    recipes = {target["recipe"] for target in to_fill.values()}
    kept = {name: pack.read(name) for name in pack.names if name not in recipes}
    left_out = ("files", "to_fill", "schema")
    about = {key: value for key, value in pack.manifest.items() if key not in left_out}
    return with_manifest({**about, "filled_from": pack.id}, {**kept, **files})


# ---------------------------------------------------------------------- making


def _read_all(paths: Sequence[Path]) -> Treebank:
    treebanks = [read(path, name=bare_name(path.name), findings=Findings()) for path in paths]
    return treebanks[0] if len(treebanks) == 1 else concatenate(treebanks)


def _sentence_numbers(packed: Treebank, source: Treebank, place: str) -> NDArray[np.intp]:
    """Return which sentence of the source every packed sentence is."""
    wanted, given = _texts(packed), _texts(source)
    numbers = np.full(len(wanted), -1, np.intp)
    start, other_start = 0, 0
    stretches = [*different_stretches(wanted, given), (len(wanted),) * 2 + (len(given),) * 2]
    for a, b, c, d in stretches:
        numbers[start:a] = np.arange(other_start, c)
        if b - a == d - c:  # words were corrected
            numbers[a:b] = np.arange(c, d)
        elif b > a:
            raise ChallengeError(
                f"{place}: sentence {a + 1:,} is not in the source at its place; a treebank "
                f"that may not be redistributed has sentences of its source, in the same order"
            )
        start, other_start = b, d
    lengths = source.lengths[numbers]
    if (lengths != packed.lengths).any():
        at = int((lengths != packed.lengths).argmax())
        raise ChallengeError(
            f"{place}: sentence {at + 1:,} has {packed.lengths[at]} words, and {lengths[at]} in "
            "the source; values may be changed, but words may not be split or joined"
        )
    return numbers


def _texts(treebank: Treebank) -> list[tuple[str, ...]]:
    forms = list(treebank.form)
    return [tuple(forms[a:b]) for a, b in pairwise(treebank.offsets.tolist())]


def _ranges(numbers: NDArray[np.intp]) -> list[list[int]]:
    """Return numbers from 1 as first and last of every run."""
    cuts = np.flatnonzero(np.diff(numbers) != 1) + 1
    return [[int(run[0]) + 1, int(run[-1]) + 1] for run in np.split(numbers, cuts) if len(run)]


def _changed_values(wanted: Treebank, given: Treebank) -> list[list[Any]]:
    sentence = wanted.sentence_of_word
    position = np.arange(wanted.n_words) - wanted.offsets[sentence] + 1
    rows: list[list[Any]] = []
    for name, column in wanted.columns.items():
        other = given.columns[name]
        if column == other:
            continue
        pairs = enumerate(zip(column, other, strict=True))
        rows += [
            [int(sentence[i]) + 1, int(position[i]), name, value]
            for i, (value, before) in pairs
            if value != before
        ]
    rows += [
        [int(sentence[i]) + 1, int(position[i]), "head", int(wanted.head[i])]
        for i in np.flatnonzero(wanted.head != given.head)
    ]
    return sorted(rows, key=lambda row: row[:3])


# ---------------------------------------------------------------------- filling


def _files_by_size(folder: Path) -> dict[int, list[Path]]:
    if not folder.is_dir():
        raise ChallengeError(f"{folder}: no such folder; name the one with your files")
    by_size: dict[int, list[Path]] = {}
    for path in sorted(FileCount(folder).counted(folder.rglob("*"))):
        if path.is_file():
            by_size.setdefault(path.stat().st_size, []).append(path)
    return by_size


def _find_source(
    source: Mapping[str, Any], by_size: Mapping[int, list[Path]], folder: str | Path
) -> Path:
    for path in by_size.get(source["bytes"], []):
        if source_of(path).sha256 == source["sha256"]:
            return path
    raise ChallengeError(
        f"{text_of_name(folder)}: no file in it has SHA-256 {source['sha256']}, which the "
        f"organisers' {source['name']} of {source['bytes']:,} bytes has; get that release of it"
    )

"""Writes the packs of a challenge: what everybody gets, what a track gets, and gold.

- `NAME-release.zip`: the train part, blind for every track; the dev part with gold; rules and data
  statements.
- `NAME-TRACK-test.zip`: the blind test part, and the train part where the track shows more of it
  than the release does. It goes out when the track's test phase opens, not before.
- `NAME-TRACK-example.zip`: a submission that `check` accepts.
- `NAME-gold.zip`, in the folder of the challenge and nowhere else.

The train part of the release hides what any track hides. Otherwise the gold tags that one track
gives out would train a tagger for another that is to induce tags.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC
from pathlib import Path
from typing import Any

from treegauge import __version__
from treegauge.catalogue import Catalogue
from treegauge.challenges.challenge import HIDDEN, Challenge, ChallengeTreebank, Hidden, Track
from treegauge.challenges.challenge_folder import ChallengeFolder
from treegauge.challenges.data import (
    ShownSentences,
    TreebankData,
    file_bytes,
    find_part,
    gold_file,
    needs_training,
    read_data,
    shown_copy,
    shown_sentences,
)
from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.example_submission import example_submission
from treegauge.challenges.leaks import refuse_leaks
from treegauge.challenges.packs import (
    MANIFEST,
    canonical_json,
    commitment,
    read_pack,
    sha256,
    with_manifest,
    write_zip,
)
from treegauge.challenges.stand_off import source_of, stand_off
from treegauge.challenges.task import Task
from treegauge.challenges.times import shown_time
from treegauge.formats import read_text, write_chunks
from treegauge.treebank.parts import PARTS


@dataclass(frozen=True)
class WrittenPack:
    """A pack that was written."""

    file: Path
    kind: str
    id: str
    sha256: str
    goes_out: str = ""
    """From when on it may be given out; nothing for gold."""


@dataclass
class Packing:
    """What `pack` did, and what organisers should know.

    Attributes
    ----------
    shown : list of ShownSentences
        Test sentences that a released part shows with gold.
    remarks : list of str
        What was found in files, and what else is worth a thought.
    """

    packs: list[WrittenPack] = field(default_factory=list)
    commitment: str = ""
    shown: list[ShownSentences] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def pack_challenge(
    folder: ChallengeFolder,
    packs: str | Path,
    catalogue: Catalogue,
    on_progress: Callable[[float], None] = lambda _share: None,
) -> Packing:
    """Write all packs of a challenge.

    Parameters
    ----------
    packs : path
        The folder for participants; made if it is not there.
    catalogue : Catalogue
        Which finds the treebanks that `challenge.toml` names.

    Raises
    ------
    ChallengeError
        If tracks leak into each other, a metric has no gold, a test part is released, or packs
        would lie where they must not.
    """
    packs = Path(packs)
    challenge = folder.challenge
    _require_apart(folder.path, packs)
    refuse_leaks(challenge)
    salt = folder.salt
    treebanks, remarks = read_data(folder, catalogue, lambda share: on_progress(share / 2))
    packing = Packing(remarks=remarks, shown=shown_sentences(treebanks))
    contents = _Contents(folder, catalogue, treebanks)
    gold_files = contents.gold()
    packing.commitment = commitment(salt, gold_files[MANIFEST])
    public = list(contents.public(packing.commitment))
    folder.gold_folder.mkdir(parents=True, exist_ok=True)
    packs.mkdir(parents=True, exist_ok=True)
    _keep_older_gold(folder, gold_files[MANIFEST], packing)
    packing.packs.append(_written(folder.gold_file, "gold", gold_files))
    for number, (name, kind, goes_out, files) in enumerate(public, start=1):
        packing.packs.append(_written(packs / f"{name}.zip", kind, files, goes_out))
        on_progress(0.5 + number / len(public) / 2)
    _write_record(folder, packing)
    return packing


def _require_apart(folder: Path, packs: Path) -> None:
    """Refuse a folder for participants that has gold in it, or lies beside it."""
    inner, outer = folder.resolve(), packs.resolve()
    if outer == inner or outer in inner.parents:
        raise ChallengeError(
            f"{packs}: it contains the challenge with its gold; write packs into another "
            f"folder, which you can publish as a whole"
        )
    if (inner / "gold") in (outer, *outer.parents):
        raise ChallengeError(f"{packs}: this folder is for gold; write packs into another folder")


def _keep_older_gold(folder: ChallengeFolder, manifest: bytes, packing: Packing) -> None:
    """Put a gold pack aside that is not the one to be written: old results were made with it."""
    if not folder.gold_file.exists():
        return
    older = read_pack(folder.gold_file, "gold")
    if older.manifest_bytes == manifest:
        return
    kept = folder.gold_file.with_name(f"{folder.challenge.name}-gold-{older.id[:12]}.zip")
    folder.gold_file.replace(kept)
    packing.remarks.append(
        f"gold differs from the packed gold; the older pack is kept as {kept}, and the new "
        "commitment differs; tell participants why"
    )


def _written(path: Path, kind: str, files: Mapping[str, bytes], goes_out: str = "") -> WrittenPack:
    return WrittenPack(path, kind, sha256(files[MANIFEST]), write_zip(path, files), goes_out)


def _write_record(folder: ChallengeFolder, packing: Packing) -> None:
    record = {
        "schema": 1,
        "commitment": packing.commitment,
        "packs": {
            one.file.stem: {"kind": one.kind, "id": one.id, "sha256": one.sha256}
            for one in packing.packs
        },
    }
    write_chunks(folder.record_file, [canonical_json(record)])


class _Contents:
    """The files of all packs."""

    def __init__(
        self, folder: ChallengeFolder, catalogue: Catalogue, treebanks: Sequence[TreebankData]
    ) -> None:
        self.folder = folder
        self.challenge: Challenge = folder.challenge
        self.catalogue = catalogue
        self.treebanks = treebanks
        hidden = {kind for track in self.challenge.tracks for kind in track.hide}
        self.hidden_somewhere: tuple[Hidden, ...] = tuple(k for k in HIDDEN if k in hidden)

    # ------------------------------------------------------------------ gold

    def gold(self) -> dict[str, bytes]:
        """Return the files of the gold pack."""
        files = {}
        sources: dict[str, Any] = {}
        with_training = needs_training(self.challenge)
        for data in self.treebanks:
            for part in ("test", "dev"):
                if part in data.parts:
                    ending, content = gold_file(data.parts[part])
                    files[f"{part}/{data.about.name}.{ending}"] = content
                    if not data.about.redistribute:
                        place = f"treebank {data.about.name!r}: {part}"
                        known = map(source_of, self._sources(data, part, place))
                        sources[f"{part}/{data.about.name}"] = [asdict(one) for one in known]
            for (reference, part), treebank in data.references.items():
                ending, content = gold_file(treebank)
                files[f"references/{reference}/{part}/{data.about.name}.{ending}"] = content
            if with_training and "train" in data.parts:
                words = shown_copy(data.parts["train"], HIDDEN)
                files[f"train/{data.about.name}.conllu"] = file_bytes(words, "conllu")
        about = {"kind": "gold", "challenge": self.challenge.name, "sources": sources}
        return with_manifest(about, files)

    # ------------------------------------------------------------------ public packs

    def public(self, committed: str) -> Iterator[tuple[str, str, str, dict[str, bytes]]]:
        """Give name, kind, day and files of every pack for participants."""
        name = self.challenge.name
        first = min(phase.opens for phase in self.challenge.phases)
        yield f"{name}-release", "release", shown_time(first), self._release(committed)
        for track in self.challenge.tracks:
            opens = shown_time(self.challenge.phases_of(track.name)[0].opens)
            yield f"{name}-{track.name}-test", "test", opens, self._test(track, committed)
            yield f"{name}-{track.name}-example", "submission", opens, self._example(track)

    def _release(self, committed: str) -> dict[str, bytes]:
        files = {"rules.md": self._text(self.folder.rules)}
        to_fill: dict[str, Any] = {}
        for data in self.treebanks:
            if data.about.statement:
                statement = self.folder.path / data.about.statement
                files[f"statements/{data.about.name}.md"] = self._text(statement)
            for part, hide in (("train", self.hidden_somewhere), ("dev", ())):
                self._add(data, part, hide, files, to_fill)
        about = {
            "kind": "release",
            "tracks": {track.name: _about_track(track) for track in self.challenge.tracks},
            "to_fill": to_fill,
        }
        return with_manifest({**self._about(committed), **about}, files)

    def _test(self, track: Track, committed: str) -> dict[str, bytes]:
        files: dict[str, bytes] = {}
        to_fill: dict[str, Any] = {}
        shows_more = set(track.hide) < set(self.hidden_somewhere)
        for data in self.treebanks:
            self._add(data, "test", track.hide, files, to_fill)
            if shows_more:
                self._add(data, "train", track.hide, files, to_fill)
        about = {
            "kind": "test",
            "track": track.name,
            "part": "test",
            **_about_track(track),
            "to_fill": to_fill,
        }
        return with_manifest({**self._about(committed), **about}, files)

    def _add(
        self,
        data: TreebankData,
        part: str,
        hide: Sequence[Hidden],
        files: dict[str, bytes],
        to_fill: dict[str, Any],
    ) -> None:
        """Add the file of a part, or what a licensee needs to rebuild it."""
        if part not in data.parts:
            return
        format = self.challenge.format
        name = f"{part}/{data.about.name}.{format}"
        content = file_bytes(shown_copy(data.parts[part], hide), format)
        if data.about.redistribute:
            files[name] = content
            return
        place = f"treebank {data.about.name!r}: {part}"
        sources = self._sources(data, part, place)
        recipe = f"standoff/{part}/{data.about.name}.json"
        files[recipe] = canonical_json(stand_off(data.parts[part], sources, hide, place))
        to_fill[name] = {"recipe": recipe, "sha256": sha256(content), "format": format}

    def _sources(self, data: TreebankData, part: str, place: str) -> tuple[Path, ...]:
        about: ChallengeTreebank = data.about
        if about.source(part) == about.part(part):
            return data.files[part]
        selection = find_part(
            self.folder.path, self.catalogue, about.source(part), part, f"{place}: source"
        )
        return selection.entry.files(selection.part)

    def _text(self, path: Path) -> bytes:
        return read_text(path, what="text", error=ChallengeError).encode()

    def _about(self, committed: str) -> dict[str, Any]:
        challenge = self.challenge
        return {
            "challenge": challenge.name,
            "title": challenge.title,
            "contact": challenge.contact,
            "treegauge": __version__,
            "gold_commitment": committed,
            "treebanks": {
                one.name: {
                    "licence": one.licence,
                    "redistribute": one.redistribute,
                    "references": [reference.name for reference in one.references],
                    "parts": [part for part in PARTS if one.part(part)],
                }
                for one in challenge.treebanks
            },
            "phases": [
                {
                    "name": phase.name,
                    "part": phase.part,
                    "tracks": list(phase.tracks),
                    "opens": phase.opens.astimezone(UTC).isoformat(),
                    "closes": phase.closes.astimezone(UTC).isoformat(),
                }
                for phase in challenge.phases
            ],
        }

    # ------------------------------------------------------------------ examples

    def _example(self, track: Track) -> dict[str, bytes]:
        """Return a submission in which every word depends on the one before it, with one tag."""
        words = {data.about.name: shown_copy(data.parts["test"], HIDDEN) for data in self.treebanks}
        task = Task(self.challenge.name, track.name, "test", track.annotate, words)
        return example_submission(task, contact=self.challenge.contact).canonical_files()


def _about_track(track: Track) -> dict[str, Any]:
    return {
        "hide": list(track.hide),
        "annotate": list(track.annotate),
        "metrics": [str(spec) for spec in track.metrics],
        "primary": str(track.primary),
        "preset": track.conventions.preset,
        "tags": track.conventions.tags,
    }

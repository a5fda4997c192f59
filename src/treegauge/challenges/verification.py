"""`score --verify`: repeats every number of an archive, and names what differs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from treegauge.challenges.archive import (
    GOLD_FOLDER,
    STANDINGS,
    WORDLESS_FOLDER,
    read_archive_file,
    standings_document,
    when_all_is_shown,
)
from treegauge.challenges.board import entry_of, track_board
from treegauge.challenges.board_pages import Board
from treegauge.challenges.challenge_folder import ChallengeFolder, GoldPack
from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.gold_source import PackedGold
from treegauge.challenges.packs import MANIFEST, commitment, read_pack, sha256
from treegauge.challenges.reading_process import RefusedSubmissionError, read_apart
from treegauge.challenges.result_files import (
    read_choices,
    read_json,
    read_receipts,
    read_results,
)
from treegauge.challenges.scored_submission import ScoredSubmission
from treegauge.challenges.scorer import Scorer
from treegauge.challenges.task import Task
from treegauge.challenges.treebank_scores import GoldStandards
from treegauge.challenges.wordless_gold import TaskWithoutWords, WordlessGold
from treegauge.treebank import blind

TOLERANCE = 1e-9
"""Other machines and versions round the last digits of a logarithm otherwise."""

_NOT_NUMBERS = {"scorer", "treegauge", "signature"}
"""What tells how a number was made: another version says something else here."""


@dataclass(frozen=True)
class Verification:
    """What was repeated.

    Attributes
    ----------
    numbers : int
        How many were the same.
    differences : list of str
        What was not: files, the commitment, numbers; each line names it.
    submissions : int
        How many were scored again.
    remarks : list of str
        What is worth knowing besides: other versions.
    """

    numbers: int
    differences: list[str] = field(default_factory=list)
    submissions: int = 0
    remarks: list[str] = field(default_factory=list)

    @property
    def is_same(self) -> bool:
        """Whether nothing differs."""
        return not self.differences


class ArchivedGold:
    """Gold of an archive: files, or annotation without words."""

    def __init__(self, folder: ChallengeFolder) -> None:
        self.challenge = folder.challenge
        gold = GoldPack(self.challenge, read_pack(folder.path / GOLD_FOLDER, "gold"))
        self.pack = gold
        self.packed = PackedGold(self.challenge, gold)
        self.wordless = WordlessGold(read_pack(folder.path / WORDLESS_FOLDER, "gold without words"))

    def treebanks(self, part: str) -> list[str]:
        """Return the treebanks that have gold of a part."""
        return self.packed.treebanks(part)

    def standards(self, treebank: str, part: str) -> GoldStandards:
        """Return all gold standards of a treebank."""
        if self.wordless.has(treebank, part):
            return self.wordless.standards(treebank, part)
        return self.packed.standards(treebank, part)

    def task(self, track: str, part: str) -> Task:
        """Return what submissions of a track are checked against."""
        of_track = self.challenge.track(track)
        treebanks, known = {}, {}
        for name in self.treebanks(part):
            gold = self.standards(name, part).gold
            treebanks[name] = blind(
                gold, heads="heads" in of_track.hide, tags="tags" in of_track.hide
            )
            if self.wordless.has(name, part):
                known[name] = self.wordless.words_id(name, part)
        return TaskWithoutWords(
            self.challenge.name, track, part, of_track.annotate, treebanks, known
        )


def verify_archive(
    path: str | Path, on_progress: Callable[[str, int, int], None] = lambda *_: None
) -> Verification:
    """Score every submission of an archive again, and compare all numbers.

    Raises
    ------
    ChallengeError
        If it is no archive, or so broken that nothing can be compared.
    """
    return _Verifying(Path(path), on_progress).run()


class _Verifying:
    def __init__(self, path: Path, on_progress: Callable[[str, int, int], None]) -> None:
        self.path = path
        self.on_progress = on_progress
        self.document = read_archive_file(path)
        self.folder = ChallengeFolder(path)
        self.differences: list[str] = []
        self.numbers = 0

    @cached_property
    def gold(self) -> ArchivedGold:
        return ArchivedGold(self.folder)

    def run(self) -> Verification:
        self._compare_files()
        self._compare_commitment()
        repeated = {}
        kept = [
            one
            for scorer in self.document["scorers"]
            for one in read_results(self.folder.results / scorer)
        ]
        scorers: dict[tuple[str, str], tuple[Scorer, Task]] = {}
        for number, one in enumerate(kept):
            self.on_progress(f"{one.said('team')}: {one.said('system')}", number, len(kept))
            again = self._scored_again(one, scorers)
            if again is not None:
                repeated[one.id] = again
        self._compare_standings(list(repeated.values()))
        return Verification(self.numbers, self.differences, len(repeated), self._remarks())

    # ------------------------------------------------------------------ files

    def _compare_files(self) -> None:
        for name, digest in sorted(self.document["files"].items()):
            file = self.path / name
            if not file.is_file():
                self.differences.append(f"{name}: the file is gone")
            elif sha256(file.read_bytes()) != digest:
                self.differences.append(f"{name}: the file has changed")

    def _compare_commitment(self) -> None:
        manifest = (self.path / GOLD_FOLDER / MANIFEST).read_bytes()
        found = commitment(self.folder.salt, manifest)
        if found != self.document["gold_commitment"]:
            self.differences.append(
                f"gold does not match the commitment: {found[:16]}…, not "
                f"{self.document['gold_commitment'][:16]}…"
            )

    def _remarks(self) -> list[str]:
        from treegauge import __version__

        before = self.document.get("versions", {}).get("treegauge", "")
        if before == __version__:
            return []
        return [f"the archive was made with treegauge {before}, and this is {__version__}"]

    # ------------------------------------------------------------------ numbers

    def _scored_again(
        self, kept: ScoredSubmission, scorers: dict[tuple[str, str], tuple[Scorer, Task]]
    ) -> ScoredSubmission | None:
        place = f"{kept.track}, {kept.said('team')}: {kept.said('system')}"
        key = kept.track, kept.part
        try:
            if key not in scorers:
                track = self.folder.challenge.track(kept.track)
                task = self.gold.task(*key)
                scorer = Scorer(self.folder.challenge, track, kept.part, self.gold, kept.scorer)
                scorers[key] = scorer, task
            scorer, task = scorers[key]
            read = read_apart(self.folder.submissions / f"{kept.id}.zip", task)
        except (ChallengeError, RefusedSubmissionError) as error:
            self.differences.append(f"{place}: cannot be scored again: {error}")
            return None
        if read.content != kept.id:
            self.differences.append(f"{place}: the submission has changed")
        document = scorer.score(read.content, read.about, read.treebanks)
        for where, before, now in self._compared(kept.document, document):
            self.differences.append(f"{place}: {where}: kept {before}, now {now}")
        return ScoredSubmission(document)

    def _compared(self, before: Any, now: Any, where: str = "") -> Iterator[tuple[str, Any, Any]]:
        """Give what differs, and count numbers that are the same."""
        if isinstance(before, Mapping) and isinstance(now, Mapping):
            for key in dict.fromkeys([*before, *now]):
                if key not in _NOT_NUMBERS:
                    inner = f"{where} {key}".strip()
                    yield from self._compared(before.get(key), now.get(key), inner)
        elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
            for number, pair in enumerate(zip(before, now, strict=True), start=1):
                yield from self._compared(*pair, f"{where} {number}")
        elif _is_same(before, now):
            self.numbers += isinstance(before, int | float)
        else:
            yield where, before, now

    def _compare_standings(self, repeated: list[ScoredSubmission]) -> None:
        challenge = self.folder.challenge
        receipts = read_receipts(self.folder.submissions)
        chosen = read_choices(self.folder.submissions)
        kept = read_json(self.path / STANDINGS)
        now = when_all_is_shown(self.folder)
        tracks = []
        for name in kept["tracks"]:
            track, _, part = name.rpartition(" ")
            entries = [
                entry_of(
                    *(challenge, one, receipts[one.id].received, receipts[one.id].number),
                    is_chosen=one.id.startswith(chosen) if chosen else False,
                )
                for one in repeated
                if (one.track, one.part) == (track, part) and one.id in receipts
            ]
            tracks.append(
                track_board(challenge, challenge.track(track), part, "", entries, now=now)
            )
        document = standings_document(Board(challenge, tracks, now))
        for where, before, found in self._compared(kept, document):
            self.differences.append(f"standings: {where}: kept {before}, now {found}")


def _is_same(before: Any, now: Any) -> bool:
    if isinstance(before, float) and isinstance(now, int | float):
        return math.isclose(before, now, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return bool(before == now)

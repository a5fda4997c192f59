"""The folder of a challenge: what lies where. It is the organisers' own and never given out.

    demo/
      challenge.toml      what the challenge is
      rules.md            goes into the release
      statements/*.md     data statements, go into the release
      salt.txt            drawn once; published with gold
      gold/
        demo-gold.zip     the gold pack, which only `pack`, `score` and `archive` read
        record.json       the packs that were made last: names, ids, commitment
      submissions/        canonical zips that were scored, SHA256.zip
      results/            one JSON file per submission and scorer, and the long table

Packs for participants go elsewhere, so that a folder that is published has no gold in it.

The gold pack holds `test/TREEBANK.conllu` and `dev/…` with all gold columns, further standards in
`references/NAME/test/TREEBANK.conllu`, and words of `train/TREEBANK.conllu` where strata need
them; files with coarse tags end in `.pascal`, which has a column for them. Sentences are those of
the blind packs, in the same order.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from treegauge.challenges.challenge import Challenge
from treegauge.challenges.challenge_file import CHALLENGE_FILE, read_challenge
from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.packs import Pack, commitment, read_pack
from treegauge.challenges.task import Task, read_words
from treegauge.formats import read_text
from treegauge.treebank import Treebank, blind


class ChallengeFolder:
    """A challenge and its files.

    Raises
    ------
    ChallengeError
        If there is no challenge in the folder, or one that cannot be run.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.challenge: Challenge = read_challenge(self.path / CHALLENGE_FILE)

    @property
    def rules(self) -> Path:
        """The rules of the challenge."""
        return self.path / "rules.md"

    @property
    def salt_file(self) -> Path:
        """The salt of the commitment, drawn by `init`."""
        return self.path / "salt.txt"

    @property
    def gold_folder(self) -> Path:
        """What nobody gets."""
        return self.path / "gold"

    @property
    def gold_file(self) -> Path:
        """The gold pack."""
        return self.gold_folder / f"{self.challenge.name}-gold.zip"

    @property
    def record_file(self) -> Path:
        """Which packs were made last."""
        return self.gold_folder / "record.json"

    @property
    def submissions(self) -> Path:
        """Canonical zips that were scored."""
        return self.path / "submissions"

    @property
    def results(self) -> Path:
        """Scores."""
        return self.path / "results"

    @cached_property
    def salt(self) -> bytes:
        """The salt of the commitment to gold."""
        if not self.salt_file.exists():
            raise ChallengeError(
                f"{self.salt_file}: there is no salt; `treegauge challenge init` creates one; "
                f"without it nobody can check the commitment to gold"
            )
        text = read_text(self.salt_file, what="a salt", error=ChallengeError).strip()
        try:
            salt = bytes.fromhex(text)
        except ValueError:
            salt = b""
        if len(salt) < 16:
            raise ChallengeError(
                f"{self.salt_file}: expected at least 32 hexadecimal digits; put the file back "
                "that `treegauge challenge init` wrote"
            )
        return salt

    def record(self) -> Mapping[str, Any]:
        """Return what `pack` noted: `packs` by name with id and SHA-256, `commitment`."""
        if not self.record_file.exists():
            return {}
        text = read_text(self.record_file, what="JSON", error=ChallengeError)
        record: dict[str, Any] = json.loads(text)
        return record

    def read_gold(self) -> GoldPack:
        """Open the gold pack."""
        if not self.gold_file.exists():
            raise ChallengeError(
                f"{self.gold_file}: there is no gold pack; "
                f"`treegauge challenge pack {self.path} -o PACKS` writes it"
            )
        return GoldPack(self.challenge, read_pack(self.gold_file, "gold"))


@dataclass(frozen=True)
class GoldPack:
    """Gold of a challenge; treebanks are read when they are asked for.

    The same class reads the gold pack of an archive.
    """

    challenge: Challenge
    pack: Pack

    def commitment(self, salt: bytes) -> str:
        """Return what public manifests say of this gold."""
        return commitment(salt, self.pack.manifest_bytes)

    def gold(self, treebank: str, part: str = "test", reference: str = "") -> Treebank:
        """Return gold of a part, or that of a further standard."""
        name = self._file(treebank, part, reference)
        if not name:
            of = f" of {reference}" if reference else ""
            raise ChallengeError(f"{self.pack.path}: it has no {part} part{of} for {treebank}")
        return read_words(self.pack, name)

    def has(self, treebank: str, part: str = "test", reference: str = "") -> bool:
        """Return whether there is such gold."""
        return bool(self._file(treebank, part, reference))

    def training(self, treebank: str) -> Treebank | None:
        """Return the words of the train part, where strata need them."""
        name = self._file(treebank, "train")
        return read_words(self.pack, name) if name else None

    def _file(self, treebank: str, part: str, reference: str = "") -> str:
        folder = f"references/{reference}/{part}" if reference else part
        beginning = f"{folder}/{treebank}."
        return next((name for name in self.pack.names if name.startswith(beginning)), "")

    def task(self, track: str, part: str = "test") -> Task:
        """Return what submissions of a track are checked against; there is no gold in it."""
        of_track = self.challenge.track(track)
        treebanks = {}
        for name in self.pack.names:
            path = PurePosixPath(name)
            if path.parts[:-1] == (part,):
                hide = of_track.hide
                treebanks[path.stem] = blind(
                    read_words(self.pack, name), heads="heads" in hide, tags="tags" in hide
                )
        if not treebanks:
            raise ChallengeError(f"{self.pack.path}: it has no {part} part of any treebank")
        return Task(self.challenge.name, of_track.name, part, of_track.annotate, treebanks)

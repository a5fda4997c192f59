"""Packs that participants can download, each from its day on.

Packs are known by what `pack` noted of them: their names and SHA-256. They are looked for beside
the folder of the challenge and in it; a file of another content is not ours, and is not given
out, whatever its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from treegauge.catalogue.checksums import Checksum
from treegauge.challenge_server.permissions import PackObject
from treegauge.challenges import Challenge, ChallengeFolder

Kind = Literal["release", "test", "example", "gold"]
_SALT = "salt.txt"
_KINDS: dict[str, Kind] = {
    "release": "release",
    "test": "test",
    "submission": "example",
    "gold": "gold",
}
"""What packs are, by what `pack` calls them."""


@dataclass(frozen=True)
class OfferedPack:
    """A file for participants.

    Attributes
    ----------
    name : str
        Of the file.
    kind : str
        release, test, example or gold; the salt goes with gold.
    track : str
        Of test packs and examples.
    """

    name: str
    path: Path
    kind: Kind
    sha256: str
    size: int
    track: str = ""

    @property
    def about(self) -> str:
        """What it is, in a few words."""
        if self.name.endswith(_SALT):
            return "the salt of the commitment to gold"
        words = {
            "release": "release: train, blind; dev with gold",
            "test": f"blind test of {self.track}",
            "example": f"example of a submission to {self.track}",
            "gold": "gold of all parts",
        }
        return words[self.kind]

    def object(self, challenge: Challenge) -> PackObject:
        """Return what permissions know it as."""
        return PackObject(self.kind, challenge, self.track)


class PackShelf:
    """The packs of a challenge, wherever they lie.

    Parameters
    ----------
    places : sequence of paths
        Folders to look into; beside the challenge and in it without any.
    """

    def __init__(self, folder: ChallengeFolder, places: Sequence[str | Path] = ()) -> None:
        home = folder.path.resolve()
        usual = (home / "packs", home.parent / "packs", home.parent / f"{home.name}-packs")
        self.places = tuple(Path(place) for place in places) or usual
        self.packs: list[OfferedPack] = []
        self.missing: list[str] = []
        for stem, about in folder.record().get("packs", {}).items():
            pack = self._found(folder, stem, about)
            if pack is None:
                self.missing.append(f"{stem}.zip")
            else:
                self.packs.append(pack)
        if folder.salt_file.exists():
            salt = folder.salt_file
            digest = Checksum.of_file(salt).digest
            name = f"{folder.challenge.name}-{_SALT}"
            self.packs.append(OfferedPack(name, salt, "gold", digest, salt.stat().st_size))
        self._record = folder.record_file
        self._stamps = self._stamps_now()

    @property
    def is_current(self) -> bool:
        """Whether the files are those that were looked at; `pack` may have written others."""
        return self._stamps == self._stamps_now()

    def _stamps_now(self) -> list[tuple[int, int]]:
        stamps = []
        for path in (self._record, *(pack.path for pack in self.packs)):
            try:
                facts = path.stat()
                stamps.append((facts.st_mtime_ns, facts.st_size))
            except FileNotFoundError:
                stamps.append((0, 0))
        return stamps

    def _found(
        self, folder: ChallengeFolder, stem: str, about: dict[str, str]
    ) -> OfferedPack | None:
        name = f"{stem}.zip"
        kind = _KINDS[about["kind"]]
        for place in (folder.gold_folder,) if kind == "gold" else self.places:
            path = place / name
            if path.is_file() and Checksum.of_file(path).digest == about["sha256"]:
                size = path.stat().st_size
                track = _track_of(folder.challenge, stem)
                return OfferedPack(name, path, kind, about["sha256"], size, track)
        return None

    def pack(self, name: str) -> OfferedPack | None:
        """Return one of them by the name of its file."""
        return next((one for one in self.packs if one.name == name), None)


def _track_of(challenge: Challenge, stem: str) -> str:
    """Return the track of a test pack or an example, which their names have in the middle."""
    return next(
        (
            track.name
            for track in challenge.tracks
            if stem in (f"{challenge.name}-{track.name}-{kind}" for kind in ("test", "example"))
        ),
        "",
    )

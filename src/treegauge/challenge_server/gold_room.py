"""Gold of a challenge, and what is made of it: tasks without gold for readers, scorers, boards.

Only workers have it. It is read anew when the challenge or its gold change on the disk, so that a
worker never scores with what was there yesterday.
"""

from __future__ import annotations

from pathlib import Path

from treegauge.challenge_server.boards import Scorers
from treegauge.challenges import Challenge, ChallengeFolder
from treegauge.challenges.challenge_file import CHALLENGE_FILE
from treegauge.challenges.gold_source import PackedGold
from treegauge.challenges.scorer import Scorer, scorer_id
from treegauge.challenges.task import Task
from treegauge.formats import read_text


class GoldRoom:
    """What a worker needs of a challenge's folder.

    Raises
    ------
    ChallengeError
        If there is no challenge, or no gold.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._marks = _marks(path)
        self.folder = ChallengeFolder(path)
        self._pack = self.folder.read_gold()
        self.gold = PackedGold(self.challenge, self._pack)
        self._tasks: dict[tuple[str, str], Task] = {}
        self._scorers: dict[tuple[str, str], Scorer] = {}
        self.scorers: Scorers = self._scorer_ids()

    @property
    def challenge(self) -> Challenge:
        """As `challenge.toml` has it."""
        return self.folder.challenge

    @property
    def is_current(self) -> bool:
        """Whether the files are those that were read."""
        return _marks(self.path) == self._marks

    @property
    def commitment(self) -> str:
        """What is public of gold from the beginning."""
        return self._pack.commitment(self.folder.salt)

    @property
    def rules(self) -> str:
        """The rules of the challenge, as organisers wrote them."""
        rules = self.folder.rules
        return read_text(rules, what="rules") if rules.exists() else ""

    def _scorer_ids(self) -> dict[tuple[str, str], str]:
        """Return the ids of all scorers, those of test parts first."""
        ids = {}
        for part in ("test", "dev"):
            checksums = self.gold.checksums(part)
            for track in self.challenge.tracks:
                if self.challenge.phases_of(track.name, part):
                    key = (track.name, part)
                    ids[key] = scorer_id(self.challenge, track, part, checksums)
        return ids

    def task(self, track: str, part: str) -> Task:
        """Return what submissions are checked against; there is no gold in it."""
        if (track, part) not in self._tasks:
            self._tasks[track, part] = self._pack.task(track, part)
        return self._tasks[track, part]

    def scorer(self, track: str, part: str) -> Scorer:
        """Return what scores submissions."""
        key = (track, part)
        if key not in self._scorers:
            own = self.challenge.track(track)
            id = self.scorers[key]
            self._scorers[key] = Scorer(self.challenge, own, part, self.gold, id)
        return self._scorers[key]


def _marks(path: Path) -> tuple[tuple[int, int, int], ...]:
    """Return what changes when the files of a challenge do."""
    files = [path / CHALLENGE_FILE, *sorted((path / "gold").glob("*-gold.zip"))]
    found = [file.stat() for file in files if file.exists()]
    return tuple((one.st_mtime_ns, one.st_size, one.st_ino) for one in found)

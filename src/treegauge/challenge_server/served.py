"""What the web process holds: a challenge, its database, its files, its clock, and limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from treegauge.challenge_server.attempt_limits import AttemptLimit
from treegauge.challenge_server.audit import SERVER, add_entry
from treegauge.challenge_server.blobs import BlobStore, Points
from treegauge.challenge_server.board_bytes import BoardPages
from treegauge.challenge_server.clock import Clock
from treegauge.challenge_server.database import Database
from treegauge.challenge_server.pack_shelf import PackShelf
from treegauge.challenge_server.passwords import PASSWORDS, Passwords
from treegauge.challenge_server.upload_turns import UploadTurns
from treegauge.challenge_server.web_settings import WebSettings
from treegauge.challenges import ChallengeFolder
from treegauge.formats import read_text


@dataclass
class ServedChallenge:
    """Everything that answers are made of.

    Attributes
    ----------
    points : Points
        Where tests stop or kill.
    """

    folder: ChallengeFolder
    database: Database
    shelf: PackShelf
    settings: WebSettings = field(default_factory=WebSettings)
    clock: Clock = field(default_factory=Clock)
    points: Points = field(default_factory=Points)
    passwords: Passwords = PASSWORDS

    def __post_init__(self) -> None:
        limits = self.settings.limits
        self.blobs = BlobStore(self.database.server_folder, self.points)
        self.boards = BoardPages(self.database)
        self.turns = UploadTurns(limits)
        self.logins_of_account = AttemptLimit(limits.logins_of_account)
        self.logins_of_address = AttemptLimit(limits.logins_of_address)
        rules = self.folder.rules
        self.rules = read_text(rules, what="rules") if rules.exists() else ""

    @classmethod
    def of_folder(
        cls,
        folder: str | Path,
        *,
        database: str | None = None,
        settings: WebSettings | None = None,
        packs: Sequence[str | Path] = (),
    ) -> ServedChallenge:
        """Open the challenge in a folder, as the web process does."""
        opened = ChallengeFolder(folder)
        served = cls(
            opened,
            Database.open(folder, database),
            PackShelf(opened, packs),
            settings or WebSettings(),
        )
        served.clock.on_step_back = lambda step: served._note_step(step.total_seconds())
        return served

    def packs_now(self) -> PackShelf:
        """Return the packs as they lie there now."""
        if not self.shelf.is_current:
            self.shelf = PackShelf(self.folder, self.shelf.places)
        return self.shelf

    def _note_step(self, seconds: float) -> None:
        """Note in the audit log that somebody set the clock of the machine back."""
        with self.database.write() as connection:
            details = {"seconds": round(seconds, 3)}
            add_entry(connection, SERVER, "clock set back", "clock", details, now=self.clock.now())

"""A challenge with a server's database and two teams, for tests of what the server keeps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from treegauge.challenge_server.accounts import account_by_id
from treegauge.challenge_server.blobs import Blob, BlobStore
from treegauge.challenge_server.database import Database
from treegauge.challenge_server.intake import Receipt, accept
from treegauge.challenge_server.invitations import add_invited_team, redeem
from treegauge.challenge_server.passwords import Passwords
from treegauge.challenge_server.permissions import Visitor
from treegauge.challenges import Challenge, ChallengeFolder

OPENS = datetime(2027, 3, 1, tzinfo=UTC)
CLOSES = datetime(2027, 3, 15, tzinfo=UTC)
GRACE = timedelta(minutes=30)
NOW = datetime(2027, 3, 5, 12, tzinfo=UTC)

CHEAP = Passwords(passes=1, kibibytes=64)
"""What takes a tenth of a second is not the subject of most tests."""
PASSWORD = "correct horse battery"

TEXT = """
name = "served"
gold = "2027-06-01 UTC"

[[tracks]]
name = "dependencies"
hide = ["heads"]
annotate = ["heads"]
metrics = ["uas"]
primary = "uas"

[[tracks]]
name = "labels"
hide = ["heads"]
annotate = ["heads", "relations"]
metrics = ["las"]
primary = "las"

[[treebanks]]
name = "svo"
dev = "toy:svo:dev"
test = "toy:svo:test"
licence = "CC0"

[[phases]]
name = "dev"
part = "dev"
tracks = ["dependencies"]
opens = "2027-02-01 00:00 UTC"
closes = "2027-03-01 00:00 UTC"
scores = "at once"

[[phases]]
name = "test"
part = "test"
tracks = ["dependencies", "labels"]
opens = "2027-03-01 00:00 UTC"
closes = "2027-03-15 00:00 UTC"
grace = "30min"
counts = "{counts}"
{quota}
"""


@dataclass
class Served:
    """A challenge, its database and its files."""

    challenge: Challenge
    database: Database
    store: BlobStore

    def team(self, name: str, now: datetime = NOW) -> Visitor:
        """Add a team with one member, and return that member."""
        _, secret = add_invited_team(self.database, name, actor="shell", now=now)
        redeemed = redeem(self.database, secret, now=now, password=PASSWORD, passwords=CHEAP)
        return redeemed.account.visitor

    def visitor(self, account: str) -> Visitor:
        """Return an account as the one who asks."""
        with self.database.read() as connection:
            found = account_by_id(connection, account)
        assert found is not None
        return found.visitor

    def blob(self, content: bytes) -> Blob:
        """Keep bytes."""
        with self.store.receive() as incoming:
            incoming.write(content)
            return incoming.keep()

    def send(
        self,
        visitor: Visitor,
        content: bytes,
        *,
        track: str = "dependencies",
        phase: str = "",
        began: datetime = NOW,
        ended: datetime | None = None,
    ) -> Receipt:
        """Send a submission."""
        return accept(
            self.database,
            self.challenge,
            visitor,
            self.blob(content),
            track=track,
            phase=phase,
            began=began,
            ended=ended or began,
        )


def write_challenge(folder: Path, *, quota: str = "", counts: str = "last") -> ChallengeFolder:
    """Write the file of a challenge; there is no gold, and no pack."""
    folder.mkdir(parents=True, exist_ok=True)
    text = TEXT.format(quota=quota and f"quota = {quota}", counts=counts)
    (folder / "challenge.toml").write_text(text, encoding="utf-8")
    (folder / "salt.txt").write_text("00" * 32, encoding="utf-8")
    return ChallengeFolder(folder)


def serve(folder: Path, url: str | None = None, *, quota: str = "", counts: str = "last") -> Served:
    """Write a challenge and open its database."""
    challenge = write_challenge(folder, quota=quota, counts=counts).challenge
    database = Database.open(folder, url)
    return Served(challenge, database, BlobStore(database.server_folder))

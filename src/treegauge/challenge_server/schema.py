"""The tables of a server.

What was sent, decided and shown stays: submissions, results and the audit log are never deleted,
and of a submission nothing changes but how far it has come. Secrets (passwords, tokens, sessions,
invitations) are here as hashes alone.

Ids are random texts, so that nobody guesses others; times are microseconds since 1970 in UTC,
so that both databases compare them in the same way.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

AccountRole = Literal["member", "organiser"]

JobKind = Literal["score", "board"]
JobState = Literal["waiting", "running", "done", "failed"]
"""Running jobs have a lease; what is behind it may be taken by another worker."""

Audience = Literal["public", "participants", "organisers"]
AUDIENCES: tuple[Audience, ...] = ("public", "participants", "organisers")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def new_id() -> str:
    """Return a random id, which nobody guesses."""
    return secrets.token_hex(12)


class Moment(TypeDecorator[datetime]):
    """A time with its zone, kept as microseconds since 1970 in UTC."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        """Turn a time into a number."""
        return None if value is None else (value - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Turn a number into a time in UTC."""
        return None if value is None else _EPOCH + value * _MICROSECOND


metadata = MetaData()


def _one_of(column: str, *values: str) -> CheckConstraint:
    quoted = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({quoted})", name=f"known_{column}")


account = Table(
    "account",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False, unique=True),
    Column("role", Text, nullable=False),
    Column("password", Text),  # an argon2 hash; none until an invitation was redeemed with one
    Column("created", Moment, nullable=False),
    _one_of("role", "member", "organiser"),
)
"""Who can log in."""

team = Table(
    "team",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False, unique=True),  # what `system.toml` must say
    Column("created", Moment, nullable=False),
    Column("withdrawn", Moment),  # from when on it stands on no board
)
"""Who takes part."""

member = Table(
    "member",
    metadata,
    Column("account", Text, ForeignKey("account.id"), primary_key=True),
    Column("team", Text, ForeignKey("team.id"), nullable=False, index=True),
    Column("joined", Moment, nullable=False),
)
"""Which account belongs to which team: to one, or, for organisers, to none."""

invitation = Table(
    "invitation",
    metadata,
    Column("id", Text, primary_key=True),
    Column("secret", Text, nullable=False, unique=True),  # SHA-256 of what the link says
    Column("team", Text, ForeignKey("team.id")),
    Column("account", Text, ForeignKey("account.id")),  # whose password it sets; else a new account
    Column("created", Moment, nullable=False),
    Column("expires", Moment, nullable=False),
    Column("used", Moment),
    Column("used_by", Text, ForeignKey("account.id")),
)
"""Links for one use: into a team, or to a new password."""

session = Table(
    "session",
    metadata,
    Column("id", Text, primary_key=True),
    Column("secret", Text, nullable=False, unique=True),  # SHA-256 of the cookie
    Column("account", Text, ForeignKey("account.id"), nullable=False, index=True),
    Column("created", Moment, nullable=False),
    Column("expires", Moment, nullable=False),
    Column("revoked", Moment),
)
"""Browsers that are logged in."""

token = Table(
    "token",
    metadata,
    Column("id", Text, primary_key=True),
    Column("secret", Text, nullable=False, unique=True),  # SHA-256 of the token
    Column("account", Text, ForeignKey("account.id"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("expires", Moment),
    Column("revoked", Moment),
)
"""What programs log in with."""

submission = Table(
    "submission",
    metadata,
    Column("id", Text, primary_key=True),
    Column("number", Integer, nullable=False, unique=True),  # in the order of commits, from 1
    Column("team", Text, ForeignKey("team.id"), nullable=False),
    Column("account", Text, ForeignKey("account.id"), nullable=False),
    Column("phase", Text, nullable=False),
    Column("track", Text, nullable=False),
    Column("content", Text, nullable=False, index=True),  # SHA-256 of the bytes: names the blob
    Column("size", BigInteger, nullable=False),
    Column("began", Moment, nullable=False),  # when the upload began
    Column("received", Moment, nullable=False),  # when it had come as a whole
    Column("receipt", Text, nullable=False),  # the digest of its row in the audit log
    Column("state", Text, nullable=False),
    Column("decided", Moment),  # when it left `waiting`
    Column("canonical", Text),  # its id in the kit: what `score` calls it
    Column("system", Text),  # what its makers call the system; known once it was read
    Column("findings", Text),  # what the reader says of it, for its makers; no gold in it
    Column("chosen", Moment),  # when its team chose it, in phases that count what is chosen
    UniqueConstraint("team", "phase", "track", "content", name="one_submission_a_content"),
    _one_of("state", "waiting", "accepted", "refused", "failed"),
)
"""What was sent: waiting until it was read; accepted or refused by the reader, who has no gold;
failed where that was a fault of ours."""

job = Table(
    "job",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("submission", Text, ForeignKey("submission.id"), index=True),  # none for boards
    Column("state", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("attempt", Integer, nullable=False, default=0),  # grows with every claim: the fence
    Column("worker", Text),
    Column("lease", Moment),  # until when the worker has it
    Column("finished", Moment),
    Column("message", Text),  # for organisers, from a closed list
    _one_of("kind", "score", "board"),
    _one_of("state", "waiting", "running", "done", "failed"),
    Index("job_by_state", "state", "created"),
)
"""What workers have to do."""

result = Table(
    "result",
    metadata,
    Column("submission", Text, ForeignKey("submission.id"), primary_key=True),
    Column("scorer", Text, primary_key=True),
    Column("document", LargeBinary, nullable=False),  # the bytes of the file that `score` writes
    Column("sha256", Text, nullable=False),
    Column("created", Moment, nullable=False),
)
"""Scores, one row per submission and scorer; they come of gold."""

board_page = Table(
    "board_page",
    metadata,
    Column("audience", Text, primary_key=True),
    Column("path", Text, primary_key=True),
    Column("shown_from", Moment, primary_key=True),
    Column("media_type", Text, nullable=False),
    Column("etag", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("built", Moment, nullable=False),
    _one_of("audience", *AUDIENCES),
)
"""Pages as bytes. `shown_from` is the moment whose board it is: a page is sent from then on, and
only ever built of what may be seen by then."""

audit = Table(
    "audit",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("time", Moment, nullable=False),
    Column("actor", Text, nullable=False),  # an account's id, `worker`, `server` or `shell`
    Column("action", Text, nullable=False),
    Column("object", Text, nullable=False),
    Column("details", Text, nullable=False),  # JSON
    Column("previous", Text, nullable=False),
    Column("digest", Text, nullable=False, unique=True),
)
"""Who did what, each row with the SHA-256 of the one before."""

setting = Table(
    "setting",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
"""What belongs to the server as a whole, such as `schema`, `address` and `challenge`."""

phase_change = Table(
    "phase_change",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("phase", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("moment", Moment, nullable=False),
    Column("made", Moment, nullable=False),
    Column("account", Text, ForeignKey("account.id")),
    Column("reason", Text, nullable=False),
    _one_of("what", "closes", "scores"),
)
"""Times that organisers changed: when a phase closes, or when its scores show."""

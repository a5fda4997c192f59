"""Jobs: rows that workers claim for a while, and that are done once.

A claim has a lease, which its worker extends as long as it works. A job whose lease is over may be
claimed by another worker; every claim has a higher number, `attempt`, and only the last one may
say how the job ended. So a worker that was stopped past its lease does no harm when it wakes. After
three claims that came to nothing a job has failed, which organisers see.

The time of leases is that of the database, since workers may run on several machines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from treegauge.challenge_server import schema
from treegauge.challenge_server.audit import WORKER, add_entry
from treegauge.challenge_server.database import Database, read_setting
from treegauge.challenge_server.schema import JobKind

LEASE = timedelta(seconds=60)
MOST_ATTEMPTS = 3
BOARD_WAITS = timedelta(seconds=30)
"""How long a board waits for submissions that are still to be scored."""
BOARD_SECONDS = "board_seconds"
"""The setting that says how long the last board took."""
_SHARE_OF_BOARDS = 4.0
"""How many times longer than a board takes submissions are scored before the next one."""


class Message(StrEnum):
    """All that is ever said of a job. Whoever holds gold says nothing in words of its own."""

    SCORED = "scored"
    REFUSED = "refused by the reader"
    BUILT = "built"
    FAILED = "scoring failed; the worker's log has the kind of error"
    LOST = "its workers ended while they had it"
    BLOB = "its file is missing or was changed"
    UNKNOWN = "challenge.toml has no such phase or track any more"
    NO_GOLD = "there is no gold to score with"
    DIFFERS = "scored again, with other numbers than before"


@dataclass(frozen=True)
class Claim:
    """A job that a worker has until its lease is over."""

    job: str
    kind: JobKind
    submission: str | None
    attempt: int


@dataclass(frozen=True)
class Verdict:
    """What the reader says of a submission; no gold had a part in it.

    Attributes
    ----------
    canonical : str
        Its id in the kit.
    system : str
        What its makers call the system.
    findings : str
        What is worth telling them.
    """

    is_accepted: bool
    findings: str = ""
    canonical: str | None = None
    system: str | None = None


def database_time(connection: Connection) -> datetime:
    """Return the time by the clock that all workers share."""
    if connection.dialect.name == "sqlite":
        return datetime.now(UTC)
    moment = connection.scalar(sa.select(sa.func.clock_timestamp()))
    assert isinstance(moment, datetime)
    return moment.astimezone(UTC)


def claim(database: Database, worker: str, *, lease: timedelta = LEASE) -> Claim | None:
    """Take the oldest job that nobody has; submissions come before boards.

    A board is built when no submission waits, or when it has waited long enough itself.
    """
    job = schema.job
    with database.read() as connection:
        if _next_job(connection, database_time(connection)) is None:
            return None
    with database.write() as connection:
        now = database_time(connection)
        while (row := _next_job(connection, now)) is not None:
            if row.attempt >= MOST_ATTEMPTS:
                _close(connection, row, "failed", Message.LOST, now)
                _fail_submission(connection, row.submission, now)
                continue
            attempt = row.attempt + 1
            connection.execute(
                sa.update(job)
                .where(job.c.id == row.id)
                .values(state="running", attempt=attempt, worker=worker, lease=now + lease)
            )
            return Claim(row.id, row.kind, row.submission, attempt)
    return None


def _next_job(connection: Connection, now: datetime) -> Any:
    """Return the row of the job that comes next, or None."""
    job = schema.job
    is_free = (job.c.state == "waiting") | ((job.c.state == "running") & (job.c.lease < now))
    columns = (job.c.id, job.c.kind, job.c.submission, job.c.attempt, job.c.created)
    oldest = sa.select(*columns).where(is_free).order_by(job.c.created, job.c.id).limit(1)
    board = connection.execute(oldest.where(job.c.kind == "board")).first()
    if board is not None and now - board.created >= _patience_of_boards(connection):
        return board
    return connection.execute(oldest.where(job.c.kind == "score")).first() or board


def _patience_of_boards(connection: Connection) -> timedelta:
    seconds = float(read_setting(connection, BOARD_SECONDS) or 0.0)
    return max(BOARD_WAITS, timedelta(seconds=_SHARE_OF_BOARDS * seconds))


def extend(database: Database, claimed: Claim, *, lease: timedelta = LEASE) -> bool:
    """Keep a job for longer; return whether it is still this claim's."""
    with database.write() as connection:
        if not is_held(connection, claimed):
            return False
        job = schema.job
        later = database_time(connection) + lease
        connection.execute(sa.update(job).where(job.c.id == claimed.job).values(lease=later))
    return True


def give_back(database: Database, claimed: Claim) -> None:
    """Leave a job to others, since this worker ends; it counts as no attempt that failed."""
    with database.write() as connection:
        if is_held(connection, claimed):
            job = schema.job
            values: dict[str, Any] = {"state": "waiting", "lease": None, "worker": None}
            # Whoever gives a job back writes no more, so that the number may be used again.
            values["attempt"] = claimed.attempt - 1
            connection.execute(sa.update(job).where(job.c.id == claimed.job).values(**values))


def is_held(connection: Connection, claimed: Claim) -> bool:
    """Return whether no other worker has claimed the job since."""
    job = schema.job
    held = connection.scalar(
        sa.select(job.c.id).where(
            job.c.id == claimed.job, job.c.attempt == claimed.attempt, job.c.state == "running"
        )
    )
    return held is not None


# ---------------------------------------------------------------------- how jobs end


def keep_verdict(database: Database, claimed: Claim, verdict: Verdict, *, now: datetime) -> bool:
    """Note what the reader says, once; return whether the claim still holds.

    It is noted before anything is scored, so that nothing a participant sees waits for gold.
    A refused submission needs no more, and its job is done.
    """
    with database.write() as connection:
        if not is_held(connection, claimed):
            return False
        table = schema.submission
        state = "accepted" if verdict.is_accepted else "refused"
        noted = connection.execute(
            sa.update(table)
            .where(table.c.id == claimed.submission, table.c.state.in_(("waiting", "failed")))
            .values(
                state=state,
                decided=now,
                canonical=verdict.canonical,
                system=verdict.system,
                findings=verdict.findings,
            )
        )
        if noted.rowcount:
            details = {"canonical": verdict.canonical} if verdict.canonical else {}
            _audit(connection, f"{state} submission", str(claimed.submission), details, now)
        if not verdict.is_accepted:
            _close(connection, claimed, "done", Message.REFUSED, now)
    return True


def keep_result(
    database: Database, claimed: Claim, scorer: str, document: bytes, digest: str, *, now: datetime
) -> bool:
    """Store the result of a submission, once; return whether the claim still held.

    Parameters
    ----------
    document : bytes
        As the file of `score` has it.
    digest : str
        Its SHA-256.
    """
    result = schema.result
    with database.write() as connection:
        if not is_held(connection, claimed):
            return False
        there = connection.scalar(
            sa.select(result.c.sha256).where(
                result.c.submission == claimed.submission, result.c.scorer == scorer
            )
        )
        if there is None:
            connection.execute(
                sa.insert(result).values(
                    submission=claimed.submission,
                    scorer=scorer,
                    document=document,
                    sha256=digest,
                    created=now,
                )
            )
            details = {"scorer": scorer, "sha256": digest}
            _audit(connection, "score submission", str(claimed.submission), details, now)
        is_same = there in (None, digest)
        message = Message.SCORED if is_same else Message.DIFFERS
        _close(connection, claimed, "done" if is_same else "failed", message, now)
    return True


def fail(database: Database, claimed: Claim, message: Message, *, now: datetime) -> None:
    """Note that an attempt came to nothing; after three of them the job has failed."""
    with database.write() as connection:
        if not is_held(connection, claimed):
            return
        if claimed.attempt >= MOST_ATTEMPTS:
            _close(connection, claimed, "failed", message, now)
            _fail_submission(connection, claimed.submission, now)
        else:
            job = schema.job
            values = {"state": "waiting", "lease": None, "worker": None, "message": message.value}
            connection.execute(sa.update(job).where(job.c.id == claimed.job).values(**values))


def close_board(connection: Connection, claimed: Claim, *, now: datetime) -> None:
    """Note that boards are built, in the transaction that keeps their pages."""
    _close(connection, claimed, "done", Message.BUILT, now)


def _close(
    connection: Connection,
    ended: Claim | sa.Row[Any],
    state: schema.JobState,
    message: Message,
    now: datetime,
) -> None:
    job = schema.job
    id = ended.job if isinstance(ended, Claim) else str(ended.id)
    connection.execute(
        sa.update(job)
        .where(job.c.id == id)
        .values(state=state, message=message.value, finished=now, lease=None)
    )
    if state == "failed":
        _audit(connection, "fail job", id, {"message": message.value}, now)


def _fail_submission(connection: Connection, submission: str | None, now: datetime) -> None:
    """Let a submission that nobody could read count nowhere.

    One that was read stays accepted: whether it can be scored may depend on gold, and its makers
    see this state.
    """
    table = schema.submission
    connection.execute(
        sa.update(table)
        .where(table.c.id == submission, table.c.state == "waiting")
        .values(state="failed", decided=now)
    )


def _audit(
    connection: Connection, action: str, object: str, details: Mapping[str, Any], now: datetime
) -> None:
    add_entry(connection, WORKER, action, object, details, now=now)

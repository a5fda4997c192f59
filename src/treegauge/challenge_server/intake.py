"""Taking submissions: all of one is committed, or nothing of it.

When `accept` is called, the bytes are safe on disk under their SHA-256. Quotas are counted and the
submission, its job and its audit entry are written in one transaction; then there is a receipt.
The same content for the same team, phase and track is the same submission, however often it is
sent: whoever lost the answer sends again and gets the same receipt.

Submissions that wait or were accepted count against a team's quota of a phase. Refused ones have a
limit of their own, an hour; failures of ours count nowhere. A day is one in UTC.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from treegauge.challenge_server import schema
from treegauge.challenge_server.audit import add_entry
from treegauge.challenge_server.blobs import Blob, Points
from treegauge.challenge_server.database import Database
from treegauge.challenge_server.errors import ConflictError, NotAllowedError, NotThereError
from treegauge.challenge_server.permissions import Visitor
from treegauge.challenge_server.phases import (
    current_challenge,
    open_phases,
    phase_named,
    why_not_taken,
)
from treegauge.challenges import Challenge, Phase
from treegauge.challenges.times import shown_time
from treegauge.wording import counted, unknown_name

REFUSED_AN_HOUR = 20
"""The limit where `challenge.toml` names none: reading costs time."""
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True)
class Receipt:
    """What a team gets for a submission, and can show later.

    Attributes
    ----------
    content : str
        SHA-256 of the bytes.
    digest : str
        The head of the audit log when the submission was written.
    is_new : bool
        False if the same content was there before.
    """

    submission: str
    phase: str
    track: str
    content: str
    size: int
    received: datetime
    digest: str
    is_new: bool


@dataclass(frozen=True)
class QuotaUse:
    """What a team has used of its quota of a phase; None is no limit."""

    today: int
    total: int
    refused_last_hour: int
    day_limit: int | None
    total_limit: int | None
    refused_limit: int


def phase_for(challenge: Challenge, track: str, began: datetime, phase: str = "") -> Phase:
    """Return the phase that an upload is for; the open one of its track if it names none.

    Parameters
    ----------
    challenge : Challenge
        With all changes.

    Raises
    ------
    NotThereError
        If there is no such track or phase.
    NotAllowedError
        If no phase of the track is open.
    ConflictError
        If several are open and none is named.
    """
    names = [one.name for one in challenge.tracks]
    if track not in names:
        raise NotThereError(unknown_name("track", track, names))
    if phase:
        chosen = phase_named(challenge, phase)
        if track not in chosen.tracks:
            raise NotThereError(
                f"the phase {phase!r} is not for the track {track!r}; it is for "
                f"{', '.join(chosen.tracks)}"
            )
        return chosen
    is_open = open_phases(challenge, began, track)
    if len(is_open) > 1:
        listed = ", ".join(one.name for one in is_open)
        raise ConflictError(f"several phases of the track {track!r} are open: name one of {listed}")
    if is_open:
        return is_open[0]
    of_track = [one for one in challenge.phases if track in one.tracks]
    ahead = min((one for one in of_track if one.opens > began), key=_opens, default=None)
    if ahead is not None:
        raise NotAllowedError(why_not_taken(ahead, began, began))
    last = max(of_track, key=lambda one: one.closes, default=None)
    if last is None:
        raise NotAllowedError(f"the track {track!r} has no phase that accepts submissions")
    raise NotAllowedError(why_not_taken(last, began, began))


def _opens(phase: Phase) -> datetime:
    return phase.opens


def accept(
    database: Database,
    challenge: Challenge,
    visitor: Visitor,
    blob: Blob,
    *,
    track: str,
    began: datetime,
    ended: datetime,
    phase: str = "",
    points: Points | None = None,
) -> Receipt:
    """Take a submission, or say why not.

    Parameters
    ----------
    challenge : Challenge
        As `challenge.toml` has it.
    visitor : Visitor
        A member of a team.
    blob : Blob
        What was sent; it is safe on disk.
    began, ended : datetime
        When the upload began, and when its last byte had come, by the server's clock.
    phase : str
        Its name; the open phase of the track if empty.

    Raises
    ------
    NotAllowedError
        If the phase is not open, or the visitor is in no team.
    ConflictError
        If a quota is used up.
    """
    if visitor.role != "member" or not visitor.team:
        raise NotAllowedError("only members of teams send submissions")
    with database.write() as connection:
        current = current_challenge(connection, challenge)
        before = _sent_before(connection, visitor.team, track, blob.sha256, phase, began, current)
        if before is not None:
            return before
        chosen = phase_for(current, track, began, phase)
        if why := why_not_taken(chosen, began, ended):
            raise NotAllowedError(why)
        _refuse_beyond_quota(connection, visitor.team, chosen, ended)
        receipt = _insert(connection, visitor, blob, chosen, track, began, ended)
    (points or Points()).reached("committed")
    return receipt


def _sent_before(
    connection: Connection,
    team: str,
    track: str,
    content: str,
    phase: str,
    began: datetime,
    challenge: Challenge,
) -> Receipt | None:
    """Return the receipt of the same content; also after the close, for who lost the answer."""
    table = schema.submission
    same = sa.select(table).where(
        table.c.team == team, table.c.track == track, table.c.content == content
    )
    rows = connection.execute(same.order_by(table.c.number.desc())).all()
    if not phase:
        is_open = {one.name for one in open_phases(challenge, began, track)}
        # Content of an earlier phase may be sent to the one that is open now.
        rows = [row for row in rows if row.phase in is_open or not is_open]
    else:
        rows = [row for row in rows if row.phase == phase]
    return receipt_of(rows[0], is_new=False) if rows else None


def receipt_of(row: sa.Row[Any], *, is_new: bool = False) -> Receipt:
    """Return the receipt of a row of `submission`."""
    return Receipt(
        submission=row.id,
        phase=row.phase,
        track=row.track,
        content=row.content,
        size=row.size,
        received=row.received,
        digest=row.receipt,
        is_new=is_new,
    )


def _insert(
    connection: Connection,
    visitor: Visitor,
    blob: Blob,
    phase: Phase,
    track: str,
    began: datetime,
    ended: datetime,
) -> Receipt:
    table = schema.submission
    id = schema.new_id()
    number = (connection.scalar(sa.select(sa.func.max(table.c.number))) or 0) + 1
    others = connection.scalars(
        sa.select(table.c.team)
        .where(table.c.content == blob.sha256, table.c.team != visitor.team)
        .distinct()
        .order_by(table.c.team)
    ).all()
    details = {
        "team": visitor.team,
        "phase": phase.name,
        "track": track,
        "content": blob.sha256,
        "size": blob.size,
        "received": ended.astimezone(UTC).isoformat(),
        **({"same content from": list(others)} if others else {}),
    }
    entry = add_entry(connection, visitor.account, "submit", id, details, now=ended)
    connection.execute(
        sa.insert(table).values(
            id=id,
            number=number,
            team=visitor.team,
            account=visitor.account,
            phase=phase.name,
            track=track,
            content=blob.sha256,
            size=blob.size,
            began=began,
            received=ended,
            receipt=entry.digest,
            state="waiting",
        )
    )
    add_job(connection, "score", id, now=ended)
    return Receipt(id, phase.name, track, blob.sha256, blob.size, ended, entry.digest, is_new=True)


def add_job(
    connection: Connection, kind: schema.JobKind, submission: str | None, *, now: datetime
) -> str:
    """Give workers something to do, and return the job's id."""
    id = schema.new_id()
    connection.execute(
        sa.insert(schema.job).values(
            id=id, kind=kind, submission=submission, state="waiting", created=now, attempt=0
        )
    )
    return id


# ---------------------------------------------------------------------- quotas


def quota_use(connection: Connection, team: str, phase: Phase, now: datetime) -> QuotaUse:
    """Count what a team has used of its quota of a phase."""
    table = schema.submission
    own = (table.c.team == team) & (table.c.phase == phase.name)
    counting = own & table.c.state.in_(("waiting", "accepted"))
    refused = own & (table.c.state == "refused") & (table.c.decided > now - _HOUR)

    def count(condition: sa.ColumnElement[bool]) -> int:
        number = connection.scalar(sa.select(sa.func.count()).select_from(table).where(condition))
        return int(number or 0)

    quota = phase.quota
    return QuotaUse(
        today=count(counting & (table.c.received >= _midnight(now))),
        total=count(counting),
        refused_last_hour=count(refused),
        day_limit=quota.day,
        total_limit=quota.total,
        refused_limit=quota.refused_an_hour or REFUSED_AN_HOUR,
    )


def _midnight(now: datetime) -> datetime:
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def _refuse_beyond_quota(connection: Connection, team: str, phase: Phase, now: datetime) -> None:
    use = quota_use(connection, team, phase, now)
    if use.total_limit is not None and use.total >= use.total_limit:
        raise ConflictError(
            f"your team has sent {counted(use.total, 'submission')} in the phase {phase.name!r}; "
            "no more are allowed"
        )
    if use.day_limit is not None and use.today >= use.day_limit:
        raise ConflictError(
            f"your team has sent {counted(use.today, 'submission')} in the phase {phase.name!r} "
            "today; no more are allowed today; send the next one from "
            f"{shown_time(_midnight(now) + _DAY)} on"
        )
    if use.refused_last_hour >= use.refused_limit:
        raise ConflictError(
            f"{counted(use.refused_last_hour, 'submission')} of your team were refused within an "
            "hour; `treegauge challenge check` finds what is wrong before you send; wait an hour"
        )


# ---------------------------------------------------------------------- later


def choose_submission(connection: Connection, visitor: Visitor, id: str, *, now: datetime) -> None:
    """Let a submission count for its system, and none of the others of that system.

    Raises
    ------
    NotThereError
        If the visitor's team has no such submission.
    ConflictError
        If it was not accepted.
    """
    table = schema.submission
    own = (table.c.id == id) & (table.c.team == visitor.team)
    row = connection.execute(sa.select(table).where(own)).first()
    if row is None:
        raise NotThereError("this does not exist, or you may not see it; check the address")
    if row.state != "accepted":
        raise ConflictError(f"this submission is {row.state}; choose one that was accepted")
    of_system = (
        (table.c.team == row.team)
        & (table.c.phase == row.phase)
        & (table.c.track == row.track)
        & (table.c.system == row.system)
    )
    connection.execute(sa.update(table).where(of_system).values(chosen=None))
    connection.execute(sa.update(table).where(table.c.id == id).values(chosen=now))
    add_entry(connection, visitor.account, "choose submission", id, now=now)
    add_job(connection, "board", None, now=now)


def score_again(
    connection: Connection, ids: Iterable[str] | None, *, actor: str, now: datetime
) -> int:
    """Let workers score submissions again, or all of them; return how many.

    Old results stay; refused submissions stay refused.
    """
    table = schema.submission
    chosen: sa.ColumnElement[bool] = table.c.state.in_(("accepted", "failed"))
    if ids is not None:
        chosen &= table.c.id.in_(tuple(ids))
    rows = connection.scalars(sa.select(table.c.id).where(chosen).order_by(table.c.number)).all()
    for id in rows:
        add_entry(connection, actor, "score again", id, now=now)
        add_job(connection, "score", id, now=now)
    return len(rows)

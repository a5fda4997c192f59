"""The audit log: who did what, in an order that nobody can change without being seen.

Every row has the SHA-256 of the row before it, and of itself. A receipt has the last one at its
time: who keeps receipts can tell whether the log was written anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from treegauge.challenge_server import schema
from treegauge.challenges.packs import canonical_json, sha256

BEGINNING = "0" * 64
"""What the first row has as the one before."""

SERVER, WORKER, SHELL = "server", "worker", "shell"
"""Actors that are no accounts; the shell is who has the challenge's folder."""


@dataclass(frozen=True)
class AuditEntry:
    """A row of the log.

    Attributes
    ----------
    actor : str
        Id of an account, or `server`, `worker` or `shell`.
    object : str
        What it was done to: an id, or the name of a phase.
    """

    number: int
    time: datetime
    actor: str
    action: str
    object: str
    details: Mapping[str, Any]
    previous: str
    digest: str

    def computed_digest(self) -> str:
        """Return the SHA-256 of everything else in the row."""
        return _digest(
            self.number,
            self.time,
            self.actor,
            self.action,
            self.object,
            self.details,
            self.previous,
        )


def _digest(
    number: int,
    time: datetime,
    actor: str,
    action: str,
    object: str,
    details: Mapping[str, Any],
    previous: str,
) -> str:
    return sha256(
        canonical_json(
            {
                "number": number,
                "time": time.astimezone(UTC).isoformat(timespec="microseconds"),
                "actor": actor,
                "action": action,
                "object": object,
                "details": dict(details),
                "previous": previous,
            }
        )
    )


def add_entry(
    connection: Connection,
    actor: str,
    action: str,
    object: str,
    details: Mapping[str, Any] | None = None,
    *,
    now: datetime,
) -> AuditEntry:
    """Add a row to the log, in the transaction that does what it says.

    Parameters
    ----------
    details : mapping, optional
        What else is worth knowing; anything that JSON has. No secrets.
    """
    table = schema.audit
    last = connection.execute(
        sa.select(table.c.number, table.c.digest).order_by(table.c.number.desc()).limit(1)
    ).first()
    number, previous = (1, BEGINNING) if last is None else (last.number + 1, last.digest)
    details = details or {}
    digest = _digest(number, now, actor, action, object, details, previous)
    entry = AuditEntry(number, now, actor, action, object, details, previous, digest)
    connection.execute(
        sa.insert(table).values(
            number=number,
            time=now,
            actor=actor,
            action=action,
            object=object,
            details=json.dumps(details, sort_keys=True, ensure_ascii=False),
            previous=previous,
            digest=digest,
        )
    )
    return entry


def head(connection: Connection) -> str:
    """Return the digest of the last row."""
    table = schema.audit
    statement = sa.select(table.c.digest).order_by(table.c.number.desc()).limit(1)
    return connection.scalar(statement) or BEGINNING


def entries(
    connection: Connection, *, last: int | None = None, before: int | None = None
) -> Iterator[AuditEntry]:
    """Give rows of the log, the oldest first.

    Parameters
    ----------
    last : int, optional
        How many at most: the last ones.
    before : int, optional
        Only rows before this number; for pages.
    """
    table = schema.audit
    statement = sa.select(table).order_by(table.c.number)
    if before is not None:
        statement = statement.where(table.c.number < before)
    if last is not None:
        newest = statement.order_by(None).order_by(table.c.number.desc()).limit(last).subquery()
        statement = sa.select(newest).order_by(newest.c.number)
    for row in connection.execute(statement):
        fields = row._asdict()
        yield AuditEntry(**{**fields, "details": json.loads(fields["details"])})


def flaws_of_chain(connection: Connection) -> list[str]:
    """Return what is wrong with the log, in sentences; nothing if it is whole."""
    flaws = []
    number, previous = 0, BEGINNING
    for entry in entries(connection):
        number += 1
        if entry.number != number:
            flaws.append(f"audit log: row {number} is missing; the next one is {entry.number}")
            number = entry.number
        if entry.previous != previous:
            flaws.append(f"audit log: row {entry.number} does not follow from the one before")
        if entry.digest != entry.computed_digest():
            flaws.append(f"audit log: row {entry.number} was changed")
        previous = entry.digest
    return flaws

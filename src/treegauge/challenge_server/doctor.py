"""`doctor`: whether everything that the database speaks of is there, and as it was.

And the start of a server: what a crash left behind is put away.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from treegauge.challenge_server import schema
from treegauge.challenge_server.audit import SERVER, add_entry, entries, flaws_of_chain
from treegauge.challenge_server.blobs import BlobStore
from treegauge.challenge_server.database import Database
from treegauge.challenges.packs import sha256
from treegauge.wording import counted


@dataclass(frozen=True)
class Diagnosis:
    """What a look at a server gave.

    Attributes
    ----------
    flaws : list of str
        What must not be, in sentences.
    remarks : list of str
        What is worth knowing.
    """

    submissions: int
    results: int
    audit_entries: int
    flaws: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def diagnose(database: Database, store: BlobStore, now: datetime) -> Diagnosis:
    """Look at everything: bytes of submissions, receipts, results, jobs, the audit log."""
    with database.read() as connection:
        submissions, results, audit_entries = (
            int(connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0)
            for table in (schema.submission, schema.result, schema.audit)
        )
        flaws = [
            *_flaws_of_database(connection),
            *_flaws_of_bytes(connection, store),
            *flaws_of_chain(connection),
            *_flaws_of_receipts(connection),
            *_flaws_of_results(connection),
            *_flaws_of_jobs(connection),
        ]
        known = set(connection.scalars(sa.select(schema.submission.c.content)))
        remarks = [*_remarks_on_jobs(connection, now)]
    if orphans := store.orphans(known):
        remarks.append(
            f"{counted(len(orphans), 'file')} in {store.blobs} that belong to no submission; "
            "the next start removes those older than a day"
        )
    remarks += _remarks_on_folder(database.folder)
    return Diagnosis(submissions, results, audit_entries, flaws, remarks)


def _flaws_of_database(connection: Connection) -> Iterator[str]:
    """Give what SQLite says of its own file."""
    if connection.dialect.name != "sqlite":
        return
    for row in connection.exec_driver_sql("PRAGMA integrity_check"):
        if row[0] != "ok":
            yield f"database: {row[0]}"
    for row in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        yield f"database: a row of {row[0]} speaks of one of {row[2]} that is not there"


def _flaws_of_bytes(connection: Connection, store: BlobStore) -> Iterator[str]:
    table = schema.submission
    rows = connection.execute(
        sa.select(table.c.id, table.c.content, table.c.size).order_by(table.c.number)
    )
    sound: dict[str, str] = {}
    for row in rows:
        if row.content not in sound:
            sound[row.content] = _flaw_of_file(store, row.content, row.size)
        if sound[row.content]:
            yield f"submission {row.id}: {sound[row.content]}"


def _flaw_of_file(store: BlobStore, digest: str, size: int) -> str:
    path = store.path(digest)
    if not path.is_file():
        return f"its bytes are missing: {path}"
    if path.stat().st_size != size or store.computed_digest(digest) != digest:
        return f"its bytes were changed: {path}"
    return ""


def _flaws_of_receipts(connection: Connection) -> Iterator[str]:
    """Give submissions that the audit log does not tell of in the same way."""
    told = {
        entry.object: (entry.digest, entry.details.get("content"))
        for entry in entries(connection)
        if entry.action == "submit"
    }
    table = schema.submission
    for row in connection.execute(sa.select(table).order_by(table.c.number)):
        if told.pop(row.id, None) != (row.receipt, row.content):
            yield f"submission {row.id}: the audit log contradicts it"
    for id in told:
        yield f"submission {id}: it is only in the audit log"


def _flaws_of_results(connection: Connection) -> Iterator[str]:
    table = schema.result
    for row in connection.execute(sa.select(table).order_by(table.c.submission, table.c.scorer)):
        if sha256(bytes(row.document)) != row.sha256:
            yield f"submission {row.submission}: its result of scorer {row.scorer[:12]} was changed"


def _flaws_of_jobs(connection: Connection) -> Iterator[str]:
    """Give submissions that nobody works on and that have come to no end."""
    own, job, result = schema.submission, schema.job, schema.result
    is_pending = (
        sa.select(job.c.id)
        .where(job.c.submission == own.c.id, job.c.state.in_(("waiting", "running")))
        .exists()
    )
    has_result = sa.select(result.c.scorer).where(result.c.submission == own.c.id).exists()
    is_open = (own.c.state == "waiting") | ((own.c.state == "accepted") & ~has_result)
    stuck = sa.select(own.c.id, own.c.state).where(is_open, ~is_pending).order_by(own.c.number)
    for row in connection.execute(stuck):
        yield f"submission {row.id}: {row.state}, without a result, and no job is there for it"


def _remarks_on_jobs(connection: Connection, now: datetime) -> Iterator[str]:
    table = schema.job

    def count(*conditions: sa.ColumnElement[bool]) -> int:
        number = connection.scalar(sa.select(sa.func.count()).select_from(table).where(*conditions))
        return int(number or 0)

    if failed := count(table.c.state == "failed"):
        yield f"{counted(failed, 'job')} failed; the organisers' page says why, and can score again"
    if waiting := count(table.c.state == "waiting"):
        yield f"{counted(waiting, 'job')} waiting for a worker"
    if late := count(table.c.state == "running", table.c.lease < now):
        yield f"{counted(late, 'job')} without a worker; another worker will take over"


def _remarks_on_folder(folder: Path) -> Iterator[str]:
    """Give ways in which gold may get out."""
    resolved = folder.resolve()
    for parent in (resolved, *resolved.parents):
        config = parent / ".git" / "config"
        if config.is_file() and '[remote "' in config.read_text("utf-8", errors="replace"):
            yield (
                f"{folder} is in the Git repository {parent}, which has a remote: gold that is "
                "committed once stays in its history; move the folder"
            )
    if folder.stat().st_mode & 0o007:
        yield f"{folder} is open to all users of this machine; `chmod o= {folder}` closes it"


# ---------------------------------------------------------------------- start


def clean_up(database: Database, store: BlobStore, now: datetime) -> list[str]:
    """Remove what a crash left: uploads that were cut off, and old files without a submission.

    For the start of a server, while no other one works on the folder. Leases that ran out need
    nothing: the next worker takes such jobs. Returns the names of what was removed.
    """
    with database.read() as connection:
        known = list(connection.scalars(sa.select(schema.submission.c.content)))
    removed = store.remove_leftovers(known, now)
    if removed:
        with database.write() as connection:
            details = {"removed": removed}
            add_entry(connection, SERVER, "remove what a crash left", "", details, now=now)
    return removed

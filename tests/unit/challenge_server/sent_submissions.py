"""Submissions in the database of a server, put there without a web process."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa

from treegauge.challenge_server import schema
from treegauge.challenge_server.blobs import BlobStore
from treegauge.challenge_server.database import Database
from treegauge.challenge_server.intake import accept
from treegauge.challenge_server.permissions import Visitor
from treegauge.challenges import ChallengeFolder
from treegauge.challenges.packs import zip_bytes
from treegauge.challenges.system_file import name_key

IN_MEMORY = Path("/dev/shm")
"""Where a sync costs nothing."""
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


@contextmanager
def quick_folder() -> Iterator[Path]:
    """Give a folder for databases that are written often; in memory, where that can be had."""
    inside = IN_MEMORY if IN_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="treegauge-test-", dir=inside) as name:
        yield Path(name)


def add_team(database: Database, name: str) -> str:
    """Add a team with one member; return its id, which is the member's too."""
    id = schema.new_id()
    with database.write() as connection:
        team = {"id": id, "name": name, "name_key": name_key(name), "created": LONG_AGO}
        connection.execute(sa.insert(schema.team).values(**team))
        connection.execute(sa.insert(schema.account).values(**team, role="member"))
        connection.execute(sa.insert(schema.member).values(account=id, team=id, joined=LONG_AGO))
    return id


def zipped(folder: Path) -> bytes:
    """Return the zip of a submission that is a folder."""
    return zip_bytes({path.name: path.read_bytes() for path in sorted(folder.iterdir())})


def send(
    database: Database,
    team: str,
    content: bytes,
    *,
    now: datetime,
    track: str = "dependencies",
    phase: str = "test",
) -> str:
    """Keep an upload and note its job; return the id of the submission."""
    with BlobStore(database.server_folder).receive() as incoming:
        incoming.write(content)
        blob = incoming.keep()
    visitor = Visitor("member", account=team, team=team)
    receipt = accept(
        database,
        ChallengeFolder(database.folder).challenge,
        visitor,
        blob,
        track=track,
        began=now,
        ended=now,
        phase=phase,
    )
    return receipt.submission


def row_of(database: Database, table: sa.Table, **where: object) -> sa.Row:
    """Return the one row of a table that fits."""
    condition = sa.and_(sa.true(), *(table.c[name] == value for name, value in where.items()))
    with database.read() as connection:
        return connection.execute(sa.select(table).where(condition)).one()


def rows_of(database: Database, table: sa.Table) -> list[sa.Row]:
    """Return all rows of a table."""
    with database.read() as connection:
        return list(connection.execute(sa.select(table)))

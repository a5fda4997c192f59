"""The audit log, and what it tells of those who change it."""

from __future__ import annotations

import sqlalchemy as sa

from tests.unit.challenge_server.served_challenge import NOW, Served
from treegauge.challenge_server import schema
from treegauge.challenge_server.audit import (
    BEGINNING,
    add_entry,
    entries,
    flaws_of_chain,
    head,
)


def fill(served: Served) -> None:
    with served.database.write() as connection:
        assert head(connection) == BEGINNING
        for number in range(1, 5):
            add_entry(connection, "anna", "do", f"thing {number}", {"é": number}, now=NOW)


def changed(served: Served, statement: sa.sql.Executable) -> list[str]:
    with served.database.write() as connection:
        connection.execute(statement)
        return flaws_of_chain(connection)


def test_every_row_follows_from_the_one_before(served_on_both: Served) -> None:
    fill(served_on_both)
    with served_on_both.database.read() as connection:
        rows = list(entries(connection))
        assert flaws_of_chain(connection) == []
        assert head(connection) == rows[-1].digest
        assert [row.number for row in entries(connection, last=2)] == [3, 4]
        assert [row.number for row in entries(connection, last=2, before=3)] == [1, 2]
    assert [row.number for row in rows] == [1, 2, 3, 4]
    assert rows[0].previous == BEGINNING
    assert [row.previous for row in rows[1:]] == [row.digest for row in rows[:-1]]
    assert rows[2].details == {"é": 3}
    assert {row.time for row in rows} == {NOW}


def test_a_changed_row_is_named(served: Served) -> None:
    fill(served)
    table = schema.audit
    statement = sa.update(table).where(table.c.number == 2).values(actor="bo")
    assert changed(served, statement) == ["audit log: row 2 was changed"]


def test_a_row_changed_with_its_sum_breaks_the_chain(served: Served) -> None:
    fill(served)
    table = schema.audit
    with served.database.read() as connection:
        second = list(entries(connection))[1]
    forged = type(second)(**{**vars(second), "actor": "bo"}).computed_digest()
    statement = sa.update(table).where(table.c.number == 2).values(actor="bo", digest=forged)
    assert changed(served, statement) == ["audit log: row 3 does not follow from the one before"]


def test_a_row_that_was_removed_is_missed(served: Served) -> None:
    fill(served)
    table = schema.audit
    assert changed(served, sa.delete(table).where(table.c.number == 3)) == [
        "audit log: row 3 is missing; the next one is 4",
        "audit log: row 4 does not follow from the one before",
    ]

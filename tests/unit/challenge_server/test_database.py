"""Transactions, schema numbers, and what stops a database from being opened."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tests.unit.challenge_server.served_challenge import NOW, Served, write_challenge
from treegauge.challenge_server import database as database_module, schema
from treegauge.challenge_server.accounts import account_by_name, add_team, team_by_id, teams
from treegauge.challenge_server.database import (
    MIGRATIONS,
    SQLITE_FILE,
    Database,
    read_setting,
    set_setting,
)
from treegauge.challenge_server.errors import DatabaseAwayError, DiskFullError, ServerError
from treegauge.challenge_server.file_systems import network_file_system
from treegauge.challenge_server.permissions import PUBLIC
from treegauge.challenge_server.signing_in import visitor_of_session


def test_what_goes_wrong_in_the_middle_leaves_nothing(served_on_both: Served) -> None:
    database = served_on_both.database

    def fail() -> None:
        with database.write() as connection:
            add_team(connection, "blue", actor="shell", now=NOW)
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    with database.read() as connection:
        assert teams(connection) == []


def test_readers_see_one_state(served_on_both: Served) -> None:
    database = served_on_both.database
    with database.read() as reader:
        before = read_setting(reader, "address")
        with database.write() as writer:
            set_setting(writer, "address", "there")
        assert read_setting(reader, "address") == before
    with database.read() as reader:
        assert read_setting(reader, "address") == "there"


def test_readers_cannot_write(served_on_both: Served) -> None:
    database = served_on_both.database
    if database.is_sqlite:
        with database.read() as connection:
            set_setting(connection, "address", "there")
    else:
        with pytest.raises(sa.exc.InternalError), database.read() as connection:
            set_setting(connection, "address", "there")
    with database.read() as connection:
        assert read_setting(connection, "address") is None


def test_counts_stay_true_until_they_are_written(served_on_both: Served) -> None:
    database = served_on_both.database

    def add_one() -> None:
        with database.write() as connection:
            number = int(read_setting(connection, "number") or 0)
            set_setting(connection, "number", str(number + 1))

    threads = [threading.Thread(target=add_one) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.read() as connection:
        assert read_setting(connection, "number") == "40"


def test_a_busy_database_is_away_and_not_broken(
    served_on_both: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "_WAIT", 1)
    first = served_on_both.database
    second = Database(first.folder, first.url)
    with first.write(), pytest.raises(DatabaseAwayError) as away, second.write():
        pass
    assert away.value.status == 503
    with second.write() as connection:
        set_setting(connection, "address", "there")
    second.close()


def test_faults_of_ours_are_not_taken_for_a_database_that_is_away(
    served_on_both: Served,
) -> None:
    with (
        pytest.raises(sa.exc.DBAPIError, match="no_such_table"),
        served_on_both.database.read() as connection,
    ):
        connection.exec_driver_sql("SELECT * FROM no_such_table")


@pytest.mark.parametrize("text", ["a\x00b", "\ud800", "b" * 5_000_000])
def test_texts_that_no_database_keeps_are_no_fault_of_ours(
    served_on_both: Served, text: str
) -> None:
    """PostgreSQL has no NUL, and nobody has half a character."""

    def status() -> int:
        try:
            with served_on_both.database.read() as connection:
                assert account_by_name(connection, text) is None
                assert team_by_id(connection, text) is None
                assert visitor_of_session(connection, text, NOW) == PUBLIC
        except ServerError as error:
            return error.status
        return 404

    assert status() in (400, 404)


def test_a_database_without_room_says_so(served: Served) -> None:
    def fill() -> None:
        with served.database.write() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 1")
            set_setting(connection, "address", "x" * 1_000_000)

    with pytest.raises(DiskFullError, match="the disk of the database is full") as full:
        fill()
    assert full.value.status == 507


def test_sqlite_is_safe_against_a_loss_of_power(served: Served) -> None:
    with served.database.read() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_nobody_else_reads_the_database(served: Served) -> None:
    folder = served.database.server_folder
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o077 for file in folder.rglob("*")} == {0}


# ---------------------------------------------------------------------- schema


def test_a_newer_schema_is_refused(served_on_both: Served) -> None:
    database = served_on_both.database
    with database.write() as connection:
        set_setting(connection, "schema", "99")
    url = None if database.is_sqlite else database.url.render_as_string(hide_password=False)
    with pytest.raises(ServerError, match="its schema is 99, and this treegauge knows 1"):
        Database.open(database.folder, url)


def test_a_database_of_another_challenge_is_refused(served_on_both: Served) -> None:
    database = served_on_both.database
    with database.write() as connection:
        set_setting(connection, "challenge", "other")
    url = None if database.is_sqlite else database.url.render_as_string(hide_password=False)
    with pytest.raises(ServerError, match="the database of the challenge 'other'"):
        Database.open(database.folder, url)


def _add_colour(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE team ADD COLUMN colour TEXT")


def _fail(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE team ADD COLUMN mistake TEXT")
    raise RuntimeError


def test_steps_are_taken_once_and_a_copy_is_kept(served_on_both: Served) -> None:
    database = served_on_both.database
    with database.write() as connection:
        add_team(connection, "blue", actor="shell", now=NOW)
    url = None if database.is_sqlite else database.url.render_as_string(hide_password=False)
    for _ in range(2):
        newer = Database.open(database.folder, url, migrations=(*MIGRATIONS, _add_colour))
        with newer.read() as connection:
            assert read_setting(connection, "schema") == "2"
            columns = {one["name"] for one in sa.inspect(connection).get_columns("team")}
            assert "colour" in columns
            assert [team.name for team in teams(connection)] == ["blue"]
        newer.close()
    if database.is_sqlite:
        copy = sqlite3.connect(database.server_folder / "before-schema-2.sqlite")
        assert copy.execute("SELECT name FROM team").fetchall() == [("blue",)]
        copy.close()


def test_a_step_that_fails_is_not_taken_in_part(served_on_both: Served) -> None:
    database = served_on_both.database
    url = None if database.is_sqlite else database.url.render_as_string(hide_password=False)
    with pytest.raises(RuntimeError):
        Database.open(database.folder, url, migrations=(*MIGRATIONS, _add_colour, _fail))
    with database.read() as connection:
        assert read_setting(connection, "schema") == "1"
        columns = {one["name"] for one in sa.inspect(connection).get_columns("team")}
    assert not {"colour", "mistake"} & columns


SCHEMA_1 = Path(__file__).with_name("schema_1.sql")


def test_databases_of_every_schema_are_brought_up_to_date(tmp_path: Path) -> None:
    write_challenge(tmp_path / "served")
    server = tmp_path / "served" / "server"
    server.mkdir()
    old = sqlite3.connect(server / SQLITE_FILE)
    old.executescript(SCHEMA_1.read_text(encoding="utf-8"))
    old.close()
    database = Database.open(tmp_path / "served")
    with database.read() as connection:
        inspector = sa.inspect(connection)
        for table in schema.metadata.sorted_tables:
            columns = {one["name"] for one in inspector.get_columns(table.name)}
            assert columns == {column.name for column in table.c}
        assert [team.name for team in teams(connection)] == ["blue"]
    database.close()


# ---------------------------------------------------------------------- opening


def test_a_folder_without_a_database_is_named_and_left_alone(tmp_path: Path) -> None:
    write_challenge(tmp_path / "served")
    with pytest.raises(ServerError, match=r"server: there is no database; `treegauge"):
        Database.open(tmp_path / "served", make=False)
    assert not (tmp_path / "served" / "server").exists()


def test_other_databases_are_refused(tmp_path: Path) -> None:
    write_challenge(tmp_path / "served")
    for url in ("mysql://localhost/x", "nonsense", "sqlite:///x.sqlite"):
        with pytest.raises(ServerError, match=r"expected an address such as postgresql://"):
            Database.open(tmp_path / "served", url)


def test_a_postgres_that_is_not_there_is_away(tmp_path: Path) -> None:
    write_challenge(tmp_path / "served")
    with pytest.raises(DatabaseAwayError, match="the database does not answer: ") as away:
        Database.open(tmp_path / "served", f"postgresql://me:secret@/x?host={tmp_path}")
    assert "secret" not in str(away.value)


def test_network_file_systems_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_challenge(tmp_path / "served")
    monkeypatch.setattr(database_module, "network_file_system", lambda _path: "nfs4")
    with pytest.raises(ServerError, match="it is on nfs4, a network file system"):
        Database.open(tmp_path / "served")


def test_the_innermost_mount_counts() -> None:
    mounts = (
        "1 0 8:1 / / rw shared:1 - ext4 /dev/a rw\n"
        "2 1 0:9 / /net rw - nfs4 host:/net rw\n"
        "3 2 0:9 / /net/local\\040disk rw - xfs /dev/b rw\n"
        "4 1 0:9 / /far rw - ext4 /dev/c rw\n"
        "5 1 0:9 / /far rw - fuse.sshfs host:/ rw\n"
    )
    kinds = {
        path: network_file_system(Path(path), mounts)
        for path in ("/", "/net", "/net/demo", "/net/local disk/demo", "/network", "/far/demo")
    }
    assert kinds == {
        "/": "",
        "/net": "nfs4",
        "/net/demo": "nfs4",
        "/net/local disk/demo": "",
        "/network": "",
        "/far/demo": "fuse.sshfs",
    }

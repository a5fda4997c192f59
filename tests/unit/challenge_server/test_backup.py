"""Backups, restoring, the doctor, and the start after a crash."""

from __future__ import annotations

import io
import json
import os
import subprocess
import tarfile
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tests.postgres import PostgresServer
from tests.unit.challenge_server.served_challenge import NOW, PASSWORD, Served, serve
from treegauge.challenge_server import schema
from treegauge.challenge_server.accounts import withdraw_team
from treegauge.challenge_server.audit import entries
from treegauge.challenge_server.backup import row_of_line, table_lines, write_backup
from treegauge.challenge_server.blobs import BlobStore
from treegauge.challenge_server.database import MIGRATIONS, Database, read_setting, set_setting
from treegauge.challenge_server.doctor import clean_up, diagnose
from treegauge.challenge_server.errors import ServerError
from treegauge.challenge_server.intake import accept
from treegauge.challenge_server.phases import extend_phase
from treegauge.challenge_server.restore import restore_backup
from treegauge.challenges.packs import sha256


def fill(served: Served) -> None:
    """Put something into every table."""
    anna, bo = served.team("blue"), served.team("Ünï — 'green'")
    for visitor, content in ((anna, b"one"), (anna, b"two"), (bo, b"one")):
        served.send(visitor, content)
    with served.database.write() as connection:
        extend_phase(
            *(connection, served.challenge, "test", NOW + timedelta(days=20)),
            account=anna.account,
            now=NOW,
        )
        withdraw_team(connection, bo.team, actor=anna.account, now=NOW)
        table = schema.submission
        connection.execute(sa.update(table).values(state="accepted", decided=NOW))
        for row in connection.execute(sa.select(table.c.id)).all():
            document = b'{"\xc3\xa9": 1}\x00\xff' + row.id.encode()
            connection.execute(
                sa.insert(schema.result).values(
                    submission=row.id,
                    scorer="scorer",
                    document=document,
                    sha256=sha256(document),
                    created=NOW,
                )
            )
        connection.execute(sa.update(schema.job).values(state="done", finished=NOW))
        for path in ("index.html", "Index.html", "a/b.html", "a.html"):
            connection.execute(
                sa.insert(schema.board_page).values(
                    audience="public",
                    path=path,
                    shown_from=NOW,
                    media_type="text/html",
                    etag="x",
                    content=path.encode(),
                    built=NOW,
                )
            )
        set_setting(connection, "address", "http://127.0.0.1:8000")


def dump(database: Database) -> dict[str, list[bytes]]:
    with database.read() as connection:
        return {
            table.name: list(table_lines(connection, table))
            for table in schema.metadata.sorted_tables
        }


def test_sqlite_to_postgres_to_sqlite_gives_the_same_bytes(
    served: Served, tmp_path: Path, postgres_server: PostgresServer
) -> None:
    fill(served)
    first, second, third = (tmp_path / f"{number}.tar" for number in (1, 2, 3))
    write_backup(served.database, first)
    on_postgres = restore_backup(first, tmp_path / "copy", postgres_server.new_database())
    assert dump(on_postgres) == dump(served.database)
    assert diagnose(on_postgres, BlobStore(on_postgres.server_folder), NOW).flaws == []
    write_backup(on_postgres, second)
    on_postgres.close()
    back = restore_backup(second, tmp_path / "back")
    assert dump(back) == dump(served.database)
    write_backup(back, third)
    back.close()
    assert first.read_bytes() == second.read_bytes() == third.read_bytes()


def test_rows_are_written_as_they_are(served: Served) -> None:
    fill(served)
    with served.database.read() as connection:
        for table in schema.metadata.sorted_tables:
            own = connection.execute(sa.select(table)).all()
            lines = [row_of_line(line) for line in table_lines(connection, table)]
            assert len(lines) == len(own) > 0 or table.name in ("session", "token")
        documents = {
            row["document"] for row in map(row_of_line, table_lines(connection, schema.result))
        }
        assert documents == set(connection.scalars(sa.select(schema.result.c.document)))


def test_a_backup_is_private_and_has_no_secret_but_gold(served: Served, tmp_path: Path) -> None:
    fill(served)
    backup = write_backup(served.database, tmp_path / "demo.tar")
    assert backup.file.stat().st_mode & 0o777 == 0o600
    assert backup.submissions == 2
    content = backup.file.read_bytes()
    assert PASSWORD.encode() not in content
    assert b"folder/salt.txt" in content


def test_a_backup_while_others_write_is_of_one_moment(served: Served, tmp_path: Path) -> None:
    anna = served.team("blue")
    stop = threading.Event()

    def send() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            served.send(anna, b"%d" % number)

    writer = threading.Thread(target=send)
    writer.start()
    try:
        for number in range(3):
            write_backup(served.database, tmp_path / f"{number}.tar")
    finally:
        stop.set()
        writer.join()
    for number in range(3):
        copy = restore_backup(tmp_path / f"{number}.tar", tmp_path / f"copy{number}")
        assert diagnose(copy, BlobStore(copy.server_folder), NOW).flaws == []
        copy.close()


def test_packs_come_along_wherever_they_lie(served: Served, tmp_path: Path) -> None:
    folder = served.database.folder
    pack = b"a zip"
    (folder / "gold").mkdir()
    (folder / "gold" / "record.json").write_text(
        json.dumps(
            {
                "packs": {
                    "served-release": {"kind": "release", "sha256": sha256(pack)},
                    "served-labels-test": {"kind": "test", "sha256": sha256(b"lost")},
                }
            }
        )
    )
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "served-release.zip").write_bytes(pack)
    first = write_backup(served.database, tmp_path / "1.tar", packs=[tmp_path / "elsewhere"])
    assert first.missing_packs == ("served-labels-test.zip",)
    copy = restore_backup(first.file, tmp_path / "copy")
    assert (tmp_path / "copy" / "packs" / "served-release.zip").read_bytes() == pack
    second = write_backup(copy, tmp_path / "2.tar")
    copy.close()
    assert first.file.read_bytes() == second.file.read_bytes()


def test_a_backup_never_lies_in_what_it_saves(served: Served) -> None:
    with pytest.raises(ServerError, match="name another place"):
        write_backup(served.database, served.database.folder / "demo.tar")


def test_links_in_the_folder_are_refused(served: Served, tmp_path: Path) -> None:
    (served.database.folder / "rules.md").symlink_to("/etc/passwd")
    with pytest.raises(ServerError, match=r"rules\.md: this is a link"):
        write_backup(served.database, tmp_path / "demo.tar")
    assert list(tmp_path.glob("*.tar")) == []


def test_a_place_that_cannot_be_written_is_named(served: Served, tmp_path: Path) -> None:
    with pytest.raises(ServerError, match="no such file or folder"):
        write_backup(served.database, tmp_path / "nowhere" / "demo.tar")


# ---------------------------------------------------------------------- restoring


def test_only_empty_places_are_restored_into(
    served: Served, tmp_path: Path, postgres_url: str
) -> None:
    fill(served)
    backup = tmp_path / "demo.tar"
    write_backup(served.database, backup)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").touch()
    with pytest.raises(ServerError, match="it is not empty; name a new folder"):
        restore_backup(backup, tmp_path / "full")
    (tmp_path / "empty").mkdir()
    restore_backup(backup, tmp_path / "empty", postgres_url).close()
    with pytest.raises(ServerError, match="it is not empty; name an empty database"):
        restore_backup(backup, tmp_path / "second", postgres_url)
    assert not (tmp_path / "second").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "demo.tar",
        "empty",
        "full",
        "served",
    ]


def test_a_backup_of_an_older_schema_is_brought_up_to_date(
    served_on_both: Served, tmp_path: Path, postgres_server: PostgresServer
) -> None:
    fill(served_on_both)
    write_backup(served_on_both.database, tmp_path / "old.tar")

    def add_colour(connection: Connection) -> None:
        connection.exec_driver_sql("ALTER TABLE team ADD COLUMN colour TEXT DEFAULT 'grey'")

    url = postgres_server.new_database() if served_on_both.database.is_sqlite else None
    newer = restore_backup(
        tmp_path / "old.tar", tmp_path / "copy", url, migrations=(*MIGRATIONS, add_colour)
    )
    with newer.read() as connection:
        assert read_setting(connection, "schema") == "2"
        colours = connection.exec_driver_sql("SELECT name, colour FROM team ORDER BY name").all()
    assert [tuple(row) for row in colours] == [("blue", "grey"), ("Ünï — 'green'", "grey")]
    newer.close()


def rewritten(
    source: Path, target: Path, change: Callable[[tarfile.TarInfo, bytes], bytes]
) -> Path:
    """Write a backup anew, with some members changed."""
    with tarfile.open(source) as old, tarfile.open(target, "w") as new:
        for member in old:
            stream = old.extractfile(member)
            assert stream is not None
            content = change(member, stream.read())
            member.size = len(content)
            new.addfile(member, io.BytesIO(content))
    return target


def _renamed(name: str) -> Callable[[tarfile.TarInfo, bytes], bytes]:
    def change(member: tarfile.TarInfo, content: bytes) -> bytes:
        if member.name.startswith("blobs/"):
            member.name = name
        return content

    return change


def _newer(member: tarfile.TarInfo, content: bytes) -> bytes:
    return content.replace(b'"schema": 1', b'"schema": 9') if "backup" in member.name else content


def _other_row(member: tarfile.TarInfo, content: bytes) -> bytes:
    return content.replace(b"blue", b"gold") if member.name == "tables/team.jsonl" else content


def _link(member: tarfile.TarInfo, content: bytes) -> bytes:
    if member.name == "folder/salt.txt":
        member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
        return b""
    return content


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_renamed("../../evil"), "is not a name that backups contain"),
        (_renamed("/etc/evil"), "is not a name that backups contain"),
        (_renamed("folder/../../evil"), "is not a name that backups contain"),
        (_renamed("folder/server/challenge.sqlite"), "is not a name that backups contain"),
        (_renamed("blobs/evil"), "is not a name that backups contain"),
        (_renamed("tables/evil.jsonl"), "is not a name that backups contain"),
        (_renamed("folder/salt.txt"), "is not a plain file"),
        (_newer, "a newer version of treegauge wrote this backup"),
        (_other_row, "its checksums are wrong"),
        (_link, "is not a plain file"),
    ],
)
def test_hostile_and_damaged_backups_are_refused_and_leave_nothing(
    served: Served, tmp_path: Path, change: Callable[[tarfile.TarInfo, bytes], bytes], why: str
) -> None:
    served.send(served.team("blue"), b"one")
    write_backup(served.database, tmp_path / "good.tar")
    bad = rewritten(tmp_path / "good.tar", tmp_path / "bad.tar", change)
    with pytest.raises(ServerError, match=why):
        restore_backup(bad, tmp_path / "deep" / "copy")
    assert list((tmp_path / "deep").iterdir()) == []
    assert list(tmp_path.rglob("evil*")) == []


def test_a_backup_that_was_cut_off_is_refused(served: Served, tmp_path: Path) -> None:
    served.send(served.team("blue"), b"one" * 10_000)
    whole = write_backup(served.database, tmp_path / "good.tar").file.read_bytes()
    for length in (0, 100, 1000, len(whole) // 2, len(whole) - 15_000):
        (tmp_path / "bad.tar").write_bytes(whole[:length])
        with pytest.raises(ServerError, match="this is not a complete backup"):
            restore_backup(tmp_path / "bad.tar", tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


# ---------------------------------------------------------------------- the doctor


def flaws(served: Served) -> list[str]:
    return diagnose(served.database, served.store, NOW).flaws


def change(served: Served, statement: sa.sql.Executable) -> None:
    with served.database.write() as connection:
        connection.execute(statement)


def test_a_sound_server_has_no_flaws(served_on_both: Served) -> None:
    fill(served_on_both)
    found = diagnose(served_on_both.database, served_on_both.store, NOW)
    assert found.flaws == []
    assert (found.submissions, found.results) == (3, 3)


def test_bytes_that_are_gone_or_changed_are_named(served: Served) -> None:
    anna = served.team("blue")
    gone, changed_, longer = (served.send(anna, content) for content in (b"one", b"two", b"ten"))
    served.store.path(gone.content).unlink()
    served.store.path(changed_.content).write_bytes(b"owt")
    served.store.path(longer.content).write_bytes(b"ten ")
    assert [flaw.split(": /")[0] for flaw in flaws(served)] == [
        f"submission {gone.submission}: its bytes are missing",
        f"submission {changed_.submission}: its bytes were changed",
        f"submission {longer.submission}: its bytes were changed",
    ]


def test_a_submission_that_was_slipped_in_or_taken_out_is_named(served: Served) -> None:
    anna = served.team("blue")
    first, second = served.send(anna, b"one"), served.send(anna, b"two")
    table = schema.submission
    change(served, sa.update(table).where(table.c.id == first.submission).values(receipt="x"))
    assert flaws(served) == [f"submission {first.submission}: the audit log contradicts it"]
    change(served, sa.delete(schema.job).where(schema.job.c.submission == second.submission))
    change(served, sa.delete(table).where(table.c.id == second.submission))
    assert f"submission {second.submission}: it is only in the audit log" in flaws(served)


def test_a_result_that_was_changed_is_named(served: Served) -> None:
    fill(served)
    table = schema.result
    with served.database.read() as connection:
        id = connection.scalar(sa.select(sa.func.min(table.c.submission)))
    change(served, sa.update(table).where(table.c.submission == id).values(document=b"100.0"))
    assert flaws(served) == [f"submission {id}: its result of scorer scorer was changed"]


def test_a_submission_that_nobody_works_on_is_named(served: Served) -> None:
    id = served.send(served.team("blue"), b"one").submission
    assert flaws(served) == []
    change(served, sa.update(schema.job).values(state="failed"))
    assert flaws(served) == [
        f"submission {id}: waiting, without a result, and no job is there for it"
    ]


def test_a_changed_audit_log_is_named(served: Served) -> None:
    served.team("blue")
    change(served, sa.update(schema.audit).where(schema.audit.c.number == 1).values(actor="x"))
    assert flaws(served) == ["audit log: row 1 was changed"]


def test_ways_for_gold_to_get_out_are_remarked(tmp_path: Path) -> None:
    served = serve(tmp_path / "work" / "served")
    served.database.folder.chmod(0o755)
    subprocess.run(["git", "init", "-q", tmp_path / "work"], check=True)
    with (tmp_path / "work" / ".git" / "config").open("a") as config:
        config.write('[remote "origin"]\n\turl = https://example.org/public\n')
    found = diagnose(served.database, served.store, NOW)
    assert found.flaws == []
    assert any("which has a remote" in remark for remark in found.remarks)
    assert any("is open to all users of this machine" in remark for remark in found.remarks)
    served.database.close()


def test_orphans_and_jobs_are_remarked(served: Served) -> None:
    anna = served.team("blue")
    served.send(anna, b"one")
    served.blob(b"an orphan")
    change(
        served,
        sa.update(schema.job).values(state="running", lease=NOW - timedelta(minutes=1)),
    )
    remarks = diagnose(served.database, served.store, NOW).remarks
    assert any("1 job without a worker" in remark for remark in remarks)
    assert any("1 file in " in remark for remark in remarks)


# ---------------------------------------------------------------------- start


def test_a_start_puts_away_what_a_crash_left_and_nothing_else(served: Served) -> None:
    now = datetime.now(UTC)
    anna = served.team("blue")
    kept = served.send(anna, b"one").content
    orphan = served.blob(b"an orphan").sha256
    (served.store.incoming / "half").write_bytes(b"ha")
    for digest in (kept, orphan):
        long_ago = (now - timedelta(days=2)).timestamp()
        os.utime(served.store.path(digest), (long_ago, long_ago))
    assert clean_up(served.database, served.store, now) == ["half", orphan]
    assert clean_up(served.database, served.store, now) == []
    assert list(served.store.digests()) == [kept]
    with served.database.read() as connection:
        last = list(entries(connection))[-1]
    assert (last.actor, last.details) == ("server", {"removed": ["half", orphan]})


def test_an_orphan_whose_answer_was_lost_before_the_commit_can_be_sent_again(
    served: Served,
) -> None:
    anna = served.team("blue")
    blob = served.blob(b"one")
    clean_up(served.database, served.store, datetime.now(UTC))
    receipt = accept(
        *(served.database, served.challenge, anna, blob),
        track="dependencies",
        began=NOW,
        ended=NOW,
    )
    assert receipt.is_new
    assert flaws(served) == []

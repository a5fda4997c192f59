"""Many writers and readers, in several processes, while a backup is written."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.unit.challenge_server.served_challenge import NOW, Served
from treegauge.challenge_server import schema
from treegauge.challenge_server.audit import flaws_of_chain
from treegauge.challenge_server.backup import write_backup
from treegauge.challenge_server.doctor import diagnose
from treegauge.challenge_server.intake import quota_use
from treegauge.challenge_server.phases import phase_named

WRITERS, READERS, UPLOADS = 16, 16, 2

ANOTHER_PROCESS = """
import sys
from pathlib import Path
from datetime import datetime
from treegauge.challenge_server.audit import add_entry
from treegauge.challenge_server.database import Database
database = Database.open(sys.argv[1], sys.argv[2] or None)
for number in range(int(sys.argv[3])):
    with database.write() as connection:
        now = datetime.fromisoformat(sys.argv[4])
        add_entry(connection, "worker", "count", str(number), now=now)
database.close()
"""


@pytest.mark.long
def test_nobody_hears_that_the_database_is_locked(
    served_on_both: Served, tmp_path: Path, database_url: str | None
) -> None:
    served = served_on_both
    anna = served.team("blue")
    troubles: list[BaseException] = []
    stop = threading.Event()
    arguments = [str(served.database.folder), database_url or "", "20", NOW.isoformat()]
    other = subprocess.Popen([sys.executable, "-c", ANOTHER_PROCESS, *arguments])

    def write(name: int) -> None:
        try:
            for number in range(UPLOADS):
                served.send(anna, b"%d %d" % (name, number))
        except BaseException as error:
            troubles.append(error)

    def read() -> None:
        try:
            while not stop.is_set():
                with served.database.read() as connection:
                    use = quota_use(
                        connection, anna.team, phase_named(served.challenge, "test"), NOW
                    )
                    jobs = connection.scalar(sa.select(sa.func.count()).select_from(schema.job))
                    assert use.total == jobs
                stop.wait(0.05)
        except BaseException as error:
            troubles.append(error)

    writers = [threading.Thread(target=write, args=(name,)) for name in range(WRITERS)]
    readers = [threading.Thread(target=read) for _ in range(READERS)]
    for thread in (*writers, *readers):
        thread.start()
    write_backup(served.database, tmp_path / "demo.tar")
    for thread in writers:
        thread.join()
    stop.set()
    for thread in readers:
        thread.join()
    assert other.wait(60) == 0
    assert troubles == []
    with served.database.read() as connection:
        assert flaws_of_chain(connection) == []
    found = diagnose(served.database, served.store, NOW)
    assert found.flaws == []
    assert found.submissions == WRITERS * UPLOADS

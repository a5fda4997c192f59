from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from treegauge import temporaries
from treegauge.temporaries import replacing, temporary_folder

# Waits in the middle of writing.
WRITER = """\
import sys, time
from pathlib import Path
from treegauge.temporaries import replacing, temporary_folder
from treegauge.formats.sources import write_chunks
folder = Path(sys.argv[1])
def chunks():
    yield b"half of it"
    with temporary_folder(folder) as inner:
        (inner / "content").write_text("x")
        print("writing", flush=True)
        time.sleep(60)
write_chunks(folder / "out.conllu", chunks())
"""


@pytest.fixture(autouse=True)
def _forget_what_was_swept():
    temporaries._sweep.cache_clear()


@pytest.fixture
def writer(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "writing\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def write(path: Path, text: str = "whole") -> None:
    with replacing(path) as temporary:
        temporary.write_text(text)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_temporaries_of_a_killed_process_lay_there_for_ever(writer, tmp_path) -> None:
    (tmp_path / ".mine.part").write_text("somebody's own")
    writer.send_signal(signal.SIGKILL)
    os.waitid(os.P_PID, writer.pid, os.WEXITED | os.WNOWAIT)  # it stays a zombie
    left = names(tmp_path) - {".mine.part"}
    assert len(left) == 2
    assert all(re.fullmatch(r"\.\w+(\.conllu)?\.[0-9a-f]{8}-\d+-\d+-.*\.part", one) for one in left)
    write(tmp_path / "next")
    assert names(tmp_path) == {"next", ".mine.part"}


def test_temporaries_of_a_living_process_stay(writer, tmp_path) -> None:
    before = names(tmp_path)
    write(tmp_path / "next")
    assert names(tmp_path) == {*before, "next"}


def test_a_number_that_was_given_to_another_process_is_no_owner(tmp_path) -> None:
    machine, pid = temporaries._machine(), os.getpid()
    of_an_earlier = tmp_path / f".a.{machine}-{pid}-1-x.part"
    of_this = tmp_path / f".a.{machine}-{pid}-{temporaries._beginning(pid)}-x.part"
    for path in (of_an_earlier, of_this):
        path.touch()
    write(tmp_path / "next")
    assert names(tmp_path) == {"next", of_this.name}


def test_temporaries_of_other_machines_stay_for_a_month(tmp_path) -> None:
    fresh, old = (tmp_path / f".a.00000000-{2**31 - 1}-1-{one}.part" for one in ("b", "c"))
    for path, days in ((fresh, 29), (old, 31)):
        path.touch()
        moment = time.time() - days * 24 * 3600
        os.utime(path, (moment, moment))
    write(tmp_path / "next")
    assert names(tmp_path) == {"next", fresh.name}


def test_a_link_in_place_of_a_temporary_is_not_followed(tmp_path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("x")
    link = tmp_path / f".a.{temporaries._machine()}-{2**31 - 1}-1-x.part"
    link.symlink_to(precious)
    write(tmp_path / "next")
    assert not link.is_symlink()
    assert (precious / "file").read_text() == "x"


def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path) -> None:
    write(tmp_path / "file", "old")
    with pytest.raises(FileNotFoundError), replacing(tmp_path / "file") as temporary:
        temporary.with_name("no file").read_text()
    assert (tmp_path / "file").read_text() == "old"
    assert names(tmp_path) == {"file"}


def test_long_names_and_modes(tmp_path) -> None:
    path = tmp_path / ("ä" * 127)
    write(path)
    assert path.read_text() == "whole"
    (tmp_path / "plain").touch()
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_folder_is_for_a_while_and_for_nobody_else(tmp_path) -> None:
    with temporary_folder(tmp_path) as folder:
        assert folder.parent == tmp_path
        assert folder.stat().st_mode & 0o077 == 0
    assert names(tmp_path) == set()

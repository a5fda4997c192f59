"""What was sent: in which order it is made safe, and what is left of it after a crash."""

from __future__ import annotations

import errno
import hashlib
import os
from collections import namedtuple
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from treegauge.challenge_server.blobs import Blob, BlobStore, Points, SystemCalls
from treegauge.challenge_server.errors import DiskFullError

NOW = datetime.now(UTC)


class Recorder(Points, SystemCalls):
    """Notes calls and points in their order."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def reached(self, name: str) -> None:
        self.calls.append(name)

    def sync_file(self, number: int) -> None:
        self.calls.append("fsync")
        super().sync_file(number)

    def rename(self, source: Path, target: Path) -> None:
        self.calls.append("rename")
        super().rename(source, target)

    def sync_folder(self, folder: Path) -> None:
        self.calls.append(f"fsync {'blobs' if folder.name == 'blobs' else 'folder'}")
        super().sync_folder(folder)


class Stop(BaseException):
    """Stands for the end of the process."""


class StopAt(Points):
    """Ends at a point."""

    def __init__(self, name: str) -> None:
        self.name = name

    def reached(self, name: str) -> None:
        if name == self.name:
            raise Stop


def kept(store: BlobStore, *pieces: bytes) -> Blob:
    with store.receive() as incoming:
        for piece in pieces:
            incoming.write(piece)
        return incoming.keep()


def test_a_file_is_called_by_its_sum(tmp_path: Path) -> None:
    store = BlobStore(tmp_path / "server")
    blob = kept(store, b"one ", b"two")
    digest = hashlib.sha256(b"one two").hexdigest()
    assert blob == Blob(digest, 7)
    assert store.path(digest).read_bytes() == b"one two"
    assert list(store.digests()) == [digest]
    assert store.computed_digest(digest) == digest
    assert store.used_bytes() == 7
    assert list(store.incoming.iterdir()) == []


def test_bytes_are_synced_before_they_are_renamed_and_their_folder_afterwards(
    tmp_path: Path,
) -> None:
    recorder = Recorder()
    store = BlobStore(tmp_path / "server", recorder, recorder)
    kept(store, b"one")
    first = ["written", "fsync", "synced", "fsync blobs", "rename", "renamed", "fsync folder"]
    assert recorder.calls == [*first, "folder synced"]
    recorder.calls.clear()
    kept(store, b"one")
    again = ["written", "fsync", "synced", "rename", "renamed", "fsync folder", "folder synced"]
    assert recorder.calls == again


@pytest.mark.parametrize("point", ["written", "synced", "renamed", "folder synced"])
def test_after_a_crash_at_any_point_a_file_is_whole_or_not_there(
    tmp_path: Path, point: str
) -> None:
    store = BlobStore(tmp_path / "server", StopAt(point))
    with pytest.raises(Stop):
        kept(store, b"one")
    restarted = BlobStore(tmp_path / "server")
    digest = hashlib.sha256(b"one").hexdigest()
    assert restarted.has(digest) == (point in ("renamed", "folder synced"))
    assert restarted.orphans([digest]) == []
    assert kept(restarted, b"one").sha256 == digest
    assert restarted.computed_digest(digest) == digest


def test_an_upload_that_is_not_kept_leaves_nothing(tmp_path: Path) -> None:
    store = BlobStore(tmp_path / "server")
    with store.receive() as incoming:
        incoming.write(b"one")
    assert [path for path in (tmp_path / "server").rglob("*") if path.is_file()] == []


def test_start_up_removes_what_was_cut_off_and_old_orphans(tmp_path: Path) -> None:
    store = BlobStore(tmp_path / "server")
    named, old, young = (kept(store, content).sha256 for content in (b"named", b"old", b"young"))
    (store.incoming / "abandoned").write_bytes(b"half")
    two_days_ago = (NOW - timedelta(days=2)).timestamp()
    for digest in (named, old):
        os.utime(store.path(digest), (two_days_ago, two_days_ago))
    assert set(store.orphans([named])) == {old, young}
    assert store.remove_leftovers([named], NOW) == ["abandoned", old]
    assert set(store.digests()) == {named, young}


def test_an_orphan_that_is_sent_again_is_young_again(tmp_path: Path) -> None:
    store = BlobStore(tmp_path / "server")
    digest = kept(store, b"one").sha256
    long_ago = (NOW - timedelta(days=9)).timestamp()
    os.utime(store.path(digest), (long_ago, long_ago))
    kept(store, b"one")
    assert store.remove_leftovers([], datetime.now(UTC)) == []


def test_names_that_are_no_sums_lead_nowhere(tmp_path: Path) -> None:
    store = BlobStore(tmp_path / "server")
    for name in ("../../challenge.toml", "ab" * 31, "AB" * 32, ""):
        with pytest.raises(ValueError, match="not a SHA-256"):
            store.path(name)


def test_a_disk_that_is_nearly_full_takes_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = BlobStore(tmp_path / "server")
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _path: usage(10**12, 10**12 - 10**6, 10**6))
    with pytest.raises(DiskFullError, match="nearly full") as refused, store.receive():
        pass
    assert refused.value.status == 507


def test_a_disk_that_fills_up_on_the_way_is_said_and_leaves_nothing(tmp_path: Path) -> None:
    class Full(SystemCalls):
        def sync_file(self, number: int) -> None:  # noqa: ARG002
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    store = BlobStore(tmp_path / "server", calls=Full())
    with pytest.raises(DiskFullError, match="no space left on device"):
        kept(store, b"one")
    assert [path for path in (tmp_path / "server").rglob("*") if path.is_file()] == []

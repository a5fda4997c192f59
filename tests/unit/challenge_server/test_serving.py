"""What would stop a server is said in sentences, before it is started."""

from __future__ import annotations

import json
import shutil
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.challenge_server.sent_submissions import quick_folder
from tests.unit.challenges.small_challenge import make_folder
from treegauge.challenge_server.blobs import BlobStore
from treegauge.challenge_server.database import DATABASE_VARIABLE, Database, set_setting
from treegauge.challenge_server.serving import (
    LOCK_FILE,
    ServerPlan,
    _locked,
    obstacles,
    process_plans,
)
from treegauge.challenges.packs import sha256


@pytest.fixture
def plan() -> Iterator[ServerPlan]:
    """A challenge that nothing stops."""
    with quick_folder() as place:
        folder = make_folder(place / "small", tokens=50)
        (place / "packs").mkdir()
        (place / "packs/small-release.zip").write_bytes(b"zip")
        packs = {"small-release": {"kind": "release", "id": "1", "sha256": sha256(b"zip")}}
        folder.record_file.write_text(json.dumps({"schema": 1, "packs": packs}))
        yield ServerPlan(folder.path, port=0)


def only(sentences: list[str]) -> str:
    (sentence,) = sentences
    assert "\n" not in sentence
    return sentence


def test_nothing_stops_a_good_server(plan) -> None:
    assert obstacles(plan) == []
    assert obstacles(plan) == []  # nothing that the first look did stops the second


def test_a_port_that_is_taken(plan) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        sentence = only(obstacles(replace(plan, port=port)))
    assert sentence.startswith(f"port {port} of 127.0.0.1 are not available: ")
    assert "--port" in sentence


def test_an_address_of_another_machine(plan) -> None:
    assert "are not available" in only(obstacles(replace(plan, host="192.0.2.1")))


def test_a_folder_that_cannot_be_written(plan) -> None:
    (plan.folder / "server").write_text("a file where the folder should be")
    assert "cannot be written" in only(obstacles(plan))


def test_packs_that_are_missing(plan) -> None:
    pack = plan.folder.parent / "packs/small-release.zip"
    pack.write_bytes(b"changed")
    assert "small-release.zip: not in " in only(obstacles(plan))
    (plan.folder / "gold/record.json").unlink()
    assert "there are no packs" in only(obstacles(plan))


def test_packs_in_another_folder(plan, tmp_path) -> None:
    pack = plan.folder.parent / "packs/small-release.zip"
    shutil.move(pack, tmp_path)
    assert obstacles(plan) != []
    assert obstacles(replace(plan, packs=(str(tmp_path),))) == []


def test_gold_that_is_missing(plan) -> None:
    (plan.folder / "gold/small-gold.zip").unlink()
    assert "there is no gold pack" in only(obstacles(plan))


def test_a_newer_schema(plan) -> None:
    database = Database.open(plan.folder)
    with database.write() as connection:
        set_setting(connection, "schema", "99")
    database.close()
    assert "its schema is 99" in only(obstacles(plan))


def test_a_second_server_on_the_folder(plan) -> None:
    (plan.folder / "server").mkdir()
    lock = _locked(plan.folder)
    try:
        assert (plan.folder / "server" / LOCK_FILE).exists()
        assert "another server works on this folder" in only(obstacles(plan))
    finally:
        lock.release()
    assert obstacles(plan) == []


def test_a_disk_that_is_nearly_full(plan, monkeypatch) -> None:
    monkeypatch.setattr(BlobStore, "free_bytes", lambda _self: 1000)
    assert "nearly full" in only(obstacles(plan))


def test_plain_http_for_others_is_refused(plan) -> None:
    sentence = only(obstacles(replace(plan, address="http://challenge.example.org")))
    assert "TLS proxy" in sentence


def test_several_obstacles_are_all_named(plan) -> None:
    (plan.folder / "gold/small-gold.zip").unlink()
    (plan.folder / "gold/record.json").unlink()
    assert len(obstacles(plan)) == 2


def test_a_folder_without_a_challenge(tmp_path) -> None:
    assert "challenge.toml" in only(obstacles(ServerPlan(tmp_path)))


def test_no_password_is_in_a_command_line(plan, monkeypatch) -> None:
    monkeypatch.setenv(DATABASE_VARIABLE, "")
    secret = "postgresql://olga:geheim@localhost/demo"
    plans = process_plans(replace(plan, workers=2, database=secret), 7)
    assert [one.name for one in plans] == ["web process", "worker 1", "worker 2"]
    assert not any("geheim" in word for one in plans for word in one.command)
    assert plans[0].files == (7,)


def test_folders_are_private(plan) -> None:
    assert obstacles(plan) == []
    assert Path(plan.folder / "server").stat().st_mode & 0o077 == 0

"""`treegauge challenge serve` as processes: from a link to a score, a kill, a backup, the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

INIT = "challenge init demo --treebanks toy:svo --open-now dependencies --quiet"


@pytest.fixture
def challenge(run, tmp_path) -> Path:
    """A challenge that is packed, and the submission of a team."""
    for command in (INIT, "challenge pack demo -o packs --quiet"):
        assert not run(*command.split()).returncode
    text = (tmp_path / "demo/challenge.toml").read_text(encoding="utf-8")
    # Scores are shown at once, so that a client can wait for them.
    opened = text.replace('scores = "after close"', 'scores = "at once"')
    (tmp_path / "demo/challenge.toml").write_text(opened, encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "packs/demo-dependencies-example.zip") as example:
        files = {name: example.read(name) for name in example.namelist()}
    said = files["system.toml"].replace(b'team = "organisers"', b'team = "blue"')
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as mine:
        for name, content in (files | {"system.toml": said}).items():
            mine.writestr(name, content)
    return tmp_path / "demo"


@pytest.fixture
def served(challenge) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server, and the address that it printed."""
    command = [sys.executable, "-m", "treegauge", "challenge", "serve", "demo", "--port", "0"]
    with subprocess.Popen(
        command, cwd=challenge.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        try:
            yield process, address
        finally:
            process.terminate()
            process.communicate()


def children(number: int) -> list[int]:
    text = Path(f"/proc/{number}/task/{number}/children").read_text(encoding="ascii")
    return [int(child) for child in text.split()]


def get(address: str, path: str) -> tuple[int, bytes]:
    connection = HTTPConnection(urlsplit(address).netloc, timeout=60)
    connection.request("GET", path)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, content


@pytest.mark.long
def test_a_submission_is_scored_by_a_server(run, served, challenge) -> None:
    process, address = served
    assert address.startswith("http://127.0.0.1:")
    link = run("challenge", "team", "add", "blue", "--folder", "demo").stdout.split()[0]
    assert link.startswith(f"{address}/join/")
    joined = run("challenge", "join", link, "--token-file", "token")
    assert joined.returncode == 0, joined.stderr
    # The web process is killed; who asks in the meantime waits for the next one.
    web = children(process.pid)[0]
    os.kill(web, signal.SIGKILL)
    status, _ = get(address, "/health")
    assert status == 200
    options = ("--track", "dependencies", "--token-file", "token")
    submitted = run("challenge", "submit", address, "mine.zip", *options)
    assert submitted.returncode == 0, submitted.stderr
    assert "uas" in submitted.stdout.lower()
    wait_for_board(address, b"blue")
    second = run("challenge", "serve", "demo", "--check", "--port", "0")
    assert second.returncode == 1
    assert "another server works on this folder" in second.stdout
    for command in ("backup demo -o demo.tar", "restore demo.tar copy", "doctor copy"):
        ended = run("challenge", *command.split())
        assert ended.returncode == 0, (command, ended.stdout, ended.stderr)
    process.send_signal(signal.SIGTERM)
    output, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert output == "demo: the server has ended\n"
    assert said.splitlines() == [
        "serving demo with 1 worker; Ctrl-C ends it",
        "web process ended with signal 9; it is started again",
    ]
    assert run("challenge", "serve", "demo", "--check", "--port", "0").returncode == 0


def wait_for_board(address: str, text: bytes) -> None:
    last = time.monotonic() + 60
    while text not in get(address, "/board/track-dependencies.html")[1]:
        assert time.monotonic() < last, "there is no board"
        time.sleep(0.2)


def test_what_stops_a_server_is_said_in_a_sentence(run, challenge) -> None:
    (challenge.parent / "packs/demo-release.zip").unlink()
    for command in ("serve demo --check --port 0", "serve demo --port 0"):
        ended = run("challenge", *command.split())
        assert ended.returncode == 1
        assert "demo-release.zip: not in " in ended.stdout + ended.stderr
        assert "Traceback" not in ended.stderr


def test_a_worker_needs_gold(run, challenge) -> None:
    (challenge / "gold/demo-gold.zip").unlink()
    ended = run("challenge", "worker", "demo")
    assert ended.returncode == 1
    assert "there is no gold pack" in ended.stderr

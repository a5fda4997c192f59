"""The commands of the server's chapter, typed one by one at a server in processes of its own."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import treegauge as tg
from tests.in_process import run_in_process

pytestmark = pytest.mark.long

PAGE = Path(__file__).parents[2] / "docs" / "challenge.md"


def documented_commands() -> list[str]:
    """Return the lines of the chapter that are typed into a shell."""
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def curl_command(address: str) -> str:
    """Return the command of the page that sends a submission without treegauge."""
    found = re.search(r"^    (curl .*?[^\\])$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1].replace("https://challenge.example.org", address)


def unit_commands() -> list[list[str]]:
    """Return what systemd is told to start."""
    lines = re.findall(r"^ExecStart=(.*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    return [shlex.split(line) for line in lines]


@pytest.fixture
def home(tmp_path) -> Path:
    """A challenge with its packs, and a submission of the team blue."""
    (tmp_path / "svo").mkdir()
    for part, tokens in (("train", 200), ("dev", 100), ("test", 150)):
        own = tg.toy_treebank("toy:svo", tokens=tokens, part=part)
        tg.write(own, tmp_path / "svo" / f"svo-{part}.conllu")
    for words in ("init demo --treebanks svo --open-now dependencies", "pack demo -o packs"):
        result = run_in_process(["challenge", *words.split()], folder=tmp_path)
        assert result.returncode == 0, result.stderr
    with (
        zipfile.ZipFile(tmp_path / "packs/demo-dependencies-example.zip") as example,
        zipfile.ZipFile(tmp_path / "ours.zip", "w") as ours,
    ):
        for name in example.namelist():
            content = example.read(name)
            if name == "system.toml":
                content = content.replace(b'team = "organisers"', b'team = "blue"')
            ours.writestr(name, content)
    return tmp_path


@pytest.fixture
def address(home) -> Iterator[str]:
    """The address of a running server."""
    program = [sys.executable, "-m", "treegauge", "challenge", "serve", "demo"]
    with subprocess.Popen(
        [*program, "--workers", "1", "--port", "0"],
        cwd=home,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.send_signal(signal.SIGTERM)
        assert process.wait(90) == 0


def test_every_line_of_the_chapter_works_as_shown(home, address):
    names = {"$URL": address, "$LINK": ""}
    commands = documented_commands()
    assert len(commands) >= 10
    for command in commands:
        if "challenge serve" in command:
            continue  # it is running; --check is below
        for name, value in names.items():
            command = command.replace(name, value)
        result = run_in_process(shlex.split(command)[1:], folder=home)
        assert result.returncode == 0, f"{command}\n{result.stdout}{result.stderr}"
        if link := re.search(r"http\S+/join/\S+", result.stdout):
            names["$LINK"] = link[0]
        if "challenge submit" in command:
            assert "it was accepted; scores are shown from" in result.stdout
    if shutil.which("curl") is None:
        pytest.skip("needs curl for the last command of the chapter")
    command = f"{curl_command(address)} --silent --show-error --fail-with-body"
    sent = subprocess.run(["bash", "-c", command], cwd=home, capture_output=True, text=True)
    assert sent.returncode == 0, sent.stdout + sent.stderr
    assert json.loads(sent.stdout)["schema"] == 1


def test_a_second_server_and_a_good_one_are_told_apart_by_check(home, address):
    words = ["challenge", "serve", "demo", "--check", "--port", "0"]
    second = run_in_process(words, folder=home)
    assert second.returncode == 1
    assert address
    assert "demo" in second.stdout


def test_units_of_systemd_start_commands_that_there_are(home):
    units = unit_commands()
    assert len(units) == 2
    for _, *words in units:
        words = [str(home / "demo") if word == "/srv/challenge/demo" else word for word in words]
        ending = ["--check", "--port", "0"] if "serve" in words else ["--help"]
        result = run_in_process([*words, *ending], folder=home)
        assert result.returncode == 0, result.stdout + result.stderr

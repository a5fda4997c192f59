"""`treegauge challenge organiser, team, backup, restore, doctor`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from unittest import mock

import pytest

from tests.unit.challenge_server.served_challenge import write_challenge
from treegauge.challenge_server.database import Database, set_setting

LINK = re.compile(r"http://127\.0\.0\.1:8000/join/[\w-]{43}\n")


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """A challenge that can be served."""
    write_challenge(tmp_path / "demo")
    return tmp_path / "demo"


@pytest.mark.usefixtures("demo")
def test_a_team_and_an_organiser_get_a_link_each(run) -> None:
    for words in (
        "organiser add Olga",
        "organiser add olga",
        "team add blue",
        "team invite BLUE",
    ):
        result = run("challenge", *words.split(), "--folder", "demo")
        assert result.returncode == 0
        assert LINK.fullmatch(result.stdout)
        assert "it can be used once, within 14 days" in result.stderr
        assert "the server has not run yet" in result.stderr


def test_the_link_has_the_address_of_the_server(run, demo: Path) -> None:
    database = Database.open(demo)
    with database.write() as connection:
        set_setting(connection, "address", "https://challenge.example.org")
    database.close()
    result = run("challenge", "team", "add", "blue", "--folder", "demo", "--json")
    document = json.loads(result.stdout)
    assert document["team"] == "blue"
    assert document["link"].startswith("https://challenge.example.org/join/")
    assert "has not run" not in result.stderr


@pytest.mark.usefixtures("demo")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("team add red", "there is a team 'red'; `team invite` makes another link for it"),
        ("team invite rad", "unknown team 'rad'; did you mean red?"),
        ("team invite red --member Bo", "the team 'red' has no member 'Bo'"),
        ("team add \u202ered", "team: expected 1 to 60 visible characters"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(run, words: str, message: str) -> None:
    assert run("challenge", "team", "add", "red", "--folder", "demo").returncode == 0
    result = run("challenge", *words.split(), "--folder", "demo")
    assert result.returncode == 1
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_a_challenge_is_saved_restored_and_examined(run, demo: Path, tmp_path: Path) -> None:
    assert run("challenge", "team", "add", "blue", "--folder", "demo").returncode == 0
    saved = run("challenge", "backup", "demo", "-o", "demo.tar")
    assert "gold is inside, keep it private" in saved.stderr
    restored = run("challenge", "restore", "demo.tar", "copy", "--json")
    assert json.loads(restored.stdout)["folder"] == "copy"
    examined = run("challenge", "doctor", "copy")
    assert examined.stdout == "copy: 0 submissions, 0 results, 2 audit rows: 0 flaws\n"
    assert run("challenge", "restore", "demo.tar", "copy").returncode == 1
    assert (tmp_path / "copy" / "challenge.toml").read_bytes() == (
        demo / "challenge.toml"
    ).read_bytes()


def test_the_doctor_fails_where_something_is_wrong(run, demo: Path) -> None:
    assert run("challenge", "team", "add", "blue", "--folder", "demo").returncode == 0
    database = Database.open(demo)
    with database.write() as connection:
        connection.exec_driver_sql("UPDATE audit SET actor = 'nobody' WHERE number = 1")
    database.close()
    result = run("challenge", "doctor", "demo")
    assert result.returncode == 1
    assert result.stdout.startswith("audit log: row 1 was changed\n")
    document = json.loads(run("challenge", "doctor", "demo", "--json").stdout)
    assert document["flaws"] == ["audit log: row 1 was changed"]


@pytest.mark.usefixtures("demo")
def test_folders_without_a_server_are_named(run) -> None:
    for words in ("doctor demo", "backup demo -o demo.tar"):
        result = run("challenge", *words.split())
        assert result.returncode == 1
        assert "there is no database" in result.stderr
    result = run("challenge", "doctor", "nowhere")
    assert "nowhere/challenge.toml: there is no such file" in result.stderr


@pytest.mark.usefixtures("demo")
def test_without_the_extra_one_sentence_says_how_to_get_it(run) -> None:
    with mock.patch("treegauge.challenge_server.extra.find_spec", return_value=None):
        for words in ("team add blue --folder demo", "doctor demo", "restore demo.tar copy"):
            result = run("challenge", *words.split())
            assert result.returncode == 1
            assert "`pip install treegauge[server]` installs it" in result.stderr
            assert len(result.stderr.splitlines()) == 1

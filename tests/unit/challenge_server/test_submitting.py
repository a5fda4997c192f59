"""`join` and `submit` against a real server with a worker: checked, sent, waited for, printed."""

from __future__ import annotations

import csv
import io
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.in_process import run_in_process
from tests.unit.challenge_server.played_challenge import (
    invitations,
    played_house,
    reading_here,
    submission_zip,
)
from tests.unit.challenge_server.web_house import AFTER_CLOSE, WebHouse
from tests.unit.challenge_server.web_thread import listening_server

pytestmark = pytest.mark.long


@dataclass
class Participant:
    """Somebody with a shell, and a server to talk to."""

    house: WebHouse
    folder: Path
    address: str
    secrets: dict[str, str]

    def types(self, *words: str, code: int = 0) -> tuple[str, str]:
        """Type a command; return what is printed, and what is said besides."""
        result = run_in_process(["challenge", *words], folder=self.folder)
        assert result.returncode == code, result.stdout + result.stderr
        return result.stdout, result.stderr

    def submits(self, zipped: Path, *more: str, code: int = 0) -> tuple[str, str]:
        """Submit a zip."""
        words = ("submit", self.address, str(zipped), "--track", "dependencies")
        return self.types(*words, "--token-file", "token", *more, code=code)


@pytest.fixture(scope="module")
def participant(tmp_path_factory) -> Iterator[Participant]:
    """A member of the team blue, with a token."""
    home = tmp_path_factory.mktemp("participant")
    house = played_house(home)
    over = threading.Event()

    def work() -> None:
        with reading_here():
            while not over.is_set():
                if not house.worker.work_once():
                    time.sleep(0.05)

    thread = threading.Thread(target=work)
    thread.start()
    with listening_server(house) as port:
        address = f"http://127.0.0.1:{port}"
        one = Participant(house, home, address, invitations(house, "blue"))
        one.types("join", f"{address}/join/{one.secrets['blue']}", "--token-file", "token")
        yield one
    over.set()
    thread.join(30)
    house.database.close()


def test_a_token_is_for_its_owner_alone_and_a_link_for_one_use(participant):
    assert (participant.folder / "token").stat().st_mode & 0o777 == 0o600
    link = f"{participant.address}/join/{participant.secrets['blue']}"
    _, said = participant.types("join", link, "--token-file", "other", code=1)
    assert "was used before" in said
    assert not (participant.folder / "other").exists()
    _, said = participant.types("join", link, "--token-file", "token", code=1)
    assert "the file exists already" in said


def test_scores_are_printed_as_evaluate_would(participant):
    zipped = submission_zip(participant.folder, "left-branching", team="blue", part="dev")
    printed, _ = participant.submits(zipped)
    assert "UAS" in printed
    assert "NED" in printed
    assert "average over svo" in printed
    assert "uas|punct:removed" in printed
    document = json.loads(participant.submits(zipped, "--json")[0])
    shown = document["submission"]["scores"]["average"]["uas"]
    assert f"{100 * shown['value']:.2f}" in printed
    assert f"[{100 * shown['low']:.2f}, {100 * shown['high']:.2f}]" in printed


def test_a_blind_phase_says_when_scores_are_shown(participant):
    zipped = submission_zip(participant.folder, "left-branching", team="blue")
    printed, said = participant.submits(zipped)
    assert "it was accepted; scores are shown from 2027-03-14 12:30 UTC on" in printed
    assert "received" in said


def test_what_would_be_refused_is_not_sent(participant):
    zipped = submission_zip(participant.folder, "random", team="blue")
    folder = zipped.with_suffix("")
    text = (folder / "svo.conllu").read_text("utf-8")
    (folder / "svo.conllu").write_text(text.replace("\t0\t", "\t99\t", 1) + "broken\n", "utf-8")
    before = participant.house.actions()
    printed, said = participant.submits(folder, code=1)
    assert "not sent" in printed
    assert "svo.conllu" in said
    assert participant.house.actions() == before


def test_a_submission_is_sent_as_the_team_of_the_token(participant):
    zipped = submission_zip(participant.folder, "random", team="green")
    printed, said = participant.submits(zipped)
    assert "system.toml says team 'green'; it is sent as 'blue', yours" in said
    assert "it was accepted" in printed


def test_another_track_is_named_before_anything_is_sent(participant):
    own = submission_zip(participant.folder, "random", team="blue")
    before = participant.house.actions()
    words = ("submit", participant.address, str(own), "--track", "tags", "--token-file", "token")
    _, said = participant.types(*words, code=1)
    assert "says track 'dependencies', and --track 'tags'" in said
    assert participant.house.actions() == before


def test_a_closed_phase_says_when_it_was(participant):
    zipped = submission_zip(participant.folder, "right-branching", team="blue")
    participant.house.clock.time, before = AFTER_CLOSE, participant.house.clock.time
    try:
        _, said = participant.submits(zipped, code=1)
    finally:
        participant.house.clock.time = before
    assert "test from 2027-03-01 12:00 UTC to 2027-03-14 12:00 UTC" in said


def test_a_token_that_was_lost_says_what_to_do(participant):
    (participant.folder / "old").write_text("tgc_unknown\n")
    zipped = submission_zip(participant.folder, "random", team="blue")
    words = ("submit", participant.address, str(zipped), "--track", "dependencies")
    _, said = participant.types(*words, "--token-file", "old", code=1)
    assert "create another one on your account page" in said


def test_a_formula_as_a_name_is_text_in_tables(participant):
    formula = "=HYPERLINK(1)"
    zipped = submission_zip(participant.folder, "right-branching", team="blue", part="dev")
    folder = zipped.with_suffix("")
    facts = (folder / "system.toml").read_text("utf-8")
    (folder / "system.toml").write_text(facts.replace('"right-branching"', f'"{formula}"'), "utf-8")
    participant.submits(folder)
    client = participant.house.visitor()
    end = time.monotonic() + 60
    while time.monotonic() < end:
        table = client.get("/board/track-dependencies-dev-unsupervised.csv")
        if formula in table.text:
            break
        time.sleep(0.1)
    assert table.headers["content-disposition"] == "attachment"
    cells = [cell for row in csv.reader(io.StringIO(table.text)) for cell in row]
    assert any(formula in cell for cell in cells)
    assert not any(cell.startswith(("=", "+", "@")) for cell in cells)

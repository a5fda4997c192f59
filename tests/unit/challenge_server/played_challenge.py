"""A challenge on a small toy language, with real packs and a worker that works when it is told."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from tests.unit.challenge_server.sent_submissions import zipped
from tests.unit.challenge_server.web_house import CHALLENGE, IN_PHASE, WebHouse
from treegauge import make_system, to_text, toy_treebank, write
from treegauge.catalogue import Catalogue
from treegauge.challenge_server.invitations import add_invited_team, add_organiser
from treegauge.challenge_server.worker import Worker, WorkerSettings
from treegauge.challenges import ChallengeFolder, pack_challenge
from treegauge.challenges.reading_process import (
    ReadSubmission,
    decoded_submission,
    encoded_submission,
)
from treegauge.challenges.task import Task

SIZES = {"train": 200, "dev": 150, "test": 200}


def write_played_challenge(home: Path) -> Path:
    """Write a challenge on files of its own, and its packs beside it."""
    folder = home / "small"
    folder.mkdir(parents=True)
    text = CHALLENGE
    for part, tokens in SIZES.items():
        write(toy_treebank("toy:svo", tokens=tokens, part=part), folder / f"svo-{part}.conllu")
        text = text.replace(f"toy:svo:{part}", f"svo-{part}.conllu")
    text = text.replace('licence = "CC0"', 'licence = "CC0"\ntrain = "svo-train.conllu"')
    (folder / "challenge.toml").write_text(text, encoding="utf-8")
    (folder / "salt.txt").write_text("00" * 32, encoding="utf-8")
    (folder / "rules.md").write_text("Be fair.\n", encoding="utf-8")
    pack_challenge(ChallengeFolder(folder), home / "packs", Catalogue())
    return folder


def submission_zip(home: Path, method: str, *, team: str, part: str = "test") -> Path:
    """Write the submission of one of our systems, as a zip."""
    gold = toy_treebank("toy:svo", tokens=SIZES[part], part=part)
    folder = home / f"{method}-{part}-{abs(hash(team))}"
    folder.mkdir(parents=True, exist_ok=True)
    annotated = make_system(method).fit(gold).annotate(gold)
    (folder / "svo.conllu").write_text(to_text(annotated), encoding="utf-8")
    facts = f"""
system = "{method}"
team = '''{team}'''
track = "dependencies"
supervision = "unsupervised"
part = "{part}"
"""
    (folder / "system.toml").write_text(facts, encoding="utf-8")
    path = folder.with_suffix(".zip")
    path.write_bytes(zipped(folder))
    return path


def played_house(home: Path) -> WebHouse:
    """Open the server of such a challenge; nobody has joined yet."""
    house = WebHouse.open(write_played_challenge(home))
    house.worker = Worker(house.database, WorkerSettings(trials=200), house.clock)
    return house


def invitations(house: WebHouse, *teams: str) -> dict[str, str]:
    """Return the secrets of links for an organiser, `ada`, and for teams."""
    secrets = {"ada": add_organiser(house.database, "ada", actor="shell", now=IN_PHASE)}
    for team in teams:
        _, secrets[team] = add_invited_team(house.database, team, actor="shell", now=IN_PHASE)
    return secrets


@contextlib.contextmanager
def reading_here() -> Iterator[None]:
    """Let workers read submissions in this process, which takes most of a second less."""

    def read(source: str | Path, task: Task, **_limits: float) -> ReadSubmission:
        return decoded_submission(encoded_submission(str(source), task), task, str(source))

    with mock.patch("treegauge.challenge_server.worker.read_apart", read):
        yield


def work(house: WebHouse) -> None:
    """Let the worker do everything that there is to do."""
    with reading_here():
        while house.worker.work_once():
            pass

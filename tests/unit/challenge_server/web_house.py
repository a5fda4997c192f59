"""A server for tests of the web: two teams, an organiser, a clock that is set by hand."""

from __future__ import annotations

import json
import re
import warnings
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from starlette.exceptions import StarletteDeprecationWarning

from treegauge.challenge_server import schema
from treegauge.challenge_server.accounts import account_by_name
from treegauge.challenge_server.app import make_app
from treegauge.challenge_server.board_bytes import BoardPages
from treegauge.challenge_server.clock import Clock
from treegauge.challenge_server.database import Database
from treegauge.challenge_server.invitations import add_invited_team, add_organiser, redeem
from treegauge.challenge_server.pack_shelf import PackShelf
from treegauge.challenge_server.passwords import Passwords
from treegauge.challenge_server.served import ServedChallenge
from treegauge.challenge_server.signing_in import insert_session, insert_token
from treegauge.challenge_server.web_settings import WebSettings
from treegauge.challenges import ChallengeFolder
from treegauge.challenges.packs import canonical_json, sha256, with_manifest, zip_bytes

with warnings.catch_warnings():
    # It asks for a newer httpx; this one does the same.
    warnings.simplefilter("ignore", StarletteDeprecationWarning)
    from starlette.testclient import TestClient

OPENS = datetime(2027, 3, 1, 12, tzinfo=UTC)
CLOSES = datetime(2027, 3, 14, 12, tzinfo=UTC)
GRACE = timedelta(minutes=30)
GOLD_OUT = datetime(2027, 4, 1, tzinfo=UTC)
IN_PHASE = datetime(2027, 3, 5, 9, tzinfo=UTC)
AFTER_CLOSE = datetime(2027, 3, 16, tzinfo=UTC)
PASSWORD = "correct horse battery"

CHALLENGE = """
name = "small"
title = "A small challenge"
contact = "organisers@example.org"
gold = "2027-04-01 UTC"

[[tracks]]
name = "dependencies"
hide = ["heads"]
annotate = ["heads"]
preset = "pascal"
metrics = ["uas", "ned"]
primary = "uas"

[[treebanks]]
name = "svo"
test = "toy:svo:test"
dev = "toy:svo:dev"
licence = "CC0"

[[phases]]
name = "dev"
part = "dev"
tracks = ["dependencies"]
opens = "2027-03-01 12:00 UTC"
closes = "2027-03-14 12:00 UTC"
scores = "at once"

[[phases]]
name = "test"
part = "test"
tracks = ["dependencies"]
opens = "2027-03-01 12:00 UTC"
closes = "2027-03-14 12:00 UTC"
grace = "30min"
quota = { day = 5, total = 8, refused_an_hour = 2 }
scores = "after close"
"""


def write_challenge(path: Path) -> Path:
    """Write the folder of a challenge, and packs beside it; nothing in them is ever read."""
    path.mkdir(parents=True)
    (path / "challenge.toml").write_text(CHALLENGE, encoding="utf-8")
    (path / "salt.txt").write_text("00" * 32, encoding="utf-8")
    (path / "rules.md").write_text("Be fair.\n", encoding="utf-8")
    (path / "gold").mkdir()
    (path.parent / "packs").mkdir()
    record = {}
    for stem, kind in (
        ("small-release", "release"),
        ("small-dependencies-test", "test"),
        ("small-dependencies-example", "submission"),
        ("small-gold", "gold"),
    ):
        files = with_manifest({"kind": kind, "challenge": "small"}, {"a.txt": kind.encode()})
        content = zip_bytes(files)
        home = path / "gold" if kind == "gold" else path.parent / "packs"
        (home / f"{stem}.zip").write_bytes(content)
        record[stem] = {
            "kind": kind,
            "id": sha256(files["manifest.json"]),
            "sha256": sha256(content),
        }
    document = {"schema": 1, "commitment": "", "packs": record}
    (path / "gold" / "record.json").write_bytes(canonical_json(document))
    return path


def a_zip(text: str = "one") -> bytes:
    """Return a zip; the web process never looks into it."""
    return zip_bytes({"system.toml": text.encode()})


class HandClock(Clock):
    """A clock that shows what a test says, an earlier time too."""

    time = IN_PHASE

    def now(self) -> datetime:
        """Return the time."""
        return self.time


@dataclass
class WebHouse:
    """A server, its application, and everybody's clients."""

    server: ServedChallenge
    clock: HandClock

    @classmethod
    def write(cls, home: Path) -> Path:
        """Write a challenge, with two teams and an organiser; return its folder."""
        house = cls.open(write_challenge(home / "small"))
        house.invite_all()
        house.database.close()
        return home

    def invite_all(self) -> None:
        """Let two teams and an organiser join."""
        for team in ("blue", "green"):
            _, secret = add_invited_team(self.database, team, actor="shell", now=IN_PHASE)
            self.join(secret, f"{team} member")
        self.join(add_organiser(self.database, "ada", actor="shell", now=IN_PHASE), "")

    @classmethod
    def open(
        cls, path: Path, settings: WebSettings | None = None, database: str | None = None
    ) -> WebHouse:
        """Open the server of a challenge."""
        folder = ChallengeFolder(path)
        clock = HandClock()
        server = ServedChallenge(
            folder,
            Database.open(folder.path, database),
            PackShelf(folder),
            settings or WebSettings(),
            clock,
            passwords=Passwords(passes=1, kibibytes=8),
        )
        server.boards = BoardPages(server.database, fresh_seconds=0.0)
        house = cls(server, clock)
        house.app = make_app(server)
        return house

    app: Any = None
    worker: Any = None

    @property
    def database(self) -> Database:
        """The database of the server."""
        return self.server.database

    def join(self, secret: str, name: str) -> None:
        """Redeem an invitation with the usual password."""
        redeem(
            self.database,
            secret,
            now=self.clock.now(),
            name=name,
            password=PASSWORD,
            passwords=self.server.passwords,
        )

    # ------------------------------------------------------------------ clients

    def visitor(self) -> TestClient:
        """Somebody whom nobody knows."""
        return TestClient(self.app, "http://127.0.0.1", follow_redirects=False)

    def browser(self, name: str) -> TestClient:
        """A browser that is logged in."""
        client = self.visitor()
        with self.database.write() as connection:
            account = account_by_name(connection, name)
            secret = insert_session(connection, account, now=self.clock.now())
        client.cookies.set("treegauge-session", secret)
        return client

    def program(self, name: str) -> TestClient:
        """A program with a token."""
        client = self.visitor()
        with self.database.write() as connection:
            account = account_by_name(connection, name)
            token = insert_token(connection, account, "test", now=self.clock.now())
        client.headers["Authorization"] = f"Bearer {token}"
        return client

    # ------------------------------------------------------------------ what happens

    def send(self, client: TestClient, content: bytes, phase: str = "test") -> Any:
        """Send a submission as a program does."""
        address = f"/api/1/submissions?track=dependencies&phase={phase}"
        return client.post(address, content=content)

    def sent_id(self, name: str = "blue member", text: str = "one", phase: str = "test") -> str:
        """Send a submission, and return its id."""
        answer = self.send(self.program(name), a_zip(text), phase)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["submission"]["id"])

    def decide(self, id: str, state: str, findings: str = "") -> None:
        """Do what a worker's reader does."""
        table = schema.submission
        with self.database.write() as connection:
            connection.execute(
                sa.update(table)
                .where(table.c.id == id)
                .values(
                    state=state,
                    decided=self.clock.now(),
                    findings=findings,
                    system="ours",
                    canonical="ab" * 32,
                )
            )

    def score(self, id: str, value: float) -> None:
        """Do what a worker's scorer does."""
        document = canonical_json(result_document(value))
        with self.database.write() as connection:
            connection.execute(
                sa.insert(schema.result).values(
                    submission=id,
                    scorer="x",
                    document=document,
                    sha256=sha256(document),
                    created=self.clock.now(),
                )
            )

    def put_page(self, audience: str, path: str, content: bytes, **more: Any) -> None:
        """Do what a worker does who builds the board."""
        row = {
            "audience": audience,
            "path": path,
            "shown_from": OPENS,
            "media_type": "text/html; charset=utf-8",
            "etag": sha256(content),
            "content": content,
            "built": self.clock.now(),
        }
        with self.database.write() as connection:
            connection.execute(sa.insert(schema.board_page).values(row | more))

    def actions(self) -> list[str]:
        """Return what the audit log says was done."""
        table = schema.audit
        with self.database.read() as connection:
            return list(connection.scalars(sa.select(table.c.action).order_by(table.c.number)))

    def team_id(self, name: str) -> str:
        """Return the id of a team."""
        table = schema.team
        with self.database.read() as connection:
            return str(connection.scalar(sa.select(table.c.id).where(table.c.name == name)))


def result_document(value: float) -> dict[str, Any]:
    """Return a result as `score` writes it, with the same score everywhere."""
    score = {"value": value, "low": value - 0.01, "high": value + 0.01, "n": 100, "signature": "s"}
    metrics = {"uas": score, "ned": score}
    return {
        "schema": 1,
        "submission": {"id": "ab" * 32, "team": "blue", "system": "ours"},
        "track": "dependencies",
        "part": "test",
        "scorer": "x",
        "treebanks": {"svo": {"standards": {"gold": {"scores": metrics}}}},
        "averages": {"standards": {"gold": metrics}},
    }


def form_key(page: str) -> str:
    """Return the secret of the forms of a page."""
    match = re.search(r'name="form_key" value="([0-9a-f]{64})"', page)
    assert match is not None, page
    return match[1]


def post_form(client: TestClient, page: str, action: str, **fields: str) -> Any:
    """Open a page, and send one of its forms."""
    shown = client.get(page)
    assert shown.status_code == 200, shown.text
    return client.post(action, data={"form_key": form_key(shown.text), **fields})


def message_of(answer: Any) -> str:
    """Return what an answer says went wrong."""
    return str(json.loads(answer.text)["error"]["message"])

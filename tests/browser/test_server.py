"""The server of a challenge in a real browser: two teams and an organiser, through both phases."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the extra server")

from tests.unit.challenge_server.played_challenge import (
    invitations,
    played_house,
    submission_zip,
    work,
)
from tests.unit.challenge_server.web_house import AFTER_CLOSE, PASSWORD, WebHouse
from tests.unit.challenge_server.web_thread import listening_server

pytestmark = pytest.mark.long

EVIL = "<img src=x onerror=document.title='evil'>"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
SCREENSHOTS = os.environ.get("TREEGAUGE_SCREENSHOTS", "")
"""A folder for pictures of all pages, for people who want to look at them."""


@dataclass
class Story:
    """A server with its browsers."""

    house: WebHouse
    home: Path
    address: str
    browser: Any
    contexts: list[Any] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)

    def page(self, **options: Any) -> Any:
        """Open a browser of somebody else."""
        context = self.browser.new_context(**options)
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._note_request)
        return page

    def _note(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _note_request(self, request: Any) -> None:
        if not request.url.startswith((self.address, "data:")):
            self.strangers.append(request.url)

    def go(self, page: Any, path: str) -> None:
        page.goto(self.address + path)

    def picture(self, page: Any, name: str) -> None:
        """Keep a picture, and see that nothing is wider than the window."""
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= page.viewport_size["width"], (name, width)
        if SCREENSHOTS:
            Path(SCREENSHOTS).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=f"{SCREENSHOTS}/{name}.png", full_page=True)


@pytest.fixture
def story(browser, tmp_path) -> Iterator[Story]:
    """A challenge that nobody has joined yet."""
    house = played_house(tmp_path)
    with listening_server(house) as port:
        told = Story(house, tmp_path, f"http://127.0.0.1:{port}", browser)
        yield told
        for context in told.contexts:
            context.close()
    house.database.close()


def join(story: Story, page: Any, secret: str, name: str) -> None:
    """Redeem an invitation, with the keyboard alone."""
    story.go(page, f"/join/{secret}")
    if name:
        page.locator("input[name=name]:not([type=hidden])").focus()
        page.keyboard.type(name)
    page.locator("input[name=password]").focus()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/(team|organiser)$"))


def send(story: Story, page: Any, zipped: Path, target: str) -> None:
    """Upload a zip on the team's page."""
    story.go(page, "/team")
    page.locator("select[name=target]").select_option(target)
    page.locator("input[type=file]").set_input_files(str(zipped))
    page.get_by_role("button", name="Send").press("Enter")
    page.wait_for_url("**/submissions/*")


@pytest.mark.parametrize(
    "javascript",
    [pytest.param(True, marks=pytest.mark.slow, id="script"), pytest.param(False, id="no-script")],
)
def test_two_teams_and_an_organiser_play_through_both_phases(story, javascript):
    house, options = story.house, {"java_script_enabled": javascript}
    mark = "script" if javascript else "plain"
    secrets = invitations(house, "blue")
    ada, blue, evil = (story.page(**options) for _ in range(3))
    join(story, ada, secrets["ada"], "")
    assert ada.url.endswith("/organiser")

    # The organiser adds a team with a hostile name, and hands its link over.
    ada.get_by_label("New team").fill(EVIL)
    ada.get_by_role("button", name="Add and invite").press("Enter")
    ada.wait_for_selector("code.secret")
    link = ada.locator("code.secret").inner_text()
    story.picture(ada, f"invitation-{mark}")
    join(story, evil, link.rpartition("/")[2], "eve")
    join(story, blue, secrets["blue"], "bo")
    story.picture(blue, f"team-{mark}")

    # The dev phase shows scores at once.
    send(
        story,
        blue,
        submission_zip(story.home, "left-branching", team="blue", part="dev"),
        "dev/dependencies",
    )
    assert "is waiting to be read" in blue.locator("main").inner_text()
    work(house)
    blue.reload()
    assert "its scores are below" in blue.locator("main").inner_text()
    assert blue.locator("#scores table tbody tr").count() == 2
    story.picture(blue, f"scored-{mark}")

    # The test phase shows nothing of them until it has closed.
    for page, team, method in ((blue, "blue", "left-branching"), (evil, EVIL, "right-branching")):
        send(story, page, submission_zip(story.home, method, team=team), "test/dependencies")
        work(house)
        page.reload()
        assert "scores are shown from 2027-03-14 12:30 UTC on" in page.locator("main").inner_text()
        assert page.locator("#scores").count() == 0
    own = blue.url
    story.go(evil, own.removeprefix(story.address))
    assert "you may not see it" in evil.locator("main").inner_text()
    reader = story.page(**options)
    story.go(reader, "/board/track-dependencies.html")
    assert "2 submissions received" in reader.locator("main").inner_text()
    story.go(ada, "/board/track-dependencies.html")
    assert "left-branching" in ada.locator("#ranking").inner_text()

    # Afterwards everybody sees the board, and the way to it.
    house.clock.time = AFTER_CLOSE
    work(house)
    blue.goto(own)
    blue.get_by_role("link", name="Its page on the leaderboard").press("Enter")
    blue.wait_for_url("**/board/submissions/*")
    assert blue.locator("h1").inner_text() == "left-branching"
    story.go(reader, "/board/track-dependencies.html")
    assert "right-branching" in reader.locator("#ranking").inner_text()
    story.picture(reader, f"board-{mark}")
    reader.locator("nav a", has_text="Challenge").press("Enter")
    reader.wait_for_selector("#packs")

    # The organiser takes the hostile team from the board, and the log has it.
    story.go(ada, "/organiser")
    card = ada.locator("#teams .card").first
    story.picture(ada, f"organiser-{mark}")
    assert "<img" in card.inner_text()
    card.get_by_label("Reason").fill("a hostile name")
    card.get_by_role("button", name="Remove").press("Enter")
    ada.wait_for_selector("text=removed from the leaderboard")
    work(house)
    story.go(reader, "/board/track-dependencies.html")
    assert "right-branching" not in reader.locator("#ranking").inner_text()
    story.go(ada, "/organiser/audit")
    assert "a hostile name" in ada.locator("main").inner_text()
    story.picture(ada, f"audit-{mark}")

    assert [page.title() for page in (ada, blue, evil, reader) if page.title() == "evil"] == []
    assert [one for one in story.complaints if "404" not in one] == []
    assert story.strangers == []


def test_pages_fit_a_phone_and_the_dark(story):
    house = story.house
    secrets = invitations(house, "blue")
    phone = story.page(**PHONE, color_scheme="dark")
    for path in ("/", "/login", f"/join/{secrets['blue']}", f"/join/{secrets['ada']}"):
        story.go(phone, path)
        story.picture(phone, f"phone{path.split('/')[1] or 'front'}")
    join(story, phone, secrets["blue"], "bo")
    send(
        story,
        phone,
        submission_zip(story.home, "random", team="blue", part="dev"),
        "dev/dependencies",
    )
    work(house)
    for name, path in (
        ("submission", phone.url.removeprefix(story.address)),
        ("team", "/team"),
        ("account", "/account"),
        ("board", "/board/"),
        ("missing", "/no-such-page"),
    ):
        story.go(phone, path)
        story.picture(phone, f"phone-{name}")
    ada = story.page(**PHONE, color_scheme="dark")
    join(story, ada, secrets["ada"], "")
    for name, path in (("organiser", "/organiser"), ("audit", "/organiser/audit")):
        story.go(ada, path)
        story.picture(ada, f"phone-{name}")
    paper = "getComputedStyle(document.body).backgroundColor"
    assert ada.evaluate(paper) == "rgb(20, 23, 27)"
    assert [one for one in story.complaints if "404" not in one] == []
    assert story.strangers == []


def test_foreign_pages_can_neither_frame_nor_fill_in_a_form(story):
    house = story.house
    secrets = invitations(house)
    page = story.page()
    join(story, page, secrets["ada"], "")
    key = page.locator("#teams input[name=form_key]").first.get_attribute("value")
    form = (
        f"<form method=post action={story.address}/organiser/teams><input name=name value=red>"
        f"<input name=form_key value={key}><button>go</button></form>"
        f"<iframe src={story.address}/organiser></iframe>"
    )
    page.goto(f"data:text/html,{form}")
    assert page.frame_locator("iframe").locator("#teams").count() == 0
    page.get_by_role("button").click()
    page.wait_for_selector(".message")
    assert "from another site" in page.locator("main").inner_text()
    assert "add team" not in house.actions()

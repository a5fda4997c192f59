"""The board of a challenge in a real browser: by keyboard, on a phone, offline, whatever names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.challenges.conftest import read_in_process
from tests.unit.challenges.small_challenge import (
    AFTER_GOLD,
    IN_PHASE,
    make_folder,
    submission_of,
)
from treegauge.challenges import make_board, score_submissions, write_site

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
EVIL = "<img src=http://evil.example onerror=document.title='evil'>"


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The board of six systems, one of them with a hostile name, with a further gold standard."""
    home = tmp_path_factory.mktemp("board")
    folder = make_folder(home / "small", more='styles = ["prague"]', tokens=200)
    methods = ("left-branching", "right-branching", "random", "harmonic")
    sources = [
        submission_of(home / name, name, tokens=200, team=f"team {name}") for name in methods
    ]
    sources.append(submission_of(home / "half", "random", ["svo"], 200, team="half"))
    told = submission_of(home / "told", "random", tokens=200, supervision="supervised")
    facts = (told / "system.toml").read_text("utf-8")
    (told / "system.toml").write_text(facts.replace("'random'", f'"""{EVIL}"""'), "utf-8")
    sources.append(told)
    with read_in_process():
        scoring = score_submissions(folder, sources, now=IN_PHASE)
    assert not scoring.refused
    write_site(make_board(folder, AFTER_GOLD, trials=500), home / "site")
    return home / "site"


def test_no_page_complains_asks_anybody_or_is_wider_than_a_phone(opened, site):
    pages = sorted(site.rglob("*.html"))
    assert len(pages) == 4 + 6  # index, two tracks, strata; six submissions
    for path in pages:
        found = opened(path, **PHONE)
        assert found.page.evaluate("document.documentElement.scrollWidth") == 390, path.name
        assert found.complaints == [], path.name
        strangers = [url for url in found.requests if not url.startswith(("file:", "data:"))]
        assert strangers == []
        assert found.page.title() != "evil"


def test_a_reader_with_a_keyboard_gets_from_the_challenge_to_a_tree_and_back(opened, site):
    found = opened(site / "index.html")
    page = found.page

    def follow(text: str) -> None:
        for _ in range(200):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.textContent") == text:
                break
        else:
            raise AssertionError(f"the tabulator never comes to {text}")
        page.keyboard.press("Enter")
        page.wait_for_selector("html[data-ready]")

    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    # The link in the text, behind that of the side.
    page.locator("main a", has_text="dependencies").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#ranking table")
    follow("left-branching")
    page.wait_for_selector("#trees")
    assert page.locator("h1").inner_text() == "left-branching"
    page.evaluate("document.getElementById('trees').scrollIntoView()")
    page.wait_for_selector("#trees .drawing svg")
    follow("Leaderboard")
    page.wait_for_selector("#ranking table")
    assert found.complaints == []


def test_sorting_never_mixes_groups(opened, site):
    page = opened(site / "track-dependencies.html").page
    headings = page.locator("#ranking table").first.locator("tr.heading").all_inner_texts()
    assert headings[0] == "group 1"
    assert headings[-1] == "incomplete: no average, no rank"
    before = page.locator("#ranking tbody tr.row th").all_inner_texts()
    button = page.locator("#ranking thead button", has_text="average").first
    button.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert page.locator("#ranking table").first.locator("tr.heading").all_inner_texts() == headings
    assert page.locator("#ranking tbody tr.row th").all_inner_texts()[0] == before[0]
    # Kinds of supervision have tables of their own.
    assert page.locator("#ranking table").count() == 2


def test_references_show_an_optimistic_best(opened, site):
    page = opened(site / "track-dependencies.html").page
    head = page.locator("#references .pane:not([hidden]) thead").inner_text()
    assert "best of references" in head
    assert "optimistic" in head
    page.locator("#references select").select_option("svo")
    assert "svo" in page.locator("#references .pane:not([hidden]) caption").inner_text()

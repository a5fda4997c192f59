"""Gold is planted, and everything that participants may see is searched for it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.in_process import run_in_process
from tests.unit.challenges.marked_challenge import (
    CHALLENGE,
    COMMENT_MARKS,
    MARKS,
    SENTENCES,
    pack_small,
    submission_text,
    write_submission,
)
from treegauge.challenges import ChallengeFolder, make_board, score_submissions, write_site

OPEN = datetime(2027, 1, 20, tzinfo=UTC)
CLOSED = datetime(2027, 2, 15, tzinfo=UTC)
RELEASED = datetime(2027, 7, 1, tzinfo=UTC)

TEXT = CHALLENGE.replace(
    'contact = "organisers@example.org"',
    'contact = "organisers@example.org"\ngold = "2027-06-01 UTC"',
).replace('metrics = ["uas", "las"]', 'metrics = ["uas", "las"]\nby = ["relation", "tag", "depth"]')


@pytest.fixture(scope="module")
def place(tmp_path_factory, reads_here) -> Path:
    place = tmp_path_factory.mktemp("planted")
    pack_small(place, TEXT)
    folder = ChallengeFolder(place / "small")
    assert not score_submissions(folder, [write_submission(place / "ours")], now=OPEN).refused
    return place


def marks_in(text: str) -> list[str]:
    return [mark for mark in (*MARKS, *COMMENT_MARKS) if mark in text]


def site_of(place: Path, now: datetime, target: Path) -> str:
    board = make_board(ChallengeFolder(place / "small"), now, trials=100)
    return "".join(path.read_text("utf-8") for path in write_site(board, target))


def test_results_hold_gold_and_stay_in_the_folder(place):
    results = "".join(
        path.read_text("utf-8") for path in (place / "small").glob("results/*/*.json")
    )
    assert "GOLDREL" in results  # or the next test tests nothing


def test_pages_show_no_planted_gold_before_its_time(place, tmp_path):
    assert marks_in(site_of(place, OPEN, tmp_path / "open")) == []
    closed = site_of(place, CLOSED, tmp_path / "closed")
    assert marks_in(closed) == []
    assert "by depth" in closed  # strata whose names are not gold's are there
    assert {"GOLDREL", "GOLDTAG"} <= set(marks_in(site_of(place, RELEASED, tmp_path / "released")))


def test_messages_about_wrong_submissions_tell_nothing_of_gold(place, tmp_path, reads_here):
    good = submission_text()
    spoilt = {
        "shorter": submission_text(SENTENCES["test"][:2]),
        "other words": good.replace("birds", "cats"),
        "head outside": good.replace("\t1\tdep", "\t99\tdep"),
        "no heads": "\n".join(
            "\t".join([*line.split("\t")[:6], "_", "_", "_", "_"]) if line else ""
            for line in good.split("\n")
        ),
        "no columns": "birds\nsing\n",
        "empty": "",
    }
    for name, text in spoilt.items():
        folder = tmp_path / name.replace(" ", "-")
        write_submission(folder, text or "\n")
        result = run_in_process(
            ["challenge", "score", "small", str(folder), "--json"], folder=place
        )
        said = result.stdout + result.stderr
        assert marks_in(said) == [], name
        assert "Traceback" not in said
    result = run_in_process(
        ["challenge", "board", "small", "-o", str(tmp_path / "s")], folder=place
    )
    assert marks_in(result.stdout + result.stderr) == []

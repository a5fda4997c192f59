"""Boards: who stands where, and nothing that nobody may know yet."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.unit.challenges.scored_by_hand import rates, scored_by_hand
from tests.unit.challenges.small_challenge import AFTER_CLOSE, AFTER_GOLD, IN_PHASE, make_folder
from treegauge.challenges import ChallengeError
from treegauge.challenges.board import entry_of, track_board
from treegauge.challenges.board_pages import Board
from treegauge.challenges.board_tables import BoardTables
from treegauge.challenges.site import SITE_FILE, write_site

GOLD_MARKS = ("GOLDREL", "GOLDTAG", "GOLDWORD", "f1n93rpr")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return make_folder(tmp_path_factory.mktemp("board") / "small", tokens=60)


def board_of(folder, scored, *, now=AFTER_GOLD, received=None, trials=500):
    """Return the board of the track `dependencies`."""
    challenge = folder.challenge
    times = received or [IN_PHASE] * len(scored)
    entries = [
        entry_of(challenge, one, when, number)
        for number, (one, when) in enumerate(zip(scored, times, strict=True))
    ]
    return track_board(
        challenge, challenge.track("dependencies"), "test", "0" * 16, entries, now=now,
        trials=trials,
    )  # fmt: skip


def shown(board) -> list[tuple[str, str, int | None, int | None]]:
    return [
        (kind.name, one.entry.scored.said("system"), one.standing.rank, one.group)
        for kind in board.kinds
        for one in kind.entries
    ]


def test_kinds_of_supervision_are_ranked_apart_and_what_lacks_a_treebank_below(folder):
    good, bad = rates(0.8, 1), rates(0.3, 2)
    board = board_of(
        folder,
        [
            scored_by_hand("half", {"svo": good["svo"]}),
            scored_by_hand("bad", bad),
            scored_by_hand("good", good),
            scored_by_hand("copy", good),
            scored_by_hand("told", bad, supervision="supervised"),
        ],
    )
    rows = shown(board)
    assert sorted(rows[:2]) == [("unsupervised", "copy", 1, 1), ("unsupervised", "good", 1, 1)]
    assert rows[2:] == [
        ("unsupervised", "bad", 3, 2),
        ("unsupervised", "half", None, None),
        ("supervised", "told", 1, 1),
    ]
    table = BoardTables(board, AFTER_GOLD, {}).ranking(board.kinds[0])
    assert [row.group for row in table.rows] == [
        "group 1", "group 1", "group 2", "incomplete: no average, no rank",
    ]  # fmt: skip
    assert table.rows[3].cells[3].note == "no score on sov"


def test_what_came_too_late_is_out_of_competition(folder):
    board = board_of(
        folder,
        [scored_by_hand("early", rates(0.3, 1)), scored_by_hand("late", rates(0.9, 2))],
        received=[IN_PHASE, AFTER_CLOSE],
    )
    assert shown(board) == [
        ("unsupervised", "early", 1, 1),
        ("unsupervised", "late", None, None),
    ]
    (kind,) = board.kinds
    assert kind.late[0].entry.is_late


def test_the_last_submission_in_time_counts(folder):
    first, second, late = (
        scored_by_hand("ours", rates(rate, seed)) for rate, seed in ((0.5, 1), (0.4, 2), (0.9, 3))
    )
    board = board_of(
        folder,
        [first, second, late],
        received=[IN_PHASE, IN_PHASE + timedelta(hours=1), AFTER_CLOSE],
    )
    assert [entry.scored for entry in board.entries] == [second]
    assert [entry.scored for entry in board.superseded] == [first, late]
    # Spelling does not make two teams of one.
    other = scored_by_hand("OURS ", rates(0.6, 4))
    assert len(board_of(folder, [first, other]).entries) == 1


@pytest.mark.parametrize("counts", ["chosen", "best"])
def test_a_phase_says_which_submission_counts(tmp_path, counts):
    folder = make_folder(tmp_path / "small", board=f'counts = "{counts}"', tokens=60)
    scored = [scored_by_hand("ours", rates(rate, 1)) for rate in (0.4, 0.8, 0.5)]
    if counts == "best":
        assert [entry.scored for entry in board_of(folder, scored).entries] == [scored[1]]
        return
    challenge = folder.challenge
    entries = [
        entry_of(challenge, one, IN_PHASE, number, is_chosen=number == 0)
        for number, one in enumerate(scored)
    ]
    track = challenge.track("dependencies")
    board = track_board(challenge, track, "test", "", entries, now=AFTER_GOLD, trials=100)
    assert [entry.scored for entry in board.entries] == [scored[0]]
    # Who chose nothing is taken at the last word.
    assert [entry.scored for entry in board_of(folder, scored).entries] == [scored[2]]


def test_without_significance_the_board_says_so(folder):
    board = board_of(
        folder, [scored_by_hand("a", rates(0.5, 1)), scored_by_hand("b", rates(0.5, 2))]
    )
    assert board.kinds[0].groups == 1
    assert "no groups differ significantly" in board.kinds[0].about_groups


def test_too_many_systems_for_the_trials_are_no_groups(folder):
    many = [scored_by_hand(f"s{i}", rates(i / 10, i)) for i in range(8)]
    assert "cannot distinguish any two" in board_of(folder, many, trials=500).kinds[0].about_groups


def test_references_have_ranks_and_an_optimistic_best(folder):
    one = scored_by_hand("one", rates(0.6, 1), standards={"style x": 0.2})
    two = scored_by_hand("two", rates(0.5, 2), standards={"style x": 0.9})
    tables = BoardTables(board_of(folder, [one, two]), AFTER_GOLD, {}).standards()
    assert list(tables) == ["average", "svo", "sov"]
    table = tables["svo"]
    assert [column.title for column in table.columns] == [
        "system", "gold", "style x", "best of references",
    ]  # fmt: skip
    assert table.columns[3].below == "optimistic"
    by_name = {row.cells[0].value: row.cells for row in table.rows}
    assert by_name["two"][2].remark == "1"
    assert by_name["two"][1].remark == "2"
    assert by_name["two"][3].value == 0.9
    assert any("optimistic" in note for note in table.notes)


# ---------------------------------------------------------------------- what pages show


def pages_of(folder, scored, now, tmp_path, **options) -> dict[str, str]:
    board = Board(folder.challenge, [board_of(folder, scored, now=now, **options)], now)
    written = write_site(board, tmp_path)
    return {path.relative_to(tmp_path).as_posix(): path.read_text("utf-8") for path in written}


def test_a_blind_phase_shows_nothing_that_comes_of_gold(folder, tmp_path):
    one, other = (scored_by_hand("ours", rates(rate, 1)) for rate in (0.4, 0.5))
    pages = pages_of(folder, [one], IN_PHASE, tmp_path / "a")
    # Two submissions that differ in an arc or in all of them give the same bytes.
    assert pages == pages_of(folder, [other], IN_PHASE, tmp_path / "b")
    assert sorted(pages) == ["index.html", SITE_FILE, "track-dependencies.html"]
    assert "scores are shown from" in pages["track-dependencies.html"]


def test_no_gold_is_shown_before_it_is_released(folder, tmp_path):
    scored = [scored_by_hand("ours", rates(0.4, 1)), scored_by_hand("theirs", rates(0.7, 2))]
    before = pages_of(folder, scored, AFTER_CLOSE, tmp_path / "before")
    whole = "".join(before.values())
    assert [mark for mark in GOLD_MARKS if mark in whole] == []
    page = next(text for name, text in before.items() if name.startswith("submissions/"))
    assert "are shown when gold is: 2027-04-01" in page
    assert "edge length" in page
    after = "".join(pages_of(folder, scored, AFTER_GOLD, tmp_path / "after").values())
    assert [mark for mark in GOLD_MARKS if mark not in after] == []


def test_anonymous_teams_have_no_names(tmp_path):
    board = '\n[board]\nanonymous_until = "2027-06-01 UTC"\n'
    folder = make_folder(tmp_path / "small", board=board, tokens=60)
    scored = [scored_by_hand("SECRETSYSTEM", rates(0.4, 1), team="SECRETTEAM")]
    pages = pages_of(folder, scored, AFTER_GOLD, tmp_path / "site")
    assert not any("SECRET" in text for text in pages.values())


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "=HYPERLINK(\"http://evil\")",
    "@SUM(1+1)",
    "a\x1b[31m\u202eevil\u2066",
    "\\input{/etc/passwd} $x^2$ & % # {",
    "line\nbreak\ttab",
)  # fmt: skip


class Elements(HTMLParser):
    """Collects what a browser would run."""

    def __init__(self):
        super().__init__()
        self.odd: list[tuple[str, object]] = []

    def handle_starttag(self, tag, attributes):
        if tag == "img" or any(name.startswith("on") for name, _ in attributes):
            self.odd.append((tag, attributes))


def test_hostile_names_are_harmless_everywhere(folder, tmp_path):
    scored = [scored_by_hand(name, rates(0.1 * i, i), team=name) for i, name in enumerate(HOSTILE)]
    pages = pages_of(folder, scored, AFTER_GOLD, tmp_path)
    for name, text in pages.items():
        assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]", text), name
        if name.endswith(".html"):
            parser = Elements()
            parser.feed(text)
            assert parser.odd == []
            assert "<script>alert" not in text
    (table,) = (text for name, text in pages.items() if name.endswith(".csv"))
    rows = list(csv.reader(io.StringIO(table)))
    assert len(rows) == 1 + len(HOSTILE)
    assert not any(re.match(r"\s*[-=+@]\D", cell) for row in rows for cell in row)
    (latex,) = (text for name, text in pages.items() if name.endswith(".tex"))
    assert "\\input" not in latex
    assert "\\textbackslash{}input\\{" in latex


def test_a_site_is_written_again_and_nothing_else_is_touched(folder, tmp_path):
    first = [scored_by_hand("ours", rates(0.4, 1))]
    before = set(pages_of(folder, first, AFTER_GOLD, tmp_path))
    after = set(pages_of(folder, [scored_by_hand("theirs", rates(0.5, 2))], AFTER_GOLD, tmp_path))
    there = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.html")}
    assert there == {name for name in after if name.endswith(".html")}
    assert before != after
    other = tmp_path / "other"
    other.mkdir()
    Path(other / "thesis.tex").write_text("all of it", encoding="utf-8")
    with pytest.raises(ChallengeError, match="it holds other files"):
        pages_of(folder, first, AFTER_GOLD, other)

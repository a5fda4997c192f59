"""Who may do what: every action for every role, and every owner."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest

from tests.unit.challenge_server.served_challenge import CLOSES, GRACE, NOW, OPENS, write_challenge
from treegauge.challenge_server.errors import NotAllowedError, NotThereError
from treegauge.challenge_server.permissions import (
    PUBLIC,
    RULES,
    Action,
    PackObject,
    SubmissionObject,
    TeamObject,
    Visitor,
    may,
    must,
)
from treegauge.challenge_server.phases import phase_named
from treegauge.challenges import Challenge

OWNER = Visitor("member", "anna", "blue")
OTHER = Visitor("member", "bo", "green")
HOMELESS = Visitor("member", "eve", "")
ORGANISER = Visitor("organiser", "olga")
ALL = (PUBLIC, OWNER, OTHER, HOMELESS, ORGANISER)
SHOWN = CLOSES + GRACE
RELEASED = datetime(2027, 6, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.fixture(scope="module")
def challenge(tmp_path_factory: pytest.TempPathFactory) -> Challenge:
    folder: Path = tmp_path_factory.mktemp("permissions")
    return write_challenge(folder / "served").challenge


def who_may(action: Action, object: object, now: datetime = NOW) -> list[Visitor]:
    return [visitor for visitor in ALL if may(visitor, action, object, now)]  # type: ignore[arg-type]


def test_every_action_has_a_rule() -> None:
    assert set(RULES) == set(get_args(Action))


def test_what_needs_no_object() -> None:
    assert who_may("see board", None) == list(ALL)
    assert who_may("use own account", None) == [OWNER, OTHER, HOMELESS, ORGANISER]
    assert who_may("submit", None) == [OWNER, OTHER]
    for action in ("organise", "see audit log", "rescore", "publish scores", "extend phase",
                   "withdraw team", "invite"):  # fmt: skip
        assert who_may(action, None) == [ORGANISER]  # type: ignore[arg-type]


def test_teams_see_themselves_alone(challenge: Challenge) -> None:
    own = SubmissionObject("blue", phase_named(challenge, "test"), challenge)
    assert who_may("see team", TeamObject("blue")) == [OWNER, ORGANISER]
    assert who_may("see submission", own) == [OWNER, ORGANISER]
    assert who_may("download submission", own) == [OWNER, ORGANISER]
    homeless = SubmissionObject("", phase_named(challenge, "test"), challenge)
    assert who_may("see submission", homeless) == [ORGANISER]


def test_an_action_on_the_wrong_thing_is_never_allowed(challenge: Challenge) -> None:
    """A route that forgets what it is about gets nothing."""
    for action in ("see team", "see submission", "see scores", "see trees", "choose submission",
                   "download submission", "download pack"):  # fmt: skip
        assert who_may(action, None) == []  # type: ignore[arg-type]
    assert who_may("see scores", TeamObject("blue")) == []


def test_scores_and_trees_show_in_their_time(challenge: Challenge) -> None:
    own = SubmissionObject("blue", phase_named(challenge, "test"), challenge)
    assert who_may("see scores", own, SHOWN - SECOND) == [ORGANISER]
    assert who_may("see scores", own, SHOWN) == [OWNER, ORGANISER]
    assert who_may("see trees", own, RELEASED - SECOND) == [ORGANISER]
    assert who_may("see trees", own, RELEASED) == [OWNER, ORGANISER]
    dev = SubmissionObject("blue", phase_named(challenge, "dev"), challenge)
    assert who_may("see scores", dev, NOW) == [OWNER, ORGANISER]
    assert who_may("see trees", dev, NOW) == [OWNER, ORGANISER]


def test_teams_choose_while_the_phase_lasts_and_lets_them(challenge: Challenge) -> None:
    phase = phase_named(challenge, "test")
    assert who_may("choose submission", SubmissionObject("blue", phase, challenge)) == []
    own = SubmissionObject("blue", replace(phase, counts="chosen"), challenge)
    assert who_may("choose submission", own) == [OWNER]
    assert who_may("choose submission", own, SHOWN) == []


def test_packs_go_out_in_their_time(challenge: Challenge) -> None:
    before = OPENS - SECOND
    assert who_may("download pack", PackObject("release", challenge), before) == list(ALL)
    for kind in ("test", "example"):
        pack = PackObject(kind, challenge, "labels")  # type: ignore[arg-type]
        assert who_may("download pack", pack, before) == [ORGANISER]
        assert who_may("download pack", pack, OPENS) == list(ALL)
        assert who_may("download pack", pack, RELEASED) == list(ALL)
    gold = PackObject("gold", challenge)
    assert who_may("download pack", gold, RELEASED - SECOND) == [ORGANISER]
    assert who_may("download pack", gold, RELEASED) == list(ALL)


def test_what_belongs_to_others_is_not_there(challenge: Challenge) -> None:
    own = SubmissionObject("blue", phase_named(challenge, "test"), challenge)
    for visitor in (PUBLIC, OTHER, HOMELESS):
        for action in ("see submission", "see scores", "download submission"):
            with pytest.raises(NotThereError, match="this does not exist, or you may not see it"):
                must(visitor, action, own, NOW)  # type: ignore[arg-type]
    with pytest.raises(NotAllowedError, match="are not shown yet"):
        must(OWNER, "see scores", own, NOW)
    with pytest.raises(NotAllowedError, match="log in first"):
        must(PUBLIC, "submit", None, NOW)
    with pytest.raises(NotAllowedError, match="only organisers may do this"):
        must(OWNER, "rescore", None, NOW)
    with pytest.raises(NotAllowedError, match="log in first"):
        must(PUBLIC, "download pack", PackObject("gold", challenge), NOW)
    must(ORGANISER, "rescore", None, NOW)

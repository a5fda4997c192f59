"""Phases from the clock: what is taken when, and what organisers may change."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.challenge_server.served_challenge import CLOSES, GRACE, NOW, OPENS, Served
from treegauge.challenge_server.accounts import insert_account
from treegauge.challenge_server.audit import entries
from treegauge.challenge_server.clock import Clock
from treegauge.challenge_server.errors import ConflictError, NotThereError
from treegauge.challenge_server.phases import (
    are_scores_shown,
    current_challenge,
    extend_phase,
    moments_of_change,
    open_phases,
    phase_named,
    publish_scores,
    why_not_taken,
)
from treegauge.challenges import Phase

SECOND = timedelta(seconds=1)
TEST = Phase(
    "test", "test", ("dependencies",), opens=OPENS, closes=CLOSES, scores="after close", grace=GRACE
)


@pytest.mark.parametrize(
    ("began", "ended", "why"),
    [
        (OPENS - SECOND, OPENS + SECOND, "opens at 2027-03-01 00:00 UTC; send it then"),
        (OPENS, OPENS, ""),
        (CLOSES - SECOND, CLOSES - SECOND, ""),
        (CLOSES - SECOND, CLOSES, ""),
        (CLOSES - SECOND, CLOSES + SECOND, ""),
        (CLOSES - SECOND, CLOSES + GRACE - SECOND, ""),
        (CLOSES - SECOND, CLOSES + GRACE, "was not complete by 2027-03-15 00:30 UTC"),
        (CLOSES, CLOSES, "closed at 2027-03-15 00:00 UTC; no more submissions are accepted"),
        (CLOSES + SECOND, CLOSES + SECOND, "closed at 2027-03-15 00:00 UTC"),
    ],
)
def test_an_upload_counts_if_it_began_before_the_close_and_ended_within_grace(
    began: datetime, ended: datetime, why: str
) -> None:
    said = why_not_taken(TEST, began, ended)
    assert bool(said) == bool(why)
    assert why in said


def test_without_grace_an_upload_ends_before_the_close() -> None:
    strict = replace(TEST, grace=timedelta())
    assert why_not_taken(strict, CLOSES - SECOND, CLOSES - SECOND / 2) == ""
    assert "before the upload was complete" in why_not_taken(strict, CLOSES - SECOND, CLOSES)


MOMENTS = st.datetimes(datetime(2027, 1, 1), datetime(2027, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001
ZONES = st.sampled_from(["UTC", "Europe/Copenhagen", "America/New_York", "Pacific/Apia"])


@examples(200)
@given(
    opens=MOMENTS,
    length=st.timedeltas(timedelta(seconds=1), timedelta(days=200)),
    grace=st.timedeltas(timedelta(), timedelta(hours=5)),
    began=MOMENTS,
    took=st.timedeltas(timedelta(), timedelta(hours=6)),
    zone=ZONES,
)
def test_deadlines_are_the_same_in_every_zone_and_over_changes_of_clocks(
    opens: datetime,
    length: timedelta,
    grace: timedelta,
    began: datetime,
    took: timedelta,
    zone: str,
) -> None:
    """The law, written with numbers of seconds alone, which know of no zones."""
    local = ZoneInfo(zone)
    phase = replace(
        TEST,
        opens=opens.astimezone(local),
        closes=(opens + length).astimezone(local),
        grace=grace,
    )
    ended = began + took
    # Python compares two times of one zone by what their clocks show: so the server's are in UTC.
    start, close = opens.timestamp(), (opens + length).timestamp()
    end = (opens + length + grace).timestamp()
    expected = start <= began.timestamp() < close and ended.timestamp() < end
    slack = abs(ended.timestamp() - end)
    if slack > 1e-3:  # numbers of seconds are rounded
        assert (why_not_taken(phase, began, ended) == "") == expected


@examples(100)
@given(st.lists(st.sampled_from([-3600, 3600, -7200, 60, 600]), max_size=30))
def test_a_phase_that_was_closed_never_opens_again(steps: list[int]) -> None:
    time = [CLOSES - timedelta(minutes=20)]
    elapsed = [0.0]
    clock = Clock(lambda: time[0], lambda: elapsed[0])
    was_closed = False
    for step in steps:
        time[0] += timedelta(seconds=step)
        elapsed[0] += 1
        now = clock.now()
        is_open = why_not_taken(TEST, now, now) == ""
        assert not (was_closed and is_open)
        was_closed = was_closed or not is_open


# ---------------------------------------------------------------------- what organisers change


def organiser(served: Served) -> str:
    with served.database.write() as connection:
        return insert_account(connection, "Olga", "organiser", now=NOW).id


def test_an_extension_holds_from_then_on_and_is_audited(served_on_both: Served) -> None:
    served, olga = served_on_both, organiser(served_on_both)
    later = CLOSES + timedelta(days=2)
    with served.database.write() as connection:
        changed = extend_phase(
            *(connection, served.challenge, "test", later),
            account=olga,
            now=CLOSES - SECOND,
            reason="a power cut in Uppsala",
        )
    with served.database.read() as connection:
        current = current_challenge(connection, served.challenge)
        last = list(entries(connection))[-1]
    assert changed == current
    assert phase_named(current, "test").closes == later
    assert phase_named(current, "test").ends == later + GRACE
    assert phase_named(current, "test").scores_from == later + GRACE
    assert phase_named(served.challenge, "test").closes == CLOSES
    assert (last.actor, last.action, last.object) == (olga, "extend phase", "test")
    assert last.details == {"until": later.isoformat(), "reason": "a power cut in Uppsala"}


@pytest.mark.parametrize(
    ("closes", "now", "why"),
    [
        (CLOSES, NOW, "name a later time"),
        (CLOSES - timedelta(days=1), NOW, "name a later time"),
        (CLOSES + timedelta(days=9), CLOSES + GRACE, "has shown its scores since"),
        (datetime(2027, 6, 2, tzinfo=UTC), NOW, "gold is released at 2027-06-01 00:00 UTC, and"),
    ],
)
def test_extensions_that_would_harm_are_refused(
    served: Served, closes: datetime, now: datetime, why: str
) -> None:
    olga = organiser(served)
    with pytest.raises(ConflictError, match=why), served.database.write() as connection:
        extend_phase(connection, served.challenge, "test", closes, account=olga, now=now)
    with served.database.read() as connection:
        assert current_challenge(connection, served.challenge) == served.challenge


def test_an_extension_that_lets_tracks_leak_is_refused(served: Served) -> None:
    olga = organiser(served)
    first, second = served.challenge.tracks
    hiding = replace(first, name="tags", hide=("heads", "tags"))
    early, late = CLOSES, CLOSES + timedelta(days=7)
    challenge = replace(
        served.challenge,
        tracks=(hiding, second),
        phases=(
            replace(TEST, name="tags", tracks=("tags",), grace=timedelta()),
            replace(TEST, name="labels", tracks=("labels",), opens=early, closes=late),
        ),
    )
    with pytest.raises(ConflictError, match="leak"), served.database.write() as connection:
        extend_phase(connection, challenge, "tags", late, account=olga, now=NOW)


def test_scores_are_published_once_and_never_before_the_end(served: Served) -> None:
    olga = organiser(served)
    waiting = replace(
        served.challenge,
        phases=(replace(TEST, scores=CLOSES + timedelta(days=30)),),
    )
    end = CLOSES + GRACE
    for now, why in ((CLOSES, "accepts submissions until"), (end, "")):
        with served.database.write() as connection:
            if why:
                with pytest.raises(ConflictError, match=why):
                    publish_scores(connection, waiting, "test", account=olga, now=now)
            else:
                publish_scores(connection, waiting, "test", account=olga, now=now)
    with served.database.read() as connection:
        phase = phase_named(current_challenge(connection, waiting), "test")
    assert are_scores_shown(phase, end)
    assert not are_scores_shown(phase, end - SECOND)
    with pytest.raises(ConflictError, match="show since"), served.database.write() as connection:
        publish_scores(connection, waiting, "test", account=olga, now=end + SECOND)


def test_unknown_phases_are_answered_with_those_there_are(served: Served) -> None:
    with pytest.raises(NotThereError, match="no phase 'final'; there are dev, test"):
        phase_named(served.challenge, "final")


def test_open_phases_and_moments(served: Served) -> None:
    challenge = served.challenge
    assert [one.name for one in open_phases(challenge, NOW)] == ["test"]
    assert [one.name for one in open_phases(challenge, OPENS - SECOND)] == ["dev"]
    assert open_phases(challenge, CLOSES) == ()
    assert open_phases(challenge, OPENS - SECOND, "labels") == ()
    assert moments_of_change(challenge) == (
        datetime(2027, 2, 1, tzinfo=UTC),
        OPENS,
        CLOSES,
        CLOSES + GRACE,
        datetime(2027, 6, 1, tzinfo=UTC),
    )

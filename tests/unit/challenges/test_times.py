from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from treegauge.challenges import ChallengeError
from treegauge.challenges.times import parse_time, shown_time


@pytest.mark.parametrize(
    ("text", "in_utc"),
    [
        ("2027-03-01 12:00 UTC", "2027-03-01T12:00"),
        ("2027-03-01T12:00:30Z", "2027-03-01T12:00:30"),
        ("2027-03-01 12:00 AoE", "2027-03-02T00:00"),
        ("2027-03-01 12:00 aoe", "2027-03-02T00:00"),
        ("2027-03-01T12:00+05:30", "2027-03-01T06:30"),
        ("2027-03-01 12:00-0800", "2027-03-01T20:00"),
        ("2027-03-01 12:00 Europe/Copenhagen", "2027-03-01T11:00"),
        ("2027-07-01 12:00 Europe/Copenhagen", "2027-07-01T10:00"),
    ],
)
def test_times_have_a_zone(text: str, in_utc: str) -> None:
    moment = parse_time(text, place="opens")
    assert moment.astimezone(UTC) == datetime.fromisoformat(in_utc).replace(tzinfo=UTC)


def test_a_day_closes_when_it_is_over_everywhere() -> None:
    begin = parse_time("2027-03-01 AoE", place="opens")
    end = parse_time("2027-03-01 AoE", place="closes", day="ends")
    assert begin.astimezone(UTC) == datetime(2027, 3, 1, 12, tzinfo=UTC)
    assert end - begin == timedelta(days=1)


@pytest.mark.parametrize(
    "value",
    ["2027-03-01 12:00", "2027-03-01", date(2027, 3, 1), datetime(2027, 3, 1, 12)],  # noqa: DTZ001
)
def test_a_deadline_without_a_zone_says_what_to_write(value: object) -> None:
    with pytest.raises(
        ChallengeError, match=r"closes: 2027-03-01.* has no zone; write '2027.*AoE'"
    ):
        parse_time(value, place="closes")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("tomorrow", "expected a time such as"),
        (7, "expected a time such as"),
        ("2027-02-30 12:00 UTC", "there is no time '2027-02-30"),
        ("2027-03-01 25:00 UTC", "there is no time"),
        ("9999-12-31 AoE", "there is no time"),
        ("2027-03-01 12:00 CPH", "unknown zone 'CPH'"),
        ("2027-03-01 12:00 ../../etc/passwd", "unknown zone"),
        ("2027-03-01 12:00 +25:00", "unknown zone"),
        # Clocks go forward from 2 to 3, and back from 3 to 2.
        ("2027-03-28 02:30 Europe/Copenhagen", "clocks change"),
        ("2027-10-31 02:30 Europe/Copenhagen", "clocks change"),
    ],
)
def test_odd_times_are_refused(value: object, message: str) -> None:
    with pytest.raises(ChallengeError, match=message):
        parse_time(value, place="opens", day="ends")


def test_a_time_of_toml_may_have_a_zone() -> None:
    noon = datetime(2027, 3, 1, 12, tzinfo=timezone(timedelta(hours=1)))
    assert parse_time(noon, place="opens") is noon
    assert shown_time(noon) == "2027-03-01 11:00 UTC"

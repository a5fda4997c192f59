"""Times of a challenge: every one has a zone, so that nobody loses hours to another clock.

    2027-03-01 12:00 UTC
    2027-03-01T12:00:00+01:00
    2027-03-01 12:00 Europe/Copenhagen
    2027-03-01 12:00 AoE
    2027-03-01 AoE

`AoE` is anywhere on earth, UTC-12: a day is over when it is over everywhere. A date without an
hour is the whole day: what opens then opens as it begins, what closes then closes as it ends.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import Any, Literal
from zoneinfo import ZoneInfo

from treegauge.challenges.errors import ChallengeError

ANYWHERE_ON_EARTH = timezone(timedelta(hours=-12), "AoE")

End = Literal["begins", "ends"]
"""Which end of a day is meant where a date has no hour."""

_TIME = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)(?:[T ](?P<clock>\d\d:\d\d(?::\d\d)?))?\s*(?P<zone>\S*)", re.ASCII
)
_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)", re.ASCII)


def parse_time(value: Any, *, place: str, day: End = "begins") -> datetime:
    """Read a time with its zone, as TOML gives it: a text, or a time of its own.

    >>> parse_time("2027-03-01 AoE", place="closes", day="ends").astimezone(UTC).isoformat()
    '2027-03-02T12:00:00+00:00'
    """
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise _without_zone(place, value.isoformat(" "))
        return value
    if isinstance(value, date):
        raise _without_zone(place, value.isoformat())
    match = _TIME.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise ChallengeError(
            f"{place}: expected a time such as '2027-03-01 12:00 AoE' or "
            f"'2027-03-01T12:00:00+01:00', found {value!r}"
        )
    if not match["zone"]:
        raise _without_zone(place, value)
    zone = _zone(match["zone"], place)
    try:
        clock = time.fromisoformat(match["clock"]) if match["clock"] else time()
        moment = datetime.combine(date.fromisoformat(match["day"]), clock)
        if not match["clock"] and day == "ends":
            moment += timedelta(days=1)
    except (ValueError, OverflowError) as error:
        raise ChallengeError(f"{place}: there is no time {value!r}: {error}") from None
    return _exactly_once(moment, zone, place)


def shown_time(moment: datetime) -> str:
    """Return a time as messages and pages show it, in UTC.

    >>> shown_time(datetime(2027, 3, 1, 12, tzinfo=ANYWHERE_ON_EARTH))
    '2027-03-02 00:00 UTC'
    """
    in_utc = moment.astimezone(UTC)
    return in_utc.strftime("%Y-%m-%d %H:%M:%S UTC" if in_utc.second else "%Y-%m-%d %H:%M UTC")


def _without_zone(place: str, found: str) -> ChallengeError:
    return ChallengeError(
        f"{place}: {found} has no zone; write '{found} AoE' (anywhere on earth), "
        f"'{found} UTC' or '{found} Europe/Copenhagen'"
    )


def _zone(name: str, place: str) -> tzinfo:
    if name.casefold() == "aoe":
        return ANYWHERE_ON_EARTH
    if name.upper() in ("Z", "UTC"):
        return UTC
    if offset := _OFFSET.fullmatch(name):
        sign, hours, minutes = offset.groups()
        length = timedelta(hours=int(hours), minutes=int(minutes))
        if length < timedelta(days=1) and int(minutes) < 60:
            return timezone(length if sign == "+" else -length)
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError):  # unknown, a folder of zones, or no path at all
        raise ChallengeError(
            f"{place}: unknown zone {name!r}; write AoE, UTC, +01:00 or a name such as "
            "Europe/Copenhagen"
        ) from None


def _exactly_once(moment: datetime, zone: tzinfo, place: str) -> datetime:
    """Refuse an hour that a change of clocks leaves out, or has twice."""
    first, second = (moment.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.utcoffset() != second.utcoffset():
        raise ChallengeError(
            f"{place}: clocks change in {zone} at {moment}, so that this hour is not there once; "
            "write it with UTC or with an offset such as +01:00"
        )
    return first

"""Who may do what, and when: the one place that says so.

Every route asks `may` before it looks at anything. What belongs to others is as if it were not
there: `must` raises the same 404 for it as for an unknown id.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from treegauge.challenge_server.errors import NotAllowedError, NotThereError
from treegauge.challenge_server.phases import are_scores_shown
from treegauge.challenges import Challenge, Phase

Role = Literal["public", "member", "organiser"]


@dataclass(frozen=True)
class Visitor:
    """Who asks.

    Attributes
    ----------
    account : str
        Id of the account; empty for the public.
    team : str
        Id of the team; empty for the public and for organisers.
    name : str
        Of the account, to be shown.
    """

    role: Role = "public"
    account: str = ""
    team: str = ""
    name: str = ""


PUBLIC = Visitor()


@dataclass(frozen=True)
class TeamObject:
    """A team that somebody asks about."""

    team: str


@dataclass(frozen=True)
class SubmissionObject:
    """A submission that somebody asks about; `phase` and `challenge` with all changes."""

    team: str
    phase: Phase
    challenge: Challenge


@dataclass(frozen=True)
class PackObject:
    """A pack that somebody asks for; `track` is empty where a pack is for all of them."""

    kind: Literal["release", "test", "example", "gold"]
    challenge: Challenge
    track: str = ""


Object = TeamObject | SubmissionObject | PackObject | None

Action = Literal[
    "see board",
    "download pack",
    "use own account",
    "submit",
    "see team",
    "see submission",
    "download submission",
    "choose submission",
    "see scores",
    "see trees",
    "organise",
    "see audit log",
    "rescore",
    "publish scores",
    "extend phase",
    "withdraw team",
    "invite",
]
_Rule = Callable[[Visitor, Object, datetime], bool]


def may(visitor: Visitor, action: Action, object: Object, now: datetime) -> bool:
    """Return whether a visitor may do something, now.

    Parameters
    ----------
    object : TeamObject, SubmissionObject, PackObject or None
        What it is done to; None for what concerns the server as a whole.
    now : datetime
        By the server's clock.

    Examples
    --------
    >>> from datetime import UTC
    >>> now = datetime(2027, 3, 1, tzinfo=UTC)
    >>> blue, green = Visitor("member", "anna", "blue"), Visitor("member", "bo", "green")
    >>> [may(who, "see team", TeamObject("blue"), now) for who in (blue, green, PUBLIC)]
    [True, False, False]
    """
    return RULES[action](visitor, object, now)


def must(visitor: Visitor, action: Action, object: Object, now: datetime) -> None:
    """Refuse what a visitor may not do.

    Raises
    ------
    NotThereError
        If the object belongs to others.
    NotAllowedError
        If the visitor knows of the object, and may not do this, or not yet.
    """
    if may(visitor, action, object, now):
        return
    is_known = not isinstance(object, TeamObject | SubmissionObject) or _is_own(visitor, object)
    if not is_known:
        raise NotThereError("this does not exist, or you may not see it; check the address")
    if visitor.role == "public":
        raise NotAllowedError("log in first")
    raise NotAllowedError(_REASONS.get(action, "only organisers may do this"))


_REASONS: dict[Action, str] = {
    "see scores": "the scores of this phase are not shown yet",
    "see trees": "trees are shown when gold is released",
    "download pack": "this pack is not released yet",
    "submit": "only members of teams send submissions",
    "choose submission": "you cannot choose in this phase, or it is over",
}


def _is_own(visitor: Visitor, object: Object) -> bool:
    """Return whether something belongs to the visitor's team; organisers have all of it."""
    if not isinstance(object, TeamObject | SubmissionObject):
        return False
    if visitor.role == "organiser":
        return True
    return visitor.role == "member" and bool(visitor.team) and visitor.team == object.team


# ---------------------------------------------------------------------- rules


def _everybody(visitor: Visitor, object: Object, now: datetime) -> bool:  # noqa: ARG001
    return True


def _signed_in(visitor: Visitor, object: Object, now: datetime) -> bool:  # noqa: ARG001
    return visitor.role != "public"


def _members(visitor: Visitor, object: Object, now: datetime) -> bool:  # noqa: ARG001
    return visitor.role == "member" and bool(visitor.team)


def _organisers(visitor: Visitor, object: Object, now: datetime) -> bool:  # noqa: ARG001
    return visitor.role == "organiser"


def _owners(visitor: Visitor, object: Object, now: datetime) -> bool:  # noqa: ARG001
    return _is_own(visitor, object)


def _pack_is_out(visitor: Visitor, object: Object, now: datetime) -> bool:
    """Release at once; blind packs when their phase opens; gold when it is no secret."""
    if not isinstance(object, PackObject):
        return False
    if visitor.role == "organiser" or object.kind == "release":
        return True
    if object.kind == "gold":
        return object.challenge.is_all_gold_released(now)
    phases = object.challenge.phases_of(object.track)
    return any(phase.opens <= now for phase in phases)


def _scores_show(visitor: Visitor, object: Object, now: datetime) -> bool:
    if not isinstance(object, SubmissionObject) or not _is_own(visitor, object):
        return False
    return visitor.role == "organiser" or are_scores_shown(object.phase, now)


def _trees_show(visitor: Visitor, object: Object, now: datetime) -> bool:
    if not isinstance(object, SubmissionObject) or not _scores_show(visitor, object, now):
        return False
    is_released = object.phase.part == "dev" or object.challenge.is_all_gold_released(now)
    return visitor.role == "organiser" or is_released


def _may_choose(visitor: Visitor, object: Object, now: datetime) -> bool:
    """Teams choose while the phase lasts: later they might know what to choose."""
    if not isinstance(object, SubmissionObject) or not _is_own(visitor, object):
        return False
    phase = object.phase
    return visitor.role == "member" and phase.counts == "chosen" and now < phase.ends


RULES: dict[Action, _Rule] = {
    "see board": _everybody,
    "download pack": _pack_is_out,
    "use own account": _signed_in,
    "submit": _members,
    "see team": _owners,
    "see submission": _owners,
    "download submission": _owners,
    "choose submission": _may_choose,
    "see scores": _scores_show,
    "see trees": _trees_show,
    "organise": _organisers,
    "see audit log": _organisers,
    "rescore": _organisers,
    "publish scores": _organisers,
    "extend phase": _organisers,
    "withdraw team": _organisers,
    "invite": _organisers,
}

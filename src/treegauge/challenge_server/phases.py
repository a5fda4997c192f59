"""Phases as they are at a moment: from the clock at each request, never from a timer.

Organisers may let a phase close later, or show its scores at another time. Every such change is a
row, and the challenge that the server goes by is that of `challenge.toml` with these changes:
everything that the kit says of a challenge holds for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from treegauge.challenge_server import schema
from treegauge.challenge_server.audit import add_entry
from treegauge.challenge_server.errors import ConflictError, NotThereError
from treegauge.challenges import Challenge, ChallengeError, Phase
from treegauge.challenges.leaks import refuse_leaks
from treegauge.challenges.times import shown_time

Change = Literal["closes", "scores"]


@dataclass(frozen=True)
class PhaseChange:
    """A time of a phase that an organiser changed."""

    phase: str
    what: Change
    moment: datetime


def current_challenge(connection: Connection, challenge: Challenge) -> Challenge:
    """Return the challenge with all changes of its phases."""
    table = schema.phase_change
    rows = connection.execute(
        sa.select(table.c.phase, table.c.what, table.c.moment).order_by(table.c.number)
    )
    return changed_challenge(challenge, (PhaseChange(*row) for row in rows))


def changed_challenge(challenge: Challenge, changes: Iterable[PhaseChange]) -> Challenge:
    """Return a challenge with some changes; of two for one time, the later one holds."""
    phases = {phase.name: phase for phase in challenge.phases}
    for change in changes:
        phase = phases.get(change.phase)
        if phase is not None and change.what == "closes":
            phases[phase.name] = replace(phase, closes=change.moment)
        elif phase is not None:
            phases[phase.name] = replace(phase, scores=change.moment)
    return replace(challenge, phases=tuple(phases.values()))


def phase_named(challenge: Challenge, name: str) -> Phase:
    """Return a phase by its name.

    Raises
    ------
    NotThereError
        If there is none.
    """
    for phase in challenge.phases:
        if phase.name == name:
            return phase
    names = ", ".join(phase.name for phase in challenge.phases)
    raise NotThereError(f"there is no phase {name!r}; there are {names}")


def open_phases(challenge: Challenge, now: datetime, track: str | None = None) -> tuple[Phase, ...]:
    """Return the phases in which an upload may begin now, in order of their close."""
    chosen = (
        phase
        for phase in challenge.phases
        if phase.opens <= now < phase.closes and (track is None or track in phase.tracks)
    )
    return tuple(sorted(chosen, key=lambda phase: phase.closes))


def why_not_taken(phase: Phase, began: datetime, ended: datetime) -> str:
    """Return why a phase does not take an upload; empty if it does.

    An upload counts if it began while the phase was open, and ended before its grace time did.

    Parameters
    ----------
    began : datetime
        When the request came.
    ended : datetime
        When its last byte had come.
    """
    if began < phase.opens:
        return f"the phase {phase.name!r} opens at {shown_time(phase.opens)}; send it then"
    if began >= phase.closes:
        return (
            f"the phase {phase.name!r} closed at {shown_time(phase.closes)}; "
            "no more submissions are accepted"
        )
    if ended >= phase.ends and phase.grace:
        return (
            f"the phase {phase.name!r} closed at {shown_time(phase.closes)}, and the upload was "
            f"not complete by {shown_time(phase.ends)}; no more submissions are accepted"
        )
    if ended >= phase.ends:
        return (
            f"the phase {phase.name!r} closed at {shown_time(phase.closes)}, before the upload "
            f"was complete; no more submissions are accepted"
        )
    return ""


def are_scores_shown(phase: Phase, now: datetime) -> bool:
    """Return whether participants may see scores of a phase."""
    return now >= phase.scores_from


def moments_of_change(challenge: Challenge) -> tuple[datetime, ...]:
    """Return all times at which something else is to be seen, in order."""
    moments = {challenge.gold_released_at}
    for phase in challenge.phases:
        moments |= {phase.opens, phase.closes, phase.ends, phase.scores_from}
    if challenge.board.anonymous_until is not None:
        moments.add(challenge.board.anonymous_until)
    return tuple(sorted(moments))


# ---------------------------------------------------------------------- what organisers change


def extend_phase(
    connection: Connection,
    challenge: Challenge,
    name: str,
    closes: datetime,
    *,
    account: str,
    now: datetime,
    reason: str = "",
) -> Challenge:
    """Let a phase close later, and return the challenge as it is then.

    Parameters
    ----------
    challenge : Challenge
        As `challenge.toml` has it.
    account : str
        Id of the organiser.

    Raises
    ------
    ConflictError
        If it would close earlier, has shown its scores, or if gold or a pack that is out by then
        would tell what it hides.
    """
    current = current_challenge(connection, challenge)
    phase = phase_named(current, name)
    if closes <= phase.closes:
        raise ConflictError(
            f"the phase {name!r} closes at {shown_time(phase.closes)}; name a later time: a "
            f"deadline can only be extended"
        )
    if phase.scores != "at once" and are_scores_shown(phase, now):
        raise ConflictError(
            f"the phase {name!r} has shown its scores since {shown_time(phase.scores_from)}, "
            f"and cannot be opened again"
        )
    changed = changed_challenge(current, [PhaseChange(name, "closes", closes)])
    _refuse_secrets_told(changed, phase_named(changed, name))
    if not _leak(current) and (leak := _leak(changed)):
        raise ConflictError(leak)
    _keep(connection, PhaseChange(name, "closes", closes), account, now, reason)
    return changed


def publish_scores(
    connection: Connection,
    challenge: Challenge,
    name: str,
    *,
    account: str,
    now: datetime,
    reason: str = "",
) -> Challenge:
    """Show the scores of a phase from now on, and return the challenge as it is then.

    Raises
    ------
    ConflictError
        If they show already, or if the phase still takes submissions.
    """
    current = current_challenge(connection, challenge)
    phase = phase_named(current, name)
    if are_scores_shown(phase, now):
        raise ConflictError(
            f"scores of the phase {name!r} show since {shown_time(phase.scores_from)}"
        )
    if now < phase.ends:
        raise ConflictError(
            f"the phase {name!r} accepts submissions until {shown_time(phase.ends)}; publish "
            f"its scores then"
        )
    change = PhaseChange(name, "scores", now)
    _keep(connection, change, account, now, reason)
    return changed_challenge(current, [change])


def _refuse_secrets_told(challenge: Challenge, phase: Phase) -> None:
    """Refuse a later close where gold or scores would be out before it."""
    told = {"gold is released": challenge.gold_released_at} if phase.part == "test" else {}
    if phase.scores != "at once":
        told["its scores show"] = phase.scores_from
    for what, moment in told.items():
        if moment < phase.ends:
            raise ConflictError(
                f"{what} at {shown_time(moment)}, and the phase {phase.name!r} would accept "
                f"submissions until {shown_time(phase.ends)}; change that time in challenge.toml "
                "first, and start the server again"
            )


def _leak(challenge: Challenge) -> str:
    """Return which tracks leak into each other; empty if none do."""
    try:
        refuse_leaks(challenge)
    except ChallengeError as error:
        return str(error)
    return ""


def _keep(
    connection: Connection, change: PhaseChange, account: str, now: datetime, reason: str
) -> None:
    table = schema.phase_change
    number = (connection.scalar(sa.select(sa.func.max(table.c.number))) or 0) + 1
    connection.execute(
        sa.insert(table).values(
            number=number,
            phase=change.phase,
            what=change.what,
            moment=change.moment,
            made=now,
            account=account,
            reason=reason,
        )
    )
    action = "extend phase" if change.what == "closes" else "publish scores"
    details = {"until": change.moment.isoformat(), "reason": reason}
    add_entry(connection, account, action, change.phase, details, now=now)

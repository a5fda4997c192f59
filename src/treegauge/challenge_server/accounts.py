"""Accounts and teams: who there is.

Names are NFKC, have 1 to 60 visible characters, and are one name if they are so after case folding:
nobody can be taken for somebody else because of a space or a capital. Ids, never names, say who
may do what.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from treegauge.challenge_server import schema
from treegauge.challenge_server.audit import add_entry
from treegauge.challenge_server.errors import ConflictError, NotThereError, ServerError
from treegauge.challenge_server.permissions import Visitor
from treegauge.challenges.system_file import is_visible, name_key
from treegauge.wording import unknown_name

LONGEST_NAME = 60


@dataclass(frozen=True)
class Account:
    """Who can log in; `team` is empty for organisers."""

    id: str
    name: str
    role: schema.AccountRole
    team: str = ""

    @property
    def visitor(self) -> Visitor:
        """The account, as the one who asks."""
        return Visitor(self.role, self.id, self.team, self.name)


@dataclass(frozen=True)
class Team:
    """Who takes part; a withdrawn team stands on no board."""

    id: str
    name: str
    created: datetime
    withdrawn: datetime | None = None


def clean_name(name: str, what: str = "name") -> str:
    """Return a name as it is kept, or refuse it.

    Raises
    ------
    ServerError
        If it is empty, too long, or has characters that are obeyed or left out where it is shown.

    Examples
    --------
    >>> clean_name("  Team\\u00a0 Ａ ")
    'Team A'
    """
    clean = " ".join(unicodedata.normalize("NFKC", name).split())
    if not clean or len(clean) > LONGEST_NAME or not is_visible(clean) or not is_visible(name):
        raise ServerError(
            f"{what}: expected 1 to {LONGEST_NAME} visible characters, found "
            f"{name[:LONGEST_NAME]!a}; write it with visible letters"
        )
    return clean


# ---------------------------------------------------------------------- accounts


def _accounts() -> sa.Select[Any]:
    own, joined = schema.account, schema.member
    return sa.select(own.c.id, own.c.name, own.c.role, joined.c.team).join_from(
        own, joined, own.c.id == joined.c.account, isouter=True
    )


def _account(row: sa.Row[Any]) -> Account:
    return Account(row.id, row.name, row.role, row.team or "")


def account_by_id(connection: Connection, id: str) -> Account | None:
    """Return an account, or None."""
    row = connection.execute(_accounts().where(schema.account.c.id == id)).first()
    return None if row is None else _account(row)


def account_by_name(connection: Connection, name: str) -> Account | None:
    """Return an account by any spelling of its name, or None."""
    statement = _accounts().where(schema.account.c.name_key == name_key(name))
    row = connection.execute(statement).first()
    return None if row is None else _account(row)


def members_of(connection: Connection, team: str) -> list[Account]:
    """Return the accounts of a team, in the order in which they joined."""
    statement = _accounts().where(schema.member.c.team == team).order_by(schema.member.c.joined)
    return [_account(row) for row in connection.execute(statement)]


def insert_account(
    connection: Connection,
    name: str,
    role: schema.AccountRole,
    *,
    now: datetime,
    team: str = "",
    password: str | None = None,
) -> Account:
    """Add an account; `password` is a hash.

    Raises
    ------
    ConflictError
        If the name is taken.
    """
    clean = clean_name(name)
    if account_by_name(connection, clean) is not None:
        raise ConflictError(f"the name {clean!r} is taken; choose another one")
    id = schema.new_id()
    connection.execute(
        sa.insert(schema.account).values(
            id=id,
            name=clean,
            name_key=name_key(clean),
            role=role,
            password=password,
            created=now,
        )
    )
    if team:
        connection.execute(sa.insert(schema.member).values(account=id, team=team, joined=now))
    return Account(id, clean, role, team)


# ---------------------------------------------------------------------- teams


def add_team(connection: Connection, name: str, *, actor: str, now: datetime) -> Team:
    """Add a team.

    Raises
    ------
    ConflictError
        If there is one of this name.
    """
    clean = clean_name(name, "team")
    table = schema.team
    taken = sa.select(table.c.name).where(table.c.name_key == name_key(clean))
    if (other := connection.scalar(taken)) is not None:
        raise ConflictError(f"there is a team {other!r}; `team invite` makes another link for it")
    team = Team(schema.new_id(), clean, now)
    connection.execute(
        sa.insert(table).values(id=team.id, name=clean, name_key=name_key(clean), created=now)
    )
    add_entry(connection, actor, "add team", team.id, {"name": clean}, now=now)
    return team


def team_by_id(connection: Connection, id: str) -> Team | None:
    """Return a team, or None."""
    return next(iter(teams(connection, schema.team.c.id == id)), None)


def team_by_name(connection: Connection, name: str) -> Team:
    """Return a team by any spelling of its name.

    Raises
    ------
    NotThereError
        If there is none.
    """
    chosen = teams(connection, schema.team.c.name_key == name_key(name))
    if not chosen:
        names = [team.name for team in teams(connection)]
        advice = "" if names else "there are no teams yet"
        raise NotThereError(unknown_name("team", name, names, advice=advice))
    return chosen[0]


def teams(connection: Connection, *conditions: sa.ColumnElement[bool]) -> list[Team]:
    """Return all teams, or those that fit, by name."""
    table = schema.team
    statement = sa.select(table.c.id, table.c.name, table.c.created, table.c.withdrawn)
    rows = connection.execute(statement.where(*conditions).order_by(table.c.name_key))
    return [Team(*row) for row in rows]


def withdraw_team(
    connection: Connection, id: str, *, actor: str, now: datetime, reason: str = ""
) -> None:
    """Take a team from all boards; what it sent stays.

    Raises
    ------
    ConflictError
        If it was withdrawn before.
    """
    _set_withdrawn(connection, id, now, actor=actor, now=now, reason=reason)


def reinstate_team(
    connection: Connection, id: str, *, actor: str, now: datetime, reason: str = ""
) -> None:
    """Put a team that was withdrawn back on the boards."""
    _set_withdrawn(connection, id, None, actor=actor, now=now, reason=reason)


def _set_withdrawn(
    connection: Connection,
    id: str,
    withdrawn: datetime | None,
    *,
    actor: str,
    now: datetime,
    reason: str,
) -> None:
    team = team_by_id(connection, id)
    if team is None:
        raise NotThereError("there is no such team")
    if (team.withdrawn is None) == (withdrawn is None):
        raise ConflictError(
            f"the team {team.name!r} is already "
            f"{'on the leaderboard' if withdrawn is None else 'withdrawn'}"
        )
    table = schema.team
    connection.execute(sa.update(table).where(table.c.id == id).values(withdrawn=withdrawn))
    action = "reinstate team" if withdrawn is None else "withdraw team"
    add_entry(connection, actor, action, id, {"name": team.name, "reason": reason}, now=now)

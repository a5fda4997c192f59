"""Invitations: links for one use, into a team or to a new password.

There is no e-mail: organisers hand links out. The database has their SHA-256 alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from treegauge.challenge_server import schema
from treegauge.challenge_server.accounts import (
    Account,
    Team,
    account_by_id,
    account_by_name,
    add_team,
    insert_account,
    team_by_id,
    team_by_name,
)
from treegauge.challenge_server.audit import add_entry
from treegauge.challenge_server.database import Database
from treegauge.challenge_server.errors import (
    ConflictError,
    NotAllowedError,
    NotThereError,
    ServerError,
)
from treegauge.challenge_server.passwords import (
    PASSWORDS,
    Passwords,
    hashed_secret,
    new_secret,
    refuse_weak,
)
from treegauge.challenge_server.signing_in import insert_token, revoke_all
from treegauge.challenges.times import shown_time

LASTING = timedelta(days=14)
"""How long a link can be used."""


@dataclass(frozen=True)
class Invitation:
    """What a link is for.

    Attributes
    ----------
    team : Team, optional
        The team that it leads into; None for organisers.
    account : Account, optional
        Whose password it sets; None if it makes a new account.
    """

    id: str
    team: Team | None
    account: Account | None
    expires: datetime

    @property
    def suggested_name(self) -> str:
        """A name for the account, unless somebody has a better one."""
        if self.account is not None:
            return self.account.name
        return self.team.name if self.team else ""


@dataclass(frozen=True)
class Redeemed:
    """What came of a link; the token is shown once."""

    account: Account
    token: str = ""


def add_organiser(database: Database, name: str, *, actor: str, now: datetime) -> str:
    """Add an organiser, or find the one of this name; return the secret of a link.

    Raises
    ------
    ConflictError
        If the name is that of a member of a team.
    """
    with database.write() as connection:
        account = account_by_name(connection, name)
        if account is None:
            account = insert_account(connection, name, "organiser", now=now)
            add_entry(
                connection, actor, "add organiser", account.id, {"name": account.name}, now=now
            )
        elif account.role != "organiser":
            raise ConflictError(f"{account.name!r} is a member of a team; choose another name")
        return _insert(connection, None, account.id, actor=actor, now=now)


def add_invited_team(
    database: Database, name: str, *, actor: str, now: datetime
) -> tuple[Team, str]:
    """Add a team, and return it with the secret of a link into it."""
    with database.write() as connection:
        team = add_team(connection, name, actor=actor, now=now)
        return team, _insert(connection, team.id, None, actor=actor, now=now)


def invite(
    database: Database, team: str, *, actor: str, now: datetime, account: str | None = None
) -> str:
    """Return the secret of another link into a team.

    Parameters
    ----------
    team : str
        Name of the team.
    account : str, optional
        Name of a member who lost a password; a new account without one.
    """
    with database.write() as connection:
        chosen = team_by_name(connection, team)
        member = account_by_name(connection, account) if account else None
        if account and (member is None or member.team != chosen.id):
            raise NotThereError(f"the team {chosen.name!r} has no member {account!r}")
        id = member.id if member else None
        return _insert(connection, chosen.id, id, actor=actor, now=now)


def find_invitation(connection: Connection, secret: str, now: datetime) -> Invitation:
    """Return what a link is for.

    Raises
    ------
    NotThereError
        If there is no such link.
    ConflictError
        If it was used.
    NotAllowedError
        If it is too old.
    """
    table = schema.invitation
    row = connection.execute(
        sa.select(table).where(table.c.secret == hashed_secret(secret))
    ).first()
    if row is None:
        raise NotThereError("there is no such invitation; is the link complete?")
    if row.used is not None:
        raise ConflictError(
            "this invitation was used before; log in, or ask the organisers for another one"
        )
    if now >= row.expires:
        raise NotAllowedError(
            f"this invitation expired at {shown_time(row.expires)}; ask the organisers for "
            "another one"
        )
    team = team_by_id(connection, row.team) if row.team else None
    account = account_by_id(connection, row.account) if row.account else None
    return Invitation(row.id, team, account, row.expires)


def redeem(
    database: Database,
    secret: str,
    *,
    now: datetime,
    name: str = "",
    password: str = "",
    token_name: str = "",
    passwords: Passwords = PASSWORDS,
) -> Redeemed:
    """Make an account, or set its password anew; the link is used then.

    Parameters
    ----------
    name : str
        Of the new account; after the team without one.
    password : str
        To log in with a browser; none is set if it is empty.
    token_name : str
        If given, a token of this name is made and returned.

    Raises
    ------
    ServerError
        If there is neither a password nor a token to be made, or the password is weak.
    NotThereError, ConflictError, NotAllowedError
        If the link cannot be used, or the name is taken.
    """
    if not password and not token_name:
        raise ServerError("choose a password")
    with database.read() as connection:
        invitation = find_invitation(connection, secret, now)
    if password:
        refuse_weak(password, name or invitation.suggested_name)
    kept = passwords.hash(password) if password else None
    with database.write() as connection:
        invitation = find_invitation(connection, secret, now)
        if invitation.account is not None:
            account = _renew(connection, invitation.account, kept, now)
        else:
            account = _join(connection, invitation, name, kept, now)
        table = schema.invitation
        connection.execute(
            sa.update(table).where(table.c.id == invitation.id).values(used=now, used_by=account.id)
        )
        details = {"invitation": invitation.id, "name": account.name}
        add_entry(connection, account.id, "redeem invitation", account.id, details, now=now)
        token = ""
        if token_name:
            token = insert_token(connection, account, token_name, now=now)
    return Redeemed(account, token)


def _renew(connection: Connection, account: Account, kept: str | None, now: datetime) -> Account:
    """Give an account another password; whoever had the old one is logged out."""
    revoke_all(connection, account.id, now=now)
    table = schema.account
    connection.execute(sa.update(table).where(table.c.id == account.id).values(password=kept))
    return account


def _join(
    connection: Connection, invitation: Invitation, name: str, kept: str | None, now: datetime
) -> Account:
    """Make an account in a team; without a name it gets one that is free."""
    if invitation.team is None:
        raise NotThereError("there is no such invitation; is the link complete?")
    chosen = name or invitation.team.name
    number = 1
    while not name and account_by_name(connection, chosen) is not None:
        number += 1
        chosen = f"{invitation.team.name[:50]} {number}"
    return insert_account(
        connection, chosen, "member", now=now, team=invitation.team.id, password=kept
    )


def _insert(
    connection: Connection,
    team: str | None,
    account: str | None,
    *,
    actor: str,
    now: datetime,
) -> str:
    secret = new_secret()
    id = schema.new_id()
    connection.execute(
        sa.insert(schema.invitation).values(
            id=id,
            secret=hashed_secret(secret),
            team=team,
            account=account,
            created=now,
            expires=now + LASTING,
        )
    )
    add_entry(connection, actor, "invite", id, {"team": team, "account": account}, now=now)
    return secret

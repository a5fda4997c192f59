"""Logging in: sessions of browsers and tokens of programs, all of them rows that can be revoked."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from treegauge.challenge_server import schema
from treegauge.challenge_server.accounts import Account, account_by_id, account_by_name, clean_name
from treegauge.challenge_server.audit import add_entry
from treegauge.challenge_server.database import Database
from treegauge.challenge_server.errors import NotSignedInError, NotThereError
from treegauge.challenge_server.passwords import (
    PASSWORDS,
    Passwords,
    hashed_secret,
    new_secret,
    refuse_weak,
)
from treegauge.challenge_server.permissions import PUBLIC, Visitor

SESSION_LASTING = timedelta(days=14)
TOKEN_BEGINNING = "tgc_"
"""What tokens begin with, so that people and scanners know one when they see it."""


@dataclass(frozen=True)
class SignIn:
    """A session or a token, as its owner sees it."""

    id: str
    kind: Literal["session", "token"]
    name: str
    created: datetime
    expires: datetime | None


def log_in(
    database: Database,
    name: str,
    password: str,
    *,
    now: datetime,
    passwords: Passwords = PASSWORDS,
) -> tuple[str, Visitor]:
    """Check a password; return the secret of a new session, for the cookie, and who it is.

    Raises
    ------
    NotSignedInError
        If they do not fit; the words and the time do not tell which of the two it was.
    """
    with database.read() as connection:
        account = account_by_name(connection, name)
        kept = None if account is None else _kept_password(connection, account.id)
    if not passwords.fits(kept, password) or account is None:
        raise NotSignedInError("wrong name or password; organisers can send a new link")
    with database.write() as connection:
        # An invitation may have set another password meanwhile.
        if _kept_password(connection, account.id) != kept:
            raise NotSignedInError("the password has just been changed; log in again")
        secret = insert_session(connection, account, now=now)
    return secret, account.visitor


def _kept_password(connection: Connection, account: str) -> str | None:
    table = schema.account
    return connection.scalar(sa.select(table.c.password).where(table.c.id == account))


def insert_session(connection: Connection, account: Account, *, now: datetime) -> str:
    """Log an account in without a password, as when it has just been made; return the secret."""
    secret = new_secret()
    id = schema.new_id()
    connection.execute(
        sa.insert(schema.session).values(
            id=id,
            secret=hashed_secret(secret),
            account=account.id,
            created=now,
            expires=now + SESSION_LASTING,
        )
    )
    add_entry(connection, account.id, "log in", id, now=now)
    return secret


def visitor_of_session(connection: Connection, secret: str, now: datetime) -> Visitor:
    """Return who has a cookie; the public if it is unknown, revoked or too old."""
    return _visitor(connection, schema.session, secret, now)


def visitor_of_token(connection: Connection, secret: str, now: datetime) -> Visitor:
    """Return who has a token; the public if it is unknown, revoked or too old."""
    return _visitor(connection, schema.token, secret, now)


def _visitor(connection: Connection, table: sa.Table, secret: str, now: datetime) -> Visitor:
    row = connection.execute(
        sa.select(table.c.account, table.c.expires, table.c.revoked).where(
            table.c.secret == hashed_secret(secret)
        )
    ).first()
    if row is None or row.revoked is not None or (row.expires is not None and now >= row.expires):
        return PUBLIC
    account = account_by_id(connection, row.account)
    return PUBLIC if account is None else account.visitor


def form_key(secret: str) -> str:
    """Return what every form of a session carries; no other site knows it.

    It comes of the cookie, which no page shows, and does not tell it.
    """
    return hashlib.sha256(f"form {secret}".encode()).hexdigest()


# ---------------------------------------------------------------------- tokens


def insert_token(
    connection: Connection,
    account: Account,
    name: str,
    *,
    now: datetime,
    expires: datetime | None = None,
) -> str:
    """Make a token for programs; return it, which nobody can do again."""
    clean = clean_name(name, "name of the token")
    secret = f"{TOKEN_BEGINNING}{new_secret()}"
    id = schema.new_id()
    connection.execute(
        sa.insert(schema.token).values(
            id=id,
            secret=hashed_secret(secret),
            account=account.id,
            name=clean,
            created=now,
            expires=expires,
        )
    )
    add_entry(connection, account.id, "make token", id, {"name": clean}, now=now)
    return secret


# ---------------------------------------------------------------------- the end of them


def sign_ins_of(connection: Connection, account: str, now: datetime) -> list[SignIn]:
    """Return the sessions and tokens of an account that can be used, the newest first."""
    rows: list[SignIn] = []
    for kind, table in (("session", schema.session), ("token", schema.token)):
        chosen = sa.select(table).where(table.c.account == account, table.c.revoked.is_(None))
        for row in connection.execute(chosen):
            if row.expires is None or now < row.expires:
                name = row.name if kind == "token" else "browser"
                rows.append(
                    SignIn(
                        row.id,
                        "token" if kind == "token" else "session",
                        name,
                        row.created,
                        row.expires,
                    )
                )
    return sorted(rows, key=lambda row: row.created, reverse=True)


def log_out(connection: Connection, secret: str, *, now: datetime) -> None:
    """End the session of a cookie."""
    table = schema.session
    row = connection.execute(
        sa.select(table.c.id, table.c.account).where(table.c.secret == hashed_secret(secret))
    ).first()
    if row is not None:
        revoke(connection, row.account, row.id, now=now)


def revoke(connection: Connection, account: str, id: str, *, now: datetime) -> None:
    """End a session or a token of an account.

    Raises
    ------
    NotThereError
        If the account has none of this id.
    """
    for table in (schema.session, schema.token):
        own = (table.c.id == id) & (table.c.account == account)
        if connection.scalar(sa.select(table.c.id).where(own)) is not None:
            connection.execute(
                sa.update(table).where(own, table.c.revoked.is_(None)).values(revoked=now)
            )
            add_entry(connection, account, f"revoke {table.name}", id, now=now)
            return
    raise NotThereError("there is no such session or token")


def revoke_all(connection: Connection, account: str, *, now: datetime) -> None:
    """End all sessions and tokens of an account."""
    for table in (schema.session, schema.token):
        connection.execute(
            sa.update(table)
            .where(table.c.account == account, table.c.revoked.is_(None))
            .values(revoked=now)
        )
    add_entry(connection, account, "revoke all sessions and tokens", account, now=now)


def change_password(
    database: Database,
    account: Account,
    old: str,
    new: str,
    *,
    now: datetime,
    passwords: Passwords = PASSWORDS,
) -> str:
    """Set another password, end all sessions and tokens; return the secret of a new session.

    Raises
    ------
    NotSignedInError
        If the old password is wrong.
    ServerError
        If the new one is weak.
    """
    refuse_weak(new, account.name)
    with database.read() as connection:
        kept = _kept_password(connection, account.id)
    if not passwords.fits(kept, old):
        raise NotSignedInError("the old password is wrong")
    hashed = passwords.hash(new)
    with database.write() as connection:
        table = schema.account
        connection.execute(sa.update(table).where(table.c.id == account.id).values(password=hashed))
        revoke_all(connection, account.id, now=now)
        add_entry(connection, account.id, "change password", account.id, now=now)
        return insert_session(connection, account, now=now)

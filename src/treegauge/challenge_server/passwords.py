"""Passwords, and other secrets, as they are kept: hashed.

Passwords are hashed with argon2id, which takes a tenth of a second and 19 MiB, so two at once at
most. Tokens, cookies and links are 256 random bits, which nobody guesses: SHA-256 is enough.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import unicodedata
from functools import cached_property

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from treegauge.challenge_server.errors import DatabaseAwayError, ServerError

SHORTEST, LONGEST = 10, 200
_WAIT = 10.0


def new_secret() -> str:
    """Return 256 random bits, as a text that fits into links and files."""
    return secrets.token_urlsafe(32)


def hashed_secret(secret: str) -> str:
    """Return what is kept of a random secret."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def refuse_weak(password: str, name: str) -> None:
    """Refuse a password that is guessed too easily, or that nobody can type."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise ServerError(f"choose a password of {SHORTEST} to {LONGEST} characters")
    if "\x00" in password or password.casefold() == name.casefold() or len(set(password)) < 4:
        raise ServerError("choose a password that is harder to guess")


class Passwords:
    """Hashes and checks passwords, a few at a time.

    Parameters
    ----------
    at_once : int
        More of them wait: the board must not stop because of logins.
    """

    def __init__(self, *, passes: int = 2, kibibytes: int = 19 * 1024, at_once: int = 2) -> None:
        self._hasher = PasswordHasher(time_cost=passes, memory_cost=kibibytes, parallelism=1)
        self._turns = threading.BoundedSemaphore(at_once)

    def hash(self, password: str) -> str:
        """Return what is kept of a password."""
        with self._turn():
            return self._hasher.hash(_same_spelling(password))

    def fits(self, kept: str | None, password: str) -> bool:
        """Return whether a password is the one that was kept.

        It takes as long where nothing was kept: the time does not tell which names there are.
        """
        with self._turn():
            try:
                self._hasher.verify(kept or self._of_nobody, _same_spelling(password[:LONGEST]))
            except (Argon2Error, InvalidHashError):
                return False
        return kept is not None

    @cached_property
    def _of_nobody(self) -> str:
        return self._hasher.hash(secrets.token_hex())

    def _turn(self) -> _Turn:
        return _Turn(self._turns)


class _Turn:
    """A turn at hashing, for which others may have to wait."""

    def __init__(self, turns: threading.BoundedSemaphore) -> None:
        self._turns = turns

    def __enter__(self) -> None:
        if not self._turns.acquire(timeout=_WAIT):
            raise DatabaseAwayError("too many people are logging in; try again in a moment")

    def __exit__(self, *error: object) -> None:
        self._turns.release()


def _same_spelling(password: str) -> str:
    """Return the same text for the same letters, whatever keyboard they come from."""
    return unicodedata.normalize("NFC", password)


PASSWORDS = Passwords()
"""Of this process."""

"""The file that a participant's token is kept in: readable by its owner alone."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

from treegauge.challenges import ChallengeError
from treegauge.errors import reason_of
from treegauge.formats import read_text


@contextlib.contextmanager
def write_token(path: str | Path) -> Iterator[Callable[[str], None]]:
    """Make a new file, and give a function that writes the token into it.

    The file is made first: an invitation works once, and must not be lost to a folder that
    cannot be written. It is removed where no token comes.
    """
    path = Path(path)
    try:
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise ChallengeError(
            f"{path}: the file exists already; name another one, or remove it"
        ) from None
    except OSError as error:
        raise ChallengeError(f"{path}: cannot be written: {reason_of(error)}") from None
    with os.fdopen(number, "w", encoding="ascii") as file:
        try:
            yield lambda token: _write(file, token)
        except BaseException:
            path.unlink(missing_ok=True)
            raise


def _write(file: TextIO, token: str) -> None:
    file.write(f"{token}\n")


def read_token(path: str | Path) -> str:
    """Return the token in a file."""
    token = read_text(path, what="a token", error=ChallengeError).strip()
    if not token or not token.isascii() or any(char.isspace() for char in token):
        raise ChallengeError(
            f"{path}: expected one token; `treegauge challenge join` writes the file, or copy "
            "one from your account's page"
        )
    return token

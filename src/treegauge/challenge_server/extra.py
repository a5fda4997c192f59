"""What the server needs beside treegauge itself: the extra `server`."""

from __future__ import annotations

from importlib.util import find_spec

from treegauge.challenge_server.errors import ServerError

_MODULES = ("argon2", "python_multipart", "sqlalchemy", "starlette", "uvicorn")


def need_server_extra() -> None:
    """Say how to install what is missing, if anything is.

    Raises
    ------
    ServerError
        If a package of the extra is missing.
    """
    missing = [name for name in _MODULES if find_spec(name) is None]
    if missing:
        raise ServerError(
            f"the server of a challenge needs {', '.join(missing)}; "
            "`pip install treegauge[server]` installs it"
        )

"""The web process: routes, what stands before them, and how uvicorn runs them."""

from __future__ import annotations

import logging
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

from treegauge.challenge_server import api, organiser_pages, public_pages, team_pages
from treegauge.challenge_server.board_bytes import board_policy
from treegauge.challenge_server.errors import ServerError
from treegauge.challenge_server.page_writing import script, style_sheet
from treegauge.challenge_server.served import ServedChallenge
from treegauge.challenge_server.slow_clients import timed_protocol
from treegauge.challenge_server.web_errors import (
    WebError,
    on_http_error,
    on_server_error,
    on_web_error,
)
from treegauge.challenge_server.web_protection import Protection
from treegauge.challenge_server.web_settings import WebSettings

if TYPE_CHECKING:
    import uvicorn

ROUTES = (
    *public_pages.ROUTES,
    *team_pages.ROUTES,
    *organiser_pages.ROUTES,
    *api.ROUTES,
)
_CONNECTIONS = 1000
"""More at once are answered with 503; a machine has only so many open files."""
_LARGEST_HEAD = 16_384
_SECONDS_TO_END = 20
"""For answers that are under way when the server ends."""


def make_app(server: ServedChallenge) -> Starlette:
    """Return the application of a challenge."""
    app = Starlette(
        routes=ROUTES,
        middleware=[Middleware(Protection, settings=server.settings, clock=server.clock)],
        exception_handlers={
            WebError: on_web_error,
            ServerError: on_server_error,
            HTTPException: on_http_error,
        },
    )
    app.state.server = server
    return app


def web_server(server: ServedChallenge) -> uvicorn.Server:
    """Return a server that is not running yet."""
    import uvicorn

    # Made before the first request, which should not wait for it.
    for prepared in (style_sheet, script, board_policy):
        prepared()
    limits = server.settings.limits
    return uvicorn.Server(
        uvicorn.Config(
            make_app(server),
            http=timed_protocol(limits.header_seconds),
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,  # links and tokens have no business in a log
            server_header=False,
            proxy_headers=True,
            forwarded_allow_ips=None,  # FORWARDED_ALLOW_IPS, or this machine alone
            limit_concurrency=_CONNECTIONS,
            h11_max_incomplete_event_size=_LARGEST_HEAD,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=_SECONDS_TO_END,
        )
    )


def run_web(
    folder: str | Path,
    listening: socket.socket,
    *,
    database: str | None = None,
    address: str = "",
    packs: Sequence[str | Path] = (),
) -> None:
    """Serve a challenge on a socket until SIGTERM or SIGINT.

    Parameters
    ----------
    listening : socket
        Bound and listening; whoever starts the server knows then that the port was free.
    database : str, optional
        Address of a PostgreSQL; SQLite in the folder without one.
    address : str
        What people type, such as `https://challenge.example.org`; empty on loopback alone.
    packs : sequence of paths
        Folders with packs; beside the challenge and in it without any.
    """
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    settings = WebSettings(address)
    server = ServedChallenge.of_folder(folder, database=database, settings=settings, packs=packs)
    try:
        web_server(server).run(sockets=[listening])
    finally:
        server.database.close()

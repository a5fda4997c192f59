"""What goes wrong on the web, in words that somebody can act on; never a traceback."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Scope

from treegauge.challenge_server.errors import (
    DatabaseAwayError,
    DiskFullError,
    NotThereError,
    ServerError,
)
from treegauge.challenge_server.page_writing import render

LOG = logging.getLogger("treegauge.challenge_server")


@dataclass
class WebError(Exception):
    """A request that is refused.

    Attributes
    ----------
    status : int
        Of HTTP.
    message : str
        What is wrong, and what to do about it.
    retry_after : int, optional
        Seconds after which the same may be asked again.
    """

    status: int
    message: str
    retry_after: int | None = None

    def __str__(self) -> str:
        return self.message


NOT_FOUND = "This page does not exist, or you may not see it. Log in, or go back to the front page."
"""The same for what is not there and for what belongs to others."""
TOO_LARGE = (
    "This is larger than the server accepts. A submission contains only annotation: `treegauge "
    "challenge check --zip` writes a small one."
)


def not_found() -> WebError:
    """Return the one answer for unknown ids and for those of others."""
    return WebError(404, NOT_FOUND)


def error_response(scope: Scope, error: WebError) -> Response:
    """Return a refusal as JSON for programs, as a page for people."""
    headers = {} if error.retry_after is None else {"Retry-After": str(error.retry_after)}
    if error.status in (408, 413):
        headers["Connection"] = "close"  # the rest of the body is not waited for
    if scope["path"].startswith("/api/"):
        document = {
            "schema": 1,
            "error": {"status": error.status, "message": error.message},
        }
        return JSONResponse(document, error.status, headers)
    title = HTTPStatus(error.status).phrase
    content = render("message.html", scope, title=title, text=error.message)
    return Response(content, error.status, headers, "text/html; charset=utf-8")


async def on_web_error(request: Request, error: Exception) -> Response:
    """Answer a request that was refused on purpose."""
    assert isinstance(error, WebError)
    return error_response(request.scope, error)


async def on_server_error(request: Request, error: Exception) -> Response:
    """Answer what accounts, intake or the database refused."""
    assert isinstance(error, ServerError)
    if isinstance(error, NotThereError):
        return error_response(request.scope, not_found())
    if isinstance(error, DatabaseAwayError):
        # What a database says is for organisers, in the log.
        LOG.warning("%s", error)
        text = "The server cannot reach its database at the moment. Try again in a few seconds."
        return error_response(request.scope, WebError(503, text, error.retry_after))
    retry_after = 600 if isinstance(error, DiskFullError) else None
    return error_response(request.scope, WebError(error.status, str(error), retry_after))


async def on_http_error(request: Request, error: Exception) -> Response:
    """Answer what Starlette refused: unknown paths, methods, bodies."""
    assert isinstance(error, HTTPException)
    known = {
        400: "The server could not read this request. Send the form again.",
        404: NOT_FOUND,
        405: "This address does not accept this request. Go back and use the form on the page.",
        413: TOO_LARGE,
    }
    message = known.get(error.status_code, str(error.detail))
    return error_response(request.scope, WebError(error.status_code, message))


def fault_response(scope: Scope, error: Exception) -> Response:
    """Answer where the fault is ours: the log has it, the visitor gets a sentence."""
    # Only the first part of the path: links into teams are secrets.
    LOG.error("a fault at /%s", scope["path"].split("/")[1], exc_info=error)
    text = (
        "Something went wrong on the server. Nothing that you sent before is lost. Try again, and "
        "tell the organisers if it happens twice."
    )
    return error_response(scope, WebError(500, text))

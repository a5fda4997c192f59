"""A request as routes see it: who asks, when, for which challenge, with which form.

A route that answers without having asked `permissions` is a fault, and answers with one: nobody
can forget to ask.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl

from sqlalchemy.engine import Connection
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from treegauge.challenge_server.errors import NotSignedInError
from treegauge.challenge_server.page_writing import FORM_FIELD, render
from treegauge.challenge_server.permissions import PUBLIC, Action, Object, Visitor, may, must
from treegauge.challenge_server.phases import current_challenge
from treegauge.challenge_server.served import ServedChallenge
from treegauge.challenge_server.signing_in import (
    SESSION_LASTING,
    form_key,
    visitor_of_session,
    visitor_of_token,
)
from treegauge.challenge_server.slow_clients import TimedBody
from treegauge.challenge_server.web_errors import WebError
from treegauge.challenges import Challenge

_MOST_FIELDS = 20
_LONGEST_COOKIE = 200


@dataclass
class Visit:
    """One request.

    Attributes
    ----------
    challenge : Challenge
        As it is now, with all changes of its phases.
    session : str
        The secret of the browser's session; empty without one.
    form : mapping
        The fields of the form that was sent.
    """

    request: Request
    server: ServedChallenge
    now: datetime
    challenge: Challenge
    visitor: Visitor = PUBLIC
    session: str = ""
    form: Mapping[str, str] = field(default_factory=dict)
    has_asked: bool = False

    def must(self, action: Action, object: Object = None) -> None:
        """Refuse what the visitor may not do."""
        self.has_asked = True
        must(self.visitor, action, object, self.now)

    def may(self, action: Action, object: Object = None) -> bool:
        """Return whether the visitor may do something."""
        self.has_asked = True
        return may(self.visitor, action, object, self.now)

    def part(self, name: str) -> str:
        """Return a part of the path."""
        return str(self.request.path_params[name])

    def page(self, template: str, status: int = 200, **facts: Any) -> Response:
        """Return a page."""
        content = render(template, self.request.scope, **facts)
        response = Response(content, status, media_type="text/html; charset=utf-8")
        if fresh := self.request.scope.get("treegauge.fresh_form_cookie"):
            set_cookie(response, self.request, "form", fresh)
        return response

    def go(self, path: str) -> Response:
        """Send the browser to another page of ours."""
        return RedirectResponse(path, 303)


Handler = Callable[[Visit], Response]
AsyncHandler = Callable[[Visit], Awaitable[Response]]


def cookie_name(request: Request, name: str) -> str:
    """Return what a cookie is called: with `__Host-`, no other site or port can set it.

    Browsers take such names over https alone. Without it we are on loopback.
    """
    return f"__Host-{name}" if request.url.scheme == "https" else f"treegauge-{name}"


def set_cookie(response: Response, request: Request, name: str, value: str) -> None:
    """Set a cookie that no script reads and no other site makes a browser send."""
    lasting = SESSION_LASTING if name == "session" else timedelta(days=1)
    response.set_cookie(
        cookie_name(request, name),
        value,
        max_age=int(lasting.total_seconds()),
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )


def forget_cookie(response: Response, request: Request, name: str) -> None:
    """Remove a cookie."""
    is_secure = request.url.scheme == "https"
    response.delete_cookie(
        cookie_name(request, name), path="/", secure=is_secure, httponly=True, samesite="lax"
    )


def _cookie(request: Request, name: str) -> str:
    value = request.cookies.get(cookie_name(request, name), "")
    return value if len(value) <= _LONGEST_COOKIE and value.isascii() else ""


def bearer_token(request: Request) -> str:
    """Return the token of a program; empty without one."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" and token.isascii() else ""


# ---------------------------------------------------------------------- opening


async def browser_visit(request: Request) -> Visit:
    """Return the visit of a browser, which says who it is with a cookie."""
    session = _cookie(request, "session")
    visit = await _opened(request, session, visitor_of_session)
    visit.session = session if visit.visitor.account else ""
    key = visit.session or _cookie(request, "form")
    if not key:
        key = request.scope["treegauge.fresh_form_cookie"] = secrets.token_urlsafe(32)
    request.scope["treegauge.visitor"] = visit.visitor
    request.scope["treegauge.form_key"] = form_key(key)
    return visit


async def program_visit(request: Request) -> Visit:
    """Return the visit of a program, which says who it is with a token; cookies do not count."""
    token = bearer_token(request)
    visit = await _opened(request, token, visitor_of_token)
    if token and not visit.visitor.account:
        raise NotSignedInError(
            "this token is no longer valid; create another one on your account page, or ask the "
            "organisers for a link"
        )
    return visit


async def _opened(
    request: Request, secret: str, find: Callable[[Connection, str, datetime], Visitor]
) -> Visit:
    server: ServedChallenge = request.app.state.server
    now: datetime = request.scope["treegauge.now"]

    def read() -> tuple[Visitor, Challenge]:
        with server.database.read() as connection:
            visitor = find(connection, secret, now) if secret else PUBLIC
            return visitor, current_challenge(connection, server.folder.challenge)

    visitor, challenge = await run_in_threadpool(read)
    return Visit(request, server, now, challenge, visitor)


# ---------------------------------------------------------------------- forms


async def read_form(visit: Visit) -> None:
    """Read the form that a browser sent, and refuse one that is not ours."""
    content = await whole_body(visit, visit.server.settings.limits.form)
    try:
        fields = parse_qsl(
            content.decode("utf-8"), keep_blank_values=True, max_num_fields=_MOST_FIELDS
        )
    except ValueError:
        raise WebError(400, "The server could not read this form. Send it again.") from None
    visit.form = dict(fields)
    if any("\0" in value for value in visit.form.values()):
        raise WebError(400, "Use visible characters only, and send the form again.")
    check_form_key(visit, visit.form.get(FORM_FIELD, ""))


async def whole_body(visit: Visit, most: int) -> bytes:
    """Return the body of a request, which is small."""
    body = TimedBody(visit.request, visit.server.settings.limits, most)
    return b"".join([piece async for piece in body])


def check_form_key(visit: Visit, given: str) -> None:
    """Refuse a form that no page for this browser has shown."""
    expected = str(visit.request.scope["treegauge.form_key"])
    if not hmac.compare_digest(given.encode(), expected.encode()):
        raise WebError(
            403,
            "This form has expired, or comes from another site. Nothing was changed. Open the "
            "page again, allow cookies for this site, and send the form again.",
        )


# ---------------------------------------------------------------------- routes


def page_route(path: str, handler: Handler) -> Route:
    """Return the route of a page."""

    async def endpoint(request: Request) -> Response:
        visit = await browser_visit(request)
        return _checked(visit, await run_in_threadpool(handler, visit))

    return Route(path, endpoint, methods=["GET"], name=handler.__name__)


def form_route(path: str, handler: Handler) -> Route:
    """Return the route of a form."""

    async def endpoint(request: Request) -> Response:
        visit = await browser_visit(request)
        try:
            await read_form(visit)
        except ClientDisconnect:
            return Response(status_code=400)
        return _checked(visit, await run_in_threadpool(handler, visit))

    return Route(path, endpoint, methods=["POST"], name=handler.__name__)


def program_route(path: str, handler: Handler, method: str = "GET") -> Route:
    """Return a route of the interface for programs."""

    async def endpoint(request: Request) -> Response:
        visit = await program_visit(request)
        return _checked(visit, await run_in_threadpool(handler, visit))

    return Route(path, endpoint, methods=[method], name=handler.__name__)


def streaming_route(
    path: str,
    handler: AsyncHandler,
    opening: Callable[[Request], Awaitable[Visit]],
    method: str = "POST",
) -> Route:
    """Return a route whose handler reads the body itself."""

    async def endpoint(request: Request) -> Response:
        visit = await opening(request)
        try:
            return _checked(visit, await handler(visit))
        except ClientDisconnect:
            return Response(status_code=400)

    return Route(path, endpoint, methods=[method], name=handler.__name__)


def _checked(visit: Visit, response: Response) -> Response:
    if not visit.has_asked:
        raise RuntimeError(f"{visit.request.url.path} answers without asking who may")
    return response

"""What holds for every request and every answer: hosts, foreign forms, and what browsers may do.

It stands before all routes, so that no route can forget it.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from treegauge.challenge_server.clock import Clock
from treegauge.challenge_server.web_errors import (
    WebError,
    error_response,
    fault_response,
    not_found,
)
from treegauge.challenge_server.web_settings import WebSettings, host_of, is_loopback

CONTENT_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing but our own style, script and forms; no script that stands in a page."""

_EVERY_ANSWER = tuple(
    (name.encode(), value.encode())
    for name, value in {
        "content-security-policy": CONTENT_POLICY,
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        # With `no-referrer` browsers would call the origin of our own forms unknown.
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
        "cache-control": "no-store",
    }.items()
)
"""Headers of every answer that has none of its own by that name."""
_SECURE_AGAIN = (b"strict-transport-security", b"max-age=31536000")
_SAFE_METHODS = frozenset(("GET", "HEAD", "OPTIONS"))
_API = "/api/"


class Protection:
    """Refuses what no route should see, and adds headers to every answer."""

    def __init__(self, app: ASGIApp, settings: WebSettings, clock: Clock) -> None:
        self.app = app
        self.settings = settings
        self.clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        # An upload begins when its head has come, whoever has to wait afterwards.
        scope["treegauge.now"] = self.clock.now()
        answer = _Answer(send, is_secure=scope["scheme"] == "https")
        refusal = refusal_of(scope, self.settings)
        if refusal is not None:
            await error_response(scope, refusal)(scope, receive, answer)
            return
        try:
            await self.app(scope, receive, answer)
        except Exception as error:
            if answer.has_begun:
                raise
            await fault_response(scope, error)(scope, receive, answer)


def refusal_of(scope: Scope, settings: WebSettings) -> WebError | None:
    """Return why a request is refused whatever it asks for, or None."""
    headers = Headers(scope=scope)
    netloc = headers.get("host", "")
    if host_of(netloc) not in settings.hosts:
        return WebError(
            400,
            "This server does not have that name. Use the address that the organisers gave.",
        )
    if scope["scheme"] != "https" and not is_loopback(netloc):
        return WebError(
            403,
            "This server answers over https only. (Organisers: the proxy has to set "
            "X-Forwarded-Proto.)",
        )
    if "\0" in scope["path"]:  # PostgreSQL has no word for it
        return not_found()
    if scope["method"] in _SAFE_METHODS or scope["path"].startswith(_API):
        return None  # the interface for programs never looks at cookies
    if not _is_own_form(headers, f"{scope['scheme']}://{netloc}"):
        return WebError(
            403,
            "This form was sent from another site. Nothing was changed. Open the page here and "
            "send it again.",
        )
    return None


def _is_own_form(headers: Headers, own: str) -> bool:
    """Return whether a browser says that a form is ours; old ones say nothing.

    Forms have a secret besides, which other sites cannot know.
    """
    site = headers.get("sec-fetch-site", "same-origin")
    origin = headers.get("origin", own)
    return site in ("same-origin", "none") and origin.lower() == own.lower()


class _Answer:
    """Sends an answer with the headers that all have."""

    def __init__(self, send: Send, *, is_secure: bool) -> None:
        self._send = send
        self._is_secure = is_secure
        self.has_begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_begun = True
            # The board is read a thousand times per second: no more than a look at each name.
            headers = message["headers"]
            own = {name for name, _ in headers}
            message["headers"] = [
                *headers,
                *(pair for pair in _EVERY_ANSWER if pair[0] not in own),
                *([_SECURE_AGAIN] if self._is_secure else ()),
            ]
        await self._send(message)

"""The participants' side of the server: join, check, send, wait. It needs nothing but Python.

An upload is known by its SHA-256, and the same bytes are the same submission however often they
come. So a connection that breaks is answered by sending again, and nothing is counted twice.
"""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from treegauge.challenges import ChallengeError
from treegauge.challenges.packs import sha256

_TIMEOUT = 120.0
_LARGEST_ANSWER = 50_000_000
"""Bytes of JSON; a page of scores has thousands."""
_BUSY = (408, 425, 429, 502, 503, 504)
"""Answers of a server, or of the proxy before it, that may think otherwise in a moment."""
_LONGEST_PAUSE = 30.0

Says = Callable[[str], None]


class _CutError(Exception):
    """The connection broke, or the server is busy; the same can be asked again."""

    def __init__(self, reason: str, seconds: float = 0.0) -> None:
        super().__init__(reason)
        self.seconds = seconds


@dataclass(frozen=True)
class Answer:
    """What a server answered."""

    status: int
    content: bytes

    def document(self, place: str) -> dict[str, Any]:
        """Return the JSON of the answer."""
        try:
            document = json.loads(self.content)
        except (ValueError, RecursionError):
            document = None
        if not isinstance(document, dict):
            raise ChallengeError(
                f"{place}: the answer is not JSON; is this the address of a treegauge server?"
            )
        return document


@dataclass
class ServerClient:
    """A server, and who asks it.

    Attributes
    ----------
    address : str
        As people type it; whatever follows the host is left out.
    token : str
        Of a member; it is never sent in plain text to another machine.
    patience : float
        Seconds in which a server may be away before we give up.
    """

    address: str
    token: str = ""
    patience: float = 300.0
    pause: float = 1.0
    says: Says = field(default=lambda _text: None)

    def __post_init__(self) -> None:
        parts = urlsplit(self.address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ChallengeError(
                f"{self.address}: this is not the address of a server; write it as the organisers "
                "did, such as https://challenge.example.org"
            )
        if parts.scheme == "http" and parts.hostname not in ("127.0.0.1", "localhost", "::1"):
            raise ChallengeError(
                f"{self.address}: secrets would be sent unencrypted; write https://"
            )
        self.address = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"

    # ------------------------------------------------------------------ what can be asked

    def challenge(self) -> dict[str, Any]:
        """Return what the challenge is: tracks, phases, packs."""
        return self.json("GET", "/api/1/challenge")

    def join(self, secret: str, **chosen: str) -> dict[str, Any]:
        """Redeem an invitation; the answer has a token."""
        body = json.dumps({"invitation": secret, **chosen}).encode()
        return self.json("POST", "/api/1/join", body, {"Content-Type": "application/json"})

    def send(self, content: bytes, *, track: str, phase: str) -> dict[str, Any]:
        """Send a zip, again and again if need be; return the submission with its receipt."""
        query = urlencode({"track": track, "phase": phase})
        headers = {
            "Content-Type": "application/zip",
            "X-Content-SHA256": sha256(content),
        }
        return self.json("POST", f"/api/1/submissions?{query}", content, headers)

    def submission(self, id: str) -> dict[str, Any]:
        """Return what is known of a submission."""
        return self.json("GET", f"/api/1/submissions/{quote(id, safe='')}")

    def pack(self, about: Mapping[str, Any]) -> bytes:
        """Return the bytes of a pack, if they are what the server says."""
        answer = self.ask("GET", f"/packs/{quote(str(about['name']), safe='')}")
        digest = sha256(answer.content)
        if digest != about["sha256"]:
            raise ChallengeError(
                f"{self.address}: {about['name']}: expected SHA-256 {about['sha256']}, found "
                f"{digest}; tell the organisers"
            )
        return answer.content

    # ------------------------------------------------------------------ asking

    def json(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """Ask for a document."""
        return self.ask(method, path, body, headers).document(self.address)

    def ask(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Ask until there is an answer; a refusal is an error with the server's words."""
        end = time.monotonic() + self.patience
        pause = self.pause
        while True:
            try:
                answer = self._ask_once(method, path, body, headers or {})
                break
            except _CutError as cut:
                wait = min(max(pause, cut.seconds), _LONGEST_PAUSE)
                if time.monotonic() + wait > end:
                    raise ChallengeError(
                        f"{self.address}: gave up after {self.patience:g} seconds: {cut}; run "
                        "the same command again: nothing is counted twice"
                    ) from None
                self.says(f"{self.address}: {cut}; trying again in {wait:g} seconds")
                time.sleep(wait)
                pause = min(pause * 2, _LONGEST_PAUSE)
        if answer.status >= 300:
            raise ChallengeError(f"{self.address}: {_reason(answer)}")
        return answer

    def _ask_once(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        parts = urlsplit(self.address)
        kind = (
            http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        )
        connection = kind(parts.netloc, timeout=_TIMEOUT)
        every = {"User-Agent": "treegauge", "Accept": "application/json", **headers}
        if self.token:
            every["Authorization"] = f"Bearer {self.token}"
        try:
            try:
                connection.request(method, path, body or None, every)
            except BrokenPipeError:
                pass  # the server may have answered before it had read everything
            response = connection.getresponse()
            content = _whole(response)
        except (OSError, http.client.HTTPException) as error:
            raise _CutError(_words(error)) from None
        finally:
            connection.close()
        answer = Answer(response.status, content)
        if response.status in _BUSY:
            raise _CutError(_reason(answer), _seconds(response.headers.get("Retry-After")))
        return answer


def _whole(response: http.client.HTTPResponse) -> bytes:
    """Return the content of an answer; packs may be large, documents not.

    A server that dies may leave half of a head, which says no length, or half of a document,
    which `read` with a limit does not notice.
    """
    if response.length is None and not response.chunked:
        raise http.client.HTTPException("the answer broke off")
    if response.headers.get_content_type() == "application/zip":
        return response.read()
    content = response.read(_LARGEST_ANSWER + 1)
    if len(content) > _LARGEST_ANSWER:
        raise http.client.HTTPException("the answer does not end")
    if response.length:
        raise http.client.HTTPException("the answer broke off")
    return content


def _reason(answer: Answer) -> str:
    """Return what a refusal says; proxies say it in HTML, which is of no use here."""
    try:
        document = json.loads(answer.content)
        said = document["error"]["message"]
    except (ValueError, RecursionError, KeyError, TypeError):
        said = f"the server answered {answer.status} {http.client.responses.get(answer.status, '')}"
    return str(said)


def _words(error: BaseException) -> str:
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()


def _seconds(text: str | None) -> float:
    return float(text) if text and text.isdecimal() else 0.0


# ---------------------------------------------------------------------- invitations


def parse_link(link: str) -> tuple[str, str]:
    """Return the server and the secret of an invitation.

    >>> parse_link("https://example.org/join/abc")
    ('https://example.org', 'abc')
    """
    parts = urlsplit(link.strip())
    folder, _, secret = parts.path.rpartition("/")
    if parts.scheme not in ("http", "https") or not parts.netloc or folder != "/join" or not secret:
        raise ChallengeError(
            f"{link}: this is not an invitation; a link looks like "
            f"https://challenge.example.org/join/…"
        )
    return f"{parts.scheme}://{parts.netloc}", secret

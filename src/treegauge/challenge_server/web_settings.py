"""What the web process is told: its address, and how much anybody may ask of it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from treegauge.challenges import ChallengeError

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""Where plain HTTP is enough: nobody is between the browser and the server."""


@dataclass(frozen=True)
class WebLimits:
    """How much anybody may ask for.

    Attributes
    ----------
    upload : int
        Bytes of a submission.
    form : int
        Bytes of every other request.
    uploads_at_once, uploads_of_team : int
        Others wait for their turn.
    turn_seconds : float
        How long they wait before they are asked to come again.
    header_seconds, pause_seconds, body_seconds : float
        For the head of a request, between two pieces of its body, and for all of its body.
    logins_of_account, logins_of_address : int
        Attempts a minute.
    """

    upload: int = 50_000_000
    form: int = 64_000
    uploads_at_once: int = 8
    uploads_of_team: int = 4
    turn_seconds: float = 60.0
    header_seconds: float = 15.0
    pause_seconds: float = 20.0
    body_seconds: float = 300.0
    logins_of_account: int = 5
    logins_of_address: int = 20


@dataclass(frozen=True)
class WebSettings:
    """Where the server is found, and its limits.

    Attributes
    ----------
    address : str
        What people type, such as `https://challenge.example.org`; empty on loopback alone.
    """

    address: str = ""
    limits: WebLimits = WebLimits()

    def __post_init__(self) -> None:
        if not self.address:
            return
        parts = urlsplit(self.address)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/"):
            raise ChallengeError(
                f"{self.address}: this is not the address of a server; write it like "
                f"https://challenge.example.org"
            )
        if parts.scheme == "http" and not is_loopback(parts.netloc):
            raise ChallengeError(
                f"{self.address}: passwords would be sent unencrypted; put a TLS proxy in front "
                f"of the server and write https://"
            )

    @property
    def hosts(self) -> frozenset[str]:
        """Names that the server answers to, without ports."""
        return frozenset((*LOOPBACK, *([host_of(self._netloc)] if self.address else ())))

    @property
    def _netloc(self) -> str:
        return urlsplit(self.address).netloc.rpartition("@")[2]


def host_of(netloc: str) -> str:
    """Return a name without its port, in small letters.

    >>> host_of("Example.org:8000"), host_of("[::1]:80"), host_of("[::1]")
    ('example.org', '[::1]', '[::1]')
    """
    if netloc.startswith("["):
        return netloc[: netloc.find("]") + 1].lower()
    return netloc.partition(":")[0].lower()


def is_loopback(netloc: str) -> bool:
    """Return whether a name stands for the machine itself."""
    return host_of(netloc) in LOOPBACK

"""What goes wrong on a server, and which HTTP status says so."""

from __future__ import annotations

from typing import ClassVar

from treegauge.errors import TreegaugeError


class ServerError(TreegaugeError):
    """Something that cannot be done, in words that a participant or an organiser can act on."""

    status: ClassVar[int] = 400


class NotSignedInError(ServerError):
    """A name and a password, or a token, that do not fit."""

    status = 401


class NotAllowedError(ServerError):
    """Something that this visitor may not do, or may not do now."""

    status = 403


class NotThereError(ServerError):
    """Something that is not there, or that belongs to others: both look the same."""

    status = 404


class ConflictError(ServerError):
    """Something that does not fit what is there: a quota that is used, a name that is taken."""

    status = 409


class DatabaseAwayError(ServerError):
    """A database that does not answer, or is busy for too long."""

    status = 503
    retry_after: ClassVar[int] = 10
    """Seconds after which it is worth another try."""


class DiskFullError(ServerError):
    """A disk with too little room for another upload."""

    status = 507

"""Time for requests: for their heads, which uvicorn waits for without an end, and their bodies."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import h11
from starlette.requests import Request
from uvicorn.protocols.http.h11_impl import H11Protocol

from treegauge.challenge_server.web_errors import TOO_LARGE, WebError
from treegauge.challenge_server.web_settings import WebLimits

TOO_SLOW = "The upload was too slow and was stopped. Send it again from a better connection."


def timed_protocol(seconds: float) -> type[H11Protocol]:
    """Return the protocol of a connection that ends if the head of a request takes too long."""

    class TimedProtocol(H11Protocol):
        """A connection with a clock that runs until the head of a request is there."""

        _waiting: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._wait()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            # IDLE with bytes in hand is a head that has begun; whoever sends a byte at a time
            # gets no new time for each.
            if self.conn.their_state is not h11.IDLE:
                self._stop()
            elif self._waiting is None:
                self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop()
            super().connection_lost(exc)

        def _wait(self) -> None:
            self._waiting = self.loop.call_later(seconds, self._give_up)

        def _stop(self) -> None:
            if self._waiting is not None:
                self._waiting.cancel()
                self._waiting = None

        def _give_up(self) -> None:
            self._waiting = None
            is_answering = self.cycle is not None and not self.cycle.response_complete
            if not is_answering and not self.transport.is_closing():
                self.transport.close()

    return TimedProtocol


class TimedBody:
    """The body of a request, piece by piece, as long as it is small and comes fast enough.

    Parameters
    ----------
    most : int
        Bytes that are taken.

    Raises
    ------
    WebError
        If it is larger, or too slow.
    """

    def __init__(
        self,
        request: Request,
        limits: WebLimits,
        most: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > most:
            raise WebError(413, TOO_LARGE)
        self._stream = request.stream()
        self._limits = limits
        self._most = most
        self._size = 0
        self._clock = clock
        self._end = clock() + limits.body_seconds

    def __aiter__(self) -> TimedBody:
        return self

    async def __anext__(self) -> bytes:
        seconds = min(self._limits.pause_seconds, self._end - self._clock())
        try:
            piece = await asyncio.wait_for(anext(self._stream), max(seconds, 0.001))
        except TimeoutError:
            raise WebError(408, TOO_SLOW) from None
        self._size += len(piece)
        if self._size > self._most:
            raise WebError(413, TOO_LARGE)
        return piece

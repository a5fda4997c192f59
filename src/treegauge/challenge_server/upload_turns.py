"""Who may upload when: a few at once, so that neither memory nor disk is what many share.

The others wait for their turn; who waits too long is asked to come again.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator

from treegauge.challenge_server.web_errors import WebError
from treegauge.challenge_server.web_settings import WebLimits


class UploadTurns:
    """Places for uploads, some for all and fewer for each team."""

    def __init__(self, limits: WebLimits) -> None:
        self._limits = limits
        self._changed = asyncio.Condition()
        self._by_team: Counter[str] = Counter()

    @contextlib.asynccontextmanager
    async def turn(self, team: str) -> AsyncIterator[None]:
        """Wait for a place, and give it back in the end.

        Raises
        ------
        WebError
            If there is none in time.
        """
        async with self._changed:
            try:
                async with asyncio.timeout(self._limits.turn_seconds):
                    await self._changed.wait_for(lambda: self._has_place(team))
            except TimeoutError:
                raise WebError(
                    503,
                    "Many submissions are arriving at once. Send yours again in half a minute; "
                    "a submission that arrives twice counts once.",
                    retry_after=30,
                ) from None
            self._by_team[team] += 1
        try:
            yield
        finally:
            async with self._changed:
                self._by_team[team] -= 1
                self._by_team += Counter()  # forgets teams without uploads
                self._changed.notify_all()

    def _has_place(self, team: str) -> bool:
        limits = self._limits
        return (
            self._by_team.total() < limits.uploads_at_once
            and self._by_team[team] < limits.uploads_of_team
        )

"""The clock of a process: the system's, but it never goes back.

Systems set their clocks: by a step, back or forth. A phase that was closed must not open again
because of it. So within a process time goes on from what was said last until the system's
clock has caught up, and whoever listens is told once.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

_NOTEWORTHY = timedelta(seconds=1)
"""Clocks are always put right by a few milliseconds; that is nobody's business."""


def _system_time() -> datetime:
    return datetime.now(UTC)


def _ignore(step: timedelta) -> None:
    """Nobody listens."""


class Clock:
    """Tells the time, in UTC, and never an earlier one than before.

    Parameters
    ----------
    system_time : callable
        The system's clock, which may be set.
    elapsed : callable
        Seconds since some moment, which nobody sets.
    on_step_back : callable
        Told by how much the system's clock was set back, once per step.

    Examples
    --------
    >>> hour = iter([12, 11, 13])
    >>> clock = Clock(lambda: datetime(2027, 3, 1, next(hour), tzinfo=UTC), lambda: 0.0)
    >>> [clock.now().hour for _ in range(3)]
    [12, 12, 13]
    """

    def __init__(
        self,
        system_time: Callable[[], datetime] = _system_time,
        elapsed: Callable[[], float] = time.monotonic,
        on_step_back: Callable[[timedelta], None] = _ignore,
    ) -> None:
        self._system_time = system_time
        self._elapsed = elapsed
        self.on_step_back = on_step_back
        self._lock = threading.Lock()
        self._last = datetime.min.replace(tzinfo=UTC)
        self._last_elapsed = 0.0
        self._behind = timedelta()

    def now(self) -> datetime:
        """Return the time."""
        with self._lock:
            system, elapsed = self._system_time(), self._elapsed()
            if system >= self._last:
                self._behind, step = timedelta(), timedelta()
                self._last = system
            else:
                passed = timedelta(seconds=max(0.0, elapsed - self._last_elapsed))
                self._last += passed
                behind = self._last - system
                step, self._behind = behind - self._behind, behind
            self._last_elapsed = elapsed
            moment = self._last
        if step >= _NOTEWORTHY:
            self.on_step_back(step)
        return moment

"""How often somebody may try: a bucket of attempts for every name, filled again by time.

Quotas of submissions are in the database. These are for guesses at passwords; they live in the
memory of the one web process, and forget everything when it ends.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

_MOST_NAMES = 20_000
"""Names that are remembered; the one that was used longest ago goes first."""


class AttemptLimit:
    """At most so many attempts a minute for each name.

    Examples
    --------
    >>> now = 0.0
    >>> limit = AttemptLimit(2, clock=lambda: now)
    >>> limit.seconds_to_wait("a"), limit.seconds_to_wait("a"), limit.seconds_to_wait("a")
    (0.0, 0.0, 30.0)
    >>> now = 30.0
    >>> limit.seconds_to_wait("a")
    0.0
    """

    def __init__(self, a_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.a_minute = a_minute
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._alone = Lock()

    def seconds_to_wait(self, name: str) -> float:
        """Take an attempt and return 0; or take none, and return when there is one again."""
        with self._alone:
            now = self._clock()
            left, since = self._buckets.pop(name, (float(self.a_minute), now))
            left = min(self.a_minute, left + (now - since) * self.a_minute / 60)
            wait = 0.0 if left >= 1 else (1 - left) * 60 / self.a_minute
            self._buckets[name] = (left - 1 if not wait else left), now
            if len(self._buckets) > _MOST_NAMES:
                self._buckets.popitem(last=False)
            return wait

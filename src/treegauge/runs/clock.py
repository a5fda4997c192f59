"""How long cells will take, by what others took."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from treegauge.runs.cell import Cell
from treegauge.runs.tasks import Task

_FEW_TASKS = 100
_SECONDS_BETWEEN_ESTIMATES = 1.0


@dataclass
class Clock:
    """Estimates the time that is left, better with every task that ends.

    A system's own guess (`seconds_per_word`) is corrected by what its finished tasks took, or,
    before one has, by what all finished tasks took.
    """

    workers: int
    threads: int = 1
    """Of a worker; each of them can do a piece of a cell."""
    _guessed: dict[str, float] = field(default_factory=dict)
    _measured: dict[str, float] = field(default_factory=dict)
    _estimated: float = 0.0
    _estimated_at: float = -math.inf

    def learn(self, work: Task | Cell, seconds: float) -> None:
        """Take note of how long a task, or a cell with all its tasks, took in processes."""
        name = work.choice.label
        self._guessed[name] = self._guessed.get(name, 0.0) + work.guessed_seconds
        self._measured[name] = self._measured.get(name, 0.0) + seconds

    def seconds_left(self, tasks: Sequence[Task]) -> float:
        """Return the seconds that tasks will take; of many tasks, as of a second ago at most.

        Whoever asks after each of many thousand tasks would otherwise spend more time on
        estimates than a worker on its tasks.
        """
        now = time.monotonic()
        is_recent = now - self._estimated_at < _SECONDS_BETWEEN_ESTIMATES
        if len(tasks) <= _FEW_TASKS or not is_recent:
            self._estimated, self._estimated_at = self.estimate(tasks), now
        return self._estimated

    def estimate(self, tasks: Sequence[Task]) -> float:
        """Return the seconds that tasks will take."""
        seconds = [task.guessed_seconds * self._correction(task.choice.label) for task in tasks]
        if not seconds:
            return 0.0
        shares = [
            own / (self.threads if task.piece else 1)
            for own, task in zip(seconds, tasks, strict=True)
        ]
        # The longest task cannot be divided.
        return max(sum(shares) / self.workers, max(seconds))

    def _correction(self, name: str) -> float:
        if name in self._guessed:
            return self._measured[name] / self._guessed[name]
        if self._guessed:
            return sum(self._measured.values()) / sum(self._guessed.values())
        return 1.0

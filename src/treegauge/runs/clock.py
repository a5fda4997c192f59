"""How long cells will take, by what others took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from treegauge.runs.planning import Cell


@dataclass
class Clock:
    """Estimates the time that is left, better with every cell that ends.

    A system's own guess (`seconds_per_word`) is corrected by what its finished cells took, or,
    before one has, by what all finished cells took.
    """

    workers: int
    _guessed: dict[str, float] = field(default_factory=dict)
    _measured: dict[str, float] = field(default_factory=dict)

    def learn(self, cell: Cell, seconds: float) -> None:
        """Take note of how long a cell took, with the start of its process."""
        name = cell.choice.label
        self._guessed[name] = self._guessed.get(name, 0.0) + cell.guessed_seconds
        self._measured[name] = self._measured.get(name, 0.0) + seconds

    def estimate(self, cells: Sequence[Cell]) -> float:
        """Return the seconds that cells will take."""
        seconds = [cell.guessed_seconds * self._correction(cell.choice.label) for cell in cells]
        if not seconds:
            return 0.0
        # The longest cell cannot be divided.
        return max(sum(seconds) / self.workers, max(seconds))

    def _correction(self, name: str) -> float:
        if name in self._guessed:
            return self._measured[name] / self._guessed[name]
        if self._guessed:
            return sum(self._measured.values()) / sum(self._guessed.values())
        return 1.0

"""How numbers of a metric are shown: in per cent, with deviations, the best of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treegauge.metrics import MetricSpec


@dataclass(frozen=True)
class Shown:
    """How numbers of a metric are shown."""

    is_share: bool
    higher_is_better: bool

    @classmethod
    def of(cls, spec: MetricSpec) -> Shown:
        """Return how a metric's numbers are shown."""
        return cls(spec.metric.is_share, spec.metric.higher_is_better)

    def number(self, value: float, decimals: int = 2) -> str:
        """Return a number: shares in per cent."""
        return f"{100 * value if self.is_share else value:.{decimals}f}"

    def with_deviation(self, value: float, deviation: float | None) -> str:
        """Return a mean with its deviation, where there is one."""
        if deviation is None:
            return self.number(value)
        return f"{self.number(value)} ± {self.number(deviation)}"

    def best(self, values: Sequence[float | None]) -> list[int]:
        """Return the places of the best of several, all of them if they look the same."""
        numbers = [None if value is None else float(self.number(value)) for value in values]
        there = [number for number in numbers if number is not None]
        if len(there) < 2:
            return []
        top = max(there) if self.higher_is_better else min(there)
        return [i for i, number in enumerate(numbers) if number == top]

"""Scores: numbers that never travel without interval, size and signature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from treegauge.results.signature import Signature


@dataclass(frozen=True)
class Score:
    """What a metric says of a system.

    Attributes
    ----------
    name : str
        The metric with its cut-off, `las@10`.
    value : float or None
        In 0..1 for shares, in bits for distances; None where there was nothing to score.
    low, high : float or None
        The confidence interval; None without resampling.
    n : int
        What was scored: gold words, or sentences for metrics of sentences.
    signature : Signature
        How it was made.
    is_share : bool
        Whether people read it in per cent.
    higher_is_better : bool
        False for distances.
    details : mapping
        Further numbers such as precision and recall.
    given : bool
        Whether the annotation was copied from gold: no merit of the system, never the best.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    signature: Signature
    is_share: bool = True
    higher_is_better: bool = True
    details: Mapping[str, float | None] = field(default_factory=lambda: MappingProxyType({}))
    given: bool = False

    def __post_init__(self) -> None:
        if self.low is not None and self.high is not None and self.high < self.low:
            raise ValueError(f"an interval from {self.low} to {self.high}")

    @property
    def earned(self) -> float | None:
        """The value, unless it was given: what a comparison may look at."""
        return None if self.given else self.value

    def __str__(self) -> str:
        """Return the score as people read it: `LAS 84.31 [83.50, 85.07]`."""
        return f"{self.name.upper()} {self.shown()}{self._shown_interval()}"

    def shown(self, value: float | None = None) -> str:
        """Return the score, or a value of its kind, with two decimals."""
        value = self.value if value is None else value
        if value is None:
            return "–"
        return f"{100 * value:.2f}" if self.is_share else f"{value:.2f}"

    def _shown_interval(self) -> str:
        if self.low is None or self.high is None:
            return ""
        return f" [{self.shown(self.low)}, {self.shown(self.high)}]"

    def to_dict(self) -> dict[str, Any]:
        """Return the score as JSON has it."""
        return {
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "n": self.n,
            **self.details,
            **({"given": True} if self.given else {}),
            "signature": str(self.signature),
        }

"""Scores: numbers that never travel without interval, size and signature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from treegauge.results.signature import Signature


@dataclass(frozen=True)
class Score:
    """The score of a system under a metric. It prints as `LAS 84.31 [83.50, 85.07]`.

    Attributes
    ----------
    name : str
        The metric with its cut-off, such as `las@10`.
    value : float or None
        Between 0 and 1 for shares, in bits for distances. None if there was nothing to score.
    low, high : float or None
        The confidence interval. None without resampling.
    n : int
        How many gold words were scored, or sentences for metrics of sentences.
    signature : Signature
        The conventions it was computed under.
    is_share : bool
        Whether it is shown in per cent.
    higher_is_better : bool
        False for distances.
    details : mapping
        More numbers, such as precision and recall.
    given : bool
        Whether the annotation was copied from gold. Such a score is never the best.

    Raises
    ------
    ValueError
        If `high` is less than `low`.

    Examples
    --------
    >>> score = Score("las", 0.8431, 0.835, 0.8507, 1000, Signature("las", ()))
    >>> print(score)
    LAS 84.31 [83.50, 85.07]
    >>> score.shown(), score.shown(0.5), score.to_dict()["n"]
    ('84.31', '50.00', 1000)
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
        """The value for comparisons: None if the annotation was copied from gold."""
        return None if self.given else self.value

    def __str__(self) -> str:
        """Return the score as people read it: `LAS 84.31 [83.50, 85.07]`."""
        return f"{self.name.upper()} {self.shown()}{self._shown_interval()}"

    def shown(self, value: float | None = None) -> str:
        """Return the score, or another value of its kind, with two decimals.

        Parameters
        ----------
        value : float, optional
            Default: the value of the score.

        Returns
        -------
        str
            Shares in per cent; a dash if there is no value.
        """
        value = self.value if value is None else value
        if value is None:
            return "–"
        return f"{100 * value:.2f}" if self.is_share else f"{value:.2f}"

    def _shown_interval(self) -> str:
        if self.low is None or self.high is None:
            return ""
        return f" [{self.shown(self.low)}, {self.shown(self.high)}]"

    def to_dict(self) -> dict[str, Any]:
        """Return the score as in JSON output.

        Returns
        -------
        dict
            `value`, `low`, `high`, `n`, the details, and `signature`.
        """
        return {
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "n": self.n,
            **self.details,
            **({"given": True} if self.given else {}),
            "signature": str(self.signature),
        }

"""Rows of the tables of a run: systems, and published figures beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treegauge.results import Average, TreebankScore
from treegauge.results.published import PASCAL, STANDS_FOR, PublishedRow

SUPERVISION = (
    *("unsupervised", "universal rules", "dev-tuned", "dictionary", "cross-lingual"),
    *("supervised", "oracle"),
)
"""The order of the groups."""

AVERAGES = ("average (available)", "average (common)")
"""What the columns of averages are called."""


@dataclass(frozen=True)
class SystemRow:
    """A system of a table."""

    system: str
    method: str
    supervision: str
    settings: Mapping[str, Any]
    fit_on: str
    scores: Mapping[str, TreebankScore]
    """By treebank, for every treebank of the table."""
    available: Average
    common: Average


@dataclass(frozen=True)
class FiguresRow:
    """Published figures beside ours."""

    published: PublishedRow
    beside: str
    """Our system under which they stand; empty if it has another kind of supervision."""
    counterpart: str
    """Our system that they belong to."""
    values: Mapping[str, float]
    """By treebank of ours."""
    available: Average
    common: Average

    @property
    def label(self) -> str:
        """What the row is called."""
        return f"{self.published.column}, published"

    @property
    def supervision(self) -> str:
        """The kind of supervision that the paper describes."""
        return self.published.system.supervision


Row = SystemRow | FiguresRow


def place_of(known: Sequence[str]) -> Any:
    """Return a sorting key: known names in their order, others behind them."""
    return lambda name: (known.index(name) if name in known else len(known), name)


def row_as_dict(row: Row) -> dict[str, Any]:
    """Return a row as JSON has it."""
    names = ("value", "deviation", "low", "high", "n", "reason")
    cells = {
        name: dict(zip(names, numbers, strict=True)) for name, numbers in cells_of(row).items()
    }
    averages = {
        name: {
            "value": mean.value,
            "deviation": mean.deviation,
            "treebanks": len(mean.treebanks),
            "missing": dict(mean.missing),
        }
        for name, mean in (("available", row.available), ("common", row.common))
    }
    document: dict[str, Any] = {"system": None, "supervision": row.supervision, "published": None}
    if isinstance(row, FiguresRow):
        document["system"] = row.counterpart
        document["published"] = {
            "paper": PASCAL,
            "table": row.published.table,
            "system": row.published.column,
            "average": row.published.average,
            "test_sets": {name: STANDS_FOR[name].name for name in row.values},
        }
    else:
        document["system"] = row.system
        document |= {"method": row.method, "settings": row.settings, "fit_on": row.fit_on}
    return {**document, "treebanks": cells, "averages": averages}


def names_of(row: Row) -> tuple[str, str]:
    """Return our system, and the column of the paper that the figures are from."""
    if isinstance(row, FiguresRow):
        return row.counterpart, row.published.column
    return row.system, ""


def cells_of(row: Row) -> dict[str, tuple[float | None, ...] | tuple[Any, ...]]:
    """Return value, deviation, low, high, n and reason by treebank."""
    if isinstance(row, FiguresRow):
        return {name: (value, None, None, None, None, "") for name, value in row.values.items()}
    return {
        name: (
            score.value,
            score.deviation,
            score.low,
            score.high,
            score.n,
            "; ".join(score.missing),
        )
        for name, score in row.scores.items()
    }

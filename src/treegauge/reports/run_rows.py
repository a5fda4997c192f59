"""Rows of the tables of a run: systems, and published numbers beside them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from treegauge.results import Average, TreebankScore
from treegauge.results.published import PASCAL, STANDS_FOR, PublishedScores
from treegauge.tables import Cell, NumberFormat

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

    @property
    def label(self) -> str:
        """What the row is called."""
        return self.system

    @property
    def remark(self) -> str:
        """The settings of the system."""
        settings = (
            f"{key} = {json.dumps(value, ensure_ascii=False)}"
            for key, value in self.settings.items()
        )
        return ", ".join(settings)


@dataclass(frozen=True)
class PublishedRow:
    """Published numbers beside ours."""

    published: PublishedScores
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

    @property
    def remark(self) -> str:
        """Where the figures are from, and what is to be said of their system."""
        return f"Table {self.published.table} of the paper; {self.published.system.remark}".strip(
            "; "
        )


Row = SystemRow | PublishedRow


def place_of(known: Sequence[str]) -> Any:
    """Return a sorting key: known names in their order, others behind them."""
    return lambda name: (known.index(name) if name in known else len(known), name)


def row_cells(row: Row, format: NumberFormat) -> dict[str, Cell]:
    """Return a cell for every treebank; published numbers with the decimals of the paper."""
    if isinstance(row, PublishedRow):
        theirs = replace(format, decimals=row.published.decimals)
        return {name: Cell(value, format=theirs) for name, value in row.values.items()}
    return {
        name: Cell(
            score.value,
            score.low,
            score.high,
            score.deviation,
            score.n or None,
            note="; ".join(score.missing),
        )
        for name, score in row.scores.items()
    }


def average_cells(row: Row, format: NumberFormat, expected: tuple[int, int]) -> dict[str, Cell]:
    """Return a cell for both averages, which says over how many treebanks if not over all.

    Parameters
    ----------
    expected : pair of int
        How many treebanks there are, and how many all systems have.
    """
    cells = {}
    if isinstance(row, PublishedRow):
        format = replace(format, decimals=row.published.decimals)
    for name, mean, number in zip(AVERAGES, (row.available, row.common), expected, strict=True):
        n = len(mean.treebanks)
        cells[name] = Cell(
            mean.value,
            deviation=mean.deviation,
            n=n or None,
            remark=str(n) if n not in (number, 0) else "",
            format=format,
        )
    return cells


def row_as_dict(row: Row) -> dict[str, Any]:
    """Return a row as JSON has it."""
    averages = {
        name: {
            "value": mean.value,
            "deviation": mean.deviation,
            "treebanks": len(mean.treebanks),
            "missing": dict(mean.missing),
        }
        for name, mean in (("available", row.available), ("common", row.common))
    }
    about: dict[str, Any] = {"system": None, "supervision": row.supervision, "published": None}
    scores: dict[str, TreebankScore | float]
    if isinstance(row, PublishedRow):
        about["system"] = row.counterpart
        about["published"] = {
            "paper": PASCAL,
            "table": row.published.table,
            "system": row.published.column,
            "average": row.published.average,
            "test_sets": {name: STANDS_FOR[name].name for name in row.values},
        }
        scores = dict(row.values)
    else:
        about["system"] = row.system
        about |= {"method": row.method, "settings": row.settings, "fit_on": row.fit_on}
        scores = dict(row.scores)
    treebanks = {name: _score_as_dict(score) for name, score in scores.items()}
    return {**about, "treebanks": treebanks, "averages": averages}


def _score_as_dict(score: TreebankScore | float) -> dict[str, Any]:
    if not isinstance(score, TreebankScore):
        bounds = dict.fromkeys(("deviation", "low", "high", "n"))
        return {"value": score, **bounds, "reason": ""}
    names = ("value", "deviation", "low", "high", "n")
    return {
        **{name: getattr(score, name) for name in names},
        "reason": "; ".join(score.missing),
    }

"""What a run cost, and what went wrong in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from treegauge.experiments.run_folder import CellRecord
from treegauge.reports.run_tables import SUPERVISION, place_of
from treegauge.reports.tables import Cell, Table

_MOST_NAMED = 3
"""How many of the cells that failed for one reason are named."""


@dataclass
class SystemFacts:
    """The cells of one system."""

    system: str
    track: str
    supervision: str
    cells: int = 0
    failed: int = 0
    not_run: int = 0
    seconds: float = 0.0
    peak_memory: float = 0.0


@dataclass(frozen=True)
class RunFacts:
    """The cells of a run: a cell is a system with a seed on a treebank.

    Of settings that are chosen on dev data, only the cell that was chosen counts.
    """

    experiment: str
    treebanks: tuple[str, ...]
    systems: tuple[SystemFacts, ...]
    failures: dict[str, list[str]] = field(default_factory=dict)
    """Cells by the reason for which they failed."""

    def to_table(self) -> Table:
        """Return a row for every system, and one for all."""
        rows = [self._row(one.system, one.track, one.supervision, [one]) for one in self.systems]
        rows.append(self._row("all", "", "", self.systems))
        notes = ["seconds: of learning and annotating, summed over cells; memory: the largest"]
        for reason, cells in self.failures.items():
            named = ", ".join(cells[:_MOST_NAMED])
            if len(cells) > _MOST_NAMED:
                named += f" and {len(cells) - _MOST_NAMED} more"
            notes.append(f"{len(cells)} without result, {reason} ({named})")
        return Table(
            (
                *("system", "track", "supervision", "cells", "failed", "not run", "seconds"),
                "peak memory (MiB)",
            ),
            rows,
            title=f"{self.experiment}: {_counted(len(self.treebanks), 'treebank')}, "
            f"{_counted(len(self.systems), 'system')}",
            notes=notes,
        )

    def _row(
        self, name: str, track: str, supervision: str, of: list[SystemFacts] | tuple[Any, ...]
    ) -> list[Cell]:
        return [
            name,
            track,
            supervision,
            sum(one.cells for one in of),
            sum(one.failed for one in of),
            sum(one.not_run for one in of),
            float(sum(one.seconds for one in of)),
            float(max((one.peak_memory for one in of), default=0.0)),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as JSON has them."""
        return {
            "experiment": self.experiment,
            "treebanks": list(self.treebanks),
            "cells": sum(one.cells for one in self.systems),
            "failed": sum(one.failed for one in self.systems),
            "not_run": sum(one.not_run for one in self.systems),
            "seconds": sum(one.seconds for one in self.systems),
            "peak_memory": max((one.peak_memory for one in self.systems), default=0.0),
            "systems": [vars(one) for one in self.systems],
            "failures": self.failures,
        }


def run_facts(results: pl.DataFrame, record: Callable[[str], CellRecord | None]) -> RunFacts:
    """Return what a run cost.

    Parameters
    ----------
    results : DataFrame
        The long table.
    record : callable
        What is known of a cell, by its key: `RunFolder.record`.
    """
    # One key may be several cells: labels of the same system with the same settings.
    names = ["track", "system", "treebank", "seed", "cell"]
    cells = results.unique(names, keep="first", maintain_order=True).sort(names)
    scored = set(results.filter(pl.col("value").is_not_nan())["cell"])
    systems: dict[tuple[str, str], SystemFacts] = {}
    failures: dict[str, list[str]] = {}
    for row in cells.iter_rows(named=True):
        facts = systems.setdefault(
            (row["track"], row["system"]),
            SystemFacts(row["system"], row["track"], row["supervision"]),
        )
        facts.cells += 1
        facts.seconds += row["seconds"] or 0.0
        facts.peak_memory = max(facts.peak_memory, row["peak_memory"] or 0.0)
        known = record(row["cell"])
        if known is None:
            facts.not_run += row["cell"] not in scored
        elif not known.is_done:
            facts.failed += 1
            name = f"{row['system']} on {row['treebank']}, seed {row['seed']}"
            failures.setdefault(known.reason, []).append(name)
    order = place_of(SUPERVISION)
    return RunFacts(
        ", ".join(results["experiment"].unique().sort()),
        tuple(results["treebank"].unique().sort()),
        tuple(sorted(systems.values(), key=lambda one: (one.track, order(one.supervision)))),
        failures,
    )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"

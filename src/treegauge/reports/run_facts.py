"""What a run cost, and what went wrong in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from treegauge.reports.run_rows import SUPERVISION, place_of
from treegauge.runs.run_folder import CellRecord, PlannedCell
from treegauge.tables import Row, Table
from treegauge.wording import counted

_MOST_NAMED = 3
"""How many of the cells that failed for one reason are named."""
_MOST_FLAWS = 20
"""How many cells whose annotations are no trees are named."""


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
    """Summed; 0 where nothing is known."""
    with_compilation: int = 0
    """Cells whose seconds are of an older version, and include what was compiled meanwhile."""
    peak_memory: float = 0.0
    """The largest, in MiB; 0 where nothing is known."""


@dataclass(frozen=True)
class RunFacts:
    """The cells of a run. A cell is a system with its settings and a seed on a treebank.

    If settings are chosen on dev data, the cells of all settings count.

    Attributes
    ----------
    experiment : str
        The name of the experiment.
    treebanks : tuple of str
        The names of the treebanks.
    systems : tuple of SystemFacts
        The number of cells, their seconds and their memory, by system.
    failures : dict
        Failed cells by reason.
    flaws : dict
        By cell, which of its annotations are not trees.
    broken : mapping
        Treebanks that were left out, and why.

    Examples
    --------
    >>> systems = (SystemFacts("dmv", "dependencies", "unsupervised", cells=3, failed=1),)
    >>> facts = RunFacts("small", ("toy:svo",), systems, {"out of memory": ["dmv on toy:svo"]})
    >>> facts.to_dict()["failed"], len(facts.to_table().rows)
    (1, 2)
    """

    experiment: str
    treebanks: tuple[str, ...]
    systems: tuple[SystemFacts, ...]
    failures: dict[str, list[str]] = field(default_factory=dict)
    flaws: dict[str, str] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)

    def to_table(self) -> Table:
        """Return the facts as a table.

        Returns
        -------
        Table
            A row per system, and one for all.
        """
        rows = [self._row(one.system, one.track, one.supervision, [one]) for one in self.systems]
        rows.append(self._row("all", "", "", self.systems, total=True))
        notes = ["seconds: learning and annotating, summed over cells; memory: the maximum"]
        older = sum(one.with_compilation for one in self.systems)
        if older:
            notes.append(f"the seconds of {counted(older, 'older cell')} include compilation")
        for reason, cells in self.failures.items():
            named = ", ".join(cells[:_MOST_NAMED])
            if len(cells) > _MOST_NAMED:
                named += f" and {len(cells) - _MOST_NAMED} more"
            notes.append(f"{len(cells)} without result, {reason} ({named})")
        flaws = [f"{cell}: {what}: counted as wrong" for cell, what in self.flaws.items()]
        notes += flaws[:_MOST_FLAWS]
        if len(flaws) > _MOST_FLAWS:
            notes.append(f"and {len(flaws) - _MOST_FLAWS:,} more cells like these")
        notes += [f"{name}: left out: {reason}" for name, reason in self.broken.items()]
        return Table(
            (
                *("system", "track", "supervision", "cells", "failed", "not run", "seconds"),
                "peak memory (MiB)",
            ),
            rows,
            title=f"{self.experiment}: {counted(len(self.treebanks), 'treebank')}, "
            f"{counted(len(self.systems), 'system')}",
            notes=notes,
        )

    def _row(
        self,
        name: str,
        track: str,
        supervision: str,
        of: Sequence[SystemFacts],
        *,
        total: bool = False,
    ) -> Row:
        counts = (
            sum(one.cells for one in of),
            sum(one.failed for one in of),
            sum(one.not_run for one in of),
        )
        costs = self._seconds(of), self._peak_memory(of)
        return Row([name, track, supervision, *counts, *costs], total=total)

    def _seconds(self, of: Sequence[SystemFacts]) -> float | None:
        return float(sum(one.seconds for one in of)) or None

    def _peak_memory(self, of: Sequence[SystemFacts]) -> float | None:
        return float(max((one.peak_memory for one in of), default=0.0)) or None

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as in JSON output.

        Returns
        -------
        dict
            What is unknown is None.
        """
        return {
            "experiment": self.experiment,
            "treebanks": list(self.treebanks),
            "cells": sum(one.cells for one in self.systems),
            "failed": sum(one.failed for one in self.systems),
            "not_run": sum(one.not_run for one in self.systems),
            "seconds": self._seconds(self.systems),
            "peak_memory": self._peak_memory(self.systems),
            "systems": [
                {
                    **vars(one),
                    "seconds": self._seconds([one]),
                    "peak_memory": self._peak_memory([one]),
                }
                for one in self.systems
            ],
            "failures": self.failures,
            **({"flaws": self.flaws} if self.flaws else {}),
            **({"broken": dict(self.broken)} if self.broken else {}),
        }


def run_facts(
    results: pl.DataFrame,
    record: Callable[[str], CellRecord | None],
    planned: Sequence[PlannedCell] = (),
    broken: Mapping[str, str] | None = None,
) -> RunFacts:
    """Return what a run cost.

    Parameters
    ----------
    results : DataFrame
        The long table.
    record : callable
        What is known of a cell, by its key: `RunFolder.record`.
    planned : sequence of PlannedCell
        All cells of the run: `RunFolder.planned`; those of the table when it is empty.
    broken : mapping, optional
        Treebanks that the run left out, and why: `RunFolder.broken`.
    """
    scored = set(results.filter(pl.col("value").is_not_nan())["cell"])
    measured = {
        key: (seconds or 0.0, peak_memory or 0.0)
        for key, seconds, peak_memory in results.select("cell", "seconds", "peak_memory").rows()
    }
    systems: dict[tuple[str, str], SystemFacts] = {}
    failures: dict[str, list[str]] = {}
    flaws: dict[str, str] = {}
    # A point of a grid that has no use for seeds stands under all of them, and ran once.
    cells = {
        (cell.track, cell.system, cell.treebank, cell.key): cell
        for cell in reversed(planned or _cells_of(results))
    }
    for cell in reversed(cells.values()):
        facts = systems.setdefault(
            (cell.track, cell.system), SystemFacts(cell.system, cell.track, cell.supervision)
        )
        known = record(cell.key)
        cost = measured.get(cell.key)
        if cost is None and known is not None:
            # A point of a grid that was not chosen has no rows.
            cost = (known.seconds or 0.0, known.peak_memory or 0.0)
        seconds, peak_memory = cost or (0.0, 0.0)
        facts.cells += 1
        facts.seconds += seconds
        facts.peak_memory = max(facts.peak_memory, peak_memory)
        if known is not None and known.seconds is not None and known.compiling is None:
            facts.with_compilation += 1
        point = f" ({cell.point})" if cell.point else ""
        name = f"{cell.system}{point} on {cell.treebank}, seed {cell.seed}"
        if known is None:
            facts.not_run += cell.key not in scored
        elif not known.is_done:
            facts.failed += 1
            failures.setdefault(known.reason, []).append(name)
        elif known.flaws:
            flaws[name] = known.flaws
    order = place_of(SUPERVISION)
    return RunFacts(
        ", ".join(results["experiment"].unique().sort()),
        tuple(results["treebank"].unique().sort()),
        tuple(sorted(systems.values(), key=lambda one: (one.track, order(one.supervision)))),
        failures,
        flaws,
        broken or {},
    )


def _cells_of(results: pl.DataFrame) -> list[PlannedCell]:
    """Return the cells that have rows in the table."""
    # One key may be several cells: labels of the same system with the same settings.
    names = ["track", "system", "treebank", "seed", "cell"]
    rows = results.unique(names, keep="first", maintain_order=True).sort(names)
    columns = ("cell", "track", "system", "supervision", "treebank", "seed")
    return [PlannedCell(*row) for row in rows.select(columns).rows()]

"""What a run is going to do, for people and for programs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treegauge.runs.cell import Cell
from treegauge.runs.planning import Plan
from treegauge.tables import Table, duration
from treegauge.treebank.parts import PARTS, WHOLE
from treegauge.wording import counted


@dataclass(frozen=True)
class Outlook:
    """What a run is going to do."""

    plan: Plan
    waiting: tuple[Cell, ...]
    """The cells that have to be run."""
    finished: frozenset[str]
    """The keys of those that need not."""
    seconds: float
    """What they may take."""
    workers: int
    threads: int

    def tables(self) -> list[Table]:
        """Return the treebanks and the systems of the plan, and what is to be done."""
        plan = self.plan
        parts = [part for part in (*PARTS, WHOLE) if any(part in bank.parts for bank in plan.banks)]
        banks = [
            (bank.name, *(bank.words(part) if part in bank.parts else None for part in parts))
            for bank in plan.banks
        ]
        finished = sum(cell.key in self.finished for cell in plan.cells)
        work = [f"{counted(len(plan.cells), 'cell')}, {finished:,} finished already"]
        if self.waiting:
            work.append(
                f"about {duration(self.seconds)} with {counted(self.workers, 'worker')} of "
                f"{counted(self.threads, 'thread')}"
            )
        return [
            Table(("treebank", *(f"{part} words" for part in parts)), banks),
            Table(
                ("system", "track", "supervision", "settings", "cells"),
                self._systems(),
                notes=["; ".join(work)],
            ),
        ]

    def _systems(self) -> list[tuple[str, str, str, str, int]]:
        rows = []
        for choice in self.plan.experiment.systems:
            cells = [cell for cell in self.plan.cells if cell.choice == choice]
            if cells:
                settings = _settings(cells[0])
                if choice.tuning:
                    points = counted(len(choice.tuning.grid), "point")
                    settings += f"; best of {points} by {choice.tuning.metric} on dev"
                first = cells[0]
                rows.append((choice.label, first.track, first.supervision, settings, len(cells)))
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as JSON has it."""
        plan = self.plan
        return {
            "schema": 1,
            "experiment": plan.experiment.name,
            "workers": self.workers,
            "threads": self.threads,
            "seconds": self.seconds,
            "treebanks": [
                {
                    "name": bank.name,
                    "split": bank.split,
                    "words": {part: bank.words(part) for part in bank.parts},
                }
                for bank in plan.banks
            ],
            "cells": [
                {
                    "cell": cell.key,
                    "treebank": cell.bank.name,
                    "system": cell.choice.label,
                    "track": cell.track,
                    "supervision": cell.supervision,
                    "settings": cell.system.settings.to_dict(),
                    "seed": cell.seed,
                    "finished": cell.key in self.finished,
                }
                for cell in plan.cells
            ],
        }


def _settings(cell: Cell) -> str:
    chosen = {
        name: value
        for name, value in cell.system.settings.deviations().items()
        if name not in dict(cell.point)
    }
    return ", ".join(f"{name}={_brief(value)}" for name, value in chosen.items()) or "defaults"


def _brief(value: object) -> str:
    """Return a setting as it is written in an experiment, a file by its name only.

    >>> _brief(True), _brief("runs/clusters/da.paths"), _brief("kuhlmann/nivre"), _brief(0.5)
    ('true', 'da.paths', 'kuhlmann/nivre', '0.5')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str) and (Path(value).is_absolute() or Path(value).suffix):
        return Path(value).name
    return str(value)

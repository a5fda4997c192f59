"""Running an experiment from a verb: what is going to be done, how far it is, what is left."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from treegauge.cli import console
from treegauge.cli.treebanks import report
from treegauge.tables import duration

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from treegauge.catalogue import Catalogue
    from treegauge.runs import Experiment, Outlook, Run, Standing
    from treegauge.runs.planning import Cell
    from treegauge.tables import Table

_SECONDS_BETWEEN_LINES = 30.0
"""Where nobody looks at a terminal, a line of progress is enough once in a while."""


@dataclass(frozen=True)
class RunOptions:
    """How a run is to be done."""

    workers: int | None = None
    threads: int = 1
    scheduler: str = ""
    score_only: bool = False
    keep_failed: bool = False


def run_experiment(
    experiment: Experiment, place: str, catalogue: Catalogue, options: RunOptions
) -> Run:
    """Run an experiment, or go on with it, and show how far it is."""
    from treegauge.runs import run

    try:
        with (
            _executor(options.scheduler) as executor,
            _Progress().shown() as progress,
        ):
            return run(
                experiment,
                place,
                catalogue=catalogue,
                workers=options.workers,
                threads=options.threads,
                executor=executor,
                score_only=options.score_only,
                keep_failed=options.keep_failed,
                on_plan=progress.plan,
                on_progress=progress.cells,
                on_scored=progress.scored,
            )
    except KeyboardInterrupt:
        console.complain(
            f"stopped; what is finished is kept in {place}, and the same command goes on from there"
        )
        raise typer.Exit(130) from None


def say_what_is_replaced(experiment: Experiment, place: str) -> None:
    """Nobody should lose the table of another experiment without being told."""
    from treegauge.runs import RunFolder

    other = RunFolder(place).experiment
    if other and other != experiment.name:
        console.say(
            f"{place}: the results of the experiment {other!r} are replaced by those of "
            f"{experiment.name!r}; its cells are kept",
            style="yellow",
        )


@contextlib.contextmanager
def _executor(address: str) -> Iterator[Executor | None]:
    if not address:
        yield None
        return
    from treegauge.runs import cluster_executor

    with cluster_executor(address) as executor:
        yield executor


# ---------------------------------------------------------------------- while it runs


class _Progress:
    """Tells how a run goes: live on a terminal, in a line once in a while elsewhere."""

    def __init__(self) -> None:
        self._show: Callable[[Standing], None] = self._line
        self._describe: Callable[[str], None] = self._line_of_text
        self._last_line = time.monotonic()
        self._failed = 0

    @contextlib.contextmanager
    def shown(self) -> Iterator[_Progress]:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        terminal = Console(stderr=True, highlight=False)
        if console.manners.quiet or not terminal.is_terminal:
            yield self
            return
        bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[more]}", markup=False),
            console=terminal,
            transient=True,
        )
        task = bar.add_task("planning", total=None, more="")

        def show(standing: Standing) -> None:
            bar.update(
                task,
                description="cells",
                total=standing.total,
                completed=standing.done + standing.failed,
                more=_described(standing),
            )

        def describe(text: str) -> None:
            bar.update(task, description=text, total=None, more="")

        self._show, self._describe = show, describe
        with bar:
            yield self

    def plan(self, outlook: Outlook) -> None:
        """Say what is going to be done."""
        report_findings(outlook)
        for table in plan_tables(outlook):
            console.say(table.to_text(width=console.width()).rstrip("\n"))

    def cells(self, standing: Standing) -> None:
        """Show how far the cells are."""
        if standing.failed > self._failed:
            self._failed = standing.failed
            console.say(standing.last, style="red")
        self._show(standing)

    def scored(self, share: float) -> None:
        """Show how far the scores are."""
        self._describe(f"scoring {share:.0%}")

    def _line(self, standing: Standing) -> None:
        ended = standing.done + standing.failed
        self._line_of_text(f"{ended} of {standing.total} cells; {_described(standing)}")

    def _line_of_text(self, text: str) -> None:
        if time.monotonic() - self._last_line > _SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            console.say(text)


def _described(standing: Standing) -> str:
    parts = [f"{len(standing.running)} running"]
    if standing.failed:
        parts.append(f"{standing.failed} failed")
    parts.append(f"{duration(standing.seconds_left)} left")
    return ", ".join(parts)


# ---------------------------------------------------------------------- the plan


def report_findings(outlook: Outlook) -> None:
    """Say what was odd about the treebanks of a plan."""
    report(*outlook.plan.shelf.findings)


def plan_tables(outlook: Outlook) -> list[Table]:
    """Return the treebanks and the systems of a plan, and what is to be done."""
    from treegauge.tables import Table
    from treegauge.treebank.parts import PARTS, WHOLE
    from treegauge.wording import counted

    plan = outlook.plan
    parts = [part for part in (*PARTS, WHOLE) if any(part in bank.parts for bank in plan.banks)]
    banks = [
        (bank.name, *(bank.words(part) if part in bank.parts else None for part in parts))
        for bank in plan.banks
    ]
    systems = []
    for choice in plan.experiment.systems:
        cells = [cell for cell in plan.cells if cell.choice == choice]
        if cells:
            settings = _settings(cells[0])
            if choice.tuning:
                points = counted(len(choice.tuning.grid), "point")
                settings += f"; best of {points} by {choice.tuning.metric} on dev"
            systems.append(
                (choice.label, cells[0].track, cells[0].supervision, settings, len(cells))
            )
    finished = sum(cell.key in outlook.finished for cell in plan.cells)
    what = [f"{counted(len(plan.cells), 'cell')}, {finished:,} finished already"]
    if outlook.waiting:
        workers = counted(outlook.workers, "worker")
        what.append(
            f"about {duration(outlook.seconds)} with {workers} of "
            f"{counted(outlook.threads, 'thread')}"
        )
    return [
        Table(("treebank", *(f"{part} words" for part in parts)), banks),
        Table(
            ("system", "track", "supervision", "settings", "cells"),
            systems,
            notes=["; ".join(what)],
        ),
    ]


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

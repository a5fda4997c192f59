"""`treegauge run`: a grid of systems and treebanks, from one file."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import FormatOption, JsonOption, OutputFormat, QuietOption
from treegauge.cli.treebanks import DataOption, report

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from treegauge.catalogue import Catalogue
    from treegauge.experiments import Experiment, Outlook, Run, Standing
    from treegauge.experiments.planning import Cell
    from treegauge.reports import Table
    from treegauge.reports.run_tables import RunTable
    from treegauge.results import Average

_SECONDS_BETWEEN_LINES = 30.0
"""Where nobody looks at a terminal, a line of progress is enough once in a while."""
_MOST_FAILURES_SHOWN = 20


def run_cli(
    experiment: Annotated[
        str, typer.Argument(metavar="EXPERIMENT", help="The experiment: a TOML file.")
    ],
    folder: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Where everything is kept; runs/NAME."
        ),
    ] = "",
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, help="Cells at the same time; one a core if missing."),
    ] = None,
    threads: Annotated[int, typer.Option("--threads", min=1, help="Threads of each cell.")] = 1,
    scheduler: Annotated[
        str,
        typer.Option("--scheduler", metavar="ADDRESS", help="Run on the Dask cluster, tcp://…"),
    ] = "",
    timeout: Annotated[
        str,
        typer.Option("--timeout", metavar="TIME", help="What a cell may take: 90s, 10min, 2h."),
    ] = "",
    memory: Annotated[
        int | None, typer.Option("--memory", min=1, metavar="MIB", help="What a cell may use.")
    ] = None,
    score_only: Annotated[
        bool, typer.Option("--score-only", help="Run nothing; score again what is there.")
    ] = False,
    keep_failed: Annotated[
        bool, typer.Option("--keep-failed", help="Do not try again what has failed before.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check everything, show the plan, do nothing.")
    ] = False,
    data: DataOption = [],  # noqa: B006
    format: FormatOption = OutputFormat.TABLE,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Run systems on treebanks, score them, and keep everything in one folder.

    Started again, it goes on where it was left: what is finished is not run again, and a change
    in the experiment reruns only what it touches.

    Example: `treegauge run first-look.toml --workers 4`
    """
    console.manners.quiet = quiet
    from treegauge.catalogue import Catalogue
    from treegauge.experiments import look_ahead

    read = _experiment(experiment, timeout, memory)
    place = folder or str(Path("runs") / read.name)
    catalogue = Catalogue.from_environment(data)
    chosen = OutputFormat.JSON if json else format
    if dry_run:
        with console.progress("planning"):
            outlook = look_ahead(
                read,
                place,
                catalogue=catalogue,
                workers=workers,
                threads=threads,
                score_only=score_only,
                keep_failed=keep_failed,
            )
        _report_findings(outlook)
        console.emit(
            chosen, "", table=lambda: plan_tables(outlook), document=lambda: plan_document(outlook)
        )
        return
    _say_what_is_replaced(read, place)
    options = _Options(workers, threads, scheduler, score_only, keep_failed)
    made = _run(read, place, catalogue, options)
    console.emit(
        chosen, "", table=lambda: summary_tables(made), document=lambda: run_document(made)
    )
    _say_what_is_left(made, keep_failed=keep_failed)
    if made.failures:
        raise typer.Exit(1)


@dataclass(frozen=True)
class _Options:
    workers: int | None
    threads: int
    scheduler: str
    score_only: bool
    keep_failed: bool


def _experiment(path: str, timeout: str, memory: int | None) -> Experiment:
    from treegauge.experiments.experiment import Experiment, read_seconds

    experiment = Experiment.from_toml(path)
    if timeout:
        experiment = replace(experiment, cell_timeout=read_seconds(timeout))
    if memory is not None:
        experiment = replace(experiment, cell_memory=memory)
    return experiment


def _run(experiment: Experiment, place: str, catalogue: Catalogue, options: _Options) -> Run:
    from treegauge.experiments import run

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


def _say_what_is_replaced(experiment: Experiment, place: str) -> None:
    """Nobody should lose the table of another experiment without being told."""
    from treegauge.experiments import RunFolder

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
    from treegauge.experiments import cluster_executor

    with cluster_executor(address) as executor:
        yield executor


# ---------------------------------------------------------------------- while it runs


class _Progress:
    """Tells how a run goes: live on a terminal, in a line once in a while elsewhere."""

    def __init__(self) -> None:
        self._show: Callable[[Standing], None] = self._line
        self._describe: Callable[[str], None] = lambda _: None
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
        _report_findings(outlook)
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
        if time.monotonic() - self._last_line > _SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            ended = standing.done + standing.failed
            console.say(f"{ended} of {standing.total} cells; {_described(standing)}")


def _described(standing: Standing) -> str:
    parts = [f"{len(standing.running)} running"]
    if standing.failed:
        parts.append(f"{standing.failed} failed")
    parts.append(f"{_duration(standing.seconds_left)} left")
    return ", ".join(parts)


def _duration(seconds: float) -> str:
    """Return a time as people say it; nobody knows it to the second.

    >>> _duration(0.2), _duration(75), _duration(7300)
    ('1 s', '1 min', '2.0 h')
    """
    if seconds < 60:
        return f"{max(round(seconds), 1)} s"
    return f"{round(seconds / 60)} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


# ---------------------------------------------------------------------- the plan


def _report_findings(outlook: Outlook) -> None:
    report(*outlook.plan.shelf.findings)


def plan_tables(outlook: Outlook) -> list[Table]:
    """Return the treebanks and the systems of a plan, and what is to be done."""
    from treegauge.catalogue.names import PARTS, WHOLE
    from treegauge.reports import Table
    from treegauge.treebank.wording import counted

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
        what.append(
            f"about {_duration(outlook.seconds)} with {counted(outlook.workers, 'worker')} of "
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
    return ", ".join(f"{name}={value}" for name, value in chosen.items()) or "defaults"


def plan_document(outlook: Outlook) -> dict[str, Any]:
    """Return a plan as JSON has it."""
    plan = outlook.plan
    return {
        "schema": 1,
        "experiment": plan.experiment.name,
        "workers": outlook.workers,
        "threads": outlook.threads,
        "seconds": outlook.seconds,
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
                "finished": cell.key in outlook.finished,
            }
            for cell in plan.cells
        ],
    }


# ---------------------------------------------------------------------- when it has run


def summary_tables(made: Run) -> list[Table]:
    """Return a table for every track: averages over treebanks, the first few metrics."""
    from treegauge.reports import Table, run_tables

    groups: dict[tuple[str, str], list[RunTable]] = {}
    for table in run_tables(made.table, published=False):
        groups.setdefault((table.track, table.preset), []).append(table)
    summaries = []
    for (track, preset), tables in groups.items():
        shown = tables[:_MOST_METRICS_SHOWN]
        systems = {row.system: row.supervision for table in shown for row in table.systems}
        averages = {
            (row.system, table.spec, table.tags): row.available
            for table in shown
            for row in table.systems
        }
        rows = []
        for name, supervision in systems.items():
            found = [averages.get((name, table.spec, table.tags)) for table in shown]
            treebanks = max((len(one.treebanks) for one in found if one), default=0)
            rows.append(
                (
                    name,
                    supervision,
                    treebanks,
                    *(_shown(one, table) for one, table in zip(found, shown, strict=True)),
                )
            )
        heads = [f"{t.spec}{f' ({t.tags})' if t.tags else ''}" for t in shown]
        summaries.append(
            Table(
                ("system", "supervision", "treebanks", *heads),
                rows,
                title=f"{track}, {preset}: averages over treebanks",
            )
        )
    return summaries


_MOST_METRICS_SHOWN = 6


def _shown(average: Average | None, table: RunTable) -> float | None:
    if average is None or average.value is None:
        return None
    return average.value * (100 if table.spec.metric.is_share else 1)


def run_document(made: Run) -> dict[str, Any]:
    """Return what came of a run as JSON has it."""
    from treegauge.reports import run_tables

    return {
        "schema": 1,
        "folder": str(made.folder),
        "results": str(made.folder / "results.parquet"),
        "cells": made.cells,
        "run_now": made.run_now,
        "not_run": made.not_run,
        "failures": [
            {"cell": one.cell, "reason": one.reason, "folder": str(one.folder)}
            for one in made.failures
        ],
        "averages": [
            {
                "track": table.track,
                "preset": table.preset,
                "tags": table.tags or None,
                "metric": str(table.spec),
                "system": row.system,
                "supervision": row.supervision,
                "available": row.available.value,
                "available_treebanks": list(row.available.treebanks),
                "common": row.common.value,
                "common_treebanks": list(row.common.treebanks),
            }
            for table in run_tables(made.table, published=False)
            for row in table.systems
        ],
    }


def _say_what_is_left(made: Run, *, keep_failed: bool) -> None:
    from treegauge.treebank.wording import counted

    sys.stdout.flush()
    if made.failures:
        lines = [f"{counted(len(made.failures), 'cell')} of {made.cells:,} failed:"]
        lines += [
            f"  {failure.cell}: {failure.reason}\n    {failure.folder}"
            for failure in made.failures[:_MOST_FAILURES_SHOWN]
        ]
        if len(made.failures) > _MOST_FAILURES_SHOWN:
            lines.append(f"  and {len(made.failures) - _MOST_FAILURES_SHOWN:,} more")
        without = "without --keep-failed " if keep_failed else ""
        has_tracebacks = any((failure.folder / "error.txt").exists() for failure in made.failures)
        where = "tracebacks are in error.txt there; " if has_tracebacks else ""
        lines.append(f"{where}{without}the same command tries them again")
        console.complain("\n".join(lines))
    if made.not_run:
        console.say(f"{counted(made.not_run, 'cell')} of {made.cells:,} have not been run yet")
    console.say(f"all results: {made.folder / 'results.parquet'}")
    console.say(f"`treegauge report {made.folder}` shows them in full")

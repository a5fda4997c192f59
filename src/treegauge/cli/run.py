"""`treegauge run`: a grid of systems and treebanks, from one file."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import FormatOfTablesOption, JsonOption, OutputFormat, QuietOption
from treegauge.cli.running import (
    RunOptions,
    plan_tables,
    report_findings,
    run_experiment,
    say_what_is_replaced,
)
from treegauge.cli.treebanks import DataOption

if TYPE_CHECKING:
    from treegauge.reports.run_tables import RunTable
    from treegauge.results import Average
    from treegauge.runs import Experiment, Outlook, Run
    from treegauge.tables import Table

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
    format: FormatOfTablesOption = OutputFormat.TABLE,
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
    from treegauge.runs import look_ahead

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
        report_findings(outlook)
        console.emit(
            chosen, "", table=lambda: plan_tables(outlook), document=lambda: plan_document(outlook)
        )
        return
    say_what_is_replaced(read, place)
    options = RunOptions(workers, threads, scheduler, score_only, keep_failed)
    made = run_experiment(read, place, catalogue, options)
    console.emit(
        chosen, "", table=lambda: summary_tables(made), document=lambda: run_document(made)
    )
    _say_what_is_left(made, keep_failed=keep_failed)
    if made.failures:
        raise typer.Exit(1)


def _experiment(path: str, timeout: str, memory: int | None) -> Experiment:
    from treegauge.runs.errors import ExperimentError
    from treegauge.runs.experiment import Experiment, read_seconds

    experiment = Experiment.from_toml(path)
    if timeout:
        try:
            seconds = read_seconds(timeout)
        except ExperimentError:
            raise typer.BadParameter(
                f"--timeout: expected a time such as 90s, 10min or 2h, found {timeout!r}"
            ) from None
        experiment = replace(experiment, cell_timeout=seconds)
    if memory is not None:
        experiment = replace(experiment, cell_memory=memory)
    return experiment


# ---------------------------------------------------------------------- the plan


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
    from treegauge.wording import counted

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

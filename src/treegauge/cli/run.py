"""`treegauge run`: a grid of systems and treebanks, from one file."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treegauge.cli import console
from treegauge.cli.console import Results, prints_results
from treegauge.cli.help_pages import LIMITS, OUTPUT
from treegauge.cli.running import (
    RunOptions,
    run_experiment,
    say_what_is_left_out,
    say_what_is_replaced,
)
from treegauge.cli.treebanks import DataOption, report

if TYPE_CHECKING:
    from treegauge.runs import Experiment, Run

_MOST_FAILURES_SHOWN = 20


FolderOption = Annotated[
    str,
    typer.Option(
        "--folder",
        metavar="DIR",
        rich_help_panel=OUTPUT,
        help="The folder for everything. Default: runs/NAME.",
    ),
]
TimeoutOption = Annotated[
    str,
    typer.Option(
        "--timeout",
        metavar="TIME",
        rich_help_panel=LIMITS,
        help="Time limit per cell: 90s, 10min, 2h.",
    ),
]
MemoryOption = Annotated[
    int | None,
    typer.Option(
        "--memory", min=1, metavar="MIB", rich_help_panel=LIMITS, help="Memory limit per cell."
    ),
]


@prints_results
def run_cli(
    experiment: Annotated[
        str, typer.Argument(metavar="EXPERIMENT", help="The experiment file (TOML).")
    ],
    folder: FolderOption = "",
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            min=1,
            rich_help_panel=LIMITS,
            help="How many cells run at the same time. Default: one per core.",
        ),
    ] = None,
    threads: Annotated[
        int, typer.Option("--threads", min=1, rich_help_panel=LIMITS, help="Threads per cell.")
    ] = 1,
    scheduler: Annotated[
        str,
        typer.Option(
            "--scheduler", metavar="ADDRESS", help="Run on a Dask cluster, tcp://HOST:PORT."
        ),
    ] = "",
    timeout: TimeoutOption = "",
    memory: MemoryOption = None,
    score_only: Annotated[
        bool, typer.Option("--score-only", help="Run nothing. Score the finished cells again.")
    ] = False,
    keep_failed: Annotated[
        bool, typer.Option("--keep-failed", help="Do not run failed cells again.")
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Check everything and show the plan, without running anything."
        ),
    ] = False,
    data: DataOption = [],  # noqa: B006
) -> Results:
    """Run systems on treebanks, score them, and keep everything in one folder.

    Start it again to continue an interrupted run. Finished cells are not run again, and a change in
    the experiment reruns only the cells it affects. A treebank that cannot be read
    is left out, and the exit code is 1.

    Example: `treegauge run first-look.toml --workers 4`
    """
    from treegauge.catalogue import Catalogue
    from treegauge.reports.run_summary import run_document, summary_tables
    from treegauge.runs import look_ahead

    read = _experiment(experiment, timeout, memory)
    place = folder or str(Path("runs") / read.name)
    catalogue = Catalogue.from_environment(data)
    if dry_run:
        with console.progress("planning") as advance:
            outlook = look_ahead(
                read,
                place,
                catalogue=catalogue,
                workers=workers,
                threads=threads,
                score_only=score_only,
                keep_failed=keep_failed,
                skip_broken=True,
                on_planned=advance,
            )
        report(*outlook.plan.cache.findings)
        say_what_is_left_out(outlook.plan.broken)
        return Results(outlook.tables(), outlook.to_dict(), failed=bool(outlook.plan.broken))
    say_what_is_replaced(read, place)
    options = RunOptions(workers, threads, scheduler, score_only, keep_failed, skip_broken=True)
    done = run_experiment(read, place, catalogue, options)
    return Results(
        summary_tables(done),
        run_document(done),
        failed=bool(done.failures or done.broken),
        afterwards=lambda: _say_what_is_left(done, keep_failed=keep_failed),
    )


def _experiment(path: str, timeout: str, memory: int | None) -> Experiment:
    from treegauge.runs.errors import ExperimentError
    from treegauge.runs.experiment import Experiment
    from treegauge.runs.experiment_file import read_seconds

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


def _say_what_is_left(done: Run, *, keep_failed: bool) -> None:
    from treegauge.wording import counted

    if done.failures:
        lines = [f"{counted(len(done.failures), 'cell')} of {done.cells:,} failed:"]
        lines += [
            f"  {failure.cell}: {failure.reason}\n    {failure.folder}"
            for failure in done.failures[:_MOST_FAILURES_SHOWN]
        ]
        if len(done.failures) > _MOST_FAILURES_SHOWN:
            lines.append(f"  and {len(done.failures) - _MOST_FAILURES_SHOWN:,} more")
        without = "without --keep-failed " if keep_failed else ""
        has_tracebacks = any((failure.folder / "error.txt").exists() for failure in done.failures)
        where = "tracebacks are in error.txt there; " if has_tracebacks else ""
        lines.append(f"{where}{without}the same command tries them again")
        console.complain("\n".join(lines))
    say_what_is_left_out(done.broken)
    if done.not_run:
        console.say(f"{counted(done.not_run, 'cell')} of {done.cells:,} have not been run yet")
    console.say(f"all results: {done.folder / 'results.parquet'}")
    console.say(f"`treegauge report {shlex.quote(str(done.folder))}` shows them in full")

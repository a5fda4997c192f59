"""Running an experiment from a verb: what is going to be done, how far it is, what is left."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from treegauge.cli import console
from treegauge.cli.treebanks import report
from treegauge.tables import duration

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from treegauge.catalogue import Catalogue
    from treegauge.reports import RunReport
    from treegauge.reports.pages import Page
    from treegauge.runs import Experiment, Outlook, Run, Standing
    from treegauge.runs.cell import Cell
    from treegauge.runs.planning import BrokenBank

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
    skip_broken: bool = False


def run_experiment(
    experiment: Experiment, place: str, catalogue: Catalogue, options: RunOptions
) -> Run:
    """Run an experiment, or go on with it, and show how far it is."""
    from treegauge.runs import run

    try:
        with (
            _executor(options.scheduler) as executor,
            _Progress().display() as progress,
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
                skip_broken=options.skip_broken,
                on_planned=progress.planned,
                on_plan=progress.plan,
                on_progress=progress.cells,
                on_scored=progress.scored,
            )
    except KeyboardInterrupt:
        console.complain(
            f"stopped; finished cells are kept in {place}; the same command continues the run"
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


def say_what_is_left_out(broken: Sequence[BrokenBank]) -> None:
    """Nobody should take a table for that of all treebanks while some are missing."""
    for bank in broken:
        console.complain(str(bank))


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
    def display(self) -> Iterator[_Progress]:
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

    def planned(self, share: float) -> None:
        """Show how many treebanks have been read for the plan."""
        self._describe(f"planning {share:.0%}")

    def plan(self, outlook: Outlook) -> None:
        """Say what is going to be done."""
        report(*outlook.plan.cache.findings)
        say_what_is_left_out(outlook.plan.broken)
        for table in outlook.tables():
            console.say(table.to_text(width=console.width()).rstrip("\n"))
        for line in dict.fromkeys(map(_long_sentences, outlook.plan.cells)):
            if line:
                console.say(line, style="yellow")

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


def _long_sentences(cell: Cell) -> str:
    """Return which sentences a system does not parse whole, if there are any."""
    from treegauge.systems.long_sentences import too_long

    long, limit = cell.long_sentences, cell.system.longest_whole
    if limit is None or not len(long):
        return ""
    return too_long(f"{cell.bank.name}: {cell.choice.label}", long, limit, "not parsed whole")


def _described(standing: Standing) -> str:
    parts = [f"{len(standing.running)} running"]
    if standing.pieces:
        parts.append(f"{standing.pieces_done} of their {standing.pieces} pieces done")
    if standing.failed:
        parts.append(f"{standing.failed} failed")
    parts.append(f"{duration(standing.seconds_left)} left")
    return ", ".join(parts)


def run_page(report: RunReport, data: list[str], *, command: str, trials: int) -> Page:
    """Return the page of a run: with what systems said, beside gold."""
    from treegauge.catalogue import Catalogue
    from treegauge.reports.pages.run_annotations import run_annotations

    catalogue = Catalogue.from_environment(data)
    annotations = run_annotations(report.results, report.folder, catalogue)
    with console.progress("reading annotations, testing systems") as advance:
        page = report.page(annotations, command=command, trials=trials, on_progress=advance)
    for problem in annotations.problems:
        console.say(problem)
    return page

"""Runs experiments: cells in parallel, each once, whatever happens in between."""

from __future__ import annotations

import contextlib
import json
import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from treegauge.catalogue import Catalogue
from treegauge.experiments.experiment import Experiment, Scoring, SystemChoice
from treegauge.experiments.job import Job, Outcome, run_isolated
from treegauge.experiments.planning import Bank, Cell, Plan, make_plan
from treegauge.experiments.run_folder import CellRecord, RunFolder
from treegauge.experiments.scoring import rows_without_scores, scores_of
from treegauge.metrics import MetricSpec
from treegauge.results.long_table import long_table, write_long_table


@dataclass(frozen=True)
class Standing:
    """How far a run has come."""

    total: int
    done: int
    failed: int
    running: tuple[str, ...]
    seconds_left: float
    last: str = ""
    """The cell that has just ended."""


@dataclass(frozen=True)
class Failure:
    """A cell that gave nothing."""

    cell: str
    reason: str
    folder: Path


@dataclass(frozen=True)
class Run:
    """What came of an experiment."""

    folder: Path
    table: pl.DataFrame
    failures: tuple[Failure, ...]
    cells: int
    rerun: int
    """Cells that were not there already."""


@dataclass
class Clock:
    """Estimates the time that is left, better with every cell that ends.

    A system's own guess (`seconds_per_word`) is corrected by what its finished cells took, or,
    before one has, by what all finished cells took.
    """

    workers: int
    _guessed: dict[str, float] = field(default_factory=dict)
    _measured: dict[str, float] = field(default_factory=dict)

    def learn(self, cell: Cell, seconds: float) -> None:
        """Take note of how long a cell took, with the start of its process."""
        name = cell.choice.label
        self._guessed[name] = self._guessed.get(name, 0.0) + cell.guessed_seconds
        self._measured[name] = self._measured.get(name, 0.0) + seconds

    def estimate(self, cells: Sequence[Cell]) -> float:
        """Return the seconds that cells will take."""
        seconds = [cell.guessed_seconds * self._correction(cell.choice.label) for cell in cells]
        if not seconds:
            return 0.0
        # The longest cell cannot be divided.
        return max(sum(seconds) / self.workers, max(seconds))

    def _correction(self, name: str) -> float:
        if name in self._guessed:
            return self._measured[name] / self._guessed[name]
        if self._guessed:
            return sum(self._measured.values()) / sum(self._guessed.values())
        return 1.0


def default_workers() -> int:
    """Return one worker a core; each has one thread."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(
    experiment: Experiment,
    folder: str | os.PathLike[str],
    *,
    catalogue: Catalogue | None = None,
    workers: int | None = None,
    threads: int = 1,
    executor: Executor | None = None,
    score_only: bool = False,
    on_plan: Callable[[Plan, list[Cell], float], None] = lambda *_: None,
    on_progress: Callable[[Standing], None] = lambda _: None,
) -> Run:
    """Run an experiment, or go on with it where it was left.

    Parameters
    ----------
    folder : path
        Where everything is kept; finished cells that are there are not run again.
    catalogue : Catalogue, optional
        Where treebanks are looked for; `TREEGAUGE_DATA` when missing.
    workers : int, optional
        Cells that run at the same time; one a core when missing.
    threads : int
        Threads of each cell.
    executor : concurrent.futures.Executor, optional
        Where cells run; that of a Dask cluster, for example. Local processes when missing.
    score_only : bool
        Run nothing; score again what is there.
    on_plan : callable
        Told the plan, the cells that have to be run and the seconds they may take.
    on_progress : callable
        Told how far the run has come.
    """
    catalogue = catalogue or Catalogue.from_environment()
    plan = make_plan(experiment, catalogue)
    place = RunFolder(folder)
    workers = workers or default_workers()
    with place.locked():
        waiting = [] if score_only else _missing(plan, place)
        clock = Clock(workers)
        on_plan(plan, waiting, clock.estimate(waiting))
        with _executor(executor, workers) as (submit, given_up):
            _run_cells(
                experiment, waiting, place, clock, submit, given_up, workers, threads, on_progress
            )
        rows, failures = _rows(plan, place, anew=score_only)
        table = long_table(rows)
        write_long_table(table, place.results)
    return Run(place.path, table, tuple(failures), len(plan.cells), len(waiting))


def _missing(plan: Plan, place: RunFolder) -> list[Cell]:
    """Return the cells that have to be run: not yet finished, each key once."""
    missing: dict[str, Cell] = {}
    for cell in plan.cells:
        record = place.record(cell.key)
        if record is None or not record.is_done:
            missing.setdefault(cell.key, cell)
    return list(missing.values())


Submit = Callable[[Job, Path], Future[Outcome]]


@contextlib.contextmanager
def _executor(
    executor: Executor | None, workers: int
) -> Iterator[tuple[Submit, threading.Event | None]]:
    """Give a function that starts a job, here or where an executor is."""
    if executor is not None:
        # Another machine has no use for our scratch folder.
        elsewhere = executor
        yield lambda job, _: elsewhere.submit(run_isolated, job), None
        return
    given_up = threading.Event()
    with ThreadPoolExecutor(workers) as pool:
        try:
            yield lambda job, scratch: pool.submit(run_isolated, job, scratch, given_up), given_up
        except BaseException:
            given_up.set()
            raise


def _run_cells(
    experiment: Experiment,
    cells: Sequence[Cell],
    place: RunFolder,
    clock: Clock,
    submit: Submit,
    given_up: threading.Event | None,
    workers: int,
    threads: int,
    on_progress: Callable[[Standing], None],
) -> None:
    waiting = list(reversed(cells))
    # A cluster has workers of its own: keep some jobs queued there.
    window = workers if given_up is not None else 4 * workers
    running: dict[Future[Outcome], tuple[Cell, Job, float]] = {}
    done = failed = 0
    while waiting or running:
        while waiting and len(running) < window:
            cell = waiting.pop()
            job = cell.job(
                threads=threads,
                memory=experiment.cell_memory,
                timeout=experiment.cell_timeout,
            )
            running[submit(job, place.scratch)] = (cell, job, time.monotonic())
        ended, _ = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
        last = ""
        for future in ended:
            cell, job, begin = running.pop(future)
            record = place.store(cell.key, _outcome(future), job.targets, cell.about)
            clock.learn(cell, time.monotonic() - begin)
            done += record.is_done
            failed += not record.is_done
            last = f"{cell}{'' if record.is_done else f' – {record.reason}'}"
        left = [cell for cell, _, _ in running.values()]
        on_progress(
            Standing(
                len(cells),
                done,
                failed,
                tuple(map(str, left)),
                clock.estimate([*waiting, *left]),
                last,
            )
        )


def _outcome(future: Future[Outcome]) -> Outcome:
    try:
        return future.result()
    except Exception as error:  # a worker that was lost too often, for example
        return Outcome("failed", error=f"{type(error).__name__}: {error}")


# ---------------------------------------------------------------------- rows


def _rows(
    plan: Plan, place: RunFolder, *, anew: bool
) -> tuple[list[dict[str, Any]], list[Failure]]:
    """Return the rows of all cells, and the cells that failed."""
    rows: list[dict[str, Any]] = []
    failures: dict[str, Failure] = {}
    for bank in plan.banks:
        for choice in plan.experiment.systems:
            cells = list(plan.of(bank, choice))
            for cell in cells:
                record = place.record(cell.key)
                if record is not None and not record.is_done:
                    failures[cell.key] = Failure(
                        str(cell), record.reason, place.path / "cells" / cell.key
                    )
            chosen = _chosen(plan, place, choice, cells, anew) if choice.tuning else cells
            for cell in chosen:
                for scoring in plan.experiment.scorings:
                    rows += _rows_of(plan, place, cell, scoring, anew)
    return rows, list(failures.values())


def _chosen(
    plan: Plan, place: RunFolder, choice: SystemChoice, cells: list[Cell], anew: bool
) -> list[Cell]:
    """Return, for every seed, the point of the grid that is best on dev; the first of equals."""
    assert choice.tuning is not None
    metric = MetricSpec.parse(choice.tuning.metric)
    sign = 1 if metric.metric.higher_is_better else -1
    scoring = Scoring(plan.experiment.scorings[0].conventions, (str(metric),))
    chosen = []
    for seed in dict.fromkeys(cell.seed for cell in cells):
        best, best_value = None, -math.inf
        for cell in (cell for cell in cells if cell.seed == seed):
            record = place.record(cell.key)
            if record is None or not record.is_done:
                continue
            row = scores_of(place, cell, scoring, part="dev", resamples=0, anew=anew)[0]
            value = -math.inf if row["value"] is None else sign * row["value"]
            if best is None or value > best_value:
                best, best_value = cell, value
        chosen.append(best or next(cell for cell in cells if cell.seed == seed))
    return chosen


def _rows_of(
    plan: Plan, place: RunFolder, cell: Cell, scoring: Scoring, anew: bool
) -> list[dict[str, Any]]:
    record = place.record(cell.key)
    part = cell.bank.split
    if record is None:
        scores = rows_without_scores(cell, scoring, "not run")
    elif not record.is_done:
        scores = rows_without_scores(cell, scoring, record.reason)
    else:
        scores = scores_of(
            place, cell, scoring, part=part, resamples=plan.experiment.resamples, anew=anew
        )
    shared = _shared(plan, cell, scoring, record, cell.bank)
    tail = f"|fit_on:{cell.fit_on}|track:{cell.track}"
    return [
        {
            **shared,
            **score,
            "value": math.nan if score["value"] is None else score["value"],
            "signature": score["signature"] + tail if score["signature"] else "",
        }
        for score in scores
    ]


def _shared(
    plan: Plan, cell: Cell, scoring: Scoring, record: CellRecord | None, bank: Bank
) -> dict[str, Any]:
    """Return what all rows of a cell have in common."""
    supervision = cell.system.supervision
    if cell.choice.tuning and supervision != "supervised":
        supervision = "dev-tuned"
    return {
        "experiment": plan.experiment.name,
        "track": cell.track,
        "treebank": bank.name,
        "split": bank.split,
        "system": cell.choice.label,
        "method": cell.choice.system,
        "settings": json.dumps(cell.system.settings.to_dict(), ensure_ascii=False),
        "seed": cell.seed,
        "fit_on": cell.fit_on,
        "supervision": supervision,
        "preset": scoring.conventions.preset,
        "tags": scoring.conventions.tags,
        "seconds": record.seconds if record else None,
        "peak_memory": record.peak_memory if record else None,
        "cell": cell.key,
    }

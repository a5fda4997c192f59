"""Runs experiments: cells in parallel, each once, whatever happens in between."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    wait,
)
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from treegauge.catalogue import Catalogue, CatalogueEntry
from treegauge.catalogue.memory import MemoryEntry
from treegauge.errors import reason_of
from treegauge.kernels import usable_cores
from treegauge.results.long_table import long_table
from treegauge.runs.cell import Cell
from treegauge.runs.clock import Clock
from treegauge.runs.cluster import cluster_lost
from treegauge.runs.errors import ClusterLostError, ExperimentError
from treegauge.runs.experiment import Experiment
from treegauge.runs.gold_source import gold_source
from treegauge.runs.job import Job
from treegauge.runs.outcome import Outcome, read_outcome, shortened
from treegauge.runs.outlook import Outlook
from treegauge.runs.planning import BrokenBank, Plan, make_plan
from treegauge.runs.rows import Failure, rows_of_run
from treegauge.runs.run_folder import CellRecord, Circumstances, RunFolder
from treegauge.runs.submission import Submit, submitter
from treegauge.runs.tasks import Task, TaskQueue
from treegauge.systems.registry import systems
from treegauge.treebank import Treebank


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
    pieces: int = 0
    """Of the cells that are running, the pieces that are jobs of their own."""
    pieces_done: int = 0


@dataclass(frozen=True)
class Run:
    """The result of an experiment; made by `run`.

    Attributes
    ----------
    folder : Path
        The folder of the run.
    table : polars.DataFrame
        The long table: one row per score.
    failures : tuple of Failure
        The cells that failed, with the reason.
    cells : int
        The number of cells. A cell is a system with its settings and a seed on a treebank.
    run_now : int
        The number of cells that had not been run before.
    not_run : int
        The number of cells that nobody has run yet.
    broken : tuple of BrokenBank
        The treebanks that were left out.

    Examples
    --------
    >>> import tempfile, treegauge as tg
    >>> experiment = tg.Experiment.from_dict(
    ...     {"name": "small", "treebanks": ["toy:svo"], "systems": [{"system": "left-branching"}]}
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     done = tg.run(experiment, folder, workers=1)
    >>> done.cells, done.run_now, done.not_run, done.failures, done.broken
    (1, 1, 0, (), ())
    """

    folder: Path
    table: pl.DataFrame
    failures: tuple[Failure, ...]
    cells: int
    run_now: int
    not_run: int = 0
    broken: tuple[BrokenBank, ...] = ()


def default_workers(threads: int = 1) -> int:
    """Return as many workers as there are cores for their threads."""
    return max(usable_cores() // threads, 1)


def look_ahead(
    experiment: Experiment,
    folder: str | os.PathLike[str],
    *,
    catalogue: Catalogue | None = None,
    workers: int | None = None,
    threads: int = 1,
    score_only: bool = False,
    keep_failed: bool = False,
    skip_broken: bool = False,
    on_planned: Callable[[float], None] = lambda _: None,
) -> Outlook:
    """Say what `run` would do, and write nothing; the parameters are those of `run`."""
    if threads < 1 or (workers is not None and workers < 1):
        raise ExperimentError("expected at least one worker and one thread")
    plan = make_plan(
        experiment,
        catalogue or Catalogue.from_environment(),
        skip_broken=skip_broken,
        on_progress=on_planned,
    )
    place = RunFolder(folder)
    return _outlook(
        plan, place, Clock(workers or default_workers(threads), threads), score_only, keep_failed
    )


def _outlook(
    plan: Plan,
    place: RunFolder,
    clock: Clock,
    score_only: bool,
    keep_failed: bool,
) -> Outlook:
    """Find the cells that have to be run: not yet finished, each key once."""
    missing: dict[str, Cell] = {}
    finished = set()
    for cell in plan.cells:
        record = place.record(cell.key)
        if record is not None and record.is_done:
            finished.add(cell.key)
            clock.learn(cell, record.elapsed)
        elif not score_only and (record is None or not keep_failed):
            missing.setdefault(cell.key, cell)
    waiting = tuple(missing.values())
    seconds = clock.estimate(TaskQueue(waiting, place.has_piece).left)
    return Outlook(plan, waiting, frozenset(finished), seconds, clock.workers, clock.threads)


def run(
    experiment: Experiment,
    folder: str | os.PathLike[str],
    *,
    catalogue: Catalogue | None = None,
    workers: int | None = None,
    threads: int = 1,
    executor: Executor | None = None,
    score_only: bool = False,
    keep_failed: bool = False,
    skip_broken: bool = False,
    on_planned: Callable[[float], None] = lambda _: None,
    on_plan: Callable[[Outlook], None] = lambda _: None,
    on_progress: Callable[[Standing], None] = lambda _: None,
    on_scored: Callable[[float], None] = lambda _: None,
) -> Run:
    """Run an experiment, or continue one that was interrupted.

    Parameters
    ----------
    experiment : Experiment
        The systems, treebanks and scores.
    folder : path
        The folder of the run. Cells that are finished there are not run again.
    catalogue : Catalogue, optional
        Where treebanks are searched. Default: the folders in `TREEGAUGE_DATA`.
    workers : int, optional
        How many cells run at the same time. Default: one per core.
    threads : int
        Threads per cell.
    executor : concurrent.futures.Executor, optional
        Where cells run, such as the executor of a Dask cluster. Default: local processes.
    score_only : bool
        Run nothing. Score the finished cells again.
    keep_failed : bool
        Do not run cells again that have failed before.
    skip_broken : bool
        Leave out treebanks that cannot be read, unless none can be read.
    on_planned : callable
        Called with the share of the treebanks that have been read for the plan.
    on_plan : callable
        Called once with the plan, before anything runs.
    on_progress : callable
        Called at least once per second with the progress of the run.
    on_scored : callable
        Called with the share of the cells that have been scored.

    Returns
    -------
    Run
        With `table` (one row per score), `failures`, and the number of `cells`.

    Raises
    ------
    ExperimentError
        If the experiment cannot be run, or another run is using the folder; also if the cluster is
        lost, after the finished cells have been scored and their scores stored.
    FormatError
        If a treebank cannot be read, unless `skip_broken`.
    CatalogueError
        If a treebank cannot be found.

    Examples
    --------
    >>> import tempfile, treegauge as tg
    >>> experiment = tg.Experiment.from_dict(
    ...     {"name": "small", "treebanks": ["toy:svo"], "systems": [{"system": "left-branching"}]}
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     done = tg.run(experiment, folder, workers=1)
    >>> done.cells, done.failures, sorted(set(done.table["system"]))
    (1, (), ['left-branching'])
    """
    if threads < 1 or (workers is not None and workers < 1):
        raise ExperimentError("expected at least one worker and one thread")
    place = RunFolder(folder)
    if score_only and not place.is_there:
        raise ExperimentError(f"{place.path}: there are no finished cells to score")
    catalogue = catalogue or Catalogue.from_environment()
    plan = make_plan(experiment, catalogue, skip_broken=skip_broken, on_progress=on_planned)
    clock = Clock(workers or default_workers(threads), threads)
    with place.locked():
        outlook = _outlook(plan, place, clock, score_only, keep_failed)
        on_plan(outlook)
        if experiment.source:
            place.store_experiment(experiment.source)
        loss = None
        with submitter(executor, clock) as submit:
            try:
                _run_cells(outlook, place, clock, submit, on_progress)
            except ClusterLostError as error:
                loss = error
        rows, failures, not_run = rows_of_run(plan, place, on_scored, anew=score_only)
        table = long_table(rows)
        cells = [cell.planned for cell in plan.cells]
        broken = {bank.treebank: bank.reason for bank in plan.broken}
        found_in = _circumstances(plan, place, catalogue)
        place.store_results(table, experiment.name, cells, found_in, broken)
    if loss is not None:
        scores = f"the scores of finished cells are in {place.results}"
        raise ClusterLostError(f"{loss}\n  {scores}") from loss
    return Run(
        place.path,
        table,
        tuple(failures),
        len(plan.cells),
        len(outlook.waiting),
        not_run,
        plan.broken,
    )


def _circumstances(plan: Plan, place: RunFolder, catalogue: Catalogue) -> Circumstances:
    """Return what a report needs to find gold again, from any folder."""
    here, run = Path.cwd(), place.path.resolve()
    golds = []
    for bank in plan.banks:
        entry, fingerprint = bank.entry, bank.fingerprint(bank.split)
        if isinstance(entry, MemoryEntry):
            kept = place.store_gold(bank.gold(bank.split))
            entry = CatalogueEntry(bank.name, kept.parent, {bank.split: (kept,)})
            fingerprint = entry.fingerprint(bank.split)
        golds.append(gold_source(entry, bank.split, fingerprint, bank.given, run))
    files = [Path(file) for gold in golds for file in gold.files]
    folders = [folder.resolve() for folder in catalogue.data]
    data = [str(one) for one in folders if any(file.is_relative_to(one) for file in files)]
    return Circumstances(str(here), os.path.relpath(here, run), tuple(data), tuple(golds))


# ---------------------------------------------------------------------- cells


def _run_cells(
    outlook: Outlook,
    place: RunFolder,
    clock: Clock,
    submit: Submit,
    on_progress: Callable[[Standing], None],
) -> None:
    queue = TaskQueue(outlook.waiting, place.has_piece)
    running: dict[Future[Any], tuple[Task, Job]] = {}
    done = failed = 0

    def tell(last: str) -> None:
        tasks = [task for task, _ in running.values()]
        cells = list({task.cell.key: task.cell for task in tasks}.values())[: clock.workers]
        standing = Standing(
            len(outlook.waiting),
            done,
            failed,
            tuple(map(str, cells)),
            clock.seconds_left([*queue.left, *tasks]),
            last,
            sum(len(cell.piece_names) for cell in cells),
            sum(map(queue.pieces_done, cells)),
        )
        on_progress(standing)

    def has_room() -> bool:
        threads = sum(job.threads for _, job in running.values())
        wanted = 1 if queue.first.piece else clock.threads
        return threads + wanted <= submit.window * clock.threads

    def end(future: Future[Any]) -> None:
        nonlocal done, failed
        task, job = running.pop(future)
        outcome = _outcome(future, job, submit)
        clock.learn(task, outcome.elapsed)
        if task.piece and outcome.is_done:
            place.store_piece(task.cell.key, task.piece, outcome)
        last = queue.end(task, outcome)
        if last is None:
            return
        record = _store(task.cell, last, job.targets, place)
        done += record.is_done
        failed += not record.is_done
        tell(f"{task.cell}{'' if record.is_done else f' – {record.reason}'}")

    if queue:
        submit.warm_up(sorted({cell.choice.system for cell in outlook.waiting} & set(systems())))
    try:
        while queue or running:
            while queue and has_room():
                task = queue.take()
                job = _job(task, outlook, place, submit)
                running[submit(job)] = (task, job)
                tell("")
            ended, _ = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
            if not ended:
                submit.require_workers()
            for future in [one for one in running if one in ended]:  # a set has no order
                end(future)
            tell("")
    except ClusterLostError:
        # Outcomes may have come back before the loss that nobody has looked at.
        for future in [one for one in running if _has_outcome(one)]:
            end(future)
        raise


def _has_outcome(future: Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _job(task: Task, outlook: Outlook, place: RunFolder, submit: Submit) -> Job:
    cell, experiment = task.cell, outlook.plan.experiment
    if task.piece:
        return cell.piece_job(
            task.piece, memory=experiment.cell_memory, timeout=experiment.cell_timeout
        )
    return cell.job(
        threads=outlook.threads,
        memory=experiment.cell_memory,
        timeout=experiment.cell_timeout,
        keep_in=place.pieces(cell.key) if submit.is_here and not cell.piece_names else None,
        pieces={name: outcome.model for name, outcome in _pieces(cell, place).items()},
    )


def _pieces(cell: Cell, place: RunFolder) -> dict[str, Outcome]:
    kept = {name: place.piece(cell.key, name) for name in cell.piece_names}
    return {name: outcome for name, outcome in kept.items() if outcome is not None}


def _store(
    cell: Cell, last: Outcome, targets: Mapping[str, Treebank], place: RunFolder
) -> CellRecord:
    """Keep a cell by the outcome of its last job, with the costs of its pieces."""
    outcome = last.with_costs_of(list(_pieces(cell, place).values()))
    record = place.store(cell.key, outcome, targets, cell.about)
    if record.is_done:
        place.remove_pieces(cell.key)
    return record


def _outcome(future: Future[Any], job: Job, submit: Submit) -> Outcome:
    try:
        answer = future.result()
        if isinstance(answer, Outcome):
            return answer
        return read_outcome(answer, job.targets, keep_model=job.keep_model)
    except CancelledError:
        raise cluster_lost() from None
    except OSError as error:
        # Without room for its job, or processes to run it, no other cell would fare better.
        raise ExperimentError(f"a cell cannot be started: {reason_of(error)}") from error
    except Exception as error:  # a worker that was lost too often, for example
        reason = f"{type(error).__name__}: {error}"[:300]
        return Outcome("failed", reason=reason, error=shortened(submit.logs()))

"""What a cluster costs, measured on this machine, and real runs for the simulator to be held to.

    python -m benchmarks.cluster_costs          all parts
    python -m benchmarks.cluster_costs cells    one of costs, tasks, short-tasks, cells

A scheduler and 1, 2 and 4 workers are processes here. Work sleeps most of the time, so that four
workers are busy at once on fewer cores. Writes `scale-costs.tsv` and `scale-runs.tsv` in
docs/data, from which `studies.pages` fills `docs/scale.md`.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from benchmarks.cluster_simulation import Load, durations_of
from benchmarks.kept_figures import keep
from tests.local_cluster import LocalCluster, until
from treegauge.catalogue import Catalogue
from treegauge.formats import write
from treegauge.runs import Experiment, cluster_executor, run
from treegauge.runs.cluster import ClusterExecutor
from treegauge.toys import toy_treebank

WORKERS = (1, 2, 4)
_NOTHING_TASKS = 1000
_DATA = 1_000_000
"""Bytes that each worker gets once."""
_SLEEPS = Load(24, 4.0, bytes_once=_DATA)
_SHORT_SLEEPS = Load(80, 0.5, bytes_once=_DATA)
_CELLS = Load(12, 10.0)
_FIRST_CELLS = Load(6, 1.0)
"""By which it is measured what a cell takes beside its work."""
_SEED = 3
_IDLE = 5.0
"""Seconds to watch a cluster that does nothing."""
_CELL = """\
sleep "$(cat {folder}/$1)"
awk -F '\\t' -v OFS='\\t' '/^[0-9]/ {{ $7 = $1 - 1; $8 = "dep" }} {{ print }}'
"""
_WARM = "dmv"


@dataclass(frozen=True)
class Spent:
    """What some work took."""

    seconds: float
    handing_out: float
    """Seconds of a processor that this process and the scheduler spent, in all."""
    on_workers: float
    """Those that the workers spent, without the processes of cells."""


@contextmanager
def a_cluster(workers: int) -> Iterator[tuple[LocalCluster, ClusterExecutor]]:
    """Give a cluster whose workers are all there."""
    with tempfile.TemporaryDirectory() as folder:
        cluster = LocalCluster(Path(folder), workers)
        try:
            with cluster_executor(cluster.address, warms_up=False) as executor:
                until(lambda: executor.workers == workers)
                yield cluster, executor
        finally:
            cluster.end()


class Watch:
    """Measures from when it is made."""

    def __init__(self, cluster: LocalCluster) -> None:
        self._cluster = cluster
        self._begin = self._now()

    def _now(self) -> tuple[float, float, float]:
        workers = [worker for worker in self._cluster.workers if worker.poll() is None]
        handing_out = time.process_time() + _processor_seconds(self._cluster.scheduler.pid)
        on_workers = sum(_processor_seconds(worker.pid) for worker in workers)
        return time.perf_counter(), handing_out, on_workers

    def spent(self) -> Spent:
        """Return what was spent since the beginning."""
        return Spent(*(end - begin for begin, end in zip(self._begin, self._now(), strict=True)))

    def spent_on_work(self) -> Spent:
        """Return the same without what a cluster spends that does nothing, which is watched now."""
        spent = self.spent()
        idle = Watch(self._cluster)
        time.sleep(_IDLE)
        rest = idle.spent()
        share = spent.seconds / rest.seconds
        return Spent(
            spent.seconds,
            max(spent.handing_out - share * rest.handing_out, 0.0),
            max(spent.on_workers - share * rest.on_workers, 0.0),
        )


def _processor_seconds(pid: int) -> float:
    # Fields 14 and 15: ticks of a processor, for the program and for the system.
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def sleep_over(seconds: float, data: Any = None, given_up: object = None) -> int:
    """Do nothing for a while."""
    del given_up
    time.sleep(seconds)
    return 0 if data is None else len(data)


def tasks(load: Load, workers: int) -> Spent:
    """Run tasks that sleep, each of which needs the data that are sent once."""
    data = np.random.default_rng(workers).bytes(int(load.bytes_once)) if load.bytes_once else None
    durations = durations_of(load, np.random.default_rng(_SEED)).tolist()
    with a_cluster(workers) as (cluster, executor):
        # Every worker has imported what it needs.
        executor._client.run(sleep_over, 0.0)
        watch = Watch(cluster)
        futures = [
            executor.submit(sleep_over, seconds)
            if data is None
            else executor.submit_with_data(sleep_over, seconds, [data])
            for seconds in durations
        ]
        for future in futures:
            future.result()
        return watch.spent_on_work()


def seconds_to_send(size: int) -> float:
    """Send something to a worker that has imported what it needs."""
    with a_cluster(1) as (_, executor):
        executor.submit_with_data(sleep_over, 0.0, [b"x"]).result()
        data = np.random.default_rng(0).bytes(size)
        begin = time.perf_counter()
        executor.submit_with_data(sleep_over, 0.0, [data]).result()
        return time.perf_counter() - begin


def cells(load: Load, workers: int) -> Spent:
    """Run cells whose command sleeps, from the first cell that is sent to the last one stored."""
    durations = durations_of(load, np.random.default_rng(_SEED)).tolist()
    with tempfile.TemporaryDirectory() as scratch, a_cluster(workers) as (cluster, executor):
        folder = Path(scratch)
        bank = folder / "bank"
        bank.mkdir()
        for part in ("train", "test"):
            write(toy_treebank("toy:svo", tokens=300, part=part), bank / f"{part}.conllu")
        for seed, seconds in enumerate(durations):
            (folder / str(seed)).write_text(f"{seconds:.3f}")
        (folder / "cell.sh").write_text(_CELL.format(folder=folder))
        system = {
            "system": "external",
            "settings": {"command": f"sh {folder}/cell.sh {{seed}}"},
            "seeds": list(range(load.tasks)),
        }
        experiment = Experiment.from_dict({"treebanks": [str(bank)], "systems": [system]})
        watches: list[Watch] = []
        ends: list[Spent] = []

        def follow(standing: Any) -> None:
            if not watches:
                watches.append(Watch(cluster))
            if standing.done == load.tasks and not ends:
                ends.append(watches[0].spent_on_work())

        done = run(
            experiment,
            folder / "run",
            catalogue=Catalogue(),
            executor=executor,
            on_progress=follow,
        )
        assert not done.failures, done.failures[0].reason
        return ends[0]


def warm_up_seconds(cache: Path) -> float:
    """Return the seconds of a processor that `treegauge warm-up` takes with a cache."""
    before = os.times()
    subprocess.run(
        [sys.executable, "-m", "treegauge", "warm-up", _WARM, "--quiet"],
        check=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
    )
    after = os.times()
    return (
        after.children_user
        + after.children_system
        - (before.children_user + before.children_system)
    )


def bytes_per_word() -> float:
    """Return the bytes of a blind treebank on its way to a worker."""
    text = toy_treebank("toy:svo", tokens=100_000).blind()
    return len(pickle.dumps(text, protocol=5)) / text.n_words


def costs() -> None:
    """Measure single costs."""
    found = {"bytes per word": bytes_per_word()}
    with tempfile.TemporaryDirectory() as folder:
        found["warm-up, nothing compiled"] = warm_up_seconds(Path(folder))
        found["warm-up, all compiled"] = warm_up_seconds(Path(folder))
    nothing = Load(_NOTHING_TASKS, 0.0, is_spread=False)
    with_data = Load(_NOTHING_TASKS // 10, 0.0, is_spread=False, bytes_once=_DATA)
    found["handing out a task"] = tasks(nothing, 2).handing_out / nothing.tasks
    found["handing out a task with data"] = tasks(with_data, 2).handing_out / with_data.tasks
    found["bytes per second"] = _DATA / seconds_to_send(_DATA)
    first = cells(_FIRST_CELLS, 1)
    found["handing out a cell"] = first.handing_out / _FIRST_CELLS.tasks
    slept = float(durations_of(_FIRST_CELLS, np.random.default_rng(_SEED)).sum())
    found["starting a cell"] = (first.seconds - slept - first.handing_out) / _FIRST_CELLS.tasks
    keep("scale-costs", pl.DataFrame({"cost": found.keys(), "value": found.values()}), ["cost"])


def runs(kind: str, load: Load, measure: Callable[[Load, int], Spent]) -> None:
    """Measure real runs with several numbers of workers."""
    for workers in WORKERS:
        row = {
            "kind": kind,
            "workers": workers,
            "tasks": load.tasks,
            "mean_seconds": load.seconds,
            "bytes_once": load.bytes_once,
            "seed": _SEED,
            "measured": measure(load, workers).seconds,
        }
        print(row, flush=True)
        keep("scale-runs", pl.DataFrame([row]), ["kind", "workers"])


PARTS = {
    "costs": costs,
    "tasks": partial(runs, "tasks", _SLEEPS, tasks),
    "short-tasks": partial(runs, "short tasks", _SHORT_SLEEPS, tasks),
    "cells": partial(runs, "cells", _CELLS, cells),
}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()

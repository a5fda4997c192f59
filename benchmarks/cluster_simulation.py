"""A run on a cluster, on paper: tasks, workers, a network and failures, event by event.

What a task takes is given, measured on a machine at hand; workers, network and failures are
parameters. `docs/scale.md` shows what comes out for large cases, and what came out of real runs
with 1, 2 and 4 workers (`benchmarks.cluster_costs`).

    python -m benchmarks.cluster_simulation --cells 10000 --workers 500 --failures 10
    python -m benchmarks.cluster_simulation --words 1e10 --workers 32
"""

from __future__ import annotations

import argparse
import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from benchmarks import large_text
from benchmarks.kept_figures import kept
from benchmarks.shards import TASKS
from treegauge.shards.windows import CHUNK

GIGABIT = 1.25e8
"""Bytes per second."""
BYTES_OF_TREEBANKS = 250e6
"""Of 50 treebanks, 100 parts of 2.5 MB, which a worker gets once."""
SECONDS_OF_A_CELL = 120.0
_BYTES_OF_AN_ANNOTATION = 1.2e6
_BYTES_OF_A_TYPE = 14
"""Of a type of a shard that comes back: its form and its count."""
_BYTES_OF_A_FIRST_WORD = 12
"""Of a number and a count, which come back for every word with which windows of a chunk begin."""
_BYTES_OF_A_NAME = 60
"""Of the path of a run, which every range of the merging is told."""
READS = 34
"""Of the disk, when a range of words is looked up in a run: measured with `/proc/self/io`."""
SECONDS_OF_A_READ = 0.001
"""Of a small piece from a disk that many share; nobody has measured it here."""


@dataclass(frozen=True)
class Load:
    """Tasks that know nothing of each other."""

    tasks: int
    seconds: float
    """Of a task, on average; times are spread as those of an exponential law, or all the same."""
    is_spread: bool = True
    seconds_to_start: float = 0.0
    """Of every task on top of that: a cell is a process that has to start."""
    bytes_once: float = 0.0
    """What a worker gets once, before its first task."""
    bytes_there: float = 0.0
    """What goes to a worker with every task."""
    bytes_back: float = 0.0


@dataclass(frozen=True)
class Cluster:
    """Those who do them."""

    workers: int
    setup_seconds: float = 0.0
    """Of a worker before its first task: `treegauge warm-up`."""
    bytes_per_second: float = 1.25e8
    """Of the one link to the machine where the run was started; everything passes it in turn."""
    seconds_to_hand_out: float = 0.002
    """What scheduler and run spend on a task, one after the other."""
    hours_between_failures: float = float("inf")
    """Of one worker, on average; a task that is cut off starts again from its beginning."""
    passes_on: bool = False
    """Whether workers get from each other what is sent once: from one that has it, one after the
    other. The link then carries it to the first worker only."""


@dataclass(frozen=True)
class Course:
    """What came of it."""

    seconds: float
    busy: float
    """The share of all workers' time that was spent on tasks that were finished."""
    link: float
    """The share of the time that the link was in use."""
    handing_out: float
    """The share of the time that tasks were being handed out."""
    failures: int


def durations_of(load: Load, generator: np.random.Generator) -> NDArray[np.float64]:
    """Return the seconds of every task."""
    own = generator.exponential(load.seconds, load.tasks) if load.is_spread else load.seconds
    return np.zeros(load.tasks) + own + load.seconds_to_start


def simulate(load: Load, cluster: Cluster, seed: int = 0) -> Course:
    """Return how a run goes: workers ask for a task whenever they are free."""
    generator = np.random.default_rng(seed)
    durations = durations_of(load, generator)
    free = [(0.0, worker) for worker in range(cluster.workers)]
    is_new = np.ones(cluster.workers, np.bool_)
    holders: list[float] = []  # when those that have what is sent once can give it to others
    waiting = list(range(load.tasks))[::-1]
    link_free = hand_free = link_used = hand_used = useful = end = 0.0
    failures = 0
    while waiting:
        now, worker = heapq.heappop(free)
        task = waiting.pop()
        hand_free = max(hand_free, now) + cluster.seconds_to_hand_out
        hand_used += cluster.seconds_to_hand_out
        is_from_worker = bool(is_new[worker] and holders)
        content = load.bytes_there + load.bytes_back
        content += load.bytes_once * (is_new[worker] and not is_from_worker)
        transfer = content / cluster.bytes_per_second
        link_free = max(link_free, hand_free) + transfer
        link_used += transfer
        begin = link_free
        if is_from_worker:
            given = max(heapq.heappop(holders), hand_free)
            given += load.bytes_once / cluster.bytes_per_second
            heapq.heappush(holders, given)
            begin = max(begin, given)
        if is_new[worker]:
            if cluster.passes_on:
                heapq.heappush(holders, begin)
            begin += cluster.setup_seconds
            is_new[worker] = False
        duration = float(durations[task])
        fails_after = generator.exponential(cluster.hours_between_failures * 3600)
        if fails_after < duration:
            failures += 1
            waiting.append(task)
            is_new[worker] = True  # another one takes its place
            heapq.heappush(free, (begin + fails_after, worker))
            continue
        useful += duration
        end = max(end, begin + duration)
        heapq.heappush(free, (begin + duration, worker))
    return Course(end, useful / (end * cluster.workers), link_used / end, hand_used / end, failures)


# ---------------------------------------------------------------------- loads, as measured


def measured_costs() -> dict[str, float]:
    """Return what a cluster costs (`benchmarks.cluster_costs`)."""
    return dict(kept("scale-costs").select("cost", "value").iter_rows())


def simulate_cells(
    cells: int, cluster: Cluster, seconds: float = SECONDS_OF_A_CELL, seed: int = 0
) -> Course:
    """Return how cells on 50 treebanks go; to start and to hand out takes what was measured."""
    costs = measured_costs()
    load = Load(
        cells,
        seconds,
        seconds_to_start=costs["starting a cell"],
        bytes_once=BYTES_OF_TREEBANKS,
        bytes_back=_BYTES_OF_AN_ANNOTATION,
    )
    cluster = replace(
        cluster,
        setup_seconds=costs["warm-up, nothing compiled"],
        seconds_to_hand_out=costs["handing out a cell"],
    )
    return simulate(load, cluster, seed)


@dataclass(frozen=True)
class TextCourse:
    """What came of learning from a text in shards: one pass after the other, then the model."""

    passes: dict[str, Course]
    on_shards: float
    """Seconds of a processor that workers share."""
    in_one_process: float
    """Seconds that everybody waits for one process, which joins what comes back."""

    @property
    def seconds(self) -> float:
        """From the beginning to the end."""
        return sum(course.seconds for course in self.passes.values()) + self.in_one_process


def passes_over(
    task: str, words: float, chunk: int = CHUNK, seconds_of_a_read: float = SECONDS_OF_A_READ
) -> dict[str, Load]:
    """Return the tasks of every pass over a text whose shards have as many words as a chunk.

    Every chunk gives a run. Merging looks every range of first words up in every run, and there
    are as many ranges as chunks, or fewer: the windows of a frequent word are not divided.
    """
    n_chunks = math.ceil(words / chunk)
    types = large_text.grown(task, "types", chunk)
    parts = large_text.parts(task, words)
    lookups = n_chunks * READS * seconds_of_a_read

    def load(part: str, waits: float = 0.0, there: float = 0.0, back: float = 0.0) -> Load:
        seconds = parts[part].on_shards / n_chunks + waits
        return Load(n_chunks, seconds, is_spread=False, bytes_there=there, bytes_back=back)

    return {
        "reading": load("reading", back=types * _BYTES_OF_A_TYPE),
        "counting": load("counting", back=types * _BYTES_OF_A_FIRST_WORD),
        "merging": load("merging", waits=lookups, there=n_chunks * _BYTES_OF_A_NAME),
    }


def simulate_text(
    task: str,
    words: float,
    cluster: Cluster,
    chunk: int = CHUNK,
    seconds_of_a_read: float = SECONDS_OF_A_READ,
    seed: int = 0,
) -> TextCourse:
    """Return how learning from a text goes."""
    cluster = replace(cluster, seconds_to_hand_out=measured_costs()["handing out a task"])
    parts = large_text.parts(task, words).values()
    loads = passes_over(task, words, chunk, seconds_of_a_read)
    return TextCourse(
        {name: simulate(load, cluster, seed) for name, load in loads.items()},
        sum(part.on_shards for part in parts),
        sum(part.in_one_process for part in parts),
    )


# ---------------------------------------------------------------------- the command


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate one run."""
    chosen = _parser().parse_args(arguments)
    cluster = Cluster(
        chosen.workers,
        bytes_per_second=chosen.network * GIGABIT,
        hours_between_failures=chosen.failures,
        passes_on=chosen.passed_on,
    )
    if chosen.words:
        text = simulate_text(
            chosen.task, chosen.words, cluster, chosen.chunk, chosen.disk / 1000, chosen.seed
        )
        print(f"{chosen.words:,.0f} words, {chosen.task}, on {chosen.workers:,} workers")
        courses, beside = text.passes, text.in_one_process
        seconds, work = text.seconds, text.on_shards + beside
    else:
        course = simulate_cells(chosen.cells, cluster, chosen.seconds, chosen.seed)
        print(f"{chosen.cells:,} cells of {chosen.seconds:g} s on {chosen.workers:,} workers")
        courses, beside = {"cells": course}, 0.0
        seconds, work = course.seconds, course.busy * course.seconds * chosen.workers
    print(f"{'':<15}{'hours':>9}{'busy':>7}{'link':>7}{'handing out':>13}{'failures':>10}")
    for name, course in courses.items():
        print(
            f"{name:<15}{course.seconds / 3600:>9.2f}{course.busy:>7.0%}{course.link:>7.0%}"
            f"{course.handing_out:>13.0%}{course.failures:>10,}"
        )
    if beside:
        print(f"{'in one process':<15}{beside / 3600:>9.2f}")
    paid = seconds * chosen.workers
    print(f"{'in all':<15}{seconds / 3600:>9.2f}")
    print(f"{paid / 3600:,.0f} hours of workers are paid, {work / 3600:,.0f} are work")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.cluster_simulation",
        description="Simulate a run on a cluster, with the costs that docs/scale.md shows.",
    )
    load = parser.add_mutually_exclusive_group()
    load.add_argument(
        "--cells",
        type=_count,
        default=10_000,
        metavar="N",
        help="cells of `treegauge run` (%(default)s)",
    )
    load.add_argument(
        "--words", type=_number, metavar="N", help="learn from a text in shards instead of cells"
    )
    options = (
        ("--workers", _count, 500, "N", "each does one task at a time"),
        ("--network", _number, 1.0, "GBIT/S", "the link that all data pass"),
        ("--failures", _number, math.inf, "HOURS", "after which a worker fails, on average"),
        ("--seconds", _number, SECONDS_OF_A_CELL, "S", "of a cell, on average"),
        ("--chunk", _count, CHUNK, "N", "words of a shard"),
        ("--disk", _wait, 1000 * SECONDS_OF_A_READ, "MS", "a small read from the shared disk"),
        ("--seed", int, 0, "N", "of times and failures"),
    )
    for name, kind, default, metavar, described in options:
        text = f"{described} (%(default)s)"
        parser.add_argument(name, type=kind, default=default, metavar=metavar, help=text)
    parser.add_argument(
        "--passed-on", action="store_true", help="workers give each other what is sent once"
    )
    parser.add_argument(
        "--task", choices=TASKS, default=TASKS[0], help="what learns from words (%(default)s)"
    )
    return parser


def _count(text: str) -> int:
    number = int(float(text))
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1, found {text}")
    return number


def _wait(text: str) -> float:
    milliseconds = float(text)
    if not milliseconds >= 0:
        raise argparse.ArgumentTypeError(f"expected 0 or more, found {text}")
    return milliseconds


def _number(text: str) -> float:
    number = float(text)
    if not number > 0:
        raise argparse.ArgumentTypeError(f"expected more than 0, found {text}")
    return number


if __name__ == "__main__":
    main()

"""A run on a cluster, on paper: tasks, workers, a network and failures, event by event.

    python -m benchmarks.cluster_simulation

What a task takes is given, measured on a machine at hand; workers, network and failures are
parameters. `docs/scale.md` shows what comes out for two large cases.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Load:
    """Tasks that know nothing of each other."""

    tasks: int
    seconds: float
    """Of a task, on average; times are spread as those of an exponential law, or all the same."""
    is_spread: bool = True
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


def simulate(load: Load, cluster: Cluster, seed: int = 0) -> Course:
    """Return how a run goes: workers ask for a task whenever they are free."""
    generator = np.random.default_rng(seed)
    durations = (
        generator.exponential(load.seconds, load.tasks)
        if load.is_spread
        else np.full(load.tasks, load.seconds)
    )
    free = [(0.0, worker) for worker in range(cluster.workers)]
    is_new = np.ones(cluster.workers, np.bool_)
    waiting = list(range(load.tasks))[::-1]
    link_free = hand_free = link_used = hand_used = useful = end = 0.0
    failures = 0
    while waiting:
        now, worker = heapq.heappop(free)
        task = waiting.pop()
        hand_free = max(hand_free, now) + cluster.seconds_to_hand_out
        hand_used += cluster.seconds_to_hand_out
        content = load.bytes_there + load.bytes_back + load.bytes_once * is_new[worker]
        transfer = content / cluster.bytes_per_second
        link_free = max(link_free, hand_free) + transfer
        link_used += transfer
        begin = link_free + cluster.setup_seconds * is_new[worker]
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


CELLS = Load(10_000, 120.0, bytes_once=250e6, bytes_back=1.2e6)
"""Cells of two minutes on 50 treebanks, 100 parts of 2.5 MB which a worker gets once."""
SHARDS = Load(2000, 5 * 1.15, is_spread=False, bytes_back=3e6)
"""Numbering and counting 5 million words, 1.15 s a million; the types of a shard come back."""


def report() -> str:
    """Return tables for `docs/scale.md`."""
    lines = [
        "| load | workers | link | failures | hours | workers busy | link busy | handing out |",
        "| :-- | --: | --: | --: | --: | --: | --: | --: |",
    ]
    for name, load, workers, link, between in (
        ("10,000 cells", CELLS, 500, 1.25e8, float("inf")),
        ("10,000 cells", CELLS, 500, 1.25e9, float("inf")),
        ("10,000 cells", CELLS, 500, 1.25e9, 10.0),
        ("10,000 cells", CELLS, 50, 1.25e8, float("inf")),
        ("10 billion words", SHARDS, 4, 1.25e8, float("inf")),
        ("10 billion words", SHARDS, 32, 1.25e8, float("inf")),
        ("10 billion words", SHARDS, 500, 1.25e8, float("inf")),
    ):
        cluster = Cluster(workers, 60.0, link, hours_between_failures=between)
        course = simulate(load, cluster)
        lines.append(
            f"| {name} | {workers} | {link * 8 / 1e9:.0f} Gbit/s | {course.failures} "
            f"| {course.seconds / 3600:.2f} | {course.busy:.0%} | {course.link:.0%} "
            f"| {course.handing_out:.0%} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(report())

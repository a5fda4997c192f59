"""A run on a cluster, on paper: tasks, workers, a network and failures, event by event.

What a task takes is given, measured on a machine at hand; workers, network and failures are
parameters. `docs/scale.md` shows what comes out for large cases, and what came out of real runs
with 1, 2 and 4 workers (`benchmarks.cluster_costs`).
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


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

"""The same work on all shards, on some threads, with results in the order of shards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from treegauge.kernels import threads as usual_threads
from treegauge.systems.dependency_induction.chart.errors import ChartError

Found = TypeVar("Found")


def on_shards(
    work: Callable[..., Found], *arguments: Iterable[Any], threads: int | None
) -> list[Found]:
    """Return `work` of each shard (and whatever else comes along, shard by shard)."""
    workers: int = usual_threads() if threads is None else threads
    if workers < 1:
        raise ChartError(f"threads must be at least 1; found {workers}")
    tasks = list(zip(*arguments, strict=True))
    if workers == 1 or len(tasks) == 1:
        return [work(*task) for task in tasks]
    with ThreadPoolExecutor(min(workers, len(tasks))) as pool:
        return list(pool.map(lambda task: work(*task), tasks))

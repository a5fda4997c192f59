"""E-steps on workers elsewhere: shards are sent once and stay, grammars go to them.

Parts come back shard by shard and are added in the order of shards, as on threads, so that the
number of workers does not show. A worker that is lost costs its shards' part of the step: the
cluster sends them to another one, and nothing else is computed again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from treegauge.systems.dependency_induction.chart.corpus import Floats, Shard
from treegauge.systems.dependency_induction.chart.events import Grammar

if TYPE_CHECKING:
    from treegauge.systems.dependency_induction.chart.expectations import Expectations


class WorkersElsewhere:
    """An executor, and the shards that it keeps.

    Parameters
    ----------
    executor : Executor
        That of a Dask cluster, which keeps what it is given by `kept`; to any other one, shards
        are given anew in every step.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._kept: dict[int, tuple[Shard, Any]] = {}

    def expectations(
        self,
        grammar: Grammar,
        shards: Sequence[Shard],
        arc_weights: Sequence[Floats | None],
        *,
        entropies: bool,
        marginals: bool,
    ) -> list[Expectations]:
        """Return what a grammar expects of every shard, in their order."""
        futures = [
            self._executor.submit(
                _expectations_of_shard, grammar, self._handle(shard), own, entropies, marginals
            )
            for shard, own in zip(shards, arc_weights, strict=True)
        ]
        return [future.result() for future in futures]

    def _handle(self, shard: Shard) -> Any:
        if id(shard) not in self._kept:
            keep = getattr(self._executor, "kept", None)
            # The shard itself is held too: the number of another one would be the same.
            self._kept[id(shard)] = (shard, shard if keep is None else keep(shard))
        return self._kept[id(shard)][1]


_workers: ContextVar[WorkersElsewhere | None] = ContextVar("workers", default=None)


@contextlib.contextmanager
def e_steps_on(executor: Executor) -> Iterator[None]:
    """Do E-steps of the DMV family where an executor runs them, as long as this lasts.

    Worth it only for large texts, see `docs/scale.md`; what is learnt is the same to the last bit.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(1) as executor, e_steps_on(executor):
    ...     pass  # make_system("dmv").fit(treebank)
    """
    token = _workers.set(WorkersElsewhere(executor))
    try:
        yield
    finally:
        _workers.reset(token)


def workers_elsewhere() -> WorkersElsewhere | None:
    """Return where E-steps are done; none for threads of this process."""
    return _workers.get()


def _expectations_of_shard(
    grammar: Grammar,
    shard: Shard,
    arc_weights: Floats | None,
    entropies: bool,
    marginals: bool,
    given_up: object = None,
) -> Expectations:
    from treegauge.systems.dependency_induction.chart.expectations import shard_expectations

    del given_up  # a shard takes less than it would take to ask
    return shard_expectations(
        grammar, shard, arc_weights=arc_weights, entropies=entropies, marginals=marginals
    )

"""Several chains at once, each a piece of work of its own.

A chain depends on its number and on nothing else: not on threads, nor on which chains were done
before an interruption. Samples of all chains are averaged; none is chosen by its likelihood,
which says little about accuracy (Blunsom and Cohn 2010).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.kernels import threads
from treegauge.systems.dependency_induction.chart import TagCorpus
from treegauge.systems.dependency_induction.tree_substitution.frozen import FrozenSample
from treegauge.systems.dependency_induction.tree_substitution.sampler import (
    Sampler,
    SamplerSettings,
)
from treegauge.systems.partial_work import PartialWork
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import OnProgress

_LOOK_EVERY = 0.2
"""Seconds between looks at how far chains are."""


@dataclass(frozen=True)
class Schedule:
    """How long a chain is, and which of its states are kept."""

    iterations: int
    burn_in: float
    thin: int

    def is_kept(self, done: int) -> bool:
        """Return whether the state after so many iterations is a sample; the last always is."""
        first = int(self.burn_in * self.iterations)
        back = self.iterations - done
        return done == self.iterations or (done > first and back % self.thin == 0)


@dataclass
class Chain:
    """What comes of a chain."""

    samples: list[FrozenSample] = field(default_factory=list)
    history: list[float] = field(default_factory=list)
    """The log joint probability after every iteration."""
    acceptance: list[float] = field(default_factory=list)
    """The share of accepted proposals of every iteration."""

    def piece(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Return arrays and facts for a file."""
        arrays: dict[str, NDArray[Any]] = {}
        for k, sample in enumerate(self.samples):
            arrays |= sample.arrays(f"{k}.")
        facts = {
            "samples": len(self.samples),
            "history": self.history,
            "acceptance": self.acceptance,
        }
        return arrays, facts

    @classmethod
    def restored(cls, arrays: dict[str, NDArray[Any]], facts: dict[str, Any], n_tags: int) -> Chain:
        """Return the chain of a piece."""
        saved = SavedState(arrays, facts)
        count = saved.whole_number("samples", least=1, below=1_000_000)
        samples = [FrozenSample.restored(saved, f"{k}.", n_tags) for k in range(count)]
        return cls(samples, saved.series("history"), saved.series("acceptance"))


class Chains:
    """The chains of a corpus.

    Parameters
    ----------
    corpus, heads, arc_weights, settings
        As a `Sampler` takes them.
    schedule : Schedule
        Of every chain.
    seed : int
        The chain of number k has the seed `seed * 1000003 + k`.
    """

    def __init__(
        self,
        corpus: TagCorpus,
        heads: NDArray[np.int32],
        *,
        schedule: Schedule,
        settings: SamplerSettings,
        seed: int,
        arc_weights: NDArray[np.float64] | None = None,
    ) -> None:
        self.corpus, self.heads, self.arc_weights = corpus, heads, arc_weights
        self.schedule, self.settings, self.seed = schedule, settings, seed
        self._is_stopped = threading.Event()

    def run(self, names: Sequence[str], work: PartialWork, on_progress: OnProgress) -> list[Chain]:
        """Return the chains of these names, those that were kept among them; keep the others."""
        count = len(names)
        done = {k: piece for k in range(count) if (piece := work.piece(names[k])) is not None}
        chains = {k: Chain.restored(*piece, self.corpus.n_tags) for k, piece in done.items()}
        lines = dict.fromkeys(chains, (1.0, ""))

        def work_on(number: int) -> None:
            def on_sweep(share: float, line: str) -> None:
                lines[number] = share, f"chain {number + 1}: {line}"

            chains[number] = self.chain(number, on_sweep)
            work.keep(names[number], *chains[number].piece())

        left = [k for k in range(count) if k not in chains]
        with ThreadPoolExecutor(max(1, min(threads(), len(left)))) as pool:
            waiting = {pool.submit(work_on, k) for k in left}
            try:
                self._watch(waiting, lines, count, on_progress)
            except BaseException:
                self._is_stopped.set()
                for future in waiting:
                    future.cancel()
                raise
        return [chains[k] for k in range(count)]

    def _watch(
        self,
        waiting: set[Future[None]],
        lines: dict[int, tuple[float, str]],
        count: int,
        on_progress: OnProgress,
    ) -> None:
        while waiting:
            done, waiting = wait(waiting, timeout=_LOOK_EVERY, return_when=FIRST_EXCEPTION)
            for future in done:
                future.result()
            now = dict(lines)
            shares = [share for share, _ in now.values()]
            running = [line for share, line in now.values() if share < 1]
            on_progress(sum(shares) / count, running[-1] if running else "")

    def chain(self, number: int, on_sweep: Callable[[float, str], None]) -> Chain:
        """Run one chain."""
        sampler = Sampler(
            self.corpus,
            self.heads,
            np.random.default_rng(self.seed * 1000003 + number),
            settings=self.settings,
            arc_weights=self.arc_weights,
        )
        chain = Chain()
        if not self.schedule.iterations:
            chain.samples.append(FrozenSample.of(sampler))
        for done in range(1, self.schedule.iterations + 1):
            if self._is_stopped.is_set():
                raise InterruptedError("another chain was stopped")
            sampler.sweep()
            sampler.resample_strengths()
            chain.history.append(sampler.seating().log_joint())
            chain.acceptance.append(sampler.acceptance)
            if self.schedule.is_kept(done):
                chain.samples.append(FrozenSample.of(sampler))
            on_sweep(
                done / self.schedule.iterations,
                f"sweep {done}, log joint {chain.history[-1]:.1f}, "
                f"{sampler.acceptance:.0%} accepted",
            )
        return chain

"""All derivations of a text, packed once: every iteration of EM is then a walk over their edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction.categorial import _forests_numba as kernels
from treegauge.systems.dependency_induction.categorial.grammar import CategorialGrammar
from treegauge.systems.dependency_induction.chart import TagCorpus
from treegauge.systems.dependency_induction.chart.corpus import Shard
from treegauge.systems.dependency_induction.chart.parallel import on_shards

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Forest:
    """The derivations of the sentences of a shard."""

    node_starts: Ints
    """Where the nodes of each sentence begin; it has none if it cannot be derived."""
    edge_starts: Ints
    edges: NDArray[np.int32]
    """Rows of parent, left daughter, right daughter, event."""
    multiplicity: Floats


@dataclass(frozen=True, eq=False)
class Expected:
    """What a pass over all derivations gives."""

    counts: Floats
    """By event."""
    log_likelihood: float


KEPT_EDGES = 2**26
"""Edges of all shards that are kept in memory, a gigabyte; more are made anew in every pass."""


class Forests:
    """The derivations of a corpus under a grammar.

    Parameters
    ----------
    threads : int, optional
        No result depends on it: shards are those of the corpus, and are added in their order.
    kept_edges : int
        How many edges are kept; nothing but time and memory depends on it.
    """

    def __init__(
        self,
        grammar: CategorialGrammar,
        corpus: TagCorpus,
        *,
        threads: int | None = None,
        kept_edges: int = KEPT_EDGES,
    ) -> None:
        self._threads = threads
        self._grammar = grammar
        self._shards = corpus.shards
        kept_by_shard = kept_edges // len(corpus.shards)
        seen = np.zeros(grammar.n_events, np.bool_)

        def first_look(shard: Shard) -> tuple[Forest | None, NDArray[np.float64], int]:
            forest = self._forest(shard)
            seen[forest.edges[:, kernels.EVENT]] = True  # by all threads, the same truth
            derived = (np.diff(forest.node_starts) > 0).astype(np.float64)
            n_edges = len(forest.edges)
            return forest if n_edges <= kept_by_shard else None, derived, n_edges

        found = on_shards(first_look, self._shards, threads=threads)
        self._forests = [forest for forest, _, _ in found]
        self.has_derivation: NDArray[np.bool_] = (
            corpus.sentences_from_shards([derived for _, derived, _ in found]) > 0
        )
        """By sentence of the corpus."""
        self.has_event = seen
        """Whether an event takes part in a complete derivation of some sentence."""
        self.n_edges = sum(n_edges for _, _, n_edges in found)
        """How many steps there are in all derivations together, packed."""

    def _forest(self, shard: Shard) -> Forest:
        node_starts, edges = kernels.build(shard.tags, shard.offsets, self._grammar.rules)
        edge_starts, ordered = kernels.grouped(int(node_starts[-1]), edges)
        return Forest(node_starts, edge_starts, ordered, shard.multiplicity)

    def expectations(self, log_weights: Floats, *, hard: bool = False) -> Expected:
        """Return the expected counts of events, or with `hard` those of the best derivations."""

        def expected(shard: Shard, kept: Forest | None) -> tuple[Floats, Floats]:
            forest = self._forest(shard) if kept is None else kept
            counts, found = kernels.expect(
                forest.node_starts,
                forest.edge_starts,
                forest.edges,
                log_weights,
                forest.multiplicity,
                hard,
            )
            return counts, found * forest.multiplicity

        parts = on_shards(expected, self._shards, self._forests, threads=self._threads)
        counts = np.zeros(self._grammar.n_events)
        total = 0.0
        for part, found in parts:
            counts += part
            total += float(found.sum())
        return Expected(counts, total)

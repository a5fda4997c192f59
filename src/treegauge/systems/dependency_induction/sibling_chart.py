"""The sibling model's chart: the E-step, best trees, and events of given trees.

Tables are those of a valence grammar (`chart/events.py`), with contexts in the place of valences: 0
where a side has no dependent yet, else a number for the symbol of the dependent before.

References
----------
Yang, Jiang, Han and Tu (2020), Second-order unsupervised neural dependency parsing. COLING.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction import _sibling_numba as kernels
from treegauge.systems.dependency_induction.chart import (
    Counts,
    Expectations,
    Grammar,
    TagCorpus,
)
from treegauge.systems.dependency_induction.chart.corpus import Shard
from treegauge.systems.dependency_induction.chart.decoding import BestTrees, chains
from treegauge.systems.dependency_induction.chart.parallel import on_shards
from treegauge.systems.dependency_induction.tag_inventory import with_unknown

Floats = NDArray[np.float64]

_GROUPS = 4
"""Of shards whose counts are added one by one; always as many, so that sums never differ."""
_NOTHING = np.zeros(0)


@dataclass(frozen=True, eq=False)
class SiblingChart:
    """Charts for grammars whose sides see the dependent before.

    Examples
    --------
    >>> chart = SiblingChart(np.array([1, 2]))  # two tags, each a context of its own
    >>> corpus = TagCorpus([0, 1], [0, 2], n_tags=2)
    >>> grammar = Grammar.uniform(2, 3, 3)
    >>> chart.expectations(grammar, corpus, marginals=True).marginals.round(9).tolist()
    [0.5, 0.5, 0.0, 0.5, 0.5, 0.0]
    """

    context_of: NDArray[np.int64]
    """The context that a symbol is to the dependent behind it, from 1 on."""

    @property
    def contexts(self) -> tuple[int, int]:
        """How many contexts decisions and dependents have."""
        return (int(self.context_of.max()) + 1,) * 2

    def expectations(
        self,
        grammar: Grammar,
        corpus: TagCorpus,
        *,
        arc_weights: Floats | None = None,
        marginals: bool = False,
    ) -> Expectations:
        """Return expected counts and log-likelihood, as `chart.expectations` does."""
        logs = _logs(grammar)

        def work(group: list[tuple[Shard, Floats]]) -> tuple[list[Floats], list[Floats], Counts]:
            root, stop, arc = (np.zeros(table.shape) for table in logs)
            likelihoods, arcs = [], []
            for shard, own in group:
                log_z = np.zeros(shard.multiplicity.size)
                posteriors = np.zeros(int(shard.arc_offsets[-1]) if marginals else 0)
                kernels.sibling_posteriors(
                    shard.tags,
                    shard.offsets,
                    shard.multiplicity,
                    self.context_of,
                    logs,
                    own,
                    shard.arc_offsets,
                    log_z,
                    posteriors,
                    (root, stop, arc),
                )
                likelihoods.append(log_z)
                arcs.append(posteriors)
            # A dependent is taken where a side goes on, and nowhere else.
            return likelihoods, arcs, Counts(root, stop, arc.sum(axis=3), arc)

        pairs = list(zip(corpus.shards, _own_arcs(corpus, arc_weights), strict=True))
        groups = [pairs[number::_GROUPS] for number in range(min(_GROUPS, len(pairs)))]
        parts = on_shards(work, groups, threads=None)
        log_z = corpus.sentences_from_shards(_in_order([part[0] for part in parts]))
        return Expectations(
            reduce(add, (part[2] for part in parts)),
            log_z,
            float(log_z.sum()),
            marginals=corpus.arcs_from_shards(_in_order([part[1] for part in parts]))
            if marginals
            else None,
        )

    def viterbi(
        self, grammar: Grammar, corpus: TagCorpus, *, arc_weights: Floats | None = None
    ) -> BestTrees:
        """Return the trees of largest weight, as `chart.viterbi` does."""
        logs = _logs(grammar)

        def work(shard: Shard, own: Floats) -> tuple[NDArray[np.int32], Floats]:
            heads, scores = chains(shard.offsets), np.zeros(shard.multiplicity.size)
            kernels.best_sibling_trees(
                shard.tags,
                shard.offsets,
                self.context_of,
                logs,
                own,
                shard.arc_offsets,
                scores,
                heads,
            )
            return heads, scores

        parts = on_shards(work, corpus.shards, _own_arcs(corpus, arc_weights), threads=None)
        heads = corpus.words_from_shards([heads for heads, _ in parts])
        scores = corpus.sentences_from_shards([scores for _, scores in parts])
        return BestTrees(
            heads, scores, lambda: self.tree_counts(heads, corpus, times=scores > -np.inf)
        )

    def tree_counts(
        self,
        heads: NDArray[np.int32],
        corpus: TagCorpus,
        *,
        times: NDArray[np.bool_] | None = None,
    ) -> Counts:
        """Return the events of projective trees, of each sentence as often as it counts."""
        counts = Counts.zeros(int(self.context_of.size), *self.contexts)
        often = np.ones(corpus.n_sentences) if times is None else times.astype(np.float64)
        kernels.read_sibling_trees(
            corpus.tags,
            corpus.offsets,
            heads,
            often,
            self.context_of,
            tuple(counts.arrays().values()),
        )
        return counts

    def wide_enough(self, symbols: int) -> SiblingChart:
        """Return the chart for so many symbols: one more, where there is an unknown one."""
        if symbols <= self.context_of.size:
            return self
        return SiblingChart(np.append(self.context_of, self.contexts[0]))

    def with_unknown(self, grammar: Grammar, shares: Floats) -> Grammar:
        """Return a grammar with one more symbol, which behaves as symbols do on average."""

        def with_context(table: Floats) -> Floats:
            average = np.tensordot(np.take(table, self.context_of, axis=2), shares, axes=(2, 0))
            return np.concatenate([table, np.expand_dims(average, 2)], axis=2)

        wider = Grammar(
            grammar.root,
            with_context(grammar.stop),
            with_context(grammar.go),
            with_context(grammar.attach),
        )
        return with_unknown(wider, shares)

    def memory_for(self, words: int) -> int:
        """Return the bytes of the charts of a sentence."""
        return 8 * 12 * words**2


def _logs(grammar: Grammar) -> tuple[Floats, Floats, Floats]:
    """Return logarithms of roots, stops and arcs: going on and taking a dependent."""
    logs = grammar.logs
    return logs["root"], logs["stop"], logs["go"][..., None] + logs["attach"]


def _own_arcs(corpus: TagCorpus, arc_weights: Floats | None) -> list[Floats]:
    """Return logarithms of the weights of every shard's arcs; empty where there are none."""
    if arc_weights is None:
        return [_NOTHING] * len(corpus.shards)
    with np.errstate(divide="ignore"):
        return [np.log(arcs) for arcs in corpus.arcs_to_shards(arc_weights)]


def _in_order(groups: list[list[Floats]]) -> list[Floats]:
    """Return what groups of every fourth shard have, in the order of shards."""
    total = sum(map(len, groups))
    return [groups[number % len(groups)][number // len(groups)] for number in range(total)]

"""The best derivations of sentences, the trees that they stand for, and derivations for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction.categorial import _derivations_numba as kernels
from treegauge.systems.dependency_induction.categorial.grammar import (
    SYMBOLS,
    CategorialGrammar,
    Combinator,
)
from treegauge.systems.dependency_induction.categorial.model import Floats
from treegauge.systems.dependency_induction.chart import TagCorpus
from treegauge.systems.dependency_induction.chart.corpus import Shard
from treegauge.systems.dependency_induction.chart.parallel import on_shards
from treegauge.systems.derivation import Derivation, DerivationNode

CONVENTIONS: Mapping[str, int] = MappingProxyType(
    {"conjunction": 0, "first": 1, "chain": 2, "universal": 3, "last": 4}
)
"""How coordinations hang, by the number that kernels know."""


@dataclass(frozen=True, eq=False)
class ParsedShard:
    """The best derivations of the sentences of a shard, as kernels write them."""

    offsets: NDArray[np.int64]
    starts: NDArray[np.int64]
    nodes: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Parser:
    """A grammar with the weights of its steps.

    Attributes
    ----------
    floored : array
        The weights for sentences that have a derivation, and none with what was learnt.
    """

    grammar: CategorialGrammar
    log_weights: Floats
    floored: Floats

    def parsed(self, shard: Shard) -> ParsedShard:
        """Return the best derivations of sentences."""
        starts, nodes, _ = kernels.best_derivations(
            shard.tags, shard.offsets, self.grammar.rules, self.log_weights, self.floored
        )
        return ParsedShard(shard.offsets, starts, nodes)

    def heads(
        self,
        corpus: TagCorpus,
        *,
        convention: str,
        leaves: NDArray[np.bool_],
        threads: int | None = None,
    ) -> NDArray[np.int32]:
        """Return a head for every word, and -1 for the words of sentences without a derivation.

        `leaves` has the tags of words that hang on their argument instead of heading it.
        """
        combinators = self.grammar.combinators

        def heads_of(shard: Shard) -> NDArray[np.int32]:
            parsed = self.parsed(shard)
            heads: NDArray[np.int32] = kernels.dependencies(
                parsed.offsets,
                parsed.starts,
                parsed.nodes,
                self.grammar.head_is_left,
                self.grammar.takes_argument,
                combinators == Combinator.CONJUNCTION,
                combinators == Combinator.COORDINATION,
                leaves[shard.tags],
                CONVENTIONS[convention],
            )
            return heads

        parts: list[NDArray[Any]] = list(on_shards(heads_of, corpus.shards, threads=threads))
        return corpus.words_from_shards(parts).astype(np.int32)

    def derivation(self, corpus: TagCorpus) -> Derivation | None:
        """Return the derivation of the one sentence of a corpus, if it has any."""
        nodes = self.parsed(corpus.shards[0]).nodes.tolist()
        if not nodes:
            return None
        node, _ = self._node(nodes, 0)
        return Derivation(node)

    def _node(self, nodes: list[list[int]], at: int) -> tuple[DerivationNode, int]:
        """Return the node at a place, and the place behind everything below it."""
        item, begin, end, step = nodes[at]
        category = str(self.grammar.items[item].category)
        if step == kernels.WORD:
            return DerivationNode(category, begin, end), at + 1
        if step <= kernels.ONE_BEFORE_UNARY:
            below, after = self._node(nodes, at + 1)
            unary = kernels.ONE_BEFORE_UNARY - step
            symbol = SYMBOLS[self.grammar.raising_combinators[unary]]
            return DerivationNode(category, begin, end, symbol, (below,)), after
        left, after = self._node(nodes, at + 1)
        right, after = self._node(nodes, after)
        symbol = SYMBOLS[self.grammar.combinators[step]]
        return DerivationNode(category, begin, end, symbol, (left, right)), after

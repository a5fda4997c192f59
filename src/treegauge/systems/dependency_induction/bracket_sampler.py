"""Gibbs sampling of projective trees under edges, fertility, distance and reducibility.

    score(tree) = product over words i with head g of
        edge          (c(t_g, t_i) + alpha) / (c(t_g) + alpha T)
        fertility     (c(t_i, f) + beta P0(f)) / (c(t_i) + beta)      f = dependents left and right
        distance      |i - g|^-gamma                                  1 for the root
        reducibility  R(tags of the subtree of i)^delta               1 beyond three words

Counts are those of the whole text without the factors that a move can change. The events of a
fertility are capped at `MOST_DEPENDENTS` a side, and P0 with them, so that it still sums to 1.

References
----------
Mareček and Žabokrtský (2012), Exploiting reducibility in unsupervised dependency parsing. EMNLP.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction import _bracket_sampler_numba as kernels
from treegauge.systems.dependency_induction._random_trees_numba import draw_trees
from treegauge.systems.dependency_induction.random_trees import GROWTH, half_tree_weights

MOST_DEPENDENTS = 15
"""Dependents of one side that fertilities tell apart; more are one event."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SampledText:
    """Sentences as tags, and what is known of their words before any tree."""

    tags: Ints
    """[words]"""
    offsets: Ints
    """Where sentences begin, and the end."""
    reducible_logs: Floats
    """[words, 3]: logarithms of the factor of a subtree of one, two, three words from here on."""
    concentration: Floats
    """[words]: beta, or what it is for this word."""
    root_logs: Floats
    """[words]: logarithms of what a word is as root; 0 but for constraints."""

    @cached_property
    def arc_offsets(self) -> Ints:
        """Where packed arcs of sentences begin, as in `TagCorpus`."""
        lengths = np.diff(self.offsets)
        return np.concatenate([[0], np.cumsum(lengths * (lengths + 1))])

    @property
    def n_words(self) -> int:
        """Words of all sentences."""
        return len(self.tags)

    def select(self, sentences: NDArray[np.bool_]) -> SampledText:
        """Return some of the sentences."""
        lengths = np.diff(self.offsets)
        words = np.repeat(sentences, lengths)
        return SampledText(
            self.tags[words],
            np.concatenate([[0], np.cumsum(lengths[sentences])]),
            self.reducible_logs[words],
            self.concentration[words],
            self.root_logs[words],
        )


@dataclass(frozen=True, eq=False)
class EventCounts:
    """How often edges and fertilities happened, or did on average."""

    edges: Floats
    """[tags + 1, tags], or twice the columns where sides count; the last row is the root's."""
    fertilities: Floats
    """[tags, left, right]"""

    @classmethod
    def zeros(cls, n_tags: int, *, directed: bool = False) -> EventCounts:
        """Return counts of nothing."""
        sides = MOST_DEPENDENTS + 1
        return cls(
            np.zeros((n_tags + 1, n_tags * (2 if directed else 1))),
            np.zeros((n_tags, sides, sides)),
        )

    def with_unknown_tag(self) -> EventCounts:
        """Return counts with one more tag, of which nothing was ever seen."""
        n = len(self.fertilities)
        wider = EventCounts.zeros(n + 1, directed=self.edges.shape[1] > n)
        rows = [*range(n), n + 1]
        wider.edges[rows, :n] = self.edges[:, :n]
        if self.edges.shape[1] > n:
            wider.edges[rows, n + 1 : -1] = self.edges[:, n:]
        wider.fertilities[:n] = self.fertilities
        return wider


def fertility_prior(most: int = MOST_DEPENDENTS) -> Floats:
    """Return the prior of so many dependents on one side, 2^-(k + 1), the rest at the cap."""
    prior = 0.5 ** np.arange(1.0, most + 2)
    prior[-1] *= 2
    return prior


class TreeChain:
    """One chain of trees over a text.

    Parameters
    ----------
    text : SampledText
    counts : EventCounts
        With `learns`, what trees are added to, usually nothing; otherwise they stay as they are.
    alpha, gamma : float
        Of edges and of distances.
    random : Generator
        Everything random comes from it.
    learns : bool
        Whether the counts follow the trees.
    is_exact : bool
        Whether candidates are scored by exact ratios of the collapsed model, factor after factor,
        or with counts frozen for the move.
    """

    def __init__(
        self,
        text: SampledText,
        counts: EventCounts,
        *,
        alpha: float,
        gamma: float,
        random: np.random.Generator,
        learns: bool = True,
        is_exact: bool = False,
    ) -> None:
        self.text = text
        self.counts = counts
        self.random = random
        self._learns, self._is_exact = learns, is_exact
        self.heads: Ints = self._random_trees()
        self.left, self.right = np.zeros_like(self.heads), np.zeros_like(self.heads)
        self.frequencies = np.zeros(text.arc_offsets[-1], np.uint16)
        """How often every arc was seen, packed as in `TagCorpus`."""
        self.samples = 0
        longest = int(np.diff(text.offsets).max(initial=0))
        distances: Floats = -gamma * np.log(np.maximum(1.0, np.arange(longest + 1)))
        self._distances = distances
        self._alpha = alpha
        self._start()

    def _random_trees(self) -> Ints:
        lengths = np.diff(self.text.offsets)
        closed, open_ = half_tree_weights(int(lengths.max(initial=0)))
        draws = self.random.random(2 * self.text.n_words)
        # The kernel was compiled for offsets that never change, as treebanks have them.
        offsets = self.text.offsets.copy()
        offsets.setflags(write=False)
        drawn: NDArray[np.int32] = draw_trees(offsets, closed, open_, GROWTH, draws)
        return drawn.astype(np.int64) - 1

    def _start(self) -> None:
        text = self.text
        kernels.find_bounds(text.offsets, self.heads, self.left, self.right)
        if self._learns:
            edges, fertilities = self.counts.edges, self.counts.fertilities
            kernels.count_events(text.offsets, text.tags, self.heads, edges, fertilities, 1.0)
        self._edge_totals = self.counts.edges.sum(axis=1)
        self._fertility_totals = self.counts.fertilities.sum(axis=(1, 2))

    @property
    def model(self) -> tuple[Any, ...]:
        """What kernels know of the factors."""
        return (
            self.counts.edges,
            self._edge_totals,
            self.counts.fertilities,
            self._fertility_totals,
            self._alpha,
            self._distances,
            fertility_prior(),
        )

    def run_pass(self, temperature: float, *, collects: bool = False) -> None:
        """Move as many words as there are; afterwards, count the arcs if they are collected."""
        text = self.text
        order = self.random.permutation(len(text.offsets) - 1)
        draws = self.random.random((2, text.n_words))
        options = (1 / temperature, int(self._learns), int(self._is_exact), int(collects))
        kernels.run_pass(
            order,
            text.offsets,
            (
                text.tags,
                self.heads,
                self.left,
                self.right,
                text.reducible_logs,
                text.concentration,
                text.root_logs,
            ),
            self.model,
            options,
            draws,
            text.arc_offsets,
            self.frequencies,
        )
        self.samples += collects

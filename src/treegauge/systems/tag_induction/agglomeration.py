"""Windowed agglomeration of types by average mutual information (Brown et al. 1992).

The average mutual information of neighbouring clusters is, with counts `N(a, b)` of cluster a
followed by b, `n` words and `m` pairs of words,

    AMI = (1/m) sum_ab N(a,b) log2[ N(a,b) n^2 / (m c(a) c(b)) ]
        = (1/m) [ sum_ab h(N(a,b)) - sum_a r(a) log2 c(a) + M log2(n^2/m) ]

where `h(x) = x log2 x`, `r(a)` is how often a has a neighbour on either side, and M the pairs
that are counted (fewer than m as long as some types have no cluster). So what merging a and b
costs has two parts:

    cells   sum_x [T(N(a,x), N(b,x)) + T(N(x,a), N(x,b))]      T(x,y) = h(x) + h(y) - h(x+y)
            over x other than a and b, and the four cells among a and b, which become one
    margins r(a) log2[(c(a) + c(b)) / c(a)] + r(b) log2[(c(a) + c(b)) / c(b)]

Cells are kept for all pairs and updated with every type that comes and every merge; T is 0 where
one of its cells is empty, so a type that stands beside few clusters changes little. Margins are
computed when they are needed. These are the losses of Brown et al. (1992, section 3), cut in
another way: the cells are whole numbers in fixed point, so that no rounding error ever accumulates.

References
----------
Brown et al. (1992); Liang (2005), whose window this is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.tag_induction._agglomeration_numba import (
    add,
    add_and_merge,
    loss,
    merge,
    merge_all,
)
from treegauge.systems.tag_induction.bigrams import Bigrams, count_bigrams
from treegauge.systems.tag_induction.scaled_entropy import scaled_entropy

_LOGARITHMS = 1 << 16
_STEPS = 200
"""How often progress is told."""


class Tables(NamedTuple):
    """What kernels work on; a slot is the place of a cluster in the tables."""

    follows: NDArray[np.int64]
    """[a, b]: how often b comes after a."""
    precedes: NDArray[np.int64]
    """The same, transposed: rows are read faster than columns."""
    cells: NDArray[np.int64]
    """[a, b]: what merging costs in cells, in fixed point."""
    log_sum: NDArray[np.float64]
    """[a, b]: log2(c(a) + c(b)), and log2 c(a) on the diagonal."""
    margin: NDArray[np.int64]
    """r(a): how often a slot has a neighbour on the right, and on the left."""
    n_words: NDArray[np.int64]
    """c(a): the words of a slot."""
    least: NDArray[np.float64]
    """The least loss in every row, and where it is."""
    best: NDArray[np.int64]
    is_stale: NDArray[np.bool_]
    """Whether losses of a slot have changed since."""
    root_of: NDArray[np.int64]
    """A type of the cluster in a slot: the root of its tree of types."""
    id_of: NDArray[np.int64]
    """The number of the cluster in a slot: types come first, then merges in their order."""
    parent: NDArray[np.int64]
    """Trees of types that are in one cluster (union-find)."""
    slot_of: NDArray[np.int64]
    """The slot of a root."""
    type_counts: NDArray[np.int64]
    facts: NDArray[np.int64]
    """The number of slots that are taken, and the number of the next cluster."""
    scratch: NDArray[np.int64]
    table: NDArray[np.int64]
    """h(x) in fixed point."""
    scale: float
    logs: NDArray[np.float64]


@dataclass(frozen=True)
class Merge:
    """One of the merges below the window: the numbers of two clusters, the smaller one first."""

    left: int
    right: int


class Agglomeration:
    """Clusters of types, grown and merged.

    Parameters
    ----------
    bigrams : Bigrams
        Neighbours of types; types are added in the order of their numbers.
    counts : array of int
        How often each type occurs.
    window : int
        The number of clusters; there is never more than one above it.
    n_words : int
        All words of the text, those without a type included.
    n_pairs : int, optional
        All pairs of neighbours in it, counted or not; one less than the words if missing.
    """

    def __init__(
        self,
        bigrams: Bigrams,
        counts: NDArray[np.int64],
        window: int,
        *,
        n_words: int,
        n_pairs: int | None = None,
    ) -> None:
        n_types = len(counts)
        self.window = min(window, n_types)
        self.bigrams = bigrams
        self.n_words = n_words
        self.n_pairs = n_words - 1 if n_pairs is None else n_pairs
        self.n_added = 0
        self._place: NDArray[np.int32] = np.arange(n_types, dtype=np.int32)
        size = self.window + 1
        entropy = scaled_entropy(max(2 * bigrams.total, 1))
        logs = np.log2(np.maximum(np.arange(min(n_words + 1, _LOGARITHMS)), 1))
        self.tables = Tables(
            follows=np.zeros((size, size), np.int64),
            precedes=np.zeros((size, size), np.int64),
            cells=np.zeros((size, size), np.int64),
            log_sum=np.zeros((size, size)),
            margin=np.zeros(size, np.int64),
            n_words=np.zeros(size, np.int64),
            least=np.full(size, np.inf),
            best=np.full(size, size, np.int64),
            is_stale=np.ones(size, np.bool_),
            root_of=np.zeros(size, np.int64),
            id_of=np.zeros(size, np.int64),
            parent=np.arange(n_types, dtype=np.int64),
            slot_of=np.zeros(n_types, np.int64),
            type_counts=np.asarray(counts, np.int64),
            facts=np.array([0, n_types], np.int64),
            scratch=np.zeros(size, np.int64),
            table=entropy.table,
            scale=entropy.scale,
            logs=logs,
        )

    @classmethod
    def of_text(
        cls,
        words: NDArray[np.int32],
        n_types: int,
        window: int,
        *,
        offsets: NDArray[np.int64] | None = None,
        type_order: NDArray[np.int64] | None = None,
    ) -> Self:
        """Prepare the types of a text.

        Parameters
        ----------
        words : array of int
            The type of every word; -1 for a word without, which separates its neighbours.
        n_types : int
            The number of types.
        window : int
            The number of clusters.
        offsets : array of int, optional
            Where sentences begin, and the end; words of different sentences are then no
            neighbours.
        type_order : array of int, optional
            All types, in the order in which they are added; by number if missing. Clusters
            that are types have their place in it for a number. Types that are equally frequent
            can come in any order, which decides on the result: to compare with another program,
            take its order.

        Examples
        --------
        >>> words = np.array([0, 1, 0, 2, 0, 1], np.int32)
        >>> clusters = Agglomeration.of_text(words, 3, 2, type_order=np.array([0, 2, 1]))
        >>> clusters.run()
        >>> clusters.clusters().tolist()
        [0, 1, 1]
        """
        order = np.arange(n_types) if type_order is None else np.asarray(type_order)
        if not np.array_equal(np.sort(order), np.arange(n_types)):
            raise ValueError(f"an order of types has each of 0 to {n_types - 1} once")
        place = np.empty(n_types + 1, np.int32)
        place[order] = np.arange(n_types)
        place[-1] = -1  # where words without a type look
        words = place[words]
        n_breaks = 1 if offsets is None else int((np.diff(offsets) > 0).sum())
        clusters = cls(
            count_bigrams(words, n_types, offsets),
            np.bincount(words[words >= 0], minlength=n_types),
            window,
            n_words=len(words),
            n_pairs=len(words) - n_breaks,
        )
        clusters._place = place[:-1]
        return clusters

    @property
    def n_clusters(self) -> int:
        """The number of clusters at the moment."""
        return int(self.tables.facts[0])

    def run(self, on_progress: Callable[[float], None] = lambda _share: None) -> None:
        """Add all types that are left, and merge down to the window after each."""
        n_types = len(self.tables.type_counts)
        step = max(1000, n_types // _STEPS)
        while self.n_added < n_types:
            last = min(self.n_added + step, n_types)
            add_and_merge(self.tables, self.n_added, last, self.window, self.bigrams)
            self.n_added = last
            on_progress(last / n_types)

    def add(self) -> None:
        """Add the next type as a cluster of its own."""
        if self.n_clusters > self.window:
            raise ValueError("the window is full: merge first")
        add(self.tables, self.n_added, self.bigrams)
        self.n_added += 1

    def merge(self, a: int, b: int) -> None:
        """Merge the clusters of two slots into the lower one; the last slot moves to the other."""
        merge(self.tables, min(a, b), max(a, b))

    def merge_all(self) -> list[Merge]:
        """Merge down to one cluster, and return the merges in their order."""
        merged = np.empty((max(self.n_clusters - 1, 0), 2), np.int64)
        merge_all(self.tables, merged)
        return [Merge(int(min(pair)), int(max(pair))) for pair in merged]

    def loss(self, a: int, b: int) -> float:
        """Return how much less the average mutual information is after a merge of two slots."""
        return float(loss(self.tables, a, b)) / max(self.n_pairs, 1)

    def clusters(self) -> NDArray[np.int32]:
        """Return the slot of every type that was added, -1 for the others."""
        parent = self.tables.parent.copy()
        while not np.array_equal(parent, parent[parent]):
            parent = parent[parent]
        slots = self.tables.slot_of[parent].astype(np.int32)
        slots[self.n_added :] = -1
        return slots[self._place]

    def cluster_ids(self) -> list[int]:
        """Return the number of the cluster in every slot."""
        return [int(number) for number in self.tables.id_of[: self.n_clusters]]

    @property
    def next_id(self) -> int:
        """The number that the next merge gives to the cluster it makes."""
        return int(self.tables.facts[1])

    def average_mutual_information(self) -> float:
        """Return the average mutual information of neighbouring clusters, in bits."""
        m = self.n_clusters
        joint = self.tables.follows[:m, :m].astype(np.float64)
        count = self.tables.n_words[:m].astype(np.float64)
        if not joint.any():
            return 0.0
        a, b = np.nonzero(joint)
        pairs = joint[a, b]
        ratio = pairs * self.n_words**2 / (self.n_pairs * count[a] * count[b])
        return float(pairs @ np.log2(ratio)) / self.n_pairs

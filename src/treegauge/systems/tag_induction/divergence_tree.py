"""A tree of distributions, the nearest merged first, by Jensen-Shannon divergence.

The distance of two clusters with masses p and q, and distributions P and Q, is

    (p + q) JSD_pi(P, Q) = (p + q) (H(pi P + (1 - pi) Q) - pi H(P) - (1 - pi) H(Q))

with pi = p / (p + q).

This is what merging them takes off the mutual information between clusters and classes
(Slonim and Tishby 1999, agglomerative information bottleneck). All distances are kept, with the
nearest neighbour of every cluster: O(M^2 K) in all, but for neighbours that have to be sought anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.tag_induction._divergence_tree_numba import agglomerate, attach

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class DivergenceTree:
    """A binary tree over leaves; a node is its path from the root, a string of 0 and 1."""

    paths: tuple[str, ...]
    """The leaves."""
    splits: tuple[str, ...]
    """All other nodes; the root is the first, the one that was merged first is the last."""

    @classmethod
    def of(cls, distributions: Floats, masses: Floats) -> DivergenceTree:
        """Merge leaves, of which the first of two goes to the left.

        >>> rows = np.array([[0.9, 0.1], [0.1, 0.9], [0.8, 0.2]])
        >>> tree = DivergenceTree.of(rows, np.ones(3))
        >>> tree.paths, tree.splits
        (('00', '1', '01'), ('', '0'))
        """
        n = len(distributions)
        masses = masses / masses.sum()
        merges = np.zeros((n - 1, 2), np.int64)
        agglomerate(distributions * masses[:, None], masses, merges)
        # From the root down: the last merge splits the root, and its left part keeps its number.
        place = {0: ""}
        splits = []
        for left, right in reversed(merges.tolist()):
            path = place[left]
            splits.append(path)
            place[left], place[right] = f"{path}0", f"{path}1"
        return cls(tuple(place[leaf] for leaf in range(n)), tuple(splits))

    def cut(self, depth: int) -> NDArray[np.int32]:
        """Return classes of leaves: those with one prefix of this length, shorter paths whole.

        >>> DivergenceTree(("00", "01", "1"), ("", "0")).cut(1).tolist()
        [0, 0, 1]
        """
        return _numbered(path[:depth] for path in self.paths)

    def cut_into(self, n: int) -> NDArray[np.int32]:
        """Return so many classes of leaves, or one for each: those that the last merges joined.

        >>> DivergenceTree(("00", "01", "10", "11"), ("", "1", "0")).cut_into(3).tolist()
        [0, 0, 1, 2]
        """
        undone = set(self.splits[: n - 1])
        return _numbered(
            next(path[:k] for k in range(len(path) + 1) if path[:k] not in undone)
            for path in self.paths
        )


def _numbered(nodes: Iterable[str]) -> NDArray[np.int32]:
    """Return numbers of nodes, as they come."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(node, len(numbers)) for node in nodes], np.int32)


def nearest_leaves(leaves: Floats, others: Floats) -> NDArray[np.int32]:
    """Return the leaf with the least divergence from each distribution, masses aside."""
    place = np.zeros(len(others), np.int32)
    attach(leaves, others, place)
    return place

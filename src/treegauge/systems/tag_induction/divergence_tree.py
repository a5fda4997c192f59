"""A tree of distributions, the nearest merged first, by Jensen-Shannon divergence.

The distance of two clusters with masses p and q, and distributions P and Q, is

    (p + q) JSD_pi(P, Q) = (p + q) (H(pi P + (1 - pi) Q) - pi H(P) - (1 - pi) H(Q))

with pi = p / (p + q).

This is what merging them takes off the mutual information between clusters and classes
(Slonim and Tishby 1999, agglomerative information bottleneck). All distances are kept, with the
nearest neighbour of every cluster: O(M^2 K) in all, but for neighbours that have to be sought anew.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.tag_induction._divergence_tree_numba import agglomerate, attach

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class DivergenceTree:
    """A binary tree over leaves: each leaf's path from the root, as a string of 0 and 1."""

    paths: tuple[str, ...]

    @classmethod
    def of(cls, distributions: Floats, masses: Floats) -> DivergenceTree:
        """Merge leaves, of which the first of two goes to the left.

        >>> rows = np.array([[0.9, 0.1], [0.1, 0.9], [0.8, 0.2]])
        >>> DivergenceTree.of(rows, np.ones(3)).paths
        ('00', '1', '01')
        """
        n = len(distributions)
        masses = masses / masses.sum()
        merges = np.zeros((n - 1, 2), np.int64)
        agglomerate(distributions * masses[:, None], masses, merges)
        paths = [""] * n
        # From the root down: the last merge is the root, and splits what has its place.
        members: dict[int, list[int]] = {i: [i] for i in range(n)}
        for left, right in merges.tolist():
            for side, cluster in (("0", left), ("1", right)):
                for leaf in members[cluster]:
                    paths[leaf] = side + paths[leaf]
            members[left] += members.pop(right)
        return cls(tuple(paths))

    def cut(self, depth: int) -> NDArray[np.int32]:
        """Return classes of leaves: those with one prefix of this length, shorter paths whole.

        >>> DivergenceTree(("00", "01", "1")).cut(1).tolist()
        [0, 0, 1]
        """
        numbers: dict[str, int] = {}
        found = [numbers.setdefault(path[:depth], len(numbers)) for path in self.paths]
        return np.array(found, np.int32)

    def deepest_cut(self, most: int) -> int:
        """Return the largest depth that gives no more than so many classes.

        >>> DivergenceTree(("00", "010", "011", "1")).deepest_cut(3)
        2
        """
        depth = 0
        longest = max(map(len, self.paths))
        while depth < longest and len({path[: depth + 1] for path in self.paths}) <= most:
            depth += 1
        return depth


def nearest_leaves(leaves: Floats, others: Floats) -> NDArray[np.int32]:
    """Return the leaf with the least divergence from each distribution, masses aside."""
    place = np.zeros(len(others), np.int32)
    attach(leaves, others, place)
    return place

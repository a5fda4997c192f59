"""The random baseline: a tree drawn uniformly among all projective trees with one root.

A head has a half-tree on either side. Let a(w) be the number of half-trees that cover w words,
and b(w) that of those whose last dependent is the w-th word and still lacks its far half:

    a(0) = 1,   b(w) = sum_{k<w} a(k) a(w-1-k),   a(w) = sum_{k=1..w} b(k) a(w-k)

which gives a(w) = C(3w, w) / (2w + 1) and b(w) = N(w), the number of trees of w words. Trees
are drawn from the top down with these weights. Choosing a head for every word and repairing the
result, or a random bracketing, would not be uniform.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction._random_trees_numba import draw_trees
from treegauge.systems.system import DependencyInducer, OnProgress
from treegauge.treebank import Treebank

GROWTH = 27 / 4
"""What the numbers of half-trees grow by with every word, in the limit."""


class RandomTrees(DependencyInducer):
    """A tree drawn uniformly among all projective trees of the sentence.

    The trees depend on the seed and on the lengths of the sentences alone.
    """

    name = "random"
    learns = False
    is_deterministic = False
    seconds_per_word = 1e-6

    def _heads(self, words: Treebank, _on_progress: OnProgress) -> NDArray[np.int32]:
        closed, open_ = half_tree_weights(int(words.lengths.max(initial=0)))
        draws = np.random.default_rng(self.seed).random(2 * words.n_words)
        heads: NDArray[np.int32] = draw_trees(words.offsets, closed, open_, GROWTH, draws)
        return heads


def projective_trees(words: int) -> int:
    """Return the number of projective trees with one root: C(3n - 2, n - 1) / n, exactly.

    >>> [projective_trees(n) for n in range(1, 8)]
    [1, 2, 7, 30, 143, 728, 3876]
    """
    return comb(3 * words - 2, words - 1) // words


def half_tree_weights(width: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return a(w) and b(w) for w = 0..width, divided by `GROWTH`^w.

    Divided so, they fall with w^(-3/2) and fit into floats for sentences of any length. They
    are built up from the ratio of neighbours, which is exact but for rounding.
    """
    w = np.arange(1.0, width + 1)
    a_ratio = 3 * (3 * w - 1) * (3 * w - 2) / (2 * w * (2 * w + 1) * GROWTH)
    closed = np.concatenate([[1.0], np.cumprod(a_ratio)])
    # b(w) / a(w) = C(3w - 2, w - 1) / w * (2w + 1) / C(3w, w) = 2 (2w + 1) / (3 (3w - 1))
    open_ = np.concatenate([[0.0], closed[1:] * 2 * (2 * w + 1) / (3 * (3 * w - 1))])
    return closed, open_

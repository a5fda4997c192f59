"""Projective trees by scores of arcs: the best one, and how probable every arc is.

A tree's score is the sum of its arcs' scores; its probability is proportional to the exponential
of that sum. Both questions are answered by dynamic programming over half-trees in O(n^3).

References
----------
Eisner (1996), Three new probabilistic models for dependency parsing. COLING.
Paskin (2001), Cubic-time parsing and learning algorithms for grammatical bigram models
(inside-outside over the same half-trees).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.systems.parsers import _eisner_numba as kernels
from treegauge.systems.parsers.score_matrix import checked_scores, require_allowed


def best_projective_tree(scores: ArrayLike, single_root: bool = True) -> NDArray[np.int32]:
    """Return the heads of the projective tree with the highest sum of arc scores.

    Parameters
    ----------
    scores : array of (n + 1) x (n + 1) numbers
        `scores[h, d]` is the score of the arc from head h to dependent d; 0 is the root.
        Minus infinity forbids an arc. The diagonal and column 0 are not looked at.
    single_root : bool
        Whether exactly one word hangs on the root.

    Returns
    -------
    int32 array of n heads
        The same one of several best trees in every run.

    Raises
    ------
    SystemsError
        If scores are no square matrix or no numbers, or all trees have a forbidden arc.

    Examples
    --------
    The best heads of all words taken for themselves, 2 and 1, would be a cycle:

    >>> best_projective_tree([[0, 1, 3], [0, 0, 9], [0, 8, 0]]).tolist()
    [2, 0]
    >>> best_projective_tree([[0, 1, 2], [0, 0, -9], [0, -9, 0]], single_root=False).tolist()
    [0, 0]
    """
    matrix = checked_scores(scores, may_forbid=True)
    heads: NDArray[np.int32] = kernels.best_tree(matrix, single_root)
    require_allowed(matrix, heads, "projective tree")
    return heads


def projective_marginals(
    scores: ArrayLike, single_root: bool = True
) -> tuple[float, NDArray[np.float64]]:
    """Return the logarithm of the summed weights of all projective trees, and arc posteriors.

    Parameters
    ----------
    scores : array of (n + 1) x (n + 1) finite numbers
        A tree's weight is the exponential of the sum of its arcs' scores.
    single_root : bool
        Whether only trees with exactly one root word are summed over.

    Returns
    -------
    float
        log Z.
    float64 array, (n + 1) x (n + 1)
        The probability of every arc [h, d]; each column but the first sums to 1.

    Examples
    --------
    >>> log_z, arcs = projective_marginals(np.zeros((3, 3)))
    >>> round(float(np.exp(log_z)))  # 0 -> 1 -> 2 and 0 -> 2 -> 1
    2
    >>> arcs[0, 1:].round(3).tolist()
    [0.5, 0.5]
    """
    log_z, posterior = kernels.marginals(checked_scores(scores, may_forbid=False), single_root)
    return float(log_z), posterior

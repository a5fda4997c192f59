"""Projective trees by scores of arcs and of siblings: the best one, and how probable arcs are.

Siblings here are two neighbouring dependents on one side of their head, or the first dependent
on a side and nothing. A tree's score is the sum of the scores of its arcs and of its siblings;
its probability is proportional to the exponential of that sum. Both questions are answered by
dynamic programming in O(n^3).

References
----------
McDonald and Pereira (2006), Online learning of approximate dependency parsing algorithms. EACL
(section 2). Eisner (1996), Three new probabilistic models for dependency parsing. COLING.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.systems.errors import SystemsError
from treegauge.systems.parsers import _siblings_numba as kernels
from treegauge.systems.parsers.score_matrix import checked_scores, require_allowed


def best_tree_with_siblings(
    scores: ArrayLike, siblings: ArrayLike, single_root: bool = True
) -> NDArray[np.int32]:
    """Return the heads of the projective tree with the highest score.

    Parameters
    ----------
    scores : array of (n + 1) x (n + 1) numbers
        `scores[h, d]` is the score of the arc from head h to dependent d; 0 is the root.
        Minus infinity forbids an arc.
    siblings : array of (n + 1) x (n + 1) x (n + 1) finite numbers
        `siblings[h, d, s]` is the score of dependents d and s of head h, s being between h and d
        with no other dependent of h between s and d; s is 0 if d is the first on its side.
        Other places are not looked at.
    single_root : bool
        Whether exactly one word hangs on the root.

    Returns
    -------
    int32 array of n heads
        The same one of several best trees in every run.

    Raises
    ------
    SystemsError
        If shapes are wrong, scores are no numbers, or all trees have a forbidden arc.

    Examples
    --------
    Word 1 has no arcs that it prefers; it becomes a sibling of word 2 as that gives 5:

    >>> siblings = np.zeros((4, 4, 4))
    >>> siblings[3, 1, 2] = 5
    >>> arcs = [[0, 0, 0, 9], [0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 9, 0]]
    >>> best_tree_with_siblings(arcs, np.zeros((4, 4, 4))).tolist()
    [2, 3, 0]
    >>> best_tree_with_siblings(arcs, siblings).tolist()
    [3, 3, 0]
    """
    matrix = checked_scores(scores, may_forbid=True)
    heads: NDArray[np.int32] = kernels.best_tree(
        matrix, _checked_siblings(siblings, len(matrix)), single_root
    )
    require_allowed(matrix, heads, "projective tree")
    return heads


def marginals_with_siblings(
    scores: ArrayLike, siblings: ArrayLike, single_root: bool = True
) -> tuple[float, NDArray[np.float64]]:
    """Return the logarithm of the summed weights of all projective trees, and arc posteriors.

    Parameters
    ----------
    scores, siblings : arrays of finite numbers
        As for `best_tree_with_siblings`. A tree's weight is the exponential of its score.
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
    Of 0 -> 1 -> 2 and 0 -> 2 -> 1, the first has twice the weight:

    >>> siblings = np.zeros((3, 3, 3))
    >>> siblings[1, 2, 0] = np.log(2)
    >>> log_z, arcs = marginals_with_siblings(np.zeros((3, 3)), siblings)
    >>> round(float(np.exp(log_z)), 6), arcs[0, 1:].round(3).tolist()
    (3.0, [0.667, 0.333])
    """
    matrix = checked_scores(scores, may_forbid=False)
    log_z, posterior = kernels.marginals(
        matrix, _checked_siblings(siblings, len(matrix)), single_root
    )
    return float(log_z), posterior


def _checked_siblings(siblings: ArrayLike, rows: int) -> NDArray[np.float32]:
    """Return scores of siblings as kernels take them."""
    cube = np.ascontiguousarray(siblings, np.float32)
    if cube.shape != (rows, rows, rows):
        shape = " x ".join(map(str, cube.shape))
        raise SystemsError(
            f"sibling scores must have {rows} heads, dependents and inner siblings, not {shape}"
        )
    return cube

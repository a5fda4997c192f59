"""Trees by scores of arcs, crossing arcs allowed: the best one, and how probable every arc is.

A tree's score is the sum of its arcs' scores; its probability is proportional to the exponential
of that sum.

References
----------
Chu and Liu (1965), On the shortest arborescence of a directed graph. Edmonds (1967), Optimum
branchings. Tarjan (1977), Finding optimum branchings (O(n^2) on dense graphs).
Tutte (1984), Graph theory: the matrix-tree theorem. Koo, Globerson, Carreras and Collins (2007),
Structured prediction models via the matrix-tree theorem. EMNLP (one root word).
Grassmann, Taksar and Heyman (1985), Regenerative analysis and steady state distributions for
Markov chains (elimination without subtraction).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.systems.errors import SystemsError
from treegauge.systems.parsers import _spanning_trees_numba as kernels
from treegauge.systems.parsers.score_matrix import checked_scores, require_allowed


def best_spanning_tree(scores: ArrayLike, single_root: bool = True) -> NDArray[np.int32]:
    """Return the heads of the tree with the highest sum of arc scores, projective or not.

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
        Of equally good heads, the first is preferred.

    Raises
    ------
    SystemsError
        If scores are no square matrix or no numbers, or all trees have a forbidden arc.

    Examples
    --------
    The example of McDonald, Pereira, Ribarov and Hajič (2005), "John saw Mary":

    >>> minus = -np.inf
    >>> best_spanning_tree([[minus, 9, 10, 9], [minus, minus, 20, 3],
    ...                     [minus, 30, minus, 30], [minus, 11, 0, minus]]).tolist()
    [2, 0, 2]
    """
    matrix = checked_scores(scores, may_forbid=True)
    heads: NDArray[np.int32] = kernels.best_tree(matrix, single_root)
    require_allowed(matrix, heads, "tree")
    if single_root and np.count_nonzero(heads == 0) > 1:
        raise SystemsError("no tree with one root word can be made of the arcs that are allowed")
    return heads


def spanning_tree_marginals(
    scores: ArrayLike, single_root: bool = True
) -> tuple[float, NDArray[np.float64]]:
    """Return the logarithm of the summed weights of all trees, and arc posteriors.

    The sum is the determinant of the matrix-tree theorem. It is computed by eliminating one
    word after the other, with additions, multiplications and divisions only, in logarithms:
    parsers often prefer cycles to trees by far, and the determinant of a matrix that is nearly
    singular would have no correct digit.

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
    >>> log_z, arcs = spanning_tree_marginals(np.zeros((4, 4)))
    >>> round(float(np.exp(log_z)))  # 3^2 trees of three words
    9
    >>> arcs[0, 1:].round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    log_z, posterior = kernels.marginals(checked_scores(scores, may_forbid=False), single_root)
    return float(log_z), posterior

"""PageRank of the vertices of a small graph, by power iteration.

Dangling vertices, those without links, pass on what they hold as restarts do: to all
vertices, in the shares of `restart`. This is what networkx does unless it is told otherwise.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.systems.dependency_induction import _pagerank_numba as kernels


def pagerank(
    links: ArrayLike,
    *,
    restart: ArrayLike | None = None,
    damping: float = 0.85,
    tolerance: float = 1e-8,
    max_iterations: int = 1000,
) -> NDArray[np.float64]:
    """Return the PageRank of every vertex.

    Parameters
    ----------
    links : square array of float
        `links[u, v]` is the weight of the link from u to v, along which rank flows.
    restart : array of float, optional
        How often a walk begins anew at each vertex, up to a factor; equally when missing.
    damping : float
        How often a walk follows a link instead.
    tolerance : float
        Stop when all ranks together change by less.
    max_iterations : int
        Stop at the latest then; only walks that never restart can take so long.

    Returns
    -------
    array of float
        Sums to 1.

    Examples
    --------
    >>> pagerank([[0, 1], [0, 0]], damping=0.5).round(3).tolist()
    [0.4, 0.6]
    """
    weights = np.array(links, np.float64)  # a copy: the kernel divides rows by their sums
    if not len(weights):
        return np.zeros(0)
    shares = np.ones(len(weights)) if restart is None else np.array(restart, np.float64)
    ranks: NDArray[np.float64] = kernels.rank_words(
        weights, shares / shares.sum(), damping, tolerance, max_iterations
    )
    return ranks

"""Scores of all arcs of a sentence: a matrix over heads and dependents, checked."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.systems.errors import SystemsError


def checked_scores(scores: ArrayLike, *, may_forbid: bool) -> NDArray[np.float64]:
    """Return scores[head, dependent] over the root (0) and n words, as kernels take them.

    The diagonal and the column of the root stand for no arc: whatever they hold is replaced.

    Parameters
    ----------
    scores : array of (n + 1) x (n + 1) numbers
    may_forbid : bool
        Whether minus infinity is accepted, for arcs that no tree may have.

    Raises
    ------
    SystemsError
        If it is no square matrix, or an arc has no finite score.
    """
    matrix = np.array(scores, np.float64, order="C")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not len(matrix):
        shape = " x ".join(map(str, matrix.shape))
        raise SystemsError(
            f"arc scores of n words are a matrix of n + 1 heads and n + 1 dependents, not {shape}"
        )
    matrix[:, 0] = 0.0
    np.fill_diagonal(matrix, 0.0)
    bad = ~np.isfinite(matrix)
    if may_forbid:
        bad &= matrix != -np.inf
    if bad.any():
        head, dependent = np.argwhere(bad)[0].tolist()
        wanted = "a number or minus infinity" if may_forbid else "a finite number"
        raise SystemsError(
            f"the score of arc {head} -> {dependent} must be {wanted}, "
            f"not {matrix[head, dependent]}"
        )
    return matrix


def require_allowed(scores: NDArray[np.float64], heads: NDArray[np.int32], kind: str) -> None:
    """Raise if a best tree has an arc that is forbidden: then every tree has one."""
    if np.isneginf(scores[heads, np.arange(1, len(heads) + 1)]).any():
        raise SystemsError(f"no {kind} can be made of the arcs that are allowed")

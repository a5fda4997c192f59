"""Parameters of hidden Markov models, as the kernels want them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def scaled(logs: Floats) -> tuple[Floats, Floats]:
    """Return emissions with the largest of every word 1, and the logarithms of the factors."""
    top = logs.max(axis=1, initial=-np.inf)
    return np.exp(logs - top[:, None]), top


def possible(transitions: Floats) -> Floats:
    """Return all transitions but the one from the beginning to the end: no sentence is empty."""
    return transitions.ravel()[:-1]


def normalised_transitions(counts: Floats) -> Floats:
    """Return P(b | a) from counts [a, b]; the last state is the boundary.

    >>> normalised_transitions(np.array([[3.0, 1.0], [2.0, 5.0]])).tolist()
    [[0.75, 0.25], [1.0, 0.0]]
    """
    counts = counts.copy()
    counts[-1, -1] = 0
    chances: Floats = counts / counts.sum(axis=1, keepdims=True)
    return chances

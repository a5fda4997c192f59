"""The best sequence of states under trigram transitions: what TnT and TreeTagger share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.taggers._trigram_viterbi_numba import best_paths

LEAST = 1e-30
"""What a probability of zero counts as: of impossible paths the least impossible one is taken."""


@dataclass(frozen=True)
class Transitions:
    """P(state | the two states before), one row for all contexts that share a distribution.

    The boundary of a sentence is the state behind all others, both as context and as outcome.
    """

    row_of: NDArray[np.int32]
    """Two states, the one before last first, to their row."""
    rows: NDArray[np.float64]
    """Probabilities of the next state."""

    @cached_property
    def log_rows(self) -> NDArray[np.float32]:
        """Logarithms of the rows; half as many bytes, since the kernel jumps about in them."""
        return logarithms(self.rows).astype(np.float32)

    @property
    def boundary(self) -> int:
        """The state before the beginning and behind the end."""
        return len(self.row_of) - 1


@dataclass(frozen=True)
class Candidates:
    """The states that each type of words may have, and the logarithms of their emissions."""

    starts: NDArray[np.int64]
    states: NDArray[np.int32]
    scores: NDArray[np.float64]


def decode(
    types: NDArray[np.int32],
    offsets: NDArray[np.integer[Any]],
    candidates: Candidates,
    transitions: Transitions,
    *,
    beam: float | None,
) -> NDArray[np.int32]:
    """Return the best states of all sentences.

    Parameters
    ----------
    types : array
        The type of every word.
    offsets : array
        Where sentences begin.
    beam : float or None
        A path is given up when it is so many times less probable than the best one that ends at
        the same word; None is the exact Viterbi algorithm.
    """
    states = np.empty(len(types), np.int32)
    best_paths(
        np.asarray(offsets, np.int64),
        types,
        candidates.starts,
        candidates.states,
        candidates.scores,
        transitions.row_of,
        transitions.log_rows,
        transitions.boundary,
        math.inf if beam is None else math.log(beam),
        states,
    )
    return states


def logarithms(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return logarithms, of nothing less than `LEAST`."""
    return np.log(np.maximum(probabilities, LEAST))

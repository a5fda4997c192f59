"""A tagged text under an HMM whose parameters are integrated out, and its Gibbs sampler.

Transitions and emissions of every tag have symmetric Dirichlet priors (alpha, beta):

    P(t at i | rest)  ~  (n_wt + beta) / (n_t + V beta)
                         (n_at + alpha) (n_tb + [a = t = b] + alpha) / (n_t + (K + 1) alpha)

for word w between tags a and b, counted without it (Goldwater and Griffiths 2007, with
bigrams). What may follow a tag is any tag or the end; the beginning is followed by any tag.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from treegauge.systems.tag_induction._hmm_gibbs_numba import count, sweep


class TaggedCounts:
    """Tags of a text, and what is counted of them.

    Parameters
    ----------
    words : array of int
        Types.
    offsets : array of int
        Where sentences begin, and the end.
    tags : array of int
        Where the sampler begins.
    n_types, n_tags : int
        The numbers of types and tags.
    alpha, beta : float
        Of the priors of transitions and of emissions.
    """

    def __init__(
        self,
        words: NDArray[np.int32],
        offsets: NDArray[np.int64],
        tags: NDArray[np.int32],
        *,
        n_types: int,
        n_tags: int,
        alpha: float,
        beta: float,
    ) -> None:
        self._words, self._offsets = words, offsets
        self.tags = tags.astype(np.int32)
        self.alpha, self.beta = alpha, beta
        self.emitted = np.zeros((n_types, n_tags), np.int32)
        self.passed = np.zeros((n_tags + 1, n_tags + 1), np.int32)
        self.totals = np.zeros(n_tags, np.int64)
        self._rates, self._score = np.zeros(n_tags), np.zeros(n_tags)
        count(words, offsets, self.tags, self.emitted, self.passed, self.totals)

    def sweep(self, generator: np.random.Generator) -> int:
        """Draw all tags anew, from left to right; return how many changed."""
        moves = sweep(
            self._words,
            self._offsets,
            self.tags,
            self.emitted,
            self.passed,
            self.totals,
            self.alpha,
            self.beta,
            generator.random(len(self.tags)),
            self._rates,
            self._score,
        )
        return int(moves)

    def log_joint(self) -> float:
        """Return the log probability of words and tags."""
        n_tags = len(self.totals)
        return (
            _log_dirichlet_multinomial(self.emitted.T, self.beta)
            + _log_dirichlet_multinomial(self.passed[:n_tags], self.alpha)
            + _log_dirichlet_multinomial(self.passed[n_tags:, :n_tags], self.alpha)
        )


def _log_dirichlet_multinomial(counts: NDArray[Any], parameter: float) -> float:
    """Return the log probability of counts, a row for each distribution."""
    values, often = np.unique(counts[counts > 0], return_counts=True)
    drawn = float(often @ (gammaln(values + parameter) - gammaln(parameter)))
    everything = counts.shape[1] * parameter
    sums = counts.sum(axis=1)
    return drawn - float((gammaln(sums + everything) - gammaln(everything)).sum())

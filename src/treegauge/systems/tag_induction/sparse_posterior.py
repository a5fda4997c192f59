"""Posteriors of an HMM in which every type has few tags: posterior regularisation.

Of all distributions q over the tags of a text, the projection has the least

    KL(q || p) + sigma * (sum over types w and tags t of the largest q(t at i), i a word of type w)

The sum is small if the words of a type agree on few tags, however many they are (l1/linf norm).
By duality q is p with the emissions of word i times exp(-lambda_it), where lambda minimises
log Z(lambda) subject to lambda >= 0 and (sum over the words of a type of lambda_it) <= sigma. The
gradient is -q(t at i): one pass of forward and backward. It climbs by projected gradients, with
the spectral step length of Birgin, Martínez and Raydan (2000) tried first, and Armijo's condition
on what is taken. Constraints couple all words of a type, wherever they stand.

References
----------
Graça, Ganchev, Taskar and Pereira (2009), Posterior vs. parameter sparsity in latent variable
models. NIPS.
Ganchev, Graça, Gillenwater and Taskar (2010), Posterior regularization for structured latent
variable models. JMLR.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.hidden_markov.expectations import HmmExpectations, word_posteriors
from treegauge.systems.hidden_markov.parameters import Floats
from treegauge.systems.tag_induction._sparse_posterior_numba import add_by_type, damp, project
from treegauge.systems.tag_induction.encoded_text import EncodedText

_ARMIJO = 1e-4
"""The share of the fall that the slope promises which a step must reach."""
_MOST_HALVINGS = 20
_LEAST_STEP, _LARGEST_STEP = 1e-3, 1e6


@dataclass(frozen=True, eq=False)
class ConstrainedWords:
    """The words of frequent types, those of a type side by side."""

    words: NDArray[np.int64]
    """Their places in the text."""
    row: NDArray[np.int64]
    """Where each word of the text is among these; -1 if it is not."""
    limits: NDArray[np.int64]
    """Where the words of each type begin, and the end."""

    @classmethod
    def of(cls, text: EncodedText, min_count: int) -> ConstrainedWords:
        """Return the words whose type occurs often enough; the most frequent type first."""
        n_types = int(np.searchsorted(-text.counts, -min_count, side="right"))
        order = np.argsort(text.words, kind="stable")
        limits = np.append(0, np.cumsum(text.counts[:n_types])).astype(np.int64)
        chosen = order[: limits[-1]]
        row = np.full(len(text.words), -1)
        row[chosen] = np.arange(len(chosen))
        return cls(chosen, row, limits)

    @property
    def n_types(self) -> int:
        """The number of types that are constrained."""
        return len(self.limits) - 1

    def feasible(self, duals: Floats, sigma: float) -> Floats:
        """Return the nearest duals that are not negative and sum to at most sigma a type."""
        projected = np.empty_like(duals)
        project(duals, self.limits, sigma, projected)
        return projected

    def norm(self, posteriors: Floats) -> float:
        """Return the sum over types and tags of the largest posterior, [word, tag]."""
        if not self.n_types:
            return 0.0
        return float(np.maximum.reduceat(posteriors, self.limits[:-1], axis=0).sum())


@dataclass(frozen=True, eq=False)
class SparsePosterior:
    """A posterior in which types have few tags, and how it was reached."""

    duals: Floats
    """lambda, [constrained word, tag]."""
    found: HmmExpectations
    """Posteriors q of all words, and transitions under q; its log-likelihood is log Z."""
    norm: float
    """The sum of the largest posteriors."""
    gap: float
    """How much less the penalised divergence could be at most (duality gap)."""
    step: float
    """The next step length to try."""

    @property
    def objective(self) -> float:
        """Log-likelihood minus KL(q || p) minus the penalty, for the q that was reached."""
        return self.found.log_likelihood - self.gap

    def emitted(self, text: EncodedText) -> Floats:
        """Return expected counts of types with tags."""
        counts = np.zeros((text.n_types, self.found.emitted.shape[1]))
        add_by_type(text.words, self.found.emitted, counts)
        return counts


def sparse_posterior(
    text: EncodedText,
    emissions: Floats,
    scales: Floats,
    transitions: Floats,
    constrained: ConstrainedWords,
    *,
    sigma: float,
    steps: int,
    start: SparsePosterior | None = None,
) -> SparsePosterior:
    """Project the posterior of tags on those that give types few tags.

    Parameters
    ----------
    text : EncodedText
        The words.
    emissions, scales, transitions : array
        The model, as `_hmm_numba.py` has it.
    constrained : ConstrainedWords
        Of this text.
    sigma : float
        Strength of the penalty; 0 changes nothing.
    steps : int
        Most steps of the gradient.
    start : SparsePosterior, optional
        Where to begin: that of the last model.
    """
    damped = np.empty((len(text.words), emissions.shape[1]))
    damped_scales = np.empty(len(text.words))

    def at(duals: Floats) -> tuple[HmmExpectations, Floats]:
        damp(text.words, emissions, scales, constrained.row, duals, damped, damped_scales)
        found = word_posteriors(text.offsets, damped, damped_scales, transitions)
        return found, found.emitted[constrained.words]

    duals, length = np.zeros((len(constrained.words), emissions.shape[1])), 1.0
    if start is not None:
        duals, length = constrained.feasible(start.duals, sigma), start.step
    found, expected = at(duals)
    norm = constrained.norm(expected)
    # KL + penalty is -(lambda . q + log Z) + sigma * norm, the dual -log Z.
    gap = sigma * norm - _inner(duals, expected)
    for _ in range(steps):
        direction = constrained.feasible(duals + length * expected, sigma) - duals
        slope = _inner(direction, expected)
        if gap <= 0 or slope <= 0:
            break
        share = 1.0
        for _ in range(_MOST_HALVINGS):
            tried = duals + share * direction
            tried_found, tried_expected = at(tried)
            fall = found.log_likelihood - tried_found.log_likelihood
            if fall >= _ARMIJO * share * slope:
                break
            share /= 2
        else:
            break  # what is left to gain is lost in rounding
        moved = tried - duals
        curvature = _inner(moved, expected - tried_expected)
        length = _inner(moved, moved) / curvature if curvature > 0 else _LARGEST_STEP
        length = min(max(length, _LEAST_STEP), _LARGEST_STEP)
        duals, found, expected = tried, tried_found, tried_expected
        norm = constrained.norm(expected)
        gap = sigma * norm - _inner(duals, expected)
    return SparsePosterior(duals, found, norm, gap, length)


def _inner(one: Floats, other: Floats) -> float:
    # Not `@`, whose threads would decide on the last bit.
    return float(np.einsum("ij,ij", one, other))

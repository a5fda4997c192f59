"""Posteriors of an HMM in which every type has few tags: posterior regularisation.

Of all distributions q over the tags of a text, the projection has the least

    KL(q || p) + sigma * (sum over types w and tags t of the largest q(t at i), i a word of type w)

The sum is small if the words of a type agree on few tags, however many they are (l1/linf norm).
By duality q is p with the emissions of word i times exp(-lambda_it), where lambda minimises
log Z(lambda) subject to lambda >= 0 and (sum over the words of a type of lambda_it) <= sigma. The
gradient is -q(t at i): one pass of forward and backward. Constraints couple all words of a type,
wherever they stand.

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

from treegauge.systems.dual_ascent import DualPoint, climb_dual
from treegauge.systems.hidden_markov.expectations import HmmExpectations, word_posteriors
from treegauge.systems.hidden_markov.parameters import Floats
from treegauge.systems.tag_induction._sparse_posterior_numba import add_by_type, damp, project
from treegauge.systems.tag_induction.encoded_text import EncodedText

SparsePosterior = DualPoint[HmmExpectations]
"""A posterior in which types have few tags, with lambda as [constrained word, tag]."""


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


def counts_by_type(text: EncodedText, emitted: Floats) -> Floats:
    """Return expected counts of types with tags, from those of words with tags."""
    counts = np.zeros((text.n_types, emitted.shape[1]))
    add_by_type(text.words, emitted, counts)
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
        e_step = word_posteriors(text.offsets, damped, damped_scales, transitions)
        return e_step, e_step.emitted[constrained.words]

    duals, step = np.zeros((len(constrained.words), emissions.shape[1])), 1.0
    if start is not None:
        duals, step = constrained.feasible(start.duals, sigma), start.step
    return climb_dual(
        duals,
        posterior_at=at,
        feasible=lambda duals: constrained.feasible(duals, sigma),
        inner=_inner,
        penalty=lambda expected: sigma * constrained.norm(expected),
        steps=steps,
        step=step,
    )


def _inner(one: Floats, other: Floats) -> float:
    # Not `@`, whose threads would decide on the last bit.
    return float(np.einsum("ij,ij", one, other))

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
from functools import partial

import numpy as np
from numpy.typing import NDArray

from treegauge.kernels import one_blas_thread
from treegauge.systems.dependency_induction.chart.parallel import on_shards
from treegauge.systems.dual_ascent import DualPoint, climb_dual
from treegauge.systems.hidden_markov.expectations import HmmExpectations, added_up, shard_bounds
from treegauge.systems.hidden_markov.parameters import Floats
from treegauge.systems.tag_induction._sparse_posterior_numba import (
    expect_sparse,
    maxima,
    project,
    sums,
)
from treegauge.systems.tag_induction.encoded_text import EncodedText

SparsePosterior = DualPoint[HmmExpectations]
"""A posterior in which types have few tags: posteriors as [row, tag], lambda as its first rows."""


@dataclass(frozen=True, eq=False)
class WordsByType:
    """The words of a text in rows, those of a type side by side, the most frequent type first."""

    row: NDArray[np.int32]
    """The row of every word of the text."""
    types: NDArray[np.int32]
    """The type of every row."""
    limits: NDArray[np.int64]
    """The first row of every type, and the end."""
    n_constrained: int
    """How many types, of the first, are constrained."""

    @classmethod
    def of(cls, text: EncodedText, min_count: int) -> WordsByType:
        """Return the words of a text; types that occur often enough are constrained."""
        order = np.argsort(text.words, kind="stable")
        row = np.empty(len(order), np.int32)
        row[order] = np.arange(len(order), dtype=np.int32)
        limits = np.append(0, np.cumsum(text.counts)).astype(np.int64)
        n_constrained = int(np.searchsorted(-text.counts, -min_count, side="right"))
        return cls(row, text.words[order], limits, n_constrained)

    @property
    def n_constrained_words(self) -> int:
        """The number of words whose type is constrained: they have the first rows."""
        return int(self.limits[self.n_constrained])

    def feasible(self, duals: Floats, sigma: float) -> Floats:
        """Return the nearest duals that are not negative and sum to at most sigma a type."""
        projected = np.empty_like(duals)
        project(duals, self.limits[: self.n_constrained + 1], sigma, projected)
        return projected

    def norm(self, posteriors: Floats) -> float:
        """Return the sum over constrained types and tags of the largest posterior, [row, tag]."""
        largest = np.empty((self.n_constrained, posteriors.shape[1]))
        maxima(posteriors, self.limits[: self.n_constrained + 1], largest)
        return float(largest.sum())

    def counts(self, posteriors: Floats) -> Floats:
        """Return expected counts of types with tags, from posteriors, [row, tag]."""
        counts = np.empty((len(self.limits) - 1, posteriors.shape[1]))
        sums(posteriors, self.limits, counts)
        return counts


def sparse_expectations(
    text: EncodedText,
    emissions: Floats,
    scales: Floats,
    transitions: Floats,
    words: WordsByType,
    duals: Floats,
) -> HmmExpectations:
    """Return posteriors of tags, [row, tag], where lambdas weigh them down."""
    # Words of different shards are different rows: the shards can share a table.
    posteriors = np.empty((len(words.row), emissions.shape[1]))

    def of_shard(begin: int, end: int) -> tuple[float, Floats]:
        passed = np.zeros(transitions.shape)
        log_likelihood = expect_sparse(
            words.row,
            words.types,
            text.offsets[begin : end + 1],
            emissions,
            scales,
            duals,
            transitions,
            posteriors,
            passed,
        )
        return float(log_likelihood), passed

    with one_blas_thread():
        shards = on_shards(of_shard, *shard_bounds(text.offsets), threads=None)
    return HmmExpectations(
        sum(shard[0] for shard in shards), posteriors, added_up([shard[1] for shard in shards])
    )


def sparse_posterior(
    text: EncodedText,
    emissions: Floats,
    scales: Floats,
    transitions: Floats,
    words: WordsByType,
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
    words : WordsByType
        Of this text.
    sigma : float
        Strength of the penalty; 0 changes nothing.
    steps : int
        Most steps of the gradient.
    start : SparsePosterior, optional
        Where to begin: that of the last model, with a penalty that was not stronger.
    """

    def at(duals: Floats) -> tuple[HmmExpectations, Floats]:
        e_step = sparse_expectations(text, emissions, scales, transitions, words, duals)
        return e_step, e_step.emitted[: words.n_constrained_words]

    climb = partial(
        climb_dual,
        posterior_at=at,
        feasible=lambda duals: words.feasible(duals, sigma),
        inner=_inner,
        penalty=lambda expected: sigma * words.norm(expected),
    )
    if start is None:
        return climb(np.zeros((words.n_constrained_words, emissions.shape[1])), steps=steps)
    return climb(start.duals, steps=steps, step=start.step)


def _inner(one: Floats, other: Floats) -> float:
    # Not `@`, whose threads would decide on the last bit.
    return float(np.einsum("ij,ij", one, other))

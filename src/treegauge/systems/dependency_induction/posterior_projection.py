"""Posteriors that use few types of arcs: the E-step of posterior regularisation.

A type is a pair of child tag and parent tag; its instances are the places where it could be
used. Of all distributions q over trees, the projection has the least

    KL(q || p) + sigma * (sum over types of the largest E_q of an instance)

The sum is small if few types are used, however often. By duality q is p with every instance's
arcs weighted by exp(-lambda), where lambda maximises -(sum of log Z(lambda)) subject to
lambda >= 0 and (sum over a type's instances of lambda) <= sigma: one gradient is one pass of
inside and outside.

Identical sentences share their lambdas. The dual is concave and symmetric in them, so that the
mean of lambdas over identical sentences is never worse: each counts in the budget as often
as its sentence occurs, and steps are those of the corpus with all its sentences.

References
----------
Ganchev, Graça, Gillenwater and Taskar (2010), Posterior regularization for structured latent
variable models. JMLR.
Gillenwater, Ganchev, Graça, Pereira and Taskar (2010), Sparsity in dependency grammar induction.
ACL.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction._posterior_projection_numba import project_types
from treegauge.systems.dependency_induction.chart import (
    Expectations,
    Grammar,
    TagCorpus,
    expectations,
)
from treegauge.systems.dual_ascent import DualPoint, climb_dual

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Penalty = Literal["symmetric", "asymmetric"]

Projection = DualPoint[Expectations]
"""A posterior that uses few types, with a lambda for every instance."""


@dataclass(frozen=True, eq=False)
class EdgeTypes:
    """The types of arcs of a corpus and their instances, those of a type side by side."""

    cells: Ints
    """Packed arcs that are constrained; of identical sentences, those of the first."""
    instance: Ints
    """The instance that each of these belongs to."""
    times: Floats
    """How often each instance occurs in the corpus."""
    limits: Ints
    """Where the instances of each type begin, and the end."""
    types: Ints
    """[types, 3]: child tag; parent tag + 1, or 0 for the root; direction, or 0."""

    @classmethod
    def of(
        cls,
        corpus: TagCorpus,
        *,
        penalty: Penalty = "symmetric",
        directed: bool = False,
        constrain_root: bool = True,
    ) -> EdgeTypes:
        """Return the types of a corpus.

        Parameters
        ----------
        corpus : TagCorpus
            Sentences; identical ones share instances if the corpus is deduplicated.
        penalty : {"symmetric", "asymmetric"}
            An instance is a pair of words, or a child word with all words of the parent tag.
        directed : bool
            Whether arcs to the left and to the right are of different types.
        constrain_root : bool
            Whether arcs of the root are of types too.

        Examples
        --------
        >>> corpus = TagCorpus([0, 1, 1], [0, 3], n_tags=2)  # D N N
        >>> pairs, words = EdgeTypes.of(corpus), EdgeTypes.of(corpus, penalty="asymmetric")
        >>> pairs.types[:, :2].tolist()  # D under the root and N; N under the root, D and N
        [[0, 0], [0, 2], [1, 0], [1, 1], [1, 2]]
        >>> np.diff(pairs.limits).tolist(), np.diff(words.limits).tolist()
        ([1, 2, 2, 2, 2], [1, 1, 2, 2, 2])
        """
        chosen = corpus.representative
        lengths = corpus.lengths[chosen]
        n_parents = corpus.n_tags + 1
        parts: list[tuple[Ints, Ints, Ints, Floats]] = []
        for n in np.unique(lengths).tolist():
            here = lengths == n
            sentences = chosen[here]
            tags = corpus.tags[corpus.offsets[sentences][:, None] + np.arange(n)].astype(np.int64)
            parents = np.concatenate([np.zeros((len(tags), 1), np.int64), tags + 1], axis=1)
            head, child = np.indices((n + 1, n)).reshape(2, -1)
            arcs = np.flatnonzero((head != child + 1) & (constrain_root | (head > 0)))
            head, child = head[arcs], child[arcs]
            direction = (directed & (head > 0) & (child + 1 > head)).astype(np.int64)
            kind = (tags[:, child] * n_parents + parents[:, head]) * 2 + direction
            cells = corpus.arc_offsets[sentences][:, None] + arcs
            words = corpus.offsets[sentences][:, None] + child
            place = cells if penalty == "symmetric" else words
            times = np.broadcast_to(corpus.multiplicity[here][:, None], cells.shape)
            parts.append((kind.ravel(), cells.ravel(), place.ravel(), times.ravel()))
        empty = np.zeros(0, np.int64)
        kinds = np.concatenate([empty, *(part[0] for part in parts)])
        constrained = np.concatenate([empty, *(part[1] for part in parts)])
        places = np.concatenate([empty, *(part[2] for part in parts)])
        repeated = np.concatenate([np.zeros(0), *(part[3] for part in parts)])
        # Numbered by type, then by place: instances of a type are neighbours.
        _, first, instance = np.unique(
            kinds * (corpus.arc_offsets[-1] + 1) + places, return_index=True, return_inverse=True
        )
        codes, begins = np.unique(kinds[first], return_index=True)
        rest, direction = np.divmod(codes, 2)
        return cls(
            constrained,
            instance.reshape(-1),
            repeated[first],
            np.append(begins, first.size).astype(np.int64),
            np.stack([*np.divmod(rest, n_parents), direction], axis=1),
        )

    @property
    def n_instances(self) -> int:
        """Number of instances: of dual variables."""
        return self.times.size

    def inner(self, one: Floats, other: Floats) -> float:
        """Return the inner product, every instance as often as it occurs."""
        # Not `@`, whose threads would decide on the last bit.
        return float(np.einsum("i,i,i", self.times, one, other))

    def feasible(self, duals: Floats, sigma: float) -> Floats:
        """Return the nearest duals that are not negative and sum to at most sigma a type."""
        projected = np.empty_like(duals)
        project_types(duals, self.times, self.limits, sigma, projected)
        return projected

    def arc_weights(self, duals: Floats, corpus: TagCorpus) -> Floats:
        """Return exp(-lambda) of all arcs, packed; meant for the corpus of these types alone."""
        weights = np.ones(int(corpus.arc_offsets[-1]))
        weights[self.cells] = np.exp(-duals)[self.instance]
        return weights

    def expected(self, marginals: Floats) -> Floats:
        """Return how often each instance is expected, once in each of its sentences."""
        sums = np.bincount(self.instance, marginals[self.cells], self.n_instances)
        return sums.astype(np.float64, copy=False)

    def largest(self, expected: Floats) -> Floats:
        """Return the largest expectation among the instances of each type."""
        if not self.n_instances:
            return np.zeros(0)
        maxima: Floats = np.maximum.reduceat(expected, self.limits[:-1])
        return maxima


def project_posterior(
    grammar: Grammar,
    corpus: TagCorpus,
    types: EdgeTypes,
    *,
    sigma: float,
    steps: int = 10,
    tolerance: float = 0.0,
    start: Projection | None = None,
) -> Projection:
    """Project the posterior of trees on those that use few types.

    Parameters
    ----------
    grammar : Grammar
        Any weights.
    corpus : TagCorpus
        Sentences.
    types : EdgeTypes
        Of this corpus.
    sigma : float
        Strength of the penalty; 0 changes nothing. It does not grow with the corpus.
    steps : int
        Most steps of the gradient.
    tolerance : float
        Ends when the duality gap is not larger.
    start : Projection, optional
        Where to begin: that of the last grammar.
    """

    def at(duals: Floats) -> tuple[Expectations, Floats]:
        weights = types.arc_weights(duals, corpus)
        e_step = expectations(grammar, corpus, arc_weights=weights, marginals=True)
        assert e_step.marginals is not None
        return e_step, types.expected(e_step.marginals)

    duals, step = np.zeros(types.n_instances), 1.0
    if start is not None:
        duals, step = types.feasible(start.duals, sigma), start.step
    return climb_dual(
        duals,
        posterior_at=at,
        feasible=lambda duals: types.feasible(duals, sigma),
        inner=types.inner,
        penalty=lambda expected: float(sigma * types.largest(expected).sum()),
        steps=steps,
        step=step,
        tolerance=tolerance,
    )

"""Logistic normal priors on the dependency model with valence, and variational EM.

The model
---------
Every sentence has a grammar of its own. Each of its multinomials k, the root's, `attach` of a head
and direction, and the pair `stop` and `go` of a head, direction and valence, is drawn as
theta_k = softmax(eta_k), eta_k ~ Normal(mu_k, Sigma_k). Covariances can say what a Dirichlet
cannot: that a head which takes one kind of noun takes others. mu and Sigma are learnt.

With *shared* experts (Cohen and Smith 2009), eta_k is the average of a private Gaussian and one
that several multinomials have in common; without, of the private one alone.

Learning
--------
The posterior of a sentence is approximated by q(tree) q(eta), the latter Gaussian with mean m and
diagonal variances s. Whatever z > 0 is,

    E[log theta_i] >= psi_i = m_i - log z + 1 - (1/z) sum_j exp(m_j + s_j / 2)

and the best z is that sum. With it, and with q(tree), the bound is concave in m and s together.
A sweep finds q(tree), the posterior of trees with weights exp(psi); then, for every expert, takes
a Newton step in m (by conjugate gradients) and one in every s at once, and halves them until the
bound rises. The prior is then

    mu = mean of m,    Sigma = covariance of m + mean of diag(s)

No step lowers the bound on the log-likelihood, since q is kept from iteration to iteration.

What is reached
---------------
A sentence touches the multinomials that a tree over its tags can use; of these q has all
coordinates, also those of absent tags, which the softmax and Sigma couple to the others. For the
rest of them q is the prior, and adds nothing to the bound; therefore mu and Sigma are
averages over the sentences that touch an expert, and nothing else would maximise it. Identical
tag sequences have identical q: each is done once.

References
----------
Cohen, Gimpel and Smith (2008), Logistic normal priors for unsupervised probabilistic grammar
induction. NIPS. Cohen and Smith (2009), Shared logistic normal distributions for soft parameter
tying in unsupervised grammar induction. NAACL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from treegauge.systems.dependency_induction._logistic_normal_numba import (
    invert,
)
from treegauge.systems.dependency_induction.chart import Grammar

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

WITHIN_A_GROUP = 0.5
"""Covariance of two events whose tags are of one coarse group, where families are told."""
ADDED = 1e-6
"""To variances in the M-step, so that covariances stay positive definite."""
_LEAST = 1e-12
"""Probability of what the first grammar takes to be impossible."""


@dataclass(frozen=True, eq=False)
class Experts:
    """The Gaussians of K multinomials of one size N: K private ones, then those shared."""

    mean: Floats
    """[expert, N]"""
    covariance: Floats
    """[expert, N, N]"""
    shared: Ints
    """[K]: the expert that a multinomial shares with others; -1 for none."""

    @classmethod
    def around(cls, logs: Floats, covariance: Floats, ties: Ints) -> Experts:
        """Return experts whose averages are given: logarithms [K, N] of probabilities.

        Parameters
        ----------
        logs : float array, [K, N]
            The averages.
        covariance : float array, [N, N]
            Of every expert.
        ties : int array, [K]
            Multinomials of the same number share an expert, -1 shares none. The
            shared expert begins at the mean of its multinomials, and the private one where the
            average of both is what is asked for.
        """
        shared = np.full(len(logs), -1, np.int64)
        private = logs.copy()
        common: list[Floats] = []
        for tie in np.unique(ties[ties >= 0]):
            tied = np.flatnonzero(ties == tie)
            if tied.size < 2:
                continue
            shared[tied] = len(logs) + len(common)
            common.append(logs[tied].mean(axis=0))
            private[tied] = 2 * logs[tied] - common[-1]
        mean = np.concatenate([private, np.reshape(common, (-1, logs.shape[1]))])
        return cls(mean, np.repeat(covariance[None], len(mean), axis=0), shared)

    @cached_property
    def averages(self) -> Floats:
        """The mean of each multinomial's experts, [K, N]."""
        averages = self.mean[: self.shared.size].copy()
        tied = self.shared >= 0
        averages[tied] = (averages[tied] + self.mean[self.shared[tied]]) / 2
        return averages

    @cached_property
    def kernel_arguments(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Means, covariances, their inverses, and log-determinants of the covariances."""
        precision, log_determinant = np.empty_like(self.covariance), np.empty(len(self.mean))
        invert(self.covariance, precision, log_determinant)
        return self.mean, self.covariance, precision, log_determinant


@dataclass(frozen=True, eq=False)
class LogisticNormal:
    """The prior: experts of the multinomials over tags, and of those over stop and go.

    Multinomial 0 over tags is the root's, 1 + 2 h + direction that of the dependents of tag h;
    number 4 h + 2 direction + valence of the others has stop and go.
    """

    wide: Experts
    narrow: Experts

    @classmethod
    def around(
        cls,
        grammar: Grammar,
        *,
        groups: Sequence[str] | None = None,
        has_families: bool = True,
        tied: frozenset[str] = frozenset(),
        tie_stops: bool = True,
    ) -> LogisticNormal:
        """Return the prior of variance 1 whose grammar is given.

        Parameters
        ----------
        grammar : Grammar
            Of two decision valences and one child valence.
        groups : sequence of str, optional
            Coarse groups of tags; empty for a tag that is in none.
        has_families : bool
            Whether two events of one group have covariance 0.5; otherwise, and
            between groups, it is 0.
        tied : set of str
            Heads of a group in it share experts, by direction (and valence).
        tie_stops : bool
            Whether stop and go are tied as well.

        Examples
        --------
        >>> prior = LogisticNormal.around(Grammar.uniform(3))
        >>> prior.wide.mean.shape, prior.narrow.mean.shape
        ((7, 3), (12, 2))
        >>> tied = LogisticNormal.around(
        ...     Grammar.uniform(3), groups=("verb", "noun", "verb"), tied=frozenset({"verb"}))
        >>> tied.wide.shared.tolist()
        [-1, 7, 8, -1, -1, 7, 8]
        """
        tags = grammar.n_tags
        names = np.array(groups if groups is not None else [""] * tags)
        same = (names[:, None] == names) & (names != "") & has_families
        covariance = np.where(same, WITHIN_A_GROUP, 0.0)
        np.fill_diagonal(covariance, 1.0)
        numbers = {group: number for number, group in enumerate(sorted(tied))}
        number = np.array([numbers.get(group, -1) for group in names.tolist()], np.int64)
        attach_ties = np.where(number[:, None] < 0, -1, number[:, None] * 2 + np.arange(2))
        stop_ties = np.where(number[:, None] < 0, -1, number[:, None] * 4 + np.arange(4))
        logs = {name: np.log(np.maximum(table, _LEAST)) for name, table in grammar.arrays().items()}
        return cls(
            Experts.around(
                np.concatenate([logs["root"][None], logs["attach"].reshape(-1, tags)]),
                covariance,
                np.concatenate([[-1], attach_ties.ravel()]),
            ),
            Experts.around(
                np.stack([logs["stop"].ravel(), logs["go"].ravel()], axis=1),
                np.eye(2),
                stop_ties.ravel() if tie_stops else np.full(4 * tags, -1),
            ),
        )

    @property
    def grammar(self) -> Grammar:
        """The grammar at the mean of the prior."""
        over_tags = softmax(self.wide.averages, axis=1)
        decisions = softmax(self.narrow.averages, axis=1)
        tags = over_tags.shape[1]
        return Grammar(
            over_tags[0],
            decisions[:, 0].reshape(tags, 2, 2),
            decisions[:, 1].reshape(tags, 2, 2),
            over_tags[1:].reshape(tags, 2, 1, tags),
        )

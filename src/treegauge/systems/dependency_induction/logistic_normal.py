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

and the best z is that sum. A sweep finds q(tree), the posterior of trees with weights exp(psi);
then, for every expert, takes a Newton step in m (by conjugate gradients, along which z stays the
best) and maximises over s (by Newton's method in log s, z being fixed). The prior is then

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
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from treegauge.systems.dependency_induction._logistic_normal_numba import (
    improve_sentences,
    invert,
    moments,
)
from treegauge.systems.dependency_induction.chart import Grammar, TagCorpus
from treegauge.systems.dependency_induction.chart.automaton import side_automaton
from treegauge.systems.dependency_induction.chart.parallel import on_shards
from treegauge.systems.dependency_induction.chart.weights import LEAST_Z

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

WITHIN_A_GROUP = 0.5
"""Covariance of two events whose tags are of one coarse group, where families are told."""
ADDED = 1e-6
"""To variances in the M-step, so that covariances stay positive definite."""
CHANGE = 1e-4
"""A sentence rests when a sweep changes its bound by less, relatively."""
_LEAST = 1e-12
"""Probability of what the first grammar takes to be impossible."""
_CHUNK = 64
"""Sentences of a task. Results do not depend on it."""


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
    def kernel_arguments(self) -> tuple[Floats, Floats, Floats]:
        """Means, inverse covariances and their log-determinants (of the covariances)."""
        precision, log_determinant = np.empty_like(self.covariance), np.empty(len(self.mean))
        invert(self.covariance, precision, log_determinant)
        return self.mean, precision, log_determinant


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


@dataclass(frozen=True, eq=False)
class SentenceGaussians:
    """Which multinomials and experts of one kind each sentence touches, and its q of them."""

    offsets: Ints
    """Where the multinomials of sentences begin, and the end."""
    shared: Ints
    """By multinomial: which of the sentence's experts it shares with others; -1 for none."""
    expert_offsets: Ints
    """Where the experts of sentences begin, and the end."""
    experts: Ints
    """Their numbers among all experts."""
    times: Floats
    """By expert of a sentence: how often the sentence occurs."""
    means: Floats
    variances: Floats

    @classmethod
    def of(cls, touched: list[list[int]], times: Floats, prior: Experts) -> SentenceGaussians:
        """Return the layout of sentences that touch some multinomials, with q from the prior."""
        local, experts, expert_counts = [], [], []
        shared_of = prior.shared.tolist()
        for mine in touched:
            places: dict[int, int] = {}
            for multinomial in mine:
                common = shared_of[multinomial]
                if common >= 0:
                    common = places.setdefault(common, len(mine) + len(places))
                local.append(common)
            experts += [*mine, *places]
            expert_counts.append(len(mine) + len(places))
        numbers = np.array(experts, np.int64)
        mean, precision, _ = prior.kernel_arguments
        variances = 1 / np.diagonal(precision, axis1=1, axis2=2)
        return cls(
            _offsets([len(mine) for mine in touched]),
            np.array(local, np.int64),
            _offsets(expert_counts),
            numbers,
            np.repeat(times, expert_counts),
            mean[numbers],
            variances[numbers],
        )

    @property
    def kernel_arguments(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Which sentence has which."""
        return self.offsets, self.shared, self.expert_offsets, self.experts

    def best_prior(self, prior: Experts) -> Experts:
        """Return the prior that maximises the bound, given q."""
        mean, covariance = prior.mean.copy(), prior.covariance.copy()
        touched = np.zeros(len(mean))
        moments(
            self.experts, self.times, self.means, self.variances, mean, covariance, touched
        )  # fmt: skip
        covariance[touched > 0] += ADDED * np.eye(mean.shape[1])
        return replace(prior, mean=mean, covariance=covariance)


class VariationalPosterior:
    """The approximate posterior q of all sentences of a corpus, kept between iterations.

    Parameters
    ----------
    corpus : TagCorpus
        Sentences; those without words are passed over.
    prior : LogisticNormal
        Where q begins. Ties are the same in all priors that follow.

    Examples
    --------
    >>> corpus = TagCorpus([0, 1, 2, 1, 2, 2], [0, 3, 5, 6], n_tags=3)
    >>> prior = LogisticNormal.around(Grammar.random(np.random.default_rng(1), 3))
    >>> q = VariationalPosterior(corpus, prior)
    >>> before = q.improve(prior)
    >>> q.improve(q.best_prior(prior)) > before
    True
    """

    def __init__(self, corpus: TagCorpus, prior: LogisticNormal) -> None:
        chosen = corpus.representative
        lengths = corpus.lengths[chosen]
        order = np.argsort(lengths, kind="stable")
        self.multiplicity = corpus.multiplicity[order]
        sentences = [
            corpus.tags[corpus.offsets[s] : corpus.offsets[s + 1]] for s in chosen[order].tolist()
        ]
        self._tags = np.concatenate([np.zeros(0, np.int32), *sentences])
        self._offsets = _offsets(lengths[order])
        wide, narrow, attach_at, stop_at = [], [], [], []
        for sentence in sentences:
            touched = _touched(sentence.tolist())
            wide.append(touched[0])
            narrow.append(touched[1])
            attach_at += touched[2]
            stop_at += touched[3]
        self._attach_at = np.array(attach_at, np.int64).reshape(-1, 2)
        self._stop_at = np.array(stop_at, np.int64).reshape(-1, 2, 2)
        self.wide = SentenceGaussians.of(wide, self.multiplicity, prior.wide)
        self.narrow = SentenceGaussians.of(narrow, self.multiplicity, prior.narrow)
        self.bounds = np.full(len(sentences), -np.inf)
        """The bound of each distinct sentence, by length."""

    def improve(
        self,
        prior: LogisticNormal,
        *,
        by_tags: Floats | None = None,
        sweeps: int = 10,
        tolerance: float = CHANGE,
        threads: int | None = None,
    ) -> float:
        """Improve q; return the bound on the log-likelihood.

        Parameters
        ----------
        prior : LogisticNormal
            The same, or the one that followed.
        by_tags : float array, [T + 1, T], optional
            Logarithms of weights that multiply arcs, by head (row 0 for the root) and dependent.
        sweeps : int
            Most sweeps for a sentence.
        tolerance : float
            A sentence rests when its bound changes by less, relatively.
        threads : int, optional
            All cores if not given; results are the same for any number, to the last bit.
        """
        self._run(prior, by_tags, None, sweeps, tolerance, threads, self.bounds)
        return float(self.multiplicity @ self.bounds)

    def matching_arcs(
        self,
        prior: LogisticNormal,
        rules: NDArray[np.bool_],
        *,
        by_tags: Floats | None = None,
        threads: int | None = None,
    ) -> float:
        """Return the expected number of arcs, of all sentences, that match one of the rules."""
        matches = self._run(prior, by_tags, rules, 0, 0.0, threads, np.empty_like(self.bounds))
        return float(self.multiplicity @ matches)

    def best_prior(self, prior: LogisticNormal) -> LogisticNormal:
        """Return the prior that maximises the bound, given q: the M-step."""
        return LogisticNormal(
            self.wide.best_prior(prior.wide), self.narrow.best_prior(prior.narrow)
        )

    def _run(
        self,
        prior: LogisticNormal,
        by_tags: Floats | None,
        rules: NDArray[np.bool_] | None,
        sweeps: int,
        tolerance: float,
        threads: int | None,
        bounds: Floats,
    ) -> Floats:
        n_tags = prior.wide.mean.shape[1]
        matches = np.zeros(self.bounds.size)
        arcs = np.zeros((n_tags + 1, n_tags)) if by_tags is None else by_tags
        matching = np.zeros((0, 0), np.bool_) if rules is None else rules
        automaton: Any = side_automaton(2, 1, "inside_out").kernel_arguments
        words = (self._tags, self._offsets, self._attach_at, self._stop_at)
        wide, narrow = self.wide, self.narrow
        wide_prior, narrow_prior = prior.wide.kernel_arguments, prior.narrow.kernel_arguments

        def work(begin: int) -> None:
            improve_sentences(
                begin,
                min(begin + _CHUNK, self.bounds.size),
                words,
                arcs,
                matching,
                automaton,
                LEAST_Z,
                wide.kernel_arguments,
                wide_prior,
                wide.means,
                wide.variances,
                narrow.kernel_arguments,
                narrow_prior,
                narrow.means,
                narrow.variances,
                sweeps,
                tolerance,
                bounds,
                matches,
            )

        # Sentences share nothing: each writes its own experts, bound and matches.
        on_shards(work, range(0, self.bounds.size, _CHUNK), threads=threads)
        return matches


def _offsets(counts: Any) -> Ints:
    return np.concatenate([[0], np.cumsum(np.asarray(counts, np.int64))])


def _touched(
    tags: list[int],
) -> tuple[list[int], list[int], list[list[int]], list[list[list[int]]]]:
    """Return the multinomials that trees over some tags can use, and where words find theirs.

    A side on which no word with the tag has a neighbour can stop at once and do nothing else.

    Examples
    --------
    >>> wide, narrow, attach_at, stop_at = _touched([0, 1])
    >>> wide, narrow  # the root's, right of 0, left of 1; both stop at once on either side
    ([0, 2, 3], [0, 2, 3, 4, 5, 6])
    >>> attach_at, stop_at[0]
    ([[-1, 1], [2, -1]], [[0, -1], [1, 2]])
    """
    wide: dict[int, int] = {0: 0}
    narrow: dict[int, int] = {}
    places = {tag: (tags.index(tag), len(tags) - 1 - tags[::-1].index(tag)) for tag in tags}
    attach_at, stop_at = [], []
    for tag, (first, last) in places.items():
        for direction, has_neighbour in ((0, last > 0), (1, first < len(tags) - 1)):
            narrow.setdefault(4 * tag + 2 * direction, len(narrow))
            if has_neighbour:
                wide.setdefault(1 + 2 * tag + direction, len(wide))
                narrow.setdefault(4 * tag + 2 * direction + 1, len(narrow))
    for tag in tags:
        attach_at.append([wide.get(1 + 2 * tag + direction, -1) for direction in range(2)])
        stop_at.append(
            [
                [narrow.get(4 * tag + 2 * direction + valence, -1) for valence in range(2)]
                for direction in range(2)
            ]
        )
    return list(wide), list(narrow), attach_at, stop_at

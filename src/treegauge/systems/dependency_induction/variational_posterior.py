"""The variational posterior of a corpus under logistic normal priors, sentence by sentence.

The bound, its steps and what a sentence touches are described in `logistic_normal`.

References
----------
Cohen, Gimpel and Smith (2008), Logistic normal priors for unsupervised probabilistic grammar
induction. NIPS.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction._logistic_normal_numba import (
    improve_sentences,
    moments,
)
from treegauge.systems.dependency_induction.chart import TagCorpus
from treegauge.systems.dependency_induction.chart.automaton import side_automaton
from treegauge.systems.dependency_induction.chart.parallel import on_shards
from treegauge.systems.dependency_induction.chart.weights import LEAST_Z
from treegauge.systems.dependency_induction.logistic_normal import (
    ADDED,
    Experts,
    LogisticNormal,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CHANGE = 1e-4
"""A sentence rests when a sweep changes its bound by less, relatively."""
_CHUNK = 64
"""Sentences of a task. Results do not depend on it."""


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
        mean, _, precision, _ = prior.kernel_arguments
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
    >>> from treegauge.systems.dependency_induction.chart import Grammar
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
                (wide.means, wide.variances),
                narrow.kernel_arguments,
                narrow_prior,
                (narrow.means, narrow.variances),
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

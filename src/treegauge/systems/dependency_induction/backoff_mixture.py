"""Children that may be chosen without regard to their head: smoothing inside the model.

Before a child is chosen, a coin says whether its head matters:

    attach(c | h, dir, v) = keep(h, dir, v) p(c | h, dir, v) + back_off(h, dir, v) p(c | dir, v)

Coins have Dirichlet priors that back off twice as readily as not, (1, 2); all other
distributions have symmetric ones. Mean field: charts see one weight for each arc, the sum of both
ways to it, and its expected count is split between them in proportion.

References
----------
Headden, Johnson and McClosky (2009), Improving unsupervised dependency parsing with richer
contexts and smoothing. NAACL.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma, gammaln

from treegauge.systems.dependency_induction.chart import (
    ChildValenceOrder,
    Counts,
    Expectations,
    Grammar,
)

Floats = NDArray[np.float64]

KEEP, BACK_OFF = 0, 1
COIN = np.array([1.0, 2.0])
"""Prior of the coins: keep the head, back off."""


@dataclass(frozen=True, eq=False)
class BackoffPosterior:
    """Dirichlet posteriors of all distributions of the model."""

    prior: float
    """Of the distributions over tags and decisions."""
    root: Floats
    decisions: Floats
    """[head, direction, valence, stop or go]"""
    children: Floats
    """[head, direction, valence, child]: of children that their head has a say in."""
    pooled: Floats
    """[direction, valence, child]: of the others."""
    coins: Floats
    """[head, direction, valence, keep or back off]"""
    order: ChildValenceOrder

    @classmethod
    def of(cls, counts: Counts, kept: Floats, prior: float) -> BackoffPosterior:
        """Return the posterior of expected counts, and of the share of each arc that is kept."""
        children = counts.attach * kept
        others = counts.attach - children
        by_coin = np.stack([children.sum(axis=-1), others.sum(axis=-1)], axis=-1)
        return cls(
            prior,
            counts.root + prior,
            np.stack([counts.stop, counts.go], axis=-1) + prior,
            children + prior,
            others.sum(axis=0) + prior,
            by_coin + COIN,
            counts.child_valence_order,
        )

    def ways(self) -> tuple[Floats, Floats]:
        """Return the mean-field weights of the two ways to attach a child."""
        coins = _geometric(self.coins)
        kept = coins[..., KEEP, None] * _geometric(self.children)
        return kept, coins[..., BACK_OFF, None] * _geometric(self.pooled)

    def mean(self) -> Grammar:
        """Return the grammar of posterior means, whose rows sum to 1."""
        coins, decisions = _mean(self.coins), _mean(self.decisions)
        attach = coins[..., KEEP, None] * _mean(self.children)
        attach = attach + coins[..., BACK_OFF, None] * _mean(self.pooled)
        return Grammar(
            _mean(self.root), decisions[..., 0], decisions[..., 1], attach, self.order
        )  # fmt: skip

    def divergence(self) -> float:
        """Return the sum of KL(posterior || prior) over all distributions."""
        tables = (self.root, self.decisions, self.children, self.pooled)
        plain = sum(_divergence(table, np.full(table.shape[-1], self.prior)) for table in tables)
        return plain + _divergence(self.coins, COIN)


@dataclass(frozen=True, eq=False)
class BackoffGrammar(Grammar):
    """Mean-field weights of a posterior: no probabilities, rows sum to less than 1."""

    posterior: BackoffPosterior | None = None

    @classmethod
    def from_posterior(cls, posterior: BackoffPosterior) -> BackoffGrammar:
        """Return the weights that charts should use."""
        decisions = _geometric(posterior.decisions)
        return cls(
            _geometric(posterior.root),
            decisions[..., 0],
            decisions[..., 1],
            np.add(*posterior.ways()),
            posterior.order,
            posterior=posterior,
        )

    @classmethod
    def from_first_counts(cls, e_step: Expectations, prior: float) -> BackoffGrammar:
        """Return the weights after a first E-step, in which coins fall as their prior says."""
        kept = np.full_like(e_step.counts.attach, COIN[KEEP] / COIN.sum())
        return cls.from_posterior(BackoffPosterior.of(e_step.counts, kept, prior))

    @cached_property
    def known_posterior(self) -> BackoffPosterior:
        """The posterior that the weights are of."""
        assert self.posterior is not None
        return self.posterior

    def updated(self, counts: Counts) -> BackoffGrammar:
        """Return the weights of the posterior of counts that were expected under these."""
        posterior = self.known_posterior
        kept, others = posterior.ways()
        return self.from_posterior(
            BackoffPosterior.of(counts, kept / (kept + others), posterior.prior)
        )


def _geometric(alpha: Floats) -> Floats:
    """Return exp(E[log p]) of every row's Dirichlet distribution."""
    weights: Floats = np.exp(digamma(alpha) - digamma(alpha.sum(axis=-1, keepdims=True)))
    return weights


def _mean(alpha: Floats) -> Floats:
    means: Floats = alpha / alpha.sum(axis=-1, keepdims=True)
    return means


def _divergence(alpha: Floats, prior: Floats) -> float:
    """Return the sum over rows of KL(Dirichlet(alpha) || Dirichlet(prior))."""
    total = alpha.sum(axis=-1)
    expected_logs = digamma(alpha) - digamma(total)[..., None]
    rows = (
        gammaln(total)
        - gammaln(alpha).sum(axis=-1)
        - gammaln(prior.sum())
        + gammaln(prior).sum()
        + ((alpha - prior) * expected_logs).sum(axis=-1)
    )
    return float(rows.sum())

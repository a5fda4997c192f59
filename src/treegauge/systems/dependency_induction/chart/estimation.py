"""Grammars from counts: the M-step and its variants.

Conventions
-----------
A row is one distribution: `root`, a pair of `stop` and `go`, the dependents of `attach[h, dir, v]`.
A row without any events (and without smoothing) keeps the row of the previous grammar; if there
is none, it becomes uniform.

References
----------
Klein and Manning (2004), Corpus-based induction of syntactic structure. ACL.
Headden, Johnson and McClosky (2009), Improving unsupervised dependency parsing with richer
contexts and smoothing. NAACL.
Tu and Honavar (2012), Unambiguity regularization for unsupervised learning of probabilistic
grammars. EMNLP.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import digamma

from treegauge.systems.dependency_induction.chart.errors import ChartError
from treegauge.systems.dependency_induction.chart.events import Counts, Floats, Grammar


@dataclass(frozen=True)
class Smoothing:
    """What is added to every count, by kind of event."""

    root: float = 0.0
    stop: float = 0.0
    """To stops and to goes."""
    attach: float = 0.0

    def __post_init__(self) -> None:
        if min(self.root, self.stop, self.attach) < 0:
            raise ChartError(f"smoothing cannot be negative; found {self}")


def estimate(
    counts: Counts,
    *,
    smoothing: float | Smoothing = 0.0,
    backoff: float = 0.0,
    previous: Grammar | None = None,
) -> Grammar:
    """Return relative frequencies.

    Parameters
    ----------
    counts : Counts
        Expected or observed.
    smoothing : float or Smoothing
        Added to every count (lambda); the estimate is then the mode under Dirichlet priors of
        1 + lambda, and `log_prior` what they add to the objective.
    backoff : float
        Weight b of dependents pooled over heads:
        attach = (1 - b) p(c | h, dir, v) + b p(c | dir, v).
    previous : Grammar, optional
        Where rows without events come from.

    Examples
    --------
    >>> counts = Counts.zeros(2)
    >>> counts.root[:] = 3, 1
    >>> estimate(counts).root.tolist()
    [0.75, 0.25]
    >>> estimate(counts, smoothing=1).root.round(3).tolist()
    [0.667, 0.333]
    """
    return _estimated(counts, _as_smoothing(smoothing), backoff, previous, _frequencies)


def estimate_variational(
    counts: Counts, *, alpha: float, backoff: float = 0.0, previous: Grammar | None = None
) -> Grammar:
    """Return exp(digamma(c + alpha)) / exp(digamma(sum of c + alpha)) for every row.

    Mean field under symmetric Dirichlet priors (alpha < 1 prefers sparse rows). Rows sum to
    less than 1: the log-likelihood of such a grammar is part of a bound, not a likelihood.
    """
    if not alpha > 0:
        raise ChartError(f"alpha must be positive; found {alpha}")
    return _estimated(counts, Smoothing(alpha, alpha, alpha), backoff, previous, _mean_field)


def estimate_with_prior(
    counts: Counts, *, alpha: float, backoff: float = 0.0, previous: Grammar | None = None
) -> Grammar:
    """Return the mode for alpha >= 1 (adds alpha - 1), the variational estimate below."""
    if alpha >= 1:
        return estimate(counts, smoothing=alpha - 1, backoff=backoff, previous=previous)
    return estimate_variational(counts, alpha=alpha, backoff=backoff, previous=previous)


def log_prior(grammar: Grammar, smoothing: float | Smoothing) -> float:
    """Return lambda times the sum of all log probabilities: what EM with smoothing adds.

    `log_likelihood + log_prior` does not fall from iteration to iteration of EM with this
    smoothing (and no back-off).
    """
    added = _as_smoothing(smoothing)
    pairs = (
        (added.root, grammar.root),
        (added.stop, grammar.stop),
        (added.stop, grammar.go),
        (added.attach, grammar.attach),
    )
    with np.errstate(divide="ignore"):
        return float(sum(weight * np.log(table).sum() for weight, table in pairs if weight > 0))


def _as_smoothing(smoothing: float | Smoothing) -> Smoothing:
    if isinstance(smoothing, Smoothing):
        return smoothing
    return Smoothing(smoothing, smoothing, smoothing)


def _frequencies(counts: Floats) -> Floats:
    frequencies: Floats = counts / counts.sum(axis=-1, keepdims=True)
    return frequencies


def _mean_field(counts: Floats) -> Floats:
    expected: Floats = np.exp(digamma(counts) - digamma(counts.sum(axis=-1, keepdims=True)))
    return expected


def _estimated(
    counts: Counts,
    added: Smoothing,
    backoff: float,
    previous: Grammar | None,
    normalise: Callable[[Floats], Floats],
) -> Grammar:
    if not 0 <= backoff <= 1:
        raise ChartError(f"the weight of the back-off must be between 0 and 1; found {backoff}")
    if previous is not None:
        previous.require_like(counts)

    def rows(events: Floats, smoothing: float, before: Floats | None) -> Floats:
        smoothed = events + smoothing
        empty = smoothed.sum(axis=-1) <= 0
        smoothed[empty] = 1.0
        estimated = normalise(smoothed)
        if empty.any():
            uniform = np.full_like(smoothed, 1 / smoothed.shape[-1])
            estimated[empty] = (uniform if before is None else before)[empty]
        return estimated

    old_root, old_decisions, old_attach = None, None, None
    if previous is not None:
        old_root, old_attach = previous.root, previous.attach
        old_decisions = np.stack([previous.stop, previous.go], axis=-1)
    decisions = rows(np.stack([counts.stop, counts.go], axis=-1), added.stop, old_decisions)
    attach = rows(counts.attach, added.attach, old_attach)
    if backoff > 0:
        pooled = rows(counts.attach.sum(axis=0), added.attach, None)
        known = counts.attach.sum(axis=-1, keepdims=True) + added.attach > 0
        attach = np.where(known, (1 - backoff) * attach + backoff * pooled, attach)
    return Grammar(
        rows(counts.root, added.root, old_root),
        decisions[..., 0],
        decisions[..., 1],
        attach,
        counts.child_valence_order,
    )

"""A mixture of types: given its class, each feature of a type is drawn independently.

Classes are drawn from a symmetric Dirichlet-multinomial with parameter alpha, the features of
kind m in a class from one with parameter beta_m. All distributions are integrated out:

    P(z_w = k | rest)  ~  (M_k + alpha) prod_m  prod_f rise(N_kf + beta_m, x_wf)
                                               / rise(N_k + F_m beta_m, x_w)
    rise(a, n) = Gamma(a + n) / Gamma(a)

where a class has M_k types without w, which have feature f N_kf times (Christodoulopoulos et
al. 2011). It costs K lookups in a table of log Gamma for each feature that w has at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from treegauge.systems.tag_induction._type_mixture_numba import add, sweep, write_scores
from treegauge.systems.tag_induction.type_features import FeatureKind, TypeFeatures

_TABULATED = 4096
"""Counts up to which log Gamma is tabulated; few are larger."""
_PROPOSALS = 5
_RELATIVE_STEP = 0.1


class MixtureCounts(NamedTuple):
    """Which types and features classes have."""

    classes: NDArray[np.int32]
    types: NDArray[np.int64]
    counts: NDArray[np.int32]
    """[feature, class]."""
    totals: NDArray[np.int64]
    """[kind, class]."""


class MixturePriors(NamedTuple):
    """Parameters of the Dirichlet distributions, and what is computed from them."""

    alpha: float
    betas: NDArray[np.float64]
    """Of each kind."""
    all_betas: NDArray[np.float64]
    """The same, times the features of the kind."""
    log_gamma: NDArray[np.float64]
    """[kind, n]: log Gamma(n + beta)."""


class TypeMixture:
    """Types in classes, their features counted, and the sampler.

    Parameters
    ----------
    kinds : sequence of FeatureKind
        What is known of the types.
    classes : array of int
        Where they begin.
    n_classes : int
        The number of classes, empty ones included.
    alpha, beta : float
        First values of the priors' parameters.
    """

    def __init__(
        self,
        kinds: Sequence[FeatureKind],
        classes: NDArray[np.int32],
        n_classes: int,
        *,
        alpha: float = 0.1,
        beta: float = 0.1,
    ) -> None:
        self.n_features = np.array([kind.n_features for kind in kinds])
        self.features = TypeFeatures.of(kinds)
        self.counts = MixtureCounts(
            classes.astype(np.int32),
            np.zeros(n_classes, np.int64),
            np.zeros((int(self.n_features.sum()), n_classes), np.int32),
            np.zeros((len(kinds), n_classes), np.int64),
        )
        self._score = np.zeros(n_classes)
        for w in range(len(classes)):
            add(self.counts, self.features, w, self.counts.classes[w], 1)
        self.set_priors(alpha, np.full(len(kinds), beta))

    @property
    def classes(self) -> NDArray[np.int32]:
        """The class of every type."""
        return self.counts.classes

    def set_priors(self, alpha: float, betas: NDArray[np.float64]) -> None:
        """Take other parameters of the Dirichlet distributions."""
        most = min(int(self.counts.counts.sum(axis=1).max(initial=0)) + 1, _TABULATED)
        self.priors = MixturePriors(
            float(alpha),
            betas,
            betas * self.n_features,
            gammaln(np.arange(most)[None] + betas[:, None]),
        )

    def scores(self, kind: int) -> NDArray[np.float64]:
        """Return the log joint of a type in every class, up to a constant."""
        now = self.classes[kind]
        add(self.counts, self.features, kind, now, -1)
        write_scores(self.counts, self.priors, self.features, kind, self._score)
        add(self.counts, self.features, kind, now, 1)
        return self._score.copy()

    def sweep(self, temperature: float, generator: np.random.Generator) -> int:
        """Draw all classes anew, in random order; return how many types moved."""
        n_types = len(self.classes)
        order = generator.permutation(n_types)
        uniforms = generator.random(n_types)
        return int(
            sweep(
                self.counts, self.priors, self.features, order, uniforms, temperature, self._score
            )
        )

    def log_joint(self) -> float:
        """Return the log probability of classes and features."""
        priors = self.priors
        return self._log_classes(priors.alpha) + sum(
            self._log_features(kind, float(beta)) for kind, beta in enumerate(priors.betas)
        )

    def _log_classes(self, alpha: float) -> float:
        return _log_dirichlet_multinomial(
            self.counts.types[:, None], self.counts.types.sum(keepdims=True), alpha
        )

    def _log_features(self, kind: int, beta: float) -> float:
        end = int(self.n_features[: kind + 1].sum())
        rows = self.counts.counts[end - int(self.n_features[kind]) : end]
        return _log_dirichlet_multinomial(rows, self.counts.totals[kind], beta)

    def resample_priors(self, generator: np.random.Generator) -> None:
        """Draw the parameters anew by Metropolis-Hastings, each with an Exponential(1) prior."""
        alpha = _resampled(self._log_classes, self.priors.alpha, generator)
        betas = [
            _resampled(partial(self._log_features, kind), float(beta), generator)
            for kind, beta in enumerate(self.priors.betas)
        ]
        self.set_priors(alpha, np.array(betas))


def _log_dirichlet_multinomial(
    counts: NDArray[Any], totals: NDArray[Any], parameter: float
) -> float:
    """Return the log probability of counts [outcome, distribution] with their totals."""
    values, often = np.unique(counts[counts > 0], return_counts=True)
    total = float(often @ (gammaln(values + parameter) - gammaln(parameter)))
    all_parameters = len(counts) * parameter
    return total - float((gammaln(totals + all_parameters) - gammaln(all_parameters)).sum())


def _resampled(
    log_likelihood: Callable[[float], float], now: float, generator: np.random.Generator
) -> float:
    """Propose a few values from normal distributions of a tenth of the value's width."""
    for _ in range(_PROPOSALS):
        new = now * (1 + _RELATIVE_STEP * generator.standard_normal())
        threshold = -generator.exponential()
        if new <= 0:
            continue
        # The way back is proposed from a distribution of another width.
        steps = ((new - now) / (_RELATIVE_STEP * np.array([now, new]))) ** 2
        correction = np.log(now / new) + (steps[0] - steps[1]) / 2
        gain = log_likelihood(new) - log_likelihood(now) - (new - now) + correction
        if threshold < gain:
            now = float(new)
    return now

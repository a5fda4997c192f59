"""Projected ascent of a concave dual: the E-step of posterior regularisation.

The dual is -log Z(lambda) with lambda in a convex set, and its gradient the expected counts of
what lambda weighs down: one evaluation is one E-step. Steps have the spectral length of Birgin,
Martínez and Raydan (2000), and what is taken fulfils Armijo's condition.

References
----------
Birgin, Martínez and Raydan (2000), Nonmonotone spectral projected gradient methods on convex sets.
SIAM Journal on Optimization 10.
Ganchev, Graça, Gillenwater and Taskar (2010), Posterior regularization for structured latent
variable models. JMLR.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_ARMIJO = 1e-4
"""The share of the rise that the slope promises which a step must reach."""
_MOST_HALVINGS = 20
_LEAST_STEP, _LARGEST_STEP = 1e-3, 1e6


class _Posterior(Protocol):
    @property
    def log_likelihood(self) -> float: ...


P = TypeVar("P", bound=_Posterior)


@dataclass(frozen=True, eq=False)
class DualPoint(Generic[P]):
    """Where the ascent has come to."""

    duals: Floats
    """lambda."""
    posterior: P
    """What was expected under these duals; its log-likelihood is log Z."""
    expected: Floats
    """Expected counts of what lambda weighs down: the gradient."""
    gap: float
    """How much less the penalised divergence could be at most (duality gap)."""
    step: float
    """The next step length to try."""

    @property
    def objective(self) -> float:
        """Log-likelihood minus KL(q || p) minus the penalty, for the q that was reached."""
        return self.posterior.log_likelihood - self.gap


def climb_dual(
    duals: Floats,
    *,
    posterior_at: Callable[[Floats], tuple[P, Floats]],
    feasible: Callable[[Floats], Floats],
    inner: Callable[[Floats, Floats], float],
    penalty: Callable[[Floats], float],
    steps: int,
    step: float = 1.0,
    tolerance: float = 0.0,
) -> DualPoint[P]:
    """Climb from feasible duals.

    Parameters
    ----------
    duals : float array
        Where to begin.
    posterior_at : callable
        From duals to the posterior and the expected counts.
    feasible : callable
        From duals to the nearest ones that are allowed.
    inner : callable
        The inner product of two arrays like the duals.
    penalty : callable
        From expected counts to the penalty of the primal.
    steps : int
        Most steps of the gradient.
    step : float
        The length to try first.
    tolerance : float
        Ends when the duality gap is not larger.
    """

    def gap_at(duals: Floats, expected: Floats) -> float:
        # KL + penalty is -(lambda . E + log Z) + penalty, the dual -log Z.
        return penalty(expected) - inner(duals, expected)

    posterior, expected = posterior_at(duals)
    gap = gap_at(duals, expected)
    for _ in range(steps):
        if gap <= tolerance:
            break
        # In place where possible: with a row per word, new arrays take as long as an E-step.
        reached = step * expected
        reached += duals
        direction = feasible(reached)
        direction -= duals
        slope = inner(direction, expected)
        if slope <= 0:
            break
        share = 1.0
        for _ in range(_MOST_HALVINGS):
            tried = np.multiply(direction, share, out=reached)
            tried += duals
            tried_posterior, tried_expected = posterior_at(tried)
            fall = posterior.log_likelihood - tried_posterior.log_likelihood
            if fall >= _ARMIJO * share * slope:
                break
            share /= 2
        else:
            break  # what is left to gain is lost in rounding
        curvature = inner(direction, expected - tried_expected)
        step = share * inner(direction, direction) / curvature if curvature > 0 else _LARGEST_STEP
        step = min(max(step, _LEAST_STEP), _LARGEST_STEP)
        duals, posterior, expected = tried, tried_posterior, tried_expected
        gap = gap_at(duals, expected)
    return DualPoint(duals, posterior, expected, gap, step)

"""A few steps up a smooth concave function: L-BFGS from a diagonal.

For the M-steps of generalised EM, where every call goes on from where the last one ended and no
step may go down. The library's optimiser for bounded variables spends longer in its own
bookkeeping than in functions that are as cheap as ours.

References
----------
Nocedal (1980), Updating quasi-Newton matrices with limited storage.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_REMEMBERED = 6
_ARMIJO = 1e-4
"""The share of the rise that the slope promises which a step must reach."""
_MOST_HALVINGS = 20


def ascend(
    function: Callable[[Floats], tuple[float, Floats]],
    start: Floats,
    *,
    steps: int,
    diagonal: Floats,
) -> Floats:
    """Return a point that is higher than the start, or the start.

    Parameters
    ----------
    function : callable
        Gives a value and the slope, of the point's shape.
    start : array
        The first point.
    steps : int
        At most so many.
    diagonal : array
        About the inverses of second derivatives, without their sign: the shape of the first step.

    Examples
    --------
    >>> def hill(x):
    ...     return float(-((x - 3) ** 2).sum()), -2 * (x - 3)
    >>> ascend(hill, np.zeros(2), steps=1, diagonal=np.full(2, 0.5)).tolist()
    [3.0, 3.0]
    """
    point = start
    value, slope = function(point)
    pairs: list[tuple[Floats, Floats, float]] = []
    for _ in range(steps):
        direction = _direction(slope, pairs, diagonal)
        rise = _inner(direction, slope)
        if not rise > 0:
            break
        share = 1.0
        for _ in range(_MOST_HALVINGS):
            tried = point + share * direction
            tried_value, tried_slope = function(tried)
            if tried_value >= value + _ARMIJO * share * rise:
                break
            share /= 2
        else:
            break  # what is left to gain is lost in rounding
        moved, flattened = tried - point, slope - tried_slope
        curvature = _inner(moved, flattened)
        if curvature > 0:
            pairs = [*pairs[1 - _REMEMBERED :], (moved, flattened, curvature)]
        point, value, slope = tried, tried_value, tried_slope
    return point


def _direction(
    slope: Floats, pairs: list[tuple[Floats, Floats, float]], diagonal: Floats
) -> Floats:
    """Return the slope times the inverse of curvature, as far as steps have shown it."""
    direction = slope.copy()
    factors = []
    for moved, flattened, curvature in reversed(pairs):
        factors.append(_inner(moved, direction) / curvature)
        direction -= factors[-1] * flattened
    direction *= diagonal
    for (moved, flattened, curvature), factor in zip(pairs, reversed(factors), strict=True):
        direction += (factor - _inner(flattened, direction) / curvature) * moved
    return direction


def _inner(one: Floats, other: Floats) -> float:
    # Not `@`, whose threads would decide on the last bit.
    return float(np.einsum("i,i", one.ravel(), other.ravel()))

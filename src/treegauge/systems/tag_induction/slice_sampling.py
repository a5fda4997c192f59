"""Slice sampling of one number (Neal 2003): stepping out, then shrinking."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

_MOST_STEPS = 20
_MOST_SHRINKS = 100


def slice_sample(
    log_density: Callable[[float], float],
    now: float,
    generator: np.random.Generator,
    *,
    within: tuple[float, float],
    width: float,
) -> float:
    """Move from a value to another such that the density is left as it is.

    Parameters
    ----------
    log_density : callable
        Of a value in the bounds, up to a constant.
    now : float
        The value to move from.
    generator : Generator
        Where chance comes from.
    within : pair of float
        Bounds.
    width : float
        A guess at the width of the slice.
    """
    lowest, highest = within
    height = log_density(now) - generator.exponential()
    low = now - width * generator.random()
    high = low + width
    # Neal's figure 3: the steps to both sides together are limited.
    left = int(generator.integers(0, _MOST_STEPS))
    right = _MOST_STEPS - 1 - left
    while left > 0 and low > lowest and log_density(low) > height:
        low -= width
        left -= 1
    while right > 0 and high < highest and log_density(high) > height:
        high += width
        right -= 1
    low, high = max(low, lowest), min(high, highest)
    for _ in range(_MOST_SHRINKS):
        new = low + (high - low) * generator.random()
        if log_density(new) > height:
            return float(new)
        if new < now:
            low = new
        else:
            high = new
    return now

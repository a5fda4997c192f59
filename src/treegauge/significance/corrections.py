"""Many tests at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.significance.errors import SignificanceError


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Return p-values adjusted for their number, in the order given.

    The smallest of m p-values is multiplied by m, the next by m - 1, and so on; none may
    fall below one before it, none exceeds 1. Rejecting what stays at most alpha keeps the
    chance of any false rejection at alpha, however the tests depend on each other.

    Parameters
    ----------
    p_values : array, [m]
        Between 0 and 1. A test that has no p (see `PairedTest`) is left out by the caller:
        it is not one of the m.

    Returns
    -------
    float64 array, [m]
        Between 0 and 1, never below the p-value given.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure. Scandinavian
    Journal of Statistics 6, 65-70. https://www.jstor.org/stable/4615733

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p_values, np.float64)
    if given.ndim != 1 or not ((given >= 0) & (given <= 1)).all():
        raise SignificanceError("p-values must be a list of numbers between 0 and 1")
    order = np.argsort(given, kind="stable")
    factors = np.arange(len(given), 0, -1)
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(np.maximum.accumulate(given[order] * factors), 1)
    return adjusted

"""Sums of floats that come in parts, rounded once at the end as `math.fsum` does."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_LOW_BITS = 27
_SMALLEST = -1200
"""An exponent below that of every float."""


class ExactSum:
    """A sum without any rounding until it is asked for.

    Examples
    --------
    >>> total = ExactSum()
    >>> total.add(np.full(10, 0.1))
    >>> total.add(np.array([1e16, -1e16]))
    >>> total.value
    1.0
    """

    def __init__(self) -> None:
        self._units = 0
        """The sum, in units of 2 to the power of `_SMALLEST`."""

    def add(self, values: NDArray[np.float64]) -> None:
        """Add finite numbers."""
        mantissa, exponent = np.frexp(values)
        whole = np.ldexp(mantissa, 53).astype(np.int64)
        # In two halves, of which millions can be added in 64 bits.
        high, low = whole >> _LOW_BITS, whole & ((1 << _LOW_BITS) - 1)
        for power in np.unique(exponent).tolist():
            chosen = exponent == power
            total = (int(high[chosen].sum()) << _LOW_BITS) + int(low[chosen].sum())
            self._units += total << (power - 53 - _SMALLEST)

    @property
    def value(self) -> float:
        """The sum, rounded to the nearest float."""
        return self._units / (1 << -_SMALLEST)

"""A table of x log2 x in fixed point.

Objectives of class bigram models are sums of x log x over whole numbers x. In floating point
what is added and taken away again leaves a residue, and equal sums in another order differ in
their last bits. In fixed point a table that is kept up to date equals the recomputed one to the
last bit, and ties are ties.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_LARGEST_TABLE = 1 << 20
_BITS = 62


class ScaledEntropy(NamedTuple):
    """x log2 x for counts x, as whole multiples of `1 / scale`."""

    table: NDArray[np.int64]
    scale: float


def scaled_entropy(total: int) -> ScaledEntropy:
    """Return a table for counts that sum to no more than a total.

    The scale is the largest power of two with which the sums that occur, below eight times
    `total * log2(total)`, fit into 63 bits. An entry is as good as a double is, and sums of
    entries lose nothing.

    >>> xlogx = scaled_entropy(8)
    >>> (xlogx.table / xlogx.scale).round(3).tolist()
    [0.0, 0.0, 2.0, 4.755, 8.0, 11.61, 15.51, 19.651, 24.0]
    """
    total = max(total, 2)
    scale = 2.0 ** (_BITS - int(np.ceil(np.log2(8 * total * np.log2(total)))))
    x = np.arange(min(total + 1, _LARGEST_TABLE), dtype=np.float64)
    table = np.rint(x * np.log2(np.maximum(x, 1)) * scale).astype(np.int64)
    return ScaledEntropy(table, scale)

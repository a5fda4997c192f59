"""x log2 x of counts, in fixed point, so that sums of them are exact whatever their order."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def scaled(count, table, scale):
    """Return count * log2(count) in units of 1 / scale; tabulated for small counts."""
    if count < len(table):
        return table[count]
    return np.int64(np.rint(count * np.log2(float(count)) * scale))

"""The kernel that draws a class."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def draw(score, temperature, uniform):
    """Draw from a distribution given by logarithms; at temperature 0 take the first maximum.

    Otherwise the logarithms are overwritten.
    """
    best = 0
    for c in range(len(score)):
        if score[c] > score[best]:
            best = c
    if temperature <= 0:
        return best
    highest, total = score[best], 0.0
    for c in range(len(score)):
        score[c] = np.exp((score[c] - highest) / temperature)
        total += score[c]
    rest = uniform * total
    for c in range(len(score)):
        rest -= score[c]
        if rest < 0:
            return c
    return best

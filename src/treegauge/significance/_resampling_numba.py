"""Kernel that counts how often each sentence was drawn."""

# mypy: ignore-errors
from __future__ import annotations

from treegauge.kernels import kernel


@kernel
def count_draws(draws, counts):
    """Add to `counts[r, s]` the number of times that row `r` of `draws` holds `s`."""
    for r in range(draws.shape[0]):
        for i in range(draws.shape[1]):
            counts[r, draws[r, i]] += 1

"""Kernels over heads as indices of words."""

# mypy: ignore-errors
from __future__ import annotations

from treegauge.kernels import kernel


@kernel
def absolute_heads(head, offsets, root, missing, out):
    """Fill `out` with the index of every word's head; `missing` for one outside the sentence."""
    for s in range(len(offsets) - 1):
        first = offsets[s]
        last = offsets[s + 1]
        for i in range(first, last):
            if head[i] == 0:
                out[i] = root
            elif head[i] < 0 or head[i] > last - first:
                out[i] = missing
            else:
                out[i] = first + head[i] - 1


@kernel
def count_children(head, chosen, out):
    """Add to `out[word]` how many of the chosen words have it as their head."""
    for i in range(len(head)):
        if chosen[i] and head[i] >= 0:
            out[head[i]] += 1

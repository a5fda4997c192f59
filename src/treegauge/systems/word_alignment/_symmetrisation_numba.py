"""Kernels that make one alignment of the two directions."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def best_links(shares, out):
    """Mark for every column the best row; the last row means none, and loses ties."""
    n = shares.shape[0] - 1
    for j in range(shares.shape[1]):
        best = 0
        for i in range(1, n + 1):
            if shares[i, j] > shares[best, j]:
                best = i
        if best < n:
            out[best, j] = True


@kernel
def grow(forward, backward, out):
    """Write grow-diag-final of two alignments (Koehn, Och and Marcu 2003)."""
    n, m = forward.shape
    row_used = np.zeros(n, np.bool_)
    column_used = np.zeros(m, np.bool_)
    for i in range(n):
        for j in range(m):
            out[i, j] = forward[i, j] and backward[i, j]
            if out[i, j]:
                row_used[i] = True
                column_used[j] = True
    has_grown = True
    while has_grown:
        has_grown = False
        for i in range(n):
            for j in range(m):
                if not out[i, j]:
                    continue
                for a in range(max(i - 1, 0), min(i + 2, n)):
                    for b in range(max(j - 1, 0), min(j + 2, m)):
                        is_new = not row_used[a] or not column_used[b]
                        if is_new and (forward[a, b] or backward[a, b]):
                            out[a, b] = True
                            row_used[a] = True
                            column_used[b] = True
                            has_grown = True
    for direction in range(2):
        links = forward if direction == 0 else backward
        for i in range(n):
            for j in range(m):
                if links[i, j] and (not row_used[i] or not column_used[j]):
                    out[i, j] = True
                    row_used[i] = True
                    column_used[j] = True

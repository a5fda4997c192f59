"""Kernel that draws projective trees from the top down."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def draw_trees(offsets, closed, open_, growth, draws):
    """Return the heads of one tree per sentence, given two numbers from [0, 1) for every word.

    `closed` and `open_` are the numbers of half-trees by width, a(w) and b(w), both divided
    by growth^w.
    """
    heads = np.zeros(offsets[-1], np.int32)
    longest = 0
    for s in range(len(offsets) - 1):
        longest = max(longest, offsets[s + 1] - offsets[s])
    # The halves that wait have no word in common, so that there are never more than words.
    waiting_head = np.empty(longest + 1, np.int64)
    waiting_width = np.empty(longest + 1, np.int64)  # negative to the left of the head
    for s in range(len(offsets) - 1):
        first = offsets[s]
        n = offsets[s + 1] - first
        if n == 0:
            continue
        draw = 2 * first
        # b(n) = N(n): a root between two closed halves is chosen like the cut below.
        root = 1 + _cut(closed, open_[n] * growth, n, draws[draw])
        draw += 1
        waiting = 0
        if root > 1:
            waiting_head[waiting] = root
            waiting_width[waiting] = 1 - root
            waiting += 1
        if root < n:
            waiting_head[waiting] = root
            waiting_width[waiting] = n - root
            waiting += 1
        while waiting:
            waiting -= 1
            head = waiting_head[waiting]
            side = 1 if waiting_width[waiting] > 0 else -1
            width = abs(waiting_width[waiting])
            distance = _last_dependent(closed, open_, width, draws[draw])
            near = _cut(closed, open_[distance] * growth, distance, draws[draw + 1])
            draw += 2
            dependent = head + side * distance
            heads[first + dependent - 1] = head
            if width > distance:
                waiting_head[waiting] = dependent
                waiting_width[waiting] = side * (width - distance)
                waiting += 1
            if near > 0:
                waiting_head[waiting] = head
                waiting_width[waiting] = side * near
                waiting += 1
            if distance - 1 > near:
                waiting_head[waiting] = dependent
                waiting_width[waiting] = -side * (distance - 1 - near)
                waiting += 1
    return heads


@kernel
def _last_dependent(closed, open_, width, draw):
    """Return k in 1..width, drawn with weight b(k) a(width - k); they sum to a(width)."""
    left = draw * closed[width]
    for k in range(1, width):
        left -= open_[k] * closed[width - k]
        if left < 0.0:
            return k
    return width


@kernel
def _cut(closed, total, words, draw):
    """Return m in 0..words-1, drawn with weight a(m) a(words - 1 - m) out of a total."""
    left = draw * total
    for m in range(words - 1):
        left -= closed[m] * closed[words - 1 - m]
        if left < 0.0:
            return m
    return words - 1

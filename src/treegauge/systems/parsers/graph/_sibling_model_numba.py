"""Kernels of features of siblings: their keys and their scores. The weights are those of arcs."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.parsers.graph._hashing_numba import finished, side_numbers
from treegauge.systems.parsers.graph._weight_places_numba import circumstance, direction, place


@kernel
def sibling_sides(codes, first, n, templates):
    """Return the numbers of all sides of all templates: [side, word, template]."""
    sides = np.empty((3, n + 1, len(templates)), np.uint64)
    for side in range(3):
        side_numbers(codes, first, n, templates, side, sides[side])
    return sides


@kernel
def sibling_keys(head, dependent, inner, sides, keys):
    """Put the keys of the features of two siblings into `keys` and return their number.

    `sides` is [side, word, template], the sides being head, inner sibling, dependent; row 0 of
    the inner sibling stands for none.
    """
    if head == 0:
        return 0
    n_templates = sides.shape[2]
    for t in range(n_templates):
        keys[t] = finished(sides[0, head, t] + sides[1, inner, t] + sides[2, dependent, t])
    return n_templates


@kernel
def sibling_slots(head, dependent, inner):
    """Return which of a key's 16 weights are for direction, and for direction and distance."""
    return direction(head, dependent), circumstance(inner or head, dependent)


@kernel
def _sum_of_weights(key, slots, weights, shift):
    return weights[place(key, slots[0], shift)] + weights[place(key, slots[1], shift)]


@kernel
def score_siblings(n, sides, n_pairs, weights, shift, scores):
    """Fill scores[head, dependent, inner] of the siblings of a sentence of n words.

    The first templates, `n_pairs`, do not read the head: their sums are the same for all heads
    on one side of both siblings.
    """
    n_templates = sides.shape[2]
    of_pair = np.zeros((n + 1, n + 1))
    for inner in range(1, n + 1):
        for dependent in range(1, n + 1):
            if inner != dependent:
                slots = sibling_slots(inner, dependent, inner)
                for t in range(n_pairs):
                    key = finished(sides[0, 0, t] + sides[1, inner, t] + sides[2, dependent, t])
                    of_pair[inner, dependent] += _sum_of_weights(key, slots, weights, shift)
    scores[0] = 0.0
    for head in range(1, n + 1):
        for step in (-1, 1):
            dependent = head + step
            while 1 <= dependent <= n:
                total = 0.0
                slots = sibling_slots(head, dependent, 0)
                for t in range(n_templates):
                    key = finished(sides[0, head, t] + sides[1, 0, t] + sides[2, dependent, t])
                    total += _sum_of_weights(key, slots, weights, shift)
                scores[head, dependent, 0] = total
                inner = head + step
                while inner != dependent:
                    total = of_pair[inner, dependent]
                    slots = sibling_slots(head, dependent, inner)
                    for t in range(n_pairs, n_templates):
                        key = finished(
                            sides[0, head, t] + sides[1, inner, t] + sides[2, dependent, t]
                        )
                        total += _sum_of_weights(key, slots, weights, shift)
                    scores[head, dependent, inner] = total
                    inner += step
                dependent += step

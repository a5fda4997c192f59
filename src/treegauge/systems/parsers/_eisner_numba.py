"""Kernels of projective decoding and of inside-outside over half-trees (Eisner 1996).

Half-trees span words i..j. `left` ones are headed by j, `right` ones by i; a complete one has all
dependents that it will get on that side, an incomplete one ends in an arc between i and j.
Charts that are read down a column are kept transposed, so that inner loops run along rows.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def best_tree(scores, single_root):
    """Return the heads of the best projective tree of a matrix of scores [head, dependent]."""
    n = len(scores) - 1
    heads = np.zeros(n, np.int32)
    if n == 0:
        return heads
    first = 1 if single_root else 0
    left = np.full((n + 1, n + 1), -np.inf)
    right = np.full((n + 1, n + 1), -np.inf)
    left_t = np.full((n + 1, n + 1), -np.inf)
    right_t = np.full((n + 1, n + 1), -np.inf)
    open_left_t = np.full((n + 1, n + 1), -np.inf)
    open_right = np.full((n + 1, n + 1), -np.inf)
    for i in range(first, n + 1):
        left[i, i] = left_t[i, i] = right[i, i] = right_t[i, i] = 0.0
    for width in range(1, n + 1 - first):
        for i in range(first, n + 1 - width):
            j = i + width
            best = right[i, i] + left_t[j, i + 1]
            for k in range(i + 1, j):
                best = max(best, right[i, k] + left_t[j, k + 1])
            open_right[i, j] = best + scores[i, j]
            if i > 0:
                open_left_t[j, i] = best + scores[j, i]
            best = -np.inf
            for k in range(i, j):
                best = max(best, left[i, k] + open_left_t[j, k])
            left[i, j] = left_t[j, i] = best
            best = -np.inf
            for k in range(i + 1, j + 1):
                best = max(best, open_right[i, k] + right_t[j, k])
            right[i, j] = right_t[j, i] = best

    # Which split was best is found out again on the way back: only O(n) items are visited.
    todo = np.empty((2 * n + 4, 3), np.int64)  # (i, j, kind); no two of them share an arc
    waiting = 0
    if single_root:
        root = 1
        for r in range(2, n + 1):
            if (
                left[1, r] + right[r, n] + scores[0, r]
                > left[1, root] + right[root, n] + scores[0, root]
            ):
                root = r
        waiting = _push(todo, waiting, 1, root, _LEFT)
        waiting = _push(todo, waiting, root, n, _RIGHT)
    else:
        waiting = _push(todo, waiting, 0, n, _RIGHT)
    while waiting:
        waiting -= 1
        i, j, kind = todo[waiting]
        if kind == _LEFT:
            split = i
            for k in range(i + 1, j):
                if left[i, k] + open_left_t[j, k] > left[i, split] + open_left_t[j, split]:
                    split = k
            waiting = _push(todo, waiting, i, split, _LEFT)
            waiting = _push(todo, waiting, split, j, _OPEN_LEFT)
        elif kind == _RIGHT:
            split = i + 1
            for k in range(i + 2, j + 1):
                if open_right[i, k] + right_t[j, k] > open_right[i, split] + right_t[j, split]:
                    split = k
            waiting = _push(todo, waiting, i, split, _OPEN_RIGHT)
            waiting = _push(todo, waiting, split, j, _RIGHT)
        else:
            if kind == _OPEN_LEFT:
                heads[i - 1] = j
            else:
                heads[j - 1] = i
            split = i
            for k in range(i + 1, j):
                if right[i, k] + left_t[j, k + 1] > right[i, split] + left_t[j, split + 1]:
                    split = k
            waiting = _push(todo, waiting, i, split, _RIGHT)
            waiting = _push(todo, waiting, split + 1, j, _LEFT)
    return heads


_LEFT, _RIGHT, _OPEN_LEFT, _OPEN_RIGHT = 0, 1, 2, 3


@kernel
def _push(todo, waiting, i, j, kind):
    """Put an item on the pile, unless it is a single word."""
    if i == j:
        return waiting
    todo[waiting, 0] = i
    todo[waiting, 1] = j
    todo[waiting, 2] = kind
    return waiting + 1


@kernel
def marginals(scores, single_root):
    """Return the log-sum over projective trees and the posterior of every arc."""
    n = len(scores) - 1
    posterior = np.zeros((n + 1, n + 1))
    if n == 0:
        return 0.0, posterior
    first = 1 if single_root else 0
    left = np.full((n + 1, n + 1), -np.inf)
    right = np.full((n + 1, n + 1), -np.inf)
    joined = np.full((n + 1, n + 1), -np.inf)  # two complete halves, the arc not yet chosen
    open_left = np.full((n + 1, n + 1), -np.inf)
    open_right = np.full((n + 1, n + 1), -np.inf)
    terms = np.empty(n + 1)
    for i in range(first, n + 1):
        left[i, i] = right[i, i] = 0.0
    for width in range(1, n + 1 - first):
        for i in range(first, n + 1 - width):
            j = i + width
            for k in range(i, j):
                terms[k - i] = right[i, k] + left[k + 1, j]
            joined[i, j] = _log_sum(terms, width)
            open_right[i, j] = joined[i, j] + scores[i, j]
            if i > 0:
                open_left[i, j] = joined[i, j] + scores[j, i]
            for k in range(i, j):
                terms[k - i] = left[i, k] + open_left[k, j]
            left[i, j] = _log_sum(terms, width)
            for k in range(i + 1, j + 1):
                terms[k - i - 1] = open_right[i, k] + right[k, j]
            right[i, j] = _log_sum(terms, width)

    # The posterior of an item, from the widest down, is shared out among the ways to make it.
    p_left = np.zeros((n + 1, n + 1))
    p_right = np.zeros((n + 1, n + 1))
    p_open_left = np.zeros((n + 1, n + 1))
    p_open_right = np.zeros((n + 1, n + 1))
    if single_root:
        for r in range(1, n + 1):
            terms[r - 1] = left[1, r] + right[r, n] + scores[0, r]
        log_z = _log_sum(terms, n)
        for r in range(1, n + 1):
            posterior[0, r] = np.exp(terms[r - 1] - log_z)
            p_left[1, r] += posterior[0, r]
            p_right[r, n] += posterior[0, r]
    else:
        log_z = right[0, n]
        p_right[0, n] = 1.0
    for width in range(n - first, 0, -1):
        for i in range(first, n + 1 - width):
            j = i + width
            if p_left[i, j] > 0.0:
                for k in range(i, j):
                    share = p_left[i, j] * np.exp(left[i, k] + open_left[k, j] - left[i, j])
                    p_left[i, k] += share
                    p_open_left[k, j] += share
            if p_right[i, j] > 0.0:
                for k in range(i + 1, j + 1):
                    share = p_right[i, j] * np.exp(open_right[i, k] + right[k, j] - right[i, j])
                    p_open_right[i, k] += share
                    p_right[k, j] += share
            posterior[i, j] += p_open_right[i, j]
            posterior[j, i] += p_open_left[i, j]
            both = p_open_right[i, j] + p_open_left[i, j]
            if both > 0.0:
                for k in range(i, j):
                    share = both * np.exp(right[i, k] + left[k + 1, j] - joined[i, j])
                    p_right[i, k] += share
                    p_left[k + 1, j] += share
    return log_z, posterior


@kernel
def _log_sum(terms, n):
    """Return the logarithm of the sum of exponentials of the first n terms."""
    top = terms[0]
    for k in range(1, n):
        top = max(top, terms[k])
    if top == -np.inf:
        return top
    total = 0.0
    for k in range(n):
        total += np.exp(terms[k] - top)
    return top + np.log(total)

"""Kernels of projective decoding and of inside-outside with scores of siblings.

Half-trees are those of `_eisner_numba`. Between two neighbouring dependents on one side of a head
is one more kind of item, `pair`: two complete halves that have no arc between them yet. An
incomplete half is made of the head's half up to its last dependent and such a pair, so that
both dependents are known when the outer arc is made.

`siblings[head, dependent, inner]` is the score of two neighbours on a side of the head; `inner` is
the one that is nearer to the head, 0 where the dependent is the first on its side.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.parsers._eisner_numba import _log_sum, _push

_LEFT, _RIGHT, _OPEN_LEFT, _OPEN_RIGHT, _PAIR = 0, 1, 2, 3, 4


@kernel
def inner_siblings(heads):
    """Return for every dependent the next one on its side towards the head, 0 if there is none.

    `heads` has a place for the root, which is not looked at.
    """
    n = len(heads) - 1
    inner = np.zeros(n + 1, np.int32)
    nearest = np.zeros(n + 1, np.int32)  # by head, the dependent that was passed last
    for dependent in range(1, n + 1):
        head = heads[dependent]
        if head < dependent:
            inner[dependent] = nearest[head]
            nearest[head] = dependent
    nearest[:] = 0
    for dependent in range(n, 0, -1):
        head = heads[dependent]
        if head > dependent:
            inner[dependent] = nearest[head]
            nearest[head] = dependent
    return inner


@kernel
def best_tree(scores, siblings, single_root):
    """Return the heads of the best projective tree of scores of arcs and of siblings."""
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
    pair = np.full((n + 1, n + 1), -np.inf)
    pair_t = np.full((n + 1, n + 1), -np.inf)
    # The inner sibling of the best open half; 0 for none.
    inner_left = np.zeros((n + 1, n + 1), np.int32)
    inner_right = np.zeros((n + 1, n + 1), np.int32)
    for i in range(first, n + 1):
        left[i, i] = left_t[i, i] = right[i, i] = right_t[i, i] = 0.0
    for width in range(1, n + 1 - first):
        for i in range(first, n + 1 - width):
            j = i + width
            best = left_t[j, i + 1] + siblings[i, j, 0]
            for k in range(i + 1, j):
                total = open_right[i, k] + pair_t[j, k] + siblings[i, j, k]
                if total > best:
                    best = total
                    inner_right[i, j] = k
            open_right[i, j] = best + scores[i, j]
            if i > 0:
                best = right[i, j - 1] + siblings[j, i, 0]
                for k in range(i + 1, j):
                    total = pair[i, k] + open_left_t[j, k] + siblings[j, i, k]
                    if total > best:
                        best = total
                        inner_left[i, j] = k
                open_left_t[j, i] = best + scores[j, i]
            best = -np.inf
            for k in range(i, j):
                best = max(best, right[i, k] + left_t[j, k + 1])
            pair[i, j] = pair_t[j, i] = best
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
        best = -np.inf
        for r in range(1, n + 1):
            total = left[1, r] + right[r, n] + scores[0, r] + siblings[0, r, 0]
            if total > best:
                best = total
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
        elif kind == _PAIR:
            split = i
            for k in range(i + 1, j):
                if right[i, k] + left_t[j, k + 1] > right[i, split] + left_t[j, split + 1]:
                    split = k
            waiting = _push(todo, waiting, i, split, _RIGHT)
            waiting = _push(todo, waiting, split + 1, j, _LEFT)
        elif kind == _OPEN_LEFT:
            heads[i - 1] = j
            k = inner_left[i, j]
            if k:
                waiting = _push(todo, waiting, i, k, _PAIR)
                waiting = _push(todo, waiting, k, j, _OPEN_LEFT)
            else:
                waiting = _push(todo, waiting, i, j - 1, _RIGHT)
        else:
            heads[j - 1] = i
            k = inner_right[i, j]
            if k:
                waiting = _push(todo, waiting, i, k, _OPEN_RIGHT)
                waiting = _push(todo, waiting, k, j, _PAIR)
            else:
                waiting = _push(todo, waiting, i + 1, j, _LEFT)
    return heads


@kernel
def marginals(scores, siblings, single_root):
    """Return the log-sum over projective trees and the posterior of every arc."""
    n = len(scores) - 1
    posterior = np.zeros((n + 1, n + 1))
    if n == 0:
        return 0.0, posterior
    first = 1 if single_root else 0
    left = np.full((n + 1, n + 1), -np.inf)
    right = np.full((n + 1, n + 1), -np.inf)
    pair = np.full((n + 1, n + 1), -np.inf)
    open_left = np.full((n + 1, n + 1), -np.inf)
    open_right = np.full((n + 1, n + 1), -np.inf)
    terms = np.empty(n + 1)
    for i in range(first, n + 1):
        left[i, i] = right[i, i] = 0.0
    for width in range(1, n + 1 - first):
        for i in range(first, n + 1 - width):
            j = i + width
            terms[0] = left[i + 1, j] + siblings[i, j, 0]
            for k in range(i + 1, j):
                terms[k - i] = open_right[i, k] + pair[k, j] + siblings[i, j, k]
            open_right[i, j] = _log_sum(terms, width) + scores[i, j]
            if i > 0:
                terms[0] = right[i, j - 1] + siblings[j, i, 0]
                for k in range(i + 1, j):
                    terms[k - i] = pair[i, k] + open_left[k, j] + siblings[j, i, k]
                open_left[i, j] = _log_sum(terms, width) + scores[j, i]
            for k in range(i, j):
                terms[k - i] = right[i, k] + left[k + 1, j]
            pair[i, j] = _log_sum(terms, width)
            for k in range(i, j):
                terms[k - i] = left[i, k] + open_left[k, j]
            left[i, j] = _log_sum(terms, width)
            for k in range(i + 1, j + 1):
                terms[k - i - 1] = open_right[i, k] + right[k, j]
            right[i, j] = _log_sum(terms, width)

    # The posterior of an item, from the widest down, is shared out among the ways to make it.
    p_left = np.zeros((n + 1, n + 1))
    p_right = np.zeros((n + 1, n + 1))
    p_pair = np.zeros((n + 1, n + 1))
    p_open_left = np.zeros((n + 1, n + 1))
    p_open_right = np.zeros((n + 1, n + 1))
    if single_root:
        for r in range(1, n + 1):
            terms[r - 1] = left[1, r] + right[r, n] + scores[0, r] + siblings[0, r, 0]
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
            if p_pair[i, j] > 0.0:
                for k in range(i, j):
                    share = p_pair[i, j] * np.exp(right[i, k] + left[k + 1, j] - pair[i, j])
                    p_right[i, k] += share
                    p_left[k + 1, j] += share
            if p_open_right[i, j] > 0.0:
                posterior[i, j] += p_open_right[i, j]
                made = open_right[i, j] - scores[i, j]
                p_left[i + 1, j] += p_open_right[i, j] * np.exp(
                    left[i + 1, j] + siblings[i, j, 0] - made
                )
                for k in range(i + 1, j):
                    share = p_open_right[i, j] * np.exp(
                        open_right[i, k] + pair[k, j] + siblings[i, j, k] - made
                    )
                    p_open_right[i, k] += share
                    p_pair[k, j] += share
            if p_open_left[i, j] > 0.0:
                posterior[j, i] += p_open_left[i, j]
                made = open_left[i, j] - scores[j, i]
                p_right[i, j - 1] += p_open_left[i, j] * np.exp(
                    right[i, j - 1] + siblings[j, i, 0] - made
                )
                for k in range(i + 1, j):
                    share = p_open_left[i, j] * np.exp(
                        pair[i, k] + open_left[k, j] + siblings[j, i, k] - made
                    )
                    p_pair[i, k] += share
                    p_open_left[k, j] += share
    return log_z, posterior

"""Kernels of maximum spanning trees (Chu-Liu/Edmonds) and of sums over spanning trees."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def best_tree(scores, single_root):
    """Return the heads of the best spanning tree of a matrix of scores [head, dependent].

    Tarjan's way on a dense graph: walk from any word to its best head, from there to its
    best head, and so on; a walk that comes back to itself is a cycle and becomes one node. What a
    node can hang on is kept by original heads, so that only entering arcs are ever merged.

    Arcs are compared by two numbers: a penalty first, then the score. A root arc has penalty 1 if
    there shall be one root, which counts root arcs before scores, as a huge constant would, but
    without rounding; a forbidden arc has a penalty above any number of root arcs.
    """
    n = len(scores) - 1
    heads = np.zeros(n, np.int32)
    if n == 0:
        return heads
    n_nodes = 2 * n + 1
    value = np.empty((n_nodes, n + 1))  # of the best arc from an original head into a node
    penalty = np.empty((n_nodes, n + 1), np.int64)
    into = np.empty((n_nodes, n + 1), np.int32)  # the word that this arc enters
    best = np.zeros(n_nodes, np.int32)  # the original head that a node hangs on
    parent = np.full(n_nodes, -1, np.int32)  # the node that a node became part of
    top = np.arange(n + 1).astype(np.int32)  # the outermost node that a word is in
    for d in range(1, n + 1):
        for h in range(n + 1):
            into[d, h] = d
            if scores[h, d] == -np.inf:
                value[d, h] = 0.0
                penalty[d, h] = n + 2
            else:
                value[d, h] = scores[h, d]
                penalty[d, h] = 1 if single_root and h == 0 else 0

    state = np.zeros(n_nodes, np.int8)  # 0: not yet seen, 1: on the walk, 2: hangs on the root
    state[0] = 2
    walk = np.empty(n_nodes, np.int32)
    used = n + 1
    for start in range(1, n + 1):
        node = top[start]
        if state[node] != 0:
            continue
        steps = 0
        while True:
            walk[steps] = node
            steps += 1
            state[node] = 1
            chosen = -1
            for h in range(n + 1):
                if top[h] != node and (
                    chosen < 0
                    or penalty[node, h] < penalty[node, chosen]
                    or (
                        penalty[node, h] == penalty[node, chosen]
                        and value[node, h] > value[node, chosen]
                    )
                ):
                    chosen = h
            best[node] = chosen
            above = top[chosen]
            if state[above] == 2:
                break
            if state[above] == 0:
                node = above
                continue
            # A cycle: entering it at one of its nodes saves that node's own arc.
            new = used
            used += 1
            for h in range(n + 1):
                into[new, h] = -1
            while True:
                steps -= 1
                member = walk[steps]
                parent[member] = new
                own = best[member]
                for h in range(n + 1):
                    gain = value[member, h] - value[member, own]
                    cost = penalty[member, h] - penalty[member, own]
                    if (
                        into[new, h] < 0
                        or cost < penalty[new, h]
                        or (cost == penalty[new, h] and gain > value[new, h])
                    ):
                        value[new, h] = gain
                        penalty[new, h] = cost
                        into[new, h] = into[member, h]
                if member == above:
                    break
            for word in range(1, n + 1):
                if parent[top[word]] == new:
                    top[word] = new
            node = new
        for k in range(steps):
            state[walk[k]] = 2

    # From the outermost nodes inwards: the arc into a node is the arc into one of its members,
    # and the other members keep the arcs of the cycle.
    for node in range(used - 1, 0, -1):
        word = into[node, best[node]]
        if node <= n:
            heads[node - 1] = best[node]
            continue
        member = word
        while parent[member] != node:
            member = parent[member]
        best[member] = best[node]
    return heads


@kernel
def marginals(scores, single_root):
    """Return the log-sum over spanning trees and the posterior of every arc.

    Word k is eliminated by w'(h, d) = w(h, d) + w(h, k) w(k, d) / S_k, where S_k sums w(h, k) over
    the heads that are left; Z is the product of all S_k (Schur complements of the Laplacian of
    the matrix-tree theorem, whose columns sum to the root's weights). With one root
    word, root weights are of first order in an infinitesimal, and all else is of order zero: the
    root is left out of S_k until no other head is left.

    Posteriors come back along the same way. That of an arc (h, d) after the elimination is
    shared between the arc itself and the path over k in proportion to their weights. With f(h, d)
    for the path's share, and p_h = w(h, k) / S_k, differentiating log Z gives to the arcs

        (k, d)   sum_h f(h, d)
        (h, k)   p_h (1 - sum f) + sum_d f(h, d)
    """
    n = len(scores) - 1
    posterior = np.zeros((n + 1, n + 1))
    if n == 0:
        return 0.0, posterior
    # Layer k holds the logarithms of weights among 0..k, before k is eliminated.
    begins = np.zeros(n + 2, np.int64)
    for k in range(n + 1):
        begins[k + 1] = begins[k] + (k + 1) * (k + 1)
    layers = np.empty(begins[n + 1])
    for h in range(n + 1):
        for d in range(n + 1):
            layers[begins[n] + h * (n + 1) + d] = scores[h, d]
    sums = np.empty(n + 1)
    log_z = 0.0
    for k in range(n, 0, -1):
        weights = layers[begins[k] : begins[k + 1]].reshape((k + 1, k + 1))
        first = 1 if single_root and k > 1 else 0
        highest = -np.inf
        for h in range(first, k):
            highest = max(highest, weights[h, k])
        total = 0.0
        for h in range(first, k):
            total += np.exp(weights[h, k] - highest)
        sums[k] = highest + np.log(total)
        log_z += sums[k]
        left = layers[begins[k - 1] : begins[k]].reshape((k, k))
        for h in range(k):
            via = weights[h, k] - sums[k]
            for d in range(1, k):
                if h != d:
                    left[h, d] = _log_add(weights[h, d], via + weights[k, d])
    share = np.empty(n + 1)
    for k in range(1, n + 1):
        weights = layers[begins[k] : begins[k + 1]].reshape((k + 1, k + 1))
        left = layers[begins[k - 1] : begins[k]].reshape((k, k))
        everything = 0.0
        for h in range(k):
            share[h] = 0.0
            via = weights[h, k] - sums[k]
            for d in range(1, k):
                if h != d:
                    over_k = posterior[h, d] * np.exp(via + weights[k, d] - left[h, d])
                    posterior[h, d] *= np.exp(weights[h, d] - left[h, d])
                    posterior[k, d] += over_k
                    share[h] += over_k
            everything += share[h]
        first = 1 if single_root and k > 1 else 0
        for h in range(k):
            posterior[h, k] = share[h]
            if h >= first:
                posterior[h, k] += np.exp(weights[h, k] - sums[k]) * (1.0 - everything)
    # Differences of numbers near 1 may leave a posterior of zero a rounding error below it.
    return log_z, np.minimum(np.maximum(posterior, 0.0), 1.0)


@kernel
def _log_add(a, b):
    """Return log(exp(a) + exp(b))."""
    if a < b:
        return b + np.log1p(np.exp(a - b))
    return a + np.log1p(np.exp(b - a))

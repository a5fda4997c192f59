"""Kernels of agglomeration by Jensen-Shannon divergence; see `divergence_tree.py`."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def _h(x):
    return x * np.log(x) if x > 0 else 0.0


@kernel
def loss(joint, mass, own, a, b):
    """Return the information that is lost when two clusters become one.

    joint[c, z] is P(cluster, class), own[c] the sum over z of its x log x.
    """
    both = 0.0
    for z in range(joint.shape[1]):
        both += _h(joint[a, z] + joint[b, z])
    return own[a] + own[b] - both - (_h(mass[a]) + _h(mass[b]) - _h(mass[a] + mass[b]))


@kernel
def _find_nearest(losses, active, i, nearest):
    """Note the nearest later cluster of one; of equals the first."""
    best = -1
    for j in range(i + 1, len(active)):
        if active[j] and (best < 0 or losses[i, j] < losses[i, best]):
            best = j
    nearest[i] = best


@kernel
def agglomerate(joint, mass, merges):
    """Merge the two clusters that lose least until one is left.

    A merge is written as its two clusters, the one that was there first first; the new one
    takes its place.
    """
    n, k = joint.shape
    own = np.zeros(n)
    for a in range(n):
        for z in range(k):
            own[a] += _h(joint[a, z])
    losses = np.zeros((n, n))
    active = np.ones(n, np.bool_)
    nearest = np.full(n, -1)
    for a in range(n):
        for b in range(a + 1, n):
            losses[a, b] = loss(joint, mass, own, a, b)
    for a in range(n):
        _find_nearest(losses, active, a, nearest)
    for step in range(n - 1):
        a = -1
        for i in range(n):
            if active[i] and nearest[i] >= 0:
                if a < 0 or losses[i, nearest[i]] < losses[a, nearest[a]]:
                    a = i
        b = nearest[a]
        merges[step, 0] = a
        merges[step, 1] = b
        active[b] = False
        mass[a] += mass[b]
        own[a] = 0.0
        for z in range(k):
            joint[a, z] += joint[b, z]
            own[a] += _h(joint[a, z])
        for i in range(n):
            if active[i] and i != a:
                losses[min(i, a), max(i, a)] = loss(joint, mass, own, min(i, a), max(i, a))
        _find_nearest(losses, active, a, nearest)
        for i in range(b):
            if not active[i] or i == a:
                continue
            if nearest[i] == a or nearest[i] == b:
                _find_nearest(losses, active, i, nearest)
            elif i < a and losses[i, a] < losses[i, nearest[i]]:
                nearest[i] = a
            elif i < a and losses[i, a] == losses[i, nearest[i]] and a < nearest[i]:
                nearest[i] = a


@kernel
def attach(leaves, others, place):
    """Write the leaf with the least divergence from each distribution; of equals the first."""
    k = leaves.shape[1]
    leaf_terms = np.empty(leaves.shape)
    for a in range(len(leaves)):
        for z in range(k):
            leaf_terms[a, z] = _h(leaves[a, z])
    terms = np.empty(k)
    for i in range(len(others)):
        for z in range(k):
            terms[z] = _h(others[i, z])
        least = np.inf
        for a in range(len(leaves)):
            # Every class adds something, or nothing: once it is too much it stays so.
            divergence = 0.0
            for z in range(k):
                mean = (leaves[a, z] + others[i, z]) / 2
                divergence += (leaf_terms[a, z] + terms[z]) / 2 - _h(mean)
                if divergence >= least:
                    break
            if divergence < least:
                least = divergence
                place[i] = a

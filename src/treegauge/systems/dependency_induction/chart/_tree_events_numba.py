"""Kernels that read the events of given trees."""

# mypy: ignore-errors
from __future__ import annotations

from treegauge.kernels import kernel

LEFT, RIGHT = 0, 1


@kernel
def tree_flaw(heads):
    """Return 0 for a projective tree with one root, else what is wrong with it.

    1: a head outside the sentence or a word that is its own head; 2: no root or several;
    3: a cycle; 4: crossing arcs, or an arc above the root.
    """
    n = heads.size
    roots = 0
    for d in range(n):
        if heads[d] < 0 or heads[d] > n or heads[d] == d + 1:
            return 1
        roots += heads[d] == 0
    if roots != 1:
        return 2
    for d in range(n):
        up, steps = heads[d], 0
        while up > 0 and steps <= n:
            up, steps = heads[up - 1], steps + 1
        if steps > n:
            return 3
    for d in range(n):
        if heads[d] > 0:
            low, high = min(d + 1, heads[d]), max(d + 1, heads[d])
            for k in range(low, high - 1):
                if heads[k] < low or heads[k] > high:
                    return 4
    return 0


@kernel
def first_flawed(heads, offsets):
    """Return the first sentence that is no projective tree with one root, and its flaw."""
    for s in range(offsets.size - 1):
        if offsets[s + 1] > offsets[s]:
            flaw = tree_flaw(heads[offsets[s] : offsets[s + 1]])
            if flaw:
                return s, flaw
    return -1, 0


@kernel
def read_trees(tags, offsets, heads, times, outside_in, logs, counts, scores):
    """Add the events of all trees, each as often as `times` says, and score them.

    `logs` and `counts` are tables of root, stop, go and attach; the score of a tree is the sum
    of the logarithms of its events.
    """
    log_root, log_stop, log_go, log_attach = logs
    root, stop, go, attach = counts
    decisions, children = stop.shape[2], attach.shape[2]
    for s in range(offsets.size - 1):
        begin, end = offsets[s], offsets[s + 1]
        score = 0.0
        for h in range(begin, end):
            t = tags[h]
            if heads[h] == 0:
                root[t] += times[s]
                score += log_root[t]
            for direction in range(2):
                step = 1 if direction == RIGHT else -1
                count = 0
                d = h + step
                while begin <= d < end:
                    count += heads[d] == h - begin + 1
                    d += step
                k = 0
                d = h + step
                while k < count:
                    if heads[d] == h - begin + 1:
                        v = min(k, decisions - 1)
                        u = min(count - 1 - k if outside_in else k, children - 1)
                        go[t, direction, v] += times[s]
                        attach[t, direction, u, tags[d]] += times[s]
                        score += log_go[t, direction, v] + log_attach[t, direction, u, tags[d]]
                        k += 1
                    d += step
                v = min(count, decisions - 1)
                stop[t, direction, v] += times[s]
                score += log_stop[t, direction, v]
        scores[s] = score

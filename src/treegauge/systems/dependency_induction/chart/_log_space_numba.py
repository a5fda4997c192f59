"""Kernels in log space: posteriors and samples for sentences of any length, any weights.

The chart is that of `_inside_outside_numba.py`, with logarithms in its cells. There is no
outside pass: posteriors flow from the whole sentence down, and every cell divides what it
received among the ways in which it was built, by ratios that are at most 1. A sample goes the
same way and takes one of the ways.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.dependency_induction.chart._inside_outside_numba import (
    add_counts,
    corner,
    write_marginals,
)

LEFT, RIGHT = 0, 1


@kernel
def log_weights(tags, n, tables, weights, has_weights, root, arc, stop):
    """Look up the logarithms of a sentence's weights; `weights` multiply its arcs."""
    root_table, arc_table, stop_table = tables
    for d in range(n):
        root[d] = root_table[tags[d]]
        if has_weights:
            root[d] += np.log(weights[d]) if weights[d] > 0.0 else -np.inf
        for direction in range(2):
            for v in range(stop_table.shape[2]):
                stop[d, direction, v] = stop_table[tags[d], direction, v]
    for h in range(n):
        for d in range(n):
            if h == d:
                continue
            own = 0.0
            if has_weights:
                weight = weights[(h + 1) * n + d]
                own = np.log(weight) if weight > 0.0 else -np.inf
            direction = RIGHT if d > h else LEFT
            for a in range(arc_table.shape[0]):
                arc[a, h, d] = arc_table[a, direction, tags[h], tags[d]] + own


@kernel
def log_dot(one, other, begin, end):
    """Return log sum exp(one + other) over a range; -inf if it is empty."""
    largest = -np.inf
    for k in range(begin, end):
        largest = max(largest, one[k] + other[k])
    if largest == -np.inf:
        return largest
    total = 0.0
    for k in range(begin, end):
        total += np.exp(one[k] + other[k] - largest)
    return largest + np.log(total)


@kernel
def log_add(one, other):
    larger, smaller = max(one, other), min(one, other)
    if smaller == -np.inf:
        return larger
    return larger + np.log1p(np.exp(smaller - larger))


@kernel
def log_inside(n, automaton, root, arc, stop, near, join, open_, closed, turned):
    """Fill the chart; return log Z."""
    source, target, label, final = automaton
    states = final.size
    for h in range(n):
        for direction in range(2):
            closed[h, h + direction] = stop[h, direction, final[0]]
            turned[h + direction, h] = stop[h, direction, final[0]]
    for width in range(1, n):
        for pair in range(2 * (n - width)):
            direction, h, d, beside, far, begin, end, first, last = corner(pair, width, n)
            near[0, h, d] = closed[d, beside]
            for s in range(1, states):
                near[s, h, d] = log_dot(open_[s, h], closed[d], begin, end)
                join[s, h, d] = -np.inf
            for e in range(source.size):
                part = arc[label[e], h, d] + near[source[e], h, d]
                join[target[e], h, d] = log_add(join[target[e], h, d], part)
            shut = -np.inf
            for s in range(1, states):
                open_[s, h, far] = log_dot(join[s, h], turned[far], first, last)
                if final[s] >= 0:
                    shut = log_add(shut, open_[s, h, far] + stop[h, direction, final[s]])
            closed[h, far] = shut
            turned[far, h] = shut
    z = -np.inf
    for r in range(n):
        z = log_add(z, root[r] + closed[r, 0] + closed[r, n])
    return z


@kernel
def flow_down(
    n, automaton, z, root, arc, stop, near, join, open_, closed, turned,
    p_join, p_open, p_closed, e_root, e_arc, e_stop,
):  # fmt: skip
    """Fill `e_root`, `e_arc`, `e_stop` with posteriors; prefix `p_` is a cell's own."""
    source, target, label, final = automaton
    states = final.size
    p_join[:, :n, :n] = 0.0
    p_open[:, :n, : n + 1] = 0.0
    p_closed[:n, : n + 1] = 0.0
    e_arc[:] = 0.0
    e_stop[:n] = 0.0
    for r in range(n):
        e_root[r] = np.exp(root[r] + closed[r, 0] + closed[r, n] - z)
        p_closed[r, 0] += e_root[r]
        p_closed[r, n] += e_root[r]
    for width in range(n - 1, 0, -1):
        for pair in range(2 * (n - width)):
            direction, h, d, beside, far, begin, end, first, last = corner(pair, width, n)
            for s in range(1, states):
                if final[s] >= 0 and p_closed[h, far] > 0.0:
                    ratio = np.exp(stop[h, direction, final[s]] + open_[s, h, far] - closed[h, far])
                    e_stop[h, direction, final[s]] += p_closed[h, far] * ratio
                    p_open[s, h, far] += p_closed[h, far] * ratio
                mass = p_open[s, h, far]
                if mass > 0.0:
                    for x in range(first, last):
                        part = mass * np.exp(join[s, h, x] + turned[far, x] - open_[s, h, far])
                        p_join[s, h, x] += part
                        p_closed[x, far] += part
            for s in range(states):
                mass = 0.0
                for e in range(source.size):
                    if source[e] == s and p_join[target[e], h, d] > 0.0:
                        whole = join[target[e], h, d]
                        part = np.exp(arc[label[e], h, d] + near[s, h, d] - whole)
                        part *= p_join[target[e], h, d]
                        e_arc[label[e], h, d] += part
                        mass += part
                if s == 0:
                    p_closed[d, beside] += mass
                elif mass > 0.0:
                    for m in range(begin, end):
                        part = mass * np.exp(open_[s, h, m] + closed[d, m] - near[s, h, d])
                        p_open[s, h, m] += part
                        p_closed[d, m] += part
    for h in range(n):
        for direction in range(2):
            e_stop[h, direction, final[0]] += p_closed[h, h + direction]


@kernel
def expected_log(weights, posterior):
    total = 0.0
    for at in range(posterior.size):
        if posterior.flat[at] > 0.0:
            total += posterior.flat[at] * weights.flat[at]
    return total


@kernel
def log_posteriors(
    tags, offsets, times, tables, automaton, arc_weights, arc_offsets, wanted,
    log_z, entropy, marginals, counts,
):  # fmt: skip
    """Add the posteriors of the sentences whose `log_z` is NaN, and write it.

    A sentence that has no tree gets -inf, no counts, and zeros for marginals and entropy.
    """
    has_weights, with_marginals, with_entropy = wanted
    labels, valences = tables[1].shape[0], tables[2].shape[2]
    states = automaton[3].size
    for s in range(offsets.size - 1):
        if not np.isnan(log_z[s]):
            continue
        words = tags[offsets[s] : offsets[s + 1]]
        n = words.size
        root, e_root = np.zeros(n), np.zeros(n)
        arc, e_arc = np.zeros((labels, n, n)), np.zeros((labels, n, n))
        stop, e_stop = np.zeros((n, 2, valences)), np.zeros((n, 2, valences))
        near, join, p_join = (
            np.zeros((states, n, n)),
            np.zeros((states, n, n)),
            np.zeros((states, n, n)),
        )
        open_, p_open = np.zeros((states, n, n + 1)), np.zeros((states, n, n + 1))
        closed, turned, p_closed = np.zeros((n, n + 1)), np.zeros((n + 1, n)), np.zeros((n, n + 1))
        own = arc_weights[arc_offsets[s] : arc_offsets[s + 1]] if has_weights else arc_weights
        log_weights(words, n, tables, own, has_weights, root, arc, stop)
        z = log_inside(n, automaton, root, arc, stop, near, join, open_, closed, turned)
        log_z[s] = z
        if z == -np.inf:
            continue
        flow_down(
            n, automaton, z, root, arc, stop, near, join, open_, closed, turned,
            p_join, p_open, p_closed, e_root, e_arc, e_stop,
        )  # fmt: skip
        if with_entropy:
            mean = (
                expected_log(root, e_root) + expected_log(arc, e_arc) + expected_log(stop, e_stop)
            )
            entropy[s] = z - mean
        flat_arc, flat_stop = e_arc.ravel(), e_stop.ravel()
        if with_marginals:
            own = marginals[arc_offsets[s] : arc_offsets[s + 1]]
            write_marginals(n, 0, 1, labels, e_root, flat_arc, own)
        add_counts(words, n, 0, 1, times[s], e_root, flat_arc, flat_stop, counts)


@kernel
def chosen(one, other, begin, end, whole, uniform):
    """Return a place of a range, drawn with probability exp(one + other - whole)."""
    left = uniform
    last = begin
    for k in range(begin, end):
        share = np.exp(one[k] + other[k] - whole)
        if share > 0.0:
            last = k
            left -= share
            if left < 0.0:
                break
    return last


@kernel
def pushed(stack, depth, head, boundary, state):
    """Put a half-tree on a stack (state -1: a closed one); return the new depth."""
    stack[depth, 0], stack[depth, 1], stack[depth, 2] = head, boundary, state
    return depth + 1


@kernel
def sample_tree(
    n, automaton, z, root, arc, stop, near, join, open_, closed, turned, uniforms, stack, heads
):
    """Draw a tree; `uniforms` has at least 4 n numbers in [0, 1)."""
    source, target, label, final = automaton
    used = 1
    left = uniforms[0]
    top = 0
    for r in range(n):
        share = np.exp(root[r] + closed[r, 0] + closed[r, n] - z)
        if share > 0.0:
            top = r
            left -= share
            if left < 0.0:
                break
    heads[top] = 0
    depth = pushed(stack, 0, top, 0, -1)
    depth = pushed(stack, depth, top, n, -1)
    while depth > 0:
        depth -= 1
        h, far, s = stack[depth, 0], stack[depth, 1], stack[depth, 2]
        direction = RIGHT if far > h else LEFT
        if far == h + direction:
            continue
        if s < 0:
            left = uniforms[used]
            used += 1
            for state in range(1, final.size):
                if final[state] >= 0:
                    weight = stop[h, direction, final[state]] + open_[state, h, far]
                    share = np.exp(weight - closed[h, far])
                    if share > 0.0:
                        s = state
                        left -= share
                        if left < 0.0:
                            break
        first, last = (h + 1, far) if direction == RIGHT else (far, h)
        d = chosen(join[s, h], turned[far], first, last, open_[s, h, far], uniforms[used])
        heads[d] = h + 1
        left = uniforms[used + 1]
        used += 2
        before = 0
        for e in range(source.size):
            if target[e] == s:
                weight = arc[label[e], h, d] + near[source[e], h, d]
                share = np.exp(weight - join[s, h, d])
                if share > 0.0:
                    before = source[e]
                    left -= share
                    if left < 0.0:
                        break
        m = h + direction
        if before > 0:
            begin, end = (h + 2, d + 1) if direction == RIGHT else (d + 1, h)
            whole = near[before, h, d]
            m = chosen(open_[before, h], closed[d], begin, end, whole, uniforms[used])
            used += 1
        depth = pushed(stack, depth, d, far, -1)
        depth = pushed(stack, depth, d, m, -1)
        depth = pushed(stack, depth, h, m, before)


@kernel
def samples(
    tags, offsets, tables, automaton, arc_weights, arc_offsets, has_weights,
    member_offsets, members, word_offsets, uniforms, uniform_offsets, log_z, heads,
):  # fmt: skip
    """Draw a tree for every member of every sentence, with numbers of its own.

    A sentence that has no tree keeps the heads it came with.
    """
    labels, valences = tables[1].shape[0], tables[2].shape[2]
    states = automaton[3].size
    for s in range(offsets.size - 1):
        words = tags[offsets[s] : offsets[s + 1]]
        n = words.size
        root, arc, stop = np.zeros(n), np.zeros((labels, n, n)), np.zeros((n, 2, valences))
        near, join = np.zeros((states, n, n)), np.zeros((states, n, n))
        open_, closed, turned = (
            np.zeros((states, n, n + 1)),
            np.zeros((n, n + 1)),
            np.zeros((n + 1, n)),
        )
        stack = np.zeros((4 * n + 4, 3), np.int64)
        own = arc_weights[arc_offsets[s] : arc_offsets[s + 1]] if has_weights else arc_weights
        log_weights(words, n, tables, own, has_weights, root, arc, stop)
        z = log_inside(n, automaton, root, arc, stop, near, join, open_, closed, turned)
        log_z[s] = z
        if z == -np.inf:
            continue
        for at in range(member_offsets[s], member_offsets[s + 1]):
            member = members[at]
            drawn = uniforms[uniform_offsets[member] : uniform_offsets[member + 1]]
            mine = heads[word_offsets[member] : word_offsets[member + 1]]
            sample_tree(
                n, automaton, z, root, arc, stop, near, join, open_, closed, turned,
                drawn, stack, mine,
            )  # fmt: skip

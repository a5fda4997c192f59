"""Kernels of the E-step in probability space: inside and outside, eight sentences at a time.

The chart
---------
A sentence has words 0..n-1 and boundaries 0..n. A half-tree of head `h` is one cell: `x[h, b]`
with `b > h` is its right half that covers words h..b-1, with `b <= h` its left half that
covers b..h. Left and right are then one recurrence:

    near[s][h, d]  = sum over boundaries m between h and d:  open[s][h, m] * closed[d, m]
    join[t][h, d]  = sum over transitions s -> t:            arc[label][h, d] * near[s][h, d]
    open[t][h, b]  = sum over words d between h and b:       join[t][h, d] * closed[d, b]
    closed[h, b]   = sum over final states s:                stop[s][h] * open[s][h, b]

States are those of `automaton.py`. State 0 (no dependent yet) holds exactly at width 0, where
its weight is 1: it has no chart, and with two states what is left is the valence implied by
the span. The outside pass computes derivatives of log Z, prefix `d_`.

Memory
------
A cell holds one number for each of `LANES` sentences of the same length, so that looking for
the cell is paid once for eight, and eight sums wait for nobody. All arrays are flat; `closed`
is kept transposed as well, so that inner loops run along memory. Indices are unsigned, because
numba checks signed ones for being negative. Lanes never meet: what is found for a sentence does
not depend on its neighbours, to the last bit.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.kernels import kernel

Floats = NDArray[np.float64]

LANES = 8
LEFT, RIGHT = 0, 1
U1, U2, L = np.uint64(1), np.uint64(2), np.uint64(LANES)


@kernel
def corner(pair, width, n):
    """Return head, far word and limits of a pair of words at a distance.

    The first `n - width` pairs have the head on the left. Returned are the direction; head and
    far word; the boundary beside the head and the boundary behind the far word; the range
    of boundaries at which both could meet if the head has taken dependents already; and
    the range of words that could be the head's last dependent.
    """
    if pair < n - width:
        h, d = np.uint64(pair), np.uint64(pair + width)
        return RIGHT, h, d, h + U1, d + U1, h + U2, d + U1, h + U1, d + U1
    h, d = np.uint64(pair - n + 2 * width), np.uint64(pair - n + width)
    return LEFT, h, d, h, d, d + U1, h, d, h


@kernel
def lanes_from(s, offsets):
    """Return how many sentences from `s` on have its length, at most `LANES`."""
    n = offsets[s + 1] - offsets[s]
    lanes = 1
    while (
        lanes < LANES
        and s + lanes < offsets.size - 1
        and offsets[s + lanes + 1] - offsets[s + lanes] == n
    ):
        lanes += 1
    return lanes


@kernel
def look_up(tags, n, lane, root_table, arc_table, stop_table, root, arc, stop):
    """Write the weights of a sentence into its lane."""
    for d in range(n):
        root[d * LANES + lane] = root_table[tags[d]]
        for direction in range(2):
            for v in range(stop_table.shape[2]):
                at = (d * 2 + direction) * stop_table.shape[2] + v
                stop[at * LANES + lane] = stop_table[tags[d], direction, v]
    for a in range(arc_table.shape[0]):
        for h in range(n):
            at = (a * n + h) * n
            left, right = arc_table[a, LEFT, tags[h]], arc_table[a, RIGHT, tags[h]]
            for d in range(h):
                arc[(at + d) * LANES + lane] = left[tags[d]]
            for d in range(h + 1, n):
                arc[(at + d) * LANES + lane] = right[tags[d]]


@kernel
def multiply_arcs(weights, n, lane, labels, root, arc):
    """Multiply arcs with weights of the sentence's own; return the logarithm of their scale.

    The weights of a word's heads are divided by the largest, so that they are at most 1.
    """
    scale = 0.0
    for d in range(n):
        largest = weights[d]
        for h in range(n):
            if h != d:
                weight = weights[(h + 1) * n + d]
                if weight > largest:
                    largest = weight
        if largest > 0.0:
            scale += np.log(largest)
        else:
            largest = 1.0
        root[d * LANES + lane] *= weights[d] / largest
        for h in range(n):
            if h != d:
                for a in range(labels):
                    arc[((a * n + h) * n + d) * LANES + lane] *= weights[(h + 1) * n + d] / largest
    return scale


@kernel
def inside(n, automaton, valences, root, arc, stop, near, join, open_, closed, turned, z):
    """Fill the chart, and `z` with the sums over all trees. `turned` is `closed` transposed."""
    source, target, label, final = automaton
    states = final.size
    u = np.uint64(n)
    row = u + U1
    total = np.zeros(LANES)
    shut = np.zeros(LANES)
    for h in range(n):
        for direction in range(2):
            for lane in range(LANES):
                weight = stop[(h * 2 + direction) * valences * LANES + lane]
                closed[(h * (n + 1) + h + direction) * LANES + lane] = weight
                turned[((h + direction) * n + h) * LANES + lane] = weight
    for width in range(1, n):
        for pair in range(2 * (n - width)):
            direction, h, d, beside, far, begin, end, first, last = corner(pair, width, n)
            for k in range(L):
                near[(h * u + d) * L + k] = closed[(d * row + beside) * L + k]
                shut[k] = 0.0
            for s in range(1, states):
                for k in range(L):
                    total[k] = 0.0
                mine, other = (np.uint64(s) * u + h) * row, d * row
                for m in range(begin, end):
                    x, y = (mine + m) * L, (other + m) * L
                    for k in range(L):
                        total[k] += open_[x + k] * closed[y + k]
                x = ((np.uint64(s) * u + h) * u + d) * L
                for k in range(L):
                    near[x + k] = total[k]
                    join[x + k] = 0.0
            for e in range(source.size):
                w = ((np.uint64(label[e]) * u + h) * u + d) * L
                x = ((np.uint64(source[e]) * u + h) * u + d) * L
                y = ((np.uint64(target[e]) * u + h) * u + d) * L
                for k in range(L):
                    join[y + k] += arc[w + k] * near[x + k]
            for s in range(1, states):
                for k in range(L):
                    total[k] = 0.0
                mine, other = (np.uint64(s) * u + h) * u, far * u
                for word in range(first, last):
                    x, y = (mine + word) * L, (other + word) * L
                    for k in range(L):
                        total[k] += join[x + k] * turned[y + k]
                x = ((np.uint64(s) * u + h) * row + far) * L
                for k in range(L):
                    open_[x + k] = total[k]
                if final[s] >= 0:
                    ending = np.uint64(direction * valences + final[s])
                    x = (h * U2 * np.uint64(valences) + ending) * L
                    for k in range(L):
                        shut[k] += total[k] * stop[x + k]
            for k in range(L):
                closed[(h * row + far) * L + k] = shut[k]
                turned[(far * u + h) * L + k] = shut[k]
    for lane in range(LANES):
        z[lane] = 0.0
    for r in range(n):
        for lane in range(LANES):
            left = closed[r * (n + 1) * LANES + lane]
            right = closed[(r * (n + 1) + n) * LANES + lane]
            z[lane] += root[r * LANES + lane] * left * right


@kernel
def clear(array, size):
    for at in range(size):
        array[at] = 0.0


@kernel
def outside(
    n, automaton, valences, root, arc, stop, near, join, open_, closed, turned, z,
    d_join, d_open, d_closed, d_turned, e_root, e_arc, e_stop,
):  # fmt: skip
    """Fill `e_root`, `e_arc`, `e_stop` with the posteriors of all events.

    Derivatives by `closed` are pushed along rows into `d_closed` and along columns into
    `d_turned`; their sum is meant.
    """
    source, target, label, final = automaton
    states = final.size
    u = np.uint64(n)
    row = u + U1
    push = np.zeros(LANES)
    whole = np.zeros(LANES)
    clear(d_join, states * n * n * LANES)
    clear(d_open, states * n * (n + 1) * LANES)
    clear(d_closed, n * (n + 1) * LANES)
    clear(d_turned, n * (n + 1) * LANES)
    clear(e_arc, e_arc.size)
    clear(e_stop, n * 2 * valences * LANES)
    for r in range(n):
        for lane in range(LANES):
            x, y = r * (n + 1) * LANES + lane, (r * (n + 1) + n) * LANES + lane
            weight = root[r * LANES + lane] / z[lane] if z[lane] > 0.0 else 0.0
            d_closed[x] += weight * closed[y]
            d_closed[y] += weight * closed[x]
            e_root[r * LANES + lane] = weight * closed[x] * closed[y]
    for width in range(n - 1, 0, -1):
        for pair in range(2 * (n - width)):
            direction, h, d, beside, far, begin, end, first, last = corner(pair, width, n)
            for k in range(L):
                whole[k] = d_closed[(h * row + far) * L + k] + d_turned[(far * u + h) * L + k]
            for s in range(1, states):
                at = ((np.uint64(s) * u + h) * row + far) * L
                if final[s] >= 0:
                    ending = np.uint64(direction * valences + final[s])
                    x = (h * U2 * np.uint64(valences) + ending) * L
                    for k in range(L):
                        part = whole[k] * stop[x + k]
                        e_stop[x + k] += part * open_[at + k]
                        d_open[at + k] += part
                for k in range(L):
                    push[k] = d_open[at + k]
                mine, other = (np.uint64(s) * u + h) * u, far * u
                for word in range(first, last):
                    x, y = (mine + word) * L, (other + word) * L
                    for k in range(L):
                        d_join[x + k] += push[k] * turned[y + k]
                        d_turned[y + k] += push[k] * join[x + k]
            for s in range(states):
                for k in range(L):
                    push[k] = 0.0
                x = ((np.uint64(s) * u + h) * u + d) * L
                for e in range(source.size):
                    if source[e] == s:
                        w = ((np.uint64(label[e]) * u + h) * u + d) * L
                        y = ((np.uint64(target[e]) * u + h) * u + d) * L
                        for k in range(L):
                            part = arc[w + k] * d_join[y + k]
                            e_arc[w + k] += part * near[x + k]
                            push[k] += part
                if s == 0:
                    x = (d * row + beside) * L
                    for k in range(L):
                        d_closed[x + k] += push[k]
                    continue
                mine, other = (np.uint64(s) * u + h) * row, d * row
                for m in range(begin, end):
                    x, y = (mine + m) * L, (other + m) * L
                    for k in range(L):
                        d_open[x + k] += push[k] * closed[y + k]
                        d_closed[y + k] += push[k] * open_[x + k]
    for h in range(n):
        for direction in range(2):
            x = (h * (n + 1) + h + direction) * LANES
            y = ((h + direction) * n + h) * LANES
            at = (h * 2 + direction) * valences * LANES
            for lane in range(LANES):
                derivative = d_closed[x + lane] + d_turned[y + lane]
                e_stop[at + lane] += derivative * closed[x + lane]


@kernel
def expected_log_weight(n, lane, valences, root, arc, stop, e_root, e_arc, e_stop):
    """Return the posterior mean of the logarithm of a tree's (scaled) weight."""
    total = 0.0
    for at in range(lane, n * LANES, LANES):
        if e_root[at] > 0.0:
            total += e_root[at] * np.log(root[at])
    for at in range(lane, n * 2 * valences * LANES, LANES):
        if e_stop[at] > 0.0:
            total += e_stop[at] * np.log(stop[at])
    for at in range(lane, e_arc.size, LANES):
        if e_arc[at] > 0.0:
            total += e_arc[at] * np.log(arc[at])
    return total


@kernel
def write_marginals(n, lane, stride, labels, e_root, e_arc, marginals):
    """Write posteriors of arcs, [n + 1, n] with the root's in row 0."""
    for d in range(n):
        marginals[d] = e_root[d * stride + lane]
    for at in range(n * n):
        marginals[n + at] = 0.0
        for a in range(labels):
            marginals[n + at] += e_arc[(a * n * n + at) * stride + lane]


@kernel
def add_counts(tags, n, lane, stride, times, e_root, e_arc, e_stop, counts):
    """Add the posteriors of a sentence to tables by tag."""
    root_counts, arc_counts, stop_counts = counts
    valences = stop_counts.shape[2]
    for h in range(n):
        root_counts[tags[h]] += times * e_root[h * stride + lane]
        for direction in range(2):
            for v in range(valences):
                at = ((h * 2 + direction) * valences + v) * stride + lane
                stop_counts[tags[h], direction, v] += times * e_stop[at]
    for a in range(arc_counts.shape[0]):
        for h in range(n):
            at = (a * n + h) * n
            left, right = arc_counts[a, LEFT, tags[h]], arc_counts[a, RIGHT, tags[h]]
            for d in range(h):
                left[tags[d]] += times * e_arc[(at + d) * stride + lane]
            for d in range(h + 1, n):
                right[tags[d]] += times * e_arc[(at + d) * stride + lane]


@kernel
def same_arcs(_weights, _n, _lane, _labels, _root, _arc):
    """Stands for `multiply_arcs` where sentences have no weights of their own."""
    return 0.0


@kernel
def no_log_weight(_n, _lane, _valences, _root, _arc, _stop, _e_root, _e_arc, _e_stop):
    """Stands for `expected_log_weight` where it is not asked for."""
    return 0.0


@kernel
def no_marginals(_n, _lane, _stride, _labels, _e_root, _e_arc, _marginals):
    """Stands for `write_marginals` where they are not asked for."""


def room_for_posteriors(
    longest: int, states: int, labels: int, valences: int
) -> tuple[Floats, ...]:
    """Return arrays for the charts of sentences of up to so many words."""
    square, row, rows = longest * longest, longest, longest * (longest + 1)
    # Weights and posteriors; near, join, open, closed and turned; derivatives; Z and its scale.
    weights = [row, labels * square, row * 2 * valences]
    chart = [states * square, states * square, states * rows, rows, rows]
    derivatives = [states * square, states * rows, rows, rows]
    cells = [*weights, *weights, *chart, *derivatives, 1, 1]
    return tuple(np.zeros(n * LANES) for n in cells)


@kernel
def posteriors(
    tags, offsets, times, tables, automaton, least, arc_weights, arc_offsets, wanted, room,
    log_z, entropy, marginals, counts,
):  # fmt: skip
    """Add the posteriors of sentences, in order of length, to counts by tag.

    A sentence whose Z is below `least[n]`, where numbers too small for a float could have
    mattered, or that is longer than `least` goes, is left to the kernel in log space: its
    `log_z` is NaN.
    """
    root_table, arc_table, stop_table, tag_scale = tables
    has_weights, with_marginals, with_entropy = wanted
    labels, valences = arc_table.shape[0], stop_table.shape[2]
    sentences = offsets.size - 1
    (
        root, arc, stop, e_root, e_arc, e_stop, near, join, open_, closed, turned,
        d_join, d_open, d_closed, d_turned, z, scale,
    ) = room  # fmt: skip
    s = 0
    while s < sentences:
        n = offsets[s + 1] - offsets[s]
        if n >= least.size:
            for mine in range(s, sentences):
                log_z[mine] = np.nan
            break
        lanes = lanes_from(s, offsets)
        for lane in range(LANES):
            # Lanes without a sentence of their own repeat the last one, unseen.
            mine = s + lane if lane < lanes else s + lanes - 1
            words = tags[offsets[mine] : offsets[mine + 1]]
            look_up(words, n, lane, root_table, arc_table, stop_table, root, arc, stop)
            scale[lane] = 0.0
            for i in range(n):
                scale[lane] += tag_scale[words[i]]
            if has_weights:
                own = arc_weights[arc_offsets[mine] : arc_offsets[mine + 1]]
                scale[lane] += multiply_arcs(own, n, lane, labels, root, arc)
        inside(n, automaton, valences, root, arc, stop, near, join, open_, closed, turned, z)
        used = e_arc[: labels * n * n * LANES]
        outside(
            n, automaton, valences, root, arc, stop, near, join, open_, closed, turned, z,
            d_join, d_open, d_closed, d_turned, e_root, used, e_stop,
        )  # fmt: skip
        for lane in range(lanes):
            mine = s + lane
            if not z[lane] >= least[n]:
                log_z[mine] = np.nan
                continue
            words = tags[offsets[mine] : offsets[mine + 1]]
            log_z[mine] = np.log(z[lane]) + scale[lane]
            if with_entropy:
                entropy[mine] = np.log(z[lane]) - expected_log_weight(
                    n, lane, valences, root, arc, stop, e_root, used, e_stop
                )
            if with_marginals:
                own = marginals[arc_offsets[mine] : arc_offsets[mine + 1]]
                write_marginals(n, lane, LANES, labels, e_root, used, own)
            add_counts(words, n, lane, LANES, times[mine], e_root, used, e_stop, counts)
        s += lanes

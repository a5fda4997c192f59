"""Kernels that find the best tree: the chart of `_inside_outside_numba.py` with max and plus.

Scores are logarithms, or anything else that is added up (votes, posteriors). Back-pointers are
not kept: on the way back there are only n cells to look at, and each finds the first of its
parts that gives its score.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.dependency_induction.chart._inside_outside_numba import (
    LANES,
    U2,
    Floats,
    L,
    corner,
    lanes_from,
    look_up,
)
from treegauge.systems.dependency_induction.chart._log_space_numba import pushed

LEFT, RIGHT = 0, 1

TIE = 1e-11
"""Scores that differ by less are tied: sums of the same numbers in another order."""


@kernel
def add_scores(own, are_weights, n, lane, labels, root, arc):
    """Add the sentence's own scores of arcs, or the logarithms of its own weights."""
    for h in range(n + 1):
        for d in range(n):
            score = own[h * n + d]
            if h == d + 1:
                continue
            if are_weights:
                score = np.log(score) if score > 0.0 else -np.inf
            if h == 0:
                root[d * LANES + lane] += score
            else:
                for a in range(labels):
                    arc[((a * n + h - 1) * n + d) * LANES + lane] += score


@kernel
def best_inside(n, automaton, valences, arc, stop, near, join, open_, closed, turned):
    """Fill the chart with the scores of the best half-trees of `LANES` sentences."""
    source, target, label, final = automaton
    states = final.size
    u = np.uint64(n)
    row = u + np.uint64(1)
    best = np.zeros(LANES)
    shut = np.zeros(LANES)
    for h in range(n):
        for direction in range(2):
            for lane in range(LANES):
                score = stop[(h * 2 + direction) * valences * LANES + lane]
                closed[(h * (n + 1) + h + direction) * LANES + lane] = score
                turned[((h + direction) * n + h) * LANES + lane] = score
    for width in range(1, n):
        for pair in range(2 * (n - width)):
            direction, h, d, beside, far, begin, end, first, last = corner(pair, width, n)
            for k in range(L):
                near[(h * u + d) * L + k] = closed[(d * row + beside) * L + k]
                shut[k] = -np.inf
            for s in range(1, states):
                for k in range(L):
                    best[k] = -np.inf
                mine, other = (np.uint64(s) * u + h) * row, d * row
                for m in range(begin, end):
                    x, y = (mine + m) * L, (other + m) * L
                    for k in range(L):
                        score = open_[x + k] + closed[y + k]
                        best[k] = max(best[k], score)
                x = ((np.uint64(s) * u + h) * u + d) * L
                for k in range(L):
                    near[x + k] = best[k]
                    join[x + k] = -np.inf
            for e in range(source.size):
                w = ((np.uint64(label[e]) * u + h) * u + d) * L
                x = ((np.uint64(source[e]) * u + h) * u + d) * L
                y = ((np.uint64(target[e]) * u + h) * u + d) * L
                for k in range(L):
                    score = arc[w + k] + near[x + k]
                    join[y + k] = max(join[y + k], score)
            for s in range(1, states):
                for k in range(L):
                    best[k] = -np.inf
                mine, other = (np.uint64(s) * u + h) * u, far * u
                for word in range(first, last):
                    x, y = (mine + word) * L, (other + word) * L
                    for k in range(L):
                        score = join[x + k] + turned[y + k]
                        best[k] = max(best[k], score)
                x = ((np.uint64(s) * u + h) * row + far) * L
                for k in range(L):
                    open_[x + k] = best[k]
                if final[s] >= 0:
                    ending = np.uint64(direction * valences + final[s])
                    x = (h * U2 * np.uint64(valences) + ending) * L
                    for k in range(L):
                        score = best[k] + stop[x + k]
                        shut[k] = max(shut[k], score)
            for k in range(L):
                closed[(h * row + far) * L + k] = shut[k]
                turned[(far * u + h) * L + k] = shut[k]


@kernel
def first_best(one, at, other, other_at, count, lane, best):
    """Return which of some consecutive cells is the first whose sum is as good as the best."""
    for k in range(count):
        if one[(at + k) * LANES + lane] + other[(other_at + k) * LANES + lane] >= best - TIE:
            return k
    return count - 1


@kernel
def read_tree(
    n, lane, automaton, valences, root, arc, stop, near, join, open_, closed, turned, stack, heads
):
    """Write the heads of a lane's best tree, and return its score.

    Without any tree, the score is -inf, and heads stay what they are.
    """
    source, target, label, final = automaton
    row = n + 1
    score = -np.inf
    for r in range(n):
        sides = closed[r * row * LANES + lane] + closed[(r * row + n) * LANES + lane]
        if root[r * LANES + lane] + sides > score:
            score = root[r * LANES + lane] + sides
    if score == -np.inf:
        return score
    top = 0
    for r in range(n):
        sides = closed[r * row * LANES + lane] + closed[(r * row + n) * LANES + lane]
        if root[r * LANES + lane] + sides >= score - TIE:
            top = r
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
            best = closed[(h * row + far) * LANES + lane]
            for state in range(final.size - 1, 0, -1):
                if final[state] >= 0:
                    at = (h * 2 + direction) * valences + final[state]
                    side = open_[((state * n + h) * row + far) * LANES + lane]
                    if side + stop[at * LANES + lane] >= best - TIE:
                        s = state
        first, last = (h + 1, far) if direction == RIGHT else (far, h)
        best = open_[((s * n + h) * row + far) * LANES + lane]
        at, count = (s * n + h) * n + first, last - first
        d = first + first_best(join, at, turned, far * n + first, count, lane, best)
        heads[d] = h + 1
        best = join[((s * n + h) * n + d) * LANES + lane]
        before = 0
        for e in range(source.size - 1, -1, -1):
            if target[e] == s:
                part = near[((source[e] * n + h) * n + d) * LANES + lane]
                if arc[((label[e] * n + h) * n + d) * LANES + lane] + part >= best - TIE:
                    before = source[e]
        m = h + direction
        if before > 0:
            begin, end = (h + 2, d + 1) if direction == RIGHT else (d + 1, h)
            best = near[((before * n + h) * n + d) * LANES + lane]
            at, count = (before * n + h) * row + begin, end - begin
            m = begin + first_best(open_, at, closed, d * row + begin, count, lane, best)
        depth = pushed(stack, depth, d, far, -1)
        depth = pushed(stack, depth, d, m, -1)
        depth = pushed(stack, depth, h, m, before)
    return score


@kernel
def same_scores(_own, _are_weights, _n, _lane, _labels, _root, _arc):
    """Stands for `add_scores` where sentences have no scores of their own."""


def room_for_trees(longest: int, states: int, labels: int, valences: int) -> tuple[Floats, ...]:
    """Return arrays for the charts of sentences of up to so many words."""
    square, rows = longest * longest, longest * (longest + 1)
    # Scores; near, join, open, closed and turned.
    scores = [longest, labels * square, longest * 2 * valences]
    chart = [states * square, states * square, states * rows, rows, rows]
    return tuple(np.zeros(n * LANES) for n in [*scores, *chart])


@kernel
def best_trees(
    tags, offsets, tables, automaton, own_arcs, arc_offsets, has_arcs, are_weights, room, stack,
    scores, heads,
):  # fmt: skip
    """Write the best tree of every sentence, in order of length.

    `own_arcs` are weights or scores of the sentences' own. A sentence that has no tree keeps
    the heads it came with.
    """
    root_table, arc_table, stop_table = tables
    labels, valences = arc_table.shape[0], stop_table.shape[2]
    sentences = offsets.size - 1
    root, arc, stop, near, join, open_, closed, turned = room
    s = 0
    while s < sentences:
        n = offsets[s + 1] - offsets[s]
        lanes = lanes_from(s, offsets)
        for lane in range(lanes):
            begin, end = offsets[s + lane], offsets[s + lane + 1]
            look_up(tags[begin:end], n, lane, root_table, arc_table, stop_table, root, arc, stop)
            if has_arcs:
                own = own_arcs[arc_offsets[s + lane] : arc_offsets[s + lane + 1]]
                add_scores(own, are_weights, n, lane, labels, root, arc)
        best_inside(n, automaton, valences, arc, stop, near, join, open_, closed, turned)
        for lane in range(lanes):
            begin, end = offsets[s + lane], offsets[s + lane + 1]
            scores[s + lane] = read_tree(
                n, lane, automaton, valences, root, arc, stop,
                near, join, open_, closed, turned, stack, heads[begin:end],
            )  # fmt: skip
        s += lanes

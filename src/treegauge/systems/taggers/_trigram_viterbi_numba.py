"""Kernels of trigram taggers: the best path, and distributions of unknown words."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel


@kernel
def best_paths(offsets, types, starts, states, scores, row_of, rows, boundary, log_beam, out):
    """Write the best state of every word of every sentence to `out`; the first of equals.

    A type's states are the slice of `states` that `starts` gives it, `scores` their log
    emissions. The state of a path at a word is a pair of states, of the word before and of the
    word; pairs that are more than `log_beam` below the best one are not followed.
    """
    widest = 1
    for i in range(len(starts) - 1):
        widest = max(widest, starts[i + 1] - starts[i])
    now = np.empty(widest * widest)
    then = np.empty(widest * widest)
    back = np.empty(1 << 12, np.int32)
    back_starts = np.empty(1, np.int64)
    for sentence in range(len(offsets) - 1):
        begin = offsets[sentence]
        n = offsets[sentence + 1] - begin
        if n == 0:
            continue
        if len(back_starts) < n + 1:
            back_starts = np.empty(2 * n + 1, np.int64)
        back_starts[0] = 0
        before = 1
        for i in range(n):
            here = starts[types[begin + i] + 1] - starts[types[begin + i]]
            back_starts[i + 1] = back_starts[i] + before * here
            before = here
        if len(back) < back_starts[n]:
            back = np.empty(2 * back_starts[n], np.int32)

        first = starts[types[begin]]
        n_b = starts[types[begin] + 1] - first
        n_a = 1
        row = row_of[boundary, boundary]
        best = -np.inf
        for b in range(n_b):
            now[b] = rows[row, states[first + b]] + scores[first + b]
            best = max(best, now[b])
        first_a = np.int64(-1)  # the boundary
        first_b = first
        for i in range(1, n):
            first_c = starts[types[begin + i]]
            n_c = starts[types[begin + i] + 1] - first_c
            at = back_starts[i]
            for pair in range(n_b * n_c):
                then[pair] = -np.inf
                back[at + pair] = 0
            worst = best - log_beam
            for a in range(n_a):
                state_a = boundary if first_a < 0 else states[first_a + a]
                for b in range(n_b):
                    score = now[a * n_b + b]
                    if score < worst:
                        continue
                    row = row_of[state_a, states[first_b + b]]
                    for c in range(n_c):
                        reached = score + rows[row, states[first_c + c]]
                        if reached > then[b * n_c + c]:
                            then[b * n_c + c] = reached
                            back[at + b * n_c + c] = a
            best = -np.inf
            for b in range(n_b):
                for c in range(n_c):
                    then[b * n_c + c] += scores[first_c + c]
                    best = max(best, then[b * n_c + c])
            now, then = then, now
            first_a, n_a = first_b, n_b
            first_b, n_b = first_c, n_c

        worst = best - log_beam
        best = -np.inf
        best_a = 0
        best_b = 0
        for a in range(n_a):
            state_a = boundary if first_a < 0 else states[first_a + a]
            for b in range(n_b):
                score = now[a * n_b + b]
                if score < worst:
                    continue
                score += rows[row_of[state_a, states[first_b + b]], boundary]
                if score > best:
                    best = score
                    best_a = a
                    best_b = b
        for i in range(n - 1, -1, -1):
            kind = types[begin + i]
            out[begin + i] = states[starts[kind] + best_b]
            if i > 0:
                width = starts[kind + 1] - starts[kind]
                earlier = back[back_starts[i] + best_a * width + best_b]
                best_b = best_a
                best_a = earlier


@kernel
def smoothed_along_paths(path, starts, tags, counts, totals, prior, theta, out):
    """Mix the tag frequencies of the nodes on every path, the last one weighing most.

    -1 is no node, and a node without words says nothing.

    `P_i = (f_i / sum f_i + theta P_{i-1}) / (1 + theta)`, beginning with the prior (Brants
    2000, equation 10).
    """
    for word in range(len(path)):
        for tag in range(len(prior)):
            out[word, tag] = prior[tag]
        for depth in range(path.shape[1]):
            node = path[word, depth]
            if node < 0 or totals[node] == 0:
                continue
            for tag in range(len(prior)):
                out[word, tag] *= theta / (1.0 + theta)
            for place in range(starts[node], starts[node + 1]):
                share = counts[place] / totals[node]
                out[word, tags[place]] += share / (1.0 + theta)

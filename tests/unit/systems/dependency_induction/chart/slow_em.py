"""Inside-outside of the dependency model with valence, as textbooks write it, in plain Python.

Left and right are written out, one sentence at a time, no scaling; for short sentences.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from treegauge.systems.dependency_induction.chart import Counts, Grammar


def slow_expectations(grammar: Grammar, sentences: Sequence[Sequence[int]]) -> tuple[Counts, float]:
    """Return expected counts and log-likelihood of sentences, for valences 2 and 1."""
    counts = Counts.zeros_like(grammar)
    log_likelihood = 0.0
    for tags in sentences:
        log_likelihood += math.log(_add_sentence(grammar, tags, counts))
    return counts, log_likelihood


def _add_sentence(grammar: Grammar, t: Sequence[int], counts: Counts) -> float:
    left, right = 0, 1
    n = len(t)
    root, stop = grammar.root.tolist(), grammar.stop.tolist()
    go, attach = grammar.go.tolist(), grammar.attach.tolist()

    def chart() -> list[list[float]]:
        return [[0.0] * n for _ in range(n)]

    def r_arc(i: int, j: int, k: int) -> float:
        return go[t[i]][right][k > i] * attach[t[i]][right][0][t[j]]

    def l_arc(j: int, i: int, k: int) -> float:
        return go[t[j]][left][k + 1 < j] * attach[t[j]][left][0][t[i]]

    r, rc, ir, l_, lc, il = (chart() for _ in range(6))
    for width in range(n):
        for i in range(n - width):
            j = i + width
            if width == 0:
                r[i][i] = l_[i][i] = 1.0
            else:
                ir[i][j] = sum(r[i][k] * r_arc(i, j, k) * lc[j][k + 1] for k in range(i, j))
                il[j][i] = sum(l_[j][k + 1] * l_arc(j, i, k) * rc[i][k] for k in range(i, j))
                r[i][j] = sum(ir[i][k] * rc[k][j] for k in range(i + 1, j + 1))
                l_[j][i] = sum(il[j][k] * lc[k][i] for k in range(i, j))
            rc[i][j] = r[i][j] * stop[t[i]][right][i < j]
            lc[j][i] = l_[j][i] * stop[t[j]][left][i < j]
    z = sum(root[t[h]] * lc[h][0] * rc[h][n - 1] for h in range(n))

    d_r, d_rc, d_ir, d_l, d_lc, d_il = (chart() for _ in range(6))
    for h in range(n):
        d_lc[h][0] += root[t[h]] * rc[h][n - 1]
        d_rc[h][n - 1] += root[t[h]] * lc[h][0]
        counts.root[t[h]] += root[t[h]] * lc[h][0] * rc[h][n - 1] / z
    for width in range(n - 1, -1, -1):
        for i in range(n - width):
            j = i + width
            d_r[i][j] += d_rc[i][j] * stop[t[i]][right][i < j]
            d_l[j][i] += d_lc[j][i] * stop[t[j]][left][i < j]
            counts.stop[t[i], right, int(i < j)] += d_rc[i][j] * rc[i][j] / z
            counts.stop[t[j], left, int(i < j)] += d_lc[j][i] * lc[j][i] / z
            if width == 0:
                continue
            for k in range(i + 1, j + 1):
                d_ir[i][k] += d_r[i][j] * rc[k][j]
                d_rc[k][j] += d_r[i][j] * ir[i][k]
            for k in range(i, j):
                d_il[j][k] += d_l[j][i] * lc[k][i]
                d_lc[k][i] += d_l[j][i] * il[j][k]
            for k in range(i, j):
                g = d_ir[i][j] * r_arc(i, j, k)
                d_r[i][k] += g * lc[j][k + 1]
                d_lc[j][k + 1] += g * r[i][k]
                expected = g * r[i][k] * lc[j][k + 1] / z
                counts.attach[t[i], right, 0, t[j]] += expected
                counts.go[t[i], right, int(k > i)] += expected
                g = d_il[j][i] * l_arc(j, i, k)
                d_l[j][k + 1] += g * rc[i][k]
                d_rc[i][k] += g * l_[j][k + 1]
                expected = g * l_[j][k + 1] * rc[i][k] / z
                counts.attach[t[j], left, 0, t[i]] += expected
                counts.go[t[j], left, int(k + 1 < j)] += expected
    return z

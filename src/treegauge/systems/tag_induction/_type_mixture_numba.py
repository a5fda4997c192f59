"""Kernels for mixtures of types with multinomial features; see `type_mixture.py`."""

# mypy: ignore-errors
from __future__ import annotations

import math

from treegauge.kernels import kernel
from treegauge.systems.tag_induction._draw_numba import draw


@kernel
def _log_gamma(table, n, offset):
    """Return log Gamma(n + offset), from a table as far as it goes."""
    return table[n] if n < len(table) else math.lgamma(n + offset)


@kernel
def add(m, f, w, c, sign):
    """Add the features of a type to a class, or take them out (sign -1)."""
    m.types[c] += sign
    for kind in range(len(f.starts)):
        for i in range(f.starts[kind, w], f.starts[kind, w + 1]):
            m.counts[f.features[i], c] += sign * f.counts[i]
        m.totals[kind, c] += sign * f.sizes[kind, w]


@kernel
def write_scores(m, p, f, w, score):
    """Write the log factor of having a type, which is in no class, in each of the classes."""
    counts, totals = m.counts, m.totals
    n_classes = len(score)
    for c in range(n_classes):
        score[c] = math.log(m.types[c] + p.alpha)
    for kind in range(len(f.starts)):
        size = f.sizes[kind, w]
        if size == 0:
            continue
        beta, table = p.betas[kind], p.log_gamma[kind]
        all_beta = p.all_betas[kind]
        for c in range(n_classes):
            n = totals[kind, c]
            score[c] += math.lgamma(n + all_beta) - math.lgamma(n + size + all_beta)
        for i in range(f.starts[kind, w], f.starts[kind, w + 1]):
            feature, x = f.features[i], f.counts[i]
            for c in range(n_classes):
                n = counts[feature, c]
                score[c] += _log_gamma(table, n + x, beta) - _log_gamma(table, n, beta)


@kernel
def sweep(m, p, f, order, uniforms, temperature, score):
    """Draw the class of every type anew, in an order; return how many changed."""
    moves = 0
    for at in range(len(order)):
        w = order[at]
        add(m, f, w, m.classes[w], -1)
        write_scores(m, p, f, w, score)
        c = draw(score, temperature, uniforms[at])
        moves += c != m.classes[w]
        m.classes[w] = c
        add(m, f, w, c, 1)
    return moves

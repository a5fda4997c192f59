"""Kernel of the collapsed Gibbs sampler for latent Dirichlet allocation; see `lda.py`."""

# mypy: ignore-errors
from __future__ import annotations

from treegauge.kernels import kernel


@kernel
def sweep(types, features, classes, by_type, by_feature, totals, alpha, beta, uniforms, score):
    """Draw the class of every feature token anew; return how many changed."""
    k = len(totals)
    all_beta = len(by_feature) * beta
    # Divisions are slow, and few totals change at a time.
    rates = 1.0 / (totals + all_beta)
    moves = 0
    for i in range(len(types)):
        w, f, old = types[i], features[i], classes[i]
        by_type[w, old] -= 1
        by_feature[f, old] -= 1
        totals[old] -= 1
        rates[old] = 1.0 / (totals[old] + all_beta)
        for z in range(k):
            score[z] = (by_type[w, z] + alpha) * (by_feature[f, z] + beta) * rates[z]
        total = 0.0
        for z in range(k):
            total += score[z]
        rest = uniforms[i] * total
        new = 0
        while new < k - 1 and rest >= score[new]:
            rest -= score[new]
            new += 1
        by_type[w, new] += 1
        by_feature[f, new] += 1
        totals[new] += 1
        rates[new] = 1.0 / (totals[new] + all_beta)
        classes[i] = new
        moves += new != old
    return moves

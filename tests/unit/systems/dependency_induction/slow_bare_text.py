"""The definitions of what is found in bare text, word by word."""

from __future__ import annotations

import numpy as np


def chain(is_function: list[bool], begins: list[bool]) -> list[int]:
    """Return the heads of one sentence whose function words lean to the right."""
    n = len(is_function)
    is_open = [not function for function in is_function]
    if not any(is_open):
        is_open = [True] * n
    heads = []
    for i in range(n):
        before = [j for j in range(i) if is_open[j]]
        behind = [j for j in range(i + 1, n) if is_open[j]]
        if is_open[i]:
            heads.append(before[-1] + 1 if before else 0)
            continue
        crosses_behind = bool(behind) and any(begins[i + 1 : behind[0] + 1])
        crosses_before = bool(before) and any(begins[before[-1] + 1 : i + 1])
        if not behind or (before and crosses_behind and not crosses_before):
            heads.append(before[-1] + 1)
        else:
            heads.append(behind[0] + 1)
    return heads


def mirrored_chain(is_function: list[bool], begins: list[bool]) -> list[int]:
    """Return the same for function words that lean to the left."""
    n = len(is_function)
    # What begins behind a gap ends before it when the sentence is read backwards.
    gaps = [True, *begins[:0:-1]] if n else []
    heads = chain(is_function[::-1], gaps)[::-1]
    return [n + 1 - head if head else 0 for head in heads]


def mixture(table, kinds, share, iterations, prior=1.0, least=1e-6):
    """Return log prior, log features and log-likelihood of EM from responsibilities."""
    n_types, width = table.shape
    n_classes = share.shape[1]
    for _ in range(iterations):
        log_prior = np.array(
            [
                np.log((sum(share[t, k] for t in range(n_types)) + 1) / (n_types + n_classes))
                for k in range(n_classes)
            ]
        )
        log_features = np.empty((width, n_classes))
        for kind in kinds:
            columns = range(kind.start, kind.stop)
            seen = np.array([sum(table[t, f] for t in range(n_types)) for f in columns])
            for k in range(n_classes):
                counts = [
                    sum(table[t, f] * share[t, k] for t in range(n_types))
                    + prior * seen[i] / seen.sum()
                    + least
                    for i, f in enumerate(columns)
                ]
                log_features[kind, k] = np.log(np.array(counts) / sum(counts))
        scores = table @ log_features + log_prior
        likelihood = np.log(np.exp(scores).sum(axis=1)).sum()
        share = np.exp(scores)
        share /= share.sum(axis=1, keepdims=True)
    return log_prior, log_features, likelihood

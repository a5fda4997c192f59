"""Brown clusters the long way: every loss from probabilities, every time, by definition."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import log2

import numpy as np

Partition = list[frozenset[int]]


def pairs_of(text: list[int], breaks: frozenset[int] = frozenset()) -> list[tuple[int, int]]:
    """Neighbours in a text; a place in `breaks` has none on its left, and -1 has none at all."""
    return [
        (text[i - 1], text[i])
        for i in range(1, len(text))
        if i not in breaks and text[i - 1] >= 0 and text[i] >= 0
    ]


def information(
    text: list[int], clusters: Partition, breaks: frozenset[int] = frozenset()
) -> float:
    """The average mutual information of the clusters, p1 over words and p2 over all pairs."""
    n, m = len(text), max(len(text) - 1 - len(breaks), 1)
    total = 0.0
    pairs = pairs_of(text, breaks)
    for a in clusters:
        for b in clusters:
            p2 = sum(v in a and w in b for v, w in pairs) / m
            p1 = sum(w in a for w in text) / n
            p1_b = sum(w in b for w in text) / n
            if p2:
                total += p2 * log2(p2 / (p1 * p1_b))
    return total


def merged(clusters: Partition, a: int, b: int) -> Partition:
    """The first stays where it was, joined; the last takes the place of the second."""
    rest = list(clusters)
    rest[a] = rest[a] | rest[b]
    last = rest.pop()
    if b < len(rest):
        rest[b] = last
    return rest


def cheapest(
    text: list[int], clusters: Partition, breaks: frozenset[int] = frozenset()
) -> tuple[float, int, int]:
    """What the cheapest merge costs, and which it is; of equals the first pair."""
    before = information(text, clusters, breaks)
    losses = [
        (before - information(text, merged(clusters, a, b), breaks), a, b)
        for a, b in combinations(range(len(clusters)), 2)
    ]
    least = min(losses)[0]
    return next(item for item in losses if item[0] <= least + 1e-10)


def brown(
    text: list[int], n_types: int, window: int, breaks: frozenset[int] = frozenset()
) -> tuple[Partition, list[tuple[frozenset[int], frozenset[int]]], float]:
    """The clusters, the merges below the window, and the least gap between two choices."""
    clusters: Partition = []
    gap = float("inf")
    merges = []

    def step() -> tuple[int, int]:
        nonlocal gap
        before = information(text, clusters, breaks)
        losses = sorted(
            before - information(text, merged(clusters, a, b), breaks)
            for a, b in combinations(range(len(clusters)), 2)
        )
        if len(losses) > 1:
            gap = min(gap, losses[1] - losses[0])
        _, a, b = cheapest(text, clusters, breaks)
        return a, b

    for word in range(n_types):
        clusters.append(frozenset([word]))
        if len(clusters) > window:
            clusters = merged(clusters, *step())
    found = list(clusters)
    while len(clusters) > 1:
        a, b = step()
        merges.append((clusters[a], clusters[b]))
        clusters = merged(clusters, a, b)
    return found, merges, gap


def information_by_tables(
    text: np.ndarray, n_types: int, breaks: frozenset[int] = frozenset()
) -> Callable[[Partition], float]:
    """The same information, from tables of counts: for larger texts, or many partitions."""
    counts = np.zeros((n_types, n_types))
    for v, w in pairs_of(text.tolist(), breaks):
        counts[v, w] += 1
    share = np.bincount(text, minlength=n_types) / len(text)

    def of(clusters: Partition) -> float:
        member = np.array([[w in cluster for w in range(n_types)] for cluster in clusters], float)
        p2 = member @ counts @ member.T / (len(text) - 1 - len(breaks))
        p1 = member @ share
        return float((p2 * np.log2(np.where(p2 > 0, p2, 1) / np.outer(p1, p1)))[p2 > 0].sum())

    return of


def brown_by_tables(
    text: np.ndarray, n_types: int, window: int, breaks: frozenset[int] = frozenset()
) -> tuple[Partition, float]:
    """The clusters and their information; every loss by its definition, in floating point."""
    information_of = information_by_tables(text, n_types, breaks)
    clusters: Partition = []
    for word in range(n_types):
        clusters.append(frozenset([word]))
        if len(clusters) > window:
            choices = [merged(clusters, *pair) for pair in combinations(range(len(clusters)), 2)]
            clusters = max(choices, key=information_of)
    return clusters, information_of(clusters)

"""What charts compute, by listing every tree: slow, obvious, and independent of them."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from itertools import product

import numpy as np

from treegauge.systems.dependency_induction.chart import Counts, Grammar


@cache
def projective_trees(n: int) -> tuple[tuple[int, ...], ...]:
    """All projective trees with one root, as heads: try everything, keep what is right."""
    return tuple(
        heads for heads in product(range(n + 1), repeat=n) if is_projective_tree(heads)
    )  # fmt: skip


def is_projective_tree(heads: tuple[int, ...]) -> bool:
    n = len(heads)
    if heads.count(0) != 1:
        return False

    def dominates(head: int, word: int) -> bool:
        for _ in range(n + 1):
            if word == head:
                return True
            if word == 0:
                return False
            word = heads[word - 1]
        return False  # a cycle

    return all(dominates(0, word) for word in range(1, n + 1)) and all(
        dominates(head, between)
        for word, head in enumerate(heads, start=1)
        if head > 0
        for between in range(min(word, head) + 1, max(word, head))
    )


def events(tags, heads, grammar: Grammar) -> Counter:
    """The events of a tree, named by table and index, as the story in the docstrings goes."""
    found: Counter = Counter()
    last_decision, last_child = grammar.decision_valences - 1, grammar.child_valences - 1
    for position, tag in enumerate(tags, start=1):
        if heads[position - 1] == 0:
            found["root", tag] += 1
        dependents = [d for d, head in enumerate(heads, start=1) if head == position]
        left = [d for d in reversed(dependents) if d < position]
        right = [d for d in dependents if d > position]
        for direction, side in ((0, left), (1, right)):
            for k, dependent in enumerate(side):
                order = k if grammar.child_valence_order == "inside_out" else len(side) - 1 - k
                found["go", tag, direction, min(k, last_decision)] += 1
                child = tags[dependent - 1]
                found["attach", tag, direction, min(order, last_child), child] += 1
            found["stop", tag, direction, min(len(side), last_decision)] += 1
    return found


def weight(tags, heads, grammar: Grammar, arcs=None) -> float:
    """The product of the weights of a tree's events, and of its arcs' own weights."""
    tables = grammar.arrays()
    value = math.prod(
        float(tables[name][tuple(index)]) ** times
        for (name, *index), times in events(tags, heads, grammar).items()
    )
    if arcs is not None:
        value *= math.prod(arcs[head, d] for d, head in enumerate(heads))
    return float(value**grammar.exponent)


def all_weights(tags, grammar: Grammar, arcs=None) -> dict[tuple[int, ...], float]:
    return {
        heads: weight(tags, heads, grammar, arcs) for heads in projective_trees(len(tags))
    }  # fmt: skip


def expected_counts(tags, grammar: Grammar, arcs=None) -> Counts:
    """Events of all trees, each tree as often as it is probable."""
    weights = all_weights(tags, grammar, arcs)
    z = sum(weights.values())
    counts = Counts.zeros_like(grammar)
    for heads, value in weights.items():
        for (name, *index), times in events(tags, heads, grammar).items():
            counts.arrays()[name][tuple(index)] += times * value / z
    return counts


def expected_arcs(tags, grammar: Grammar, arcs=None) -> np.ndarray:
    """Posteriors of arcs, [n + 1, n]."""
    weights = all_weights(tags, grammar, arcs)
    z = sum(weights.values())
    marginals = np.zeros((len(tags) + 1, len(tags)))
    for heads, value in weights.items():
        for d, head in enumerate(heads):
            marginals[head, d] += value / z
    return marginals

"""Brute force: every shape of tree up to seven words, and every order of its words."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations, product

import numpy as np

from treegauge.treebank import Column, Treebank

LARGEST = 7


def bank(*sentences: list[int], **columns: list[str]) -> Treebank:
    """Return a treebank of head vectors; other columns by name, over all words."""
    heads = [head for heads in sentences for head in heads]
    offsets = np.concatenate([[0], np.cumsum([len(heads) for heads in sentences])]).astype(int)
    given = {"form": [f"w{i}" for i in range(len(heads))], **columns}
    made = {name: Column.from_strings(values) for name, values in given.items()}
    return Treebank(made, heads, offsets=offsets)


@cache
def shapes(n: int) -> list[list[int]]:
    """Return one head vector for every shape of rooted tree with n words."""
    found = {}
    for parents in product(*(range(1, i) for i in range(2, n + 1))):
        heads = [0, *parents]
        found.setdefault(_canonical(heads, 1), heads)
    return list(found.values())


def _canonical(heads: list[int], word: int) -> tuple:
    below = [d for d in range(1, len(heads) + 1) if heads[d - 1] == word]
    return tuple(sorted(_canonical(heads, d) for d in below))


@cache
def _places(n: int) -> np.ndarray:
    """Return all orders: for each the place of every word."""
    return np.array(list(permutations(range(n))))


class AllOrders:
    """Lengths of all orders of a tree, and which of them are planar, and projective."""

    def __init__(self, heads: list[int]) -> None:
        n = len(heads)
        places = _places(n)
        arcs = [(d - 1, h - 1) for d, h in enumerate(heads, start=1) if h]
        ends = [np.sort(places[:, arc], axis=1) for arc in arcs]
        self.lengths = sum((e[:, 1] - e[:, 0] for e in ends), np.zeros(len(places), int))
        self.planar = np.ones(len(places), bool)
        for a, b in combinations(ends, 2):
            first = (a[:, 0] < b[:, 0]) & (b[:, 0] < a[:, 1]) & (a[:, 1] < b[:, 1])
            second = (b[:, 0] < a[:, 0]) & (a[:, 0] < b[:, 1]) & (b[:, 1] < a[:, 1])
            self.planar &= ~(first | second)
        # A planar order is projective if no arc covers the root.
        root = places[:, heads.index(0)]
        covered = np.zeros(len(places), bool)
        for e in ends:
            covered |= (e[:, 0] < root) & (root < e[:, 1])
        self.projective = self.planar & ~covered


def random_tree(rng: np.random.Generator, n: int) -> list[int]:
    """Return the heads of a random tree with a random order of words."""
    order = (rng.permutation(n) + 1).tolist()
    heads = [0] * n
    for i, word in enumerate(order[1:], start=1):
        heads[word - 1] = order[int(rng.integers(0, i))]
    return heads


def star(n: int) -> list[int]:
    """The first word heads all others."""
    return [0] + [1] * (n - 1)


def chain(n: int) -> list[int]:
    """Every word heads the next."""
    return list(range(n))


def caterpillar(n: int) -> list[int]:
    """A chain of heads, each with a leaf."""
    return [0] + [i - 1 if i % 2 == 0 else max(i - 2, 1) for i in range(2, n + 1)]

"""Gap degree, edge degree, branching and height: by hand and against the definitions."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tests.unit.properties.all_orders import bank, chain, random_tree, star
from treegauge.properties import nonprojective_arcs
from treegauge.properties.tree_geometry import tree_geometry
from treegauge.treebank import TreebankError, tree_flaws


def subtree(heads: list[int], top: int) -> set[int]:
    found = {top}
    while more := {d for d in range(1, len(heads) + 1) if heads[d - 1] in found} - found:
        found |= more
    return found


def gap_degree(heads: list[int]) -> int:
    subtrees = [subtree(heads, top) for top in range(1, len(heads) + 1)]
    return max(sum(word + 1 not in below for word in below) for below in subtrees) - 1


def edge_degree(heads: list[int]) -> int:
    """From the definition: components between the ends, with a root that the head has not."""
    degrees = [0]
    for d, h in enumerate(heads, start=1):
        between = set(range(min(h, d) + 1, max(h, d))) if h else set()
        roots = {w for w in between if heads[w - 1] not in between}
        degrees.append(len(roots - subtree(heads, h)))
    return max(degrees)


def height(heads: list[int]) -> int:
    def depth(word: int) -> int:
        return 1 + depth(heads[word - 1]) if word else 0

    return max(depth(word) for word in range(1, len(heads) + 1))


def check(trees: list[list[int]]) -> None:
    shape = tree_geometry(bank(*trees))
    assert shape.gap_degree.tolist() == [gap_degree(heads) for heads in trees]
    assert shape.edge_degree.tolist() == [edge_degree(heads) for heads in trees]
    assert shape.height.tolist() == [height(heads) for heads in trees]
    internal = [len(set(heads) - {0}) for heads in trees]
    assert shape.heads.tolist() == internal
    children = [max([heads.count(h) for h in set(heads) - {0}], default=0) for heads in trees]
    assert shape.most_children.tolist() == children
    for heads, factor, heads_with in zip(trees, shape.branching_factor, internal, strict=True):
        arcs = sum(head > 0 for head in heads)
        assert factor == arcs / heads_with if heads_with else np.isnan(factor)


def test_every_tree_and_forest_up_to_five_words():
    vectors = [list(v) for n in range(1, 6) for v in product(range(n + 1), repeat=n)]
    flaws = tree_flaws(bank(*vectors))
    trees = [v for v, flaw in zip(vectors, flaws, strict=True) if flaw in (0, 4)]
    assert len(trees) == sum((n + 1) ** (n - 1) for n in range(1, 6))  # rooted forests: Cayley
    check(trees)


def test_longer_random_trees():
    rng = np.random.default_rng(3)
    trees = [random_tree(rng, int(n)) for n in rng.integers(6, 30, 150)]
    check(trees)
    treebank = bank(*trees)
    shape = tree_geometry(treebank)
    crossing = nonprojective_arcs(treebank) > 0
    assert np.array_equal(shape.gap_degree > 0, crossing)
    assert np.array_equal(shape.edge_degree > 0, crossing)
    assert shape.gap_degree.max() > 2


def test_long_sentences_do_not_hang():
    n = 10_000
    rng = np.random.default_rng(1)
    mixed = chain(n)
    place = rng.permutation(n) + 1
    scattered = [0] * n
    for word in range(1, n + 1):
        scattered[place[word - 1] - 1] = int(place[mixed[word - 1] - 1]) if mixed[word - 1] else 0
    shape = tree_geometry(bank(chain(n), star(n), scattered))
    assert shape.height.tolist() == [n, 2, n]
    assert shape.gap_degree.tolist()[:2] == [0, 0]
    assert shape.gap_degree[2] > 1000


def test_a_cycle_has_no_shape():
    with pytest.raises(TreebankError, match="the shape of trees needs one complete tree"):
        tree_geometry(bank([2, 1]))

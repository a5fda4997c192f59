"""Optimal lengths: by hand, and against every order of every tree up to seven words."""

from __future__ import annotations

import time

import numpy as np
import pytest

from tests.unit.properties.all_orders import (
    LARGEST,
    AllOrders,
    bank,
    caterpillar,
    chain,
    shapes,
    star,
)
from treegauge.properties import branching_lengths, expected_lengths, optimal_lengths
from treegauge.properties.subtrees import subtree_sizes
from treegauge.treebank import TreebankError

SIZES = range(1, LARGEST + 1)


def test_the_number_of_shapes_is_known():
    assert [len(shapes(n)) for n in SIZES] == [1, 1, 2, 4, 9, 20, 48]  # OEIS A000081


@pytest.mark.parametrize("n", SIZES)
def test_the_optimum_is_that_of_all_projective_and_all_planar_orders(n):
    trees = bank(*shapes(n))
    orders = [AllOrders(heads) for heads in shapes(n)]
    projective = [int(all_.lengths[all_.projective].min()) for all_ in orders]
    planar = [int(all_.lengths[all_.planar].min()) for all_ in orders]
    assert optimal_lengths(trees).tolist() == projective
    assert optimal_lengths(trees, constraint="planar").tolist() == planar


@pytest.mark.parametrize("n", SIZES)
def test_lengths_follow_one_another(n):
    trees = bank(*shapes(n))
    unconstrained = np.array([AllOrders(heads).lengths.min() for heads in shapes(n)])
    planar, projective = (
        optimal_lengths(trees, constraint=constraint) for constraint in ("planar", "projective")
    )
    longest = [AllOrders(heads) for heads in shapes(n)]
    largest = np.array([int(all_.lengths[all_.projective].max()) for all_ in longest])
    assert (unconstrained <= planar).all()
    assert (planar <= projective).all()
    assert (projective <= expected_lengths(trees)).all()
    assert (expected_lengths(trees) <= largest).all()
    assert n < 6 or (planar < projective).any()  # or this would say little


def test_plain_alternation_is_not_optimal():
    # A root with two children that have a leaf each: the second child's leaf must not stand
    # between it and the root.
    tree = bank([2, 3, 0, 3, 4])
    assert optimal_lengths(tree).tolist() == [4]
    assert optimal_lengths(tree, alternation="plain").tolist() == [5]


def test_a_worked_example_of_every_length():
    # 1 heads 2, 3 and 4; 4 heads 5 and 6. Sizes of 1's children: 3, 1, 1.
    tree = bank([0, 1, 1, 1, 4, 4])
    assert subtree_sizes(tree).tolist() == [6, 1, 1, 3, 1, 1]
    # Root: 3 steps, sizes 3, 1, 1 times 0, 0, 1; word 4: 2 steps, sizes 1, 1 times 0, 1.
    assert optimal_lengths(tree).tolist() == [3 + 1 + 2 + 1]
    # Root: 3 steps, sizes times 0, 1, 2; word 4: 2 steps, sizes times 0, 1.
    assert branching_lengths(tree).tolist() == [3 + 3 + 2 + 1]


@pytest.mark.parametrize("k", [0, 1, 2, 5, 20])
def test_stars_and_chains_have_closed_forms(k):
    trees = bank(star(k + 1), chain(k + 1))
    assert optimal_lengths(trees).tolist() == [sum(1 + i // 2 for i in range(k)), k]
    assert branching_lengths(trees).tolist() == [k * (k + 1) // 2, k]


def test_ten_thousand_words_take_no_time():
    n = 10_000
    long = bank(chain(n), star(n), caterpillar(n), [*range(2, n + 1), 0])
    optimal_lengths(bank([0]))
    begin = time.perf_counter()
    found = optimal_lengths(long)
    optimal_lengths(long, constraint="planar")
    assert time.perf_counter() - begin < 2
    assert found[0] == found[3] == n - 1
    assert found[1] == sum(1 + i // 2 for i in range(n - 1))


@pytest.mark.parametrize("heads", [[0, 0], [2, 1], [0, 5], [0, -1], [-1, -1]])
def test_what_is_not_one_tree_is_named(heads):
    for measure in (optimal_lengths, branching_lengths, expected_lengths):
        with pytest.raises(TreebankError, match="needs one complete tree per sentence; 1 of 2"):
            measure(bank([0], heads))


def test_nothing_has_no_length():
    assert optimal_lengths(bank()).tolist() == []
    assert optimal_lengths(bank([], [0]), constraint="planar").tolist() == [0, 0]

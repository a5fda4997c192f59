"""Best trees and sums over trees with scores of siblings, against looking at every tree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from tests.examples import examples
from tests.unit.systems.parsers import all_trees
from tests.unit.systems.parsers.all_trees import Tree
from treegauge.systems import SystemsError
from treegauge.systems.parsers import _siblings_numba as kernels
from treegauge.systems.parsers.eisner import best_projective_tree, projective_marginals
from treegauge.systems.parsers.siblings import best_tree_with_siblings, marginals_with_siblings

ROOTS = pytest.mark.parametrize("single_root", [True, False], ids=["one root", "any roots"])


def slow_inner_sibling(heads: Tree, dependent: int) -> int:
    """Return the nearest sibling between a word and its head, by looking at all words."""
    head = heads[dependent - 1]
    between = range(min(head, dependent) + 1, max(head, dependent))
    siblings = [word for word in between if heads[word - 1] == head]
    return min(siblings, key=lambda word: abs(word - dependent), default=0)


def score(scores: NDArray[np.float64], siblings: NDArray[np.float64], heads: Tree) -> float:
    """Return the score of a tree: the sum over its arcs and over its siblings."""
    return all_trees.score(scores, heads) + float(
        sum(
            siblings[head, word, slow_inner_sibling(heads, word)]
            for word, head in enumerate(heads, start=1)
        )
    )


@st.composite
def scores_of_both(draw, elements):
    """Draw scores of all arcs and siblings of one to five words."""
    n = draw(st.integers(1, 5))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    matrix = draw(arrays(np.float64, (n + 1, n + 1), elements=elements))
    return matrix, generator.integers(-4, 5, (n + 1, n + 1, n + 1)).astype(np.float64)


whole = st.integers(-4, 4).map(float)
wide = st.floats(-50, 50, width=32)


@ROOTS
@given(data=st.data())
@examples(200)
def test_the_best_tree_is_the_best_of_all_trees(single_root, data):
    scores, siblings = data.draw(scores_of_both(whole | wide))
    heads = tuple(best_tree_with_siblings(scores, siblings, single_root).tolist())
    trees = all_trees.all_trees(len(heads), projective=True, single_root=single_root)
    assert heads in trees
    best = max(score(scores, siblings, tree) for tree in trees)
    assert score(scores, siblings, heads) == pytest.approx(best, abs=1e-9)


@ROOTS
@given(data=st.data())
@examples(100)
def test_sums_and_posteriors_are_those_of_enumeration(single_root, data):
    scores, siblings = data.draw(scores_of_both(whole | wide))
    n = len(scores) - 1
    trees = all_trees.all_trees(n, projective=True, single_root=single_root)
    log_weights = np.array([score(scores, siblings, tree) for tree in trees])
    top = log_weights.max()
    weights = np.exp(log_weights - top)
    expected = np.zeros_like(scores)
    for word, heads in enumerate(np.array(trees).T, start=1):
        np.add.at(expected[:, word], heads, weights / weights.sum())
    log_z, posterior = marginals_with_siblings(scores, siblings, single_root)
    assert log_z == pytest.approx(top + np.log(weights.sum()), rel=1e-10, abs=1e-10)
    np.testing.assert_allclose(posterior, expected, atol=1e-10)


@ROOTS
@pytest.mark.parametrize("n", [1, 2, 9, 25])
def test_siblings_that_score_nothing_change_nothing(single_root, n):
    scores = np.random.default_rng(n).normal(0, 3, (n + 1, n + 1))
    nothing = np.zeros((n + 1, n + 1, n + 1))
    assert np.array_equal(
        best_tree_with_siblings(scores, nothing, single_root),
        best_projective_tree(scores, single_root),
    )
    log_z, posterior = marginals_with_siblings(scores, nothing, single_root)
    expected_log_z, expected = projective_marginals(scores, single_root)
    assert log_z == pytest.approx(expected_log_z)
    np.testing.assert_allclose(posterior, expected, atol=1e-10)


@ROOTS
@given(data=st.data())
@examples(50)
def test_a_mirrored_sentence_has_the_mirrored_tree_s_score(single_root, data):
    scores, siblings = data.draw(scores_of_both(whole))
    turned = np.r_[0, len(scores) - 1 : 0 : -1]
    mirrored = scores[np.ix_(turned, turned)], siblings[np.ix_(turned, turned, turned)]
    if not single_root:  # the root's dependents all stand on its right
        siblings[0], mirrored[1][0] = 0.0, 0.0
    there, back = (
        score(*given_scores, tuple(best_tree_with_siblings(*given_scores, single_root).tolist()))
        for given_scores in ((scores, siblings), mirrored)
    )
    assert there == pytest.approx(back)


@given(n=st.integers(1, 5), data=st.data())
@examples(50)
def test_inner_siblings_are_those_of_a_slow_twin(n, data):
    trees = all_trees.all_trees(n, projective=False, single_root=False)
    tree = data.draw(st.sampled_from(trees))
    inner = kernels.inner_siblings(np.array([0, *tree], np.int32))
    assert inner[1:].tolist() == [slow_inner_sibling(tree, word) for word in range(1, n + 1)]


def test_siblings_of_a_head_by_hand():
    # Word 2 has 1 on its left, 3 and 5 on its right; 4 hangs on 5.
    heads = np.array([0, 2, 0, 2, 5, 2], np.int32)
    assert kernels.inner_siblings(heads)[1:].tolist() == [0, 0, 0, 0, 3]
    siblings = np.zeros((6, 6, 6))
    siblings[2, 1, 0], siblings[2, 3, 0], siblings[2, 5, 3], siblings[5, 4, 0] = 1, 2, 4, 8
    siblings[2, 5, 4] = 16  # word 4 is not a dependent of 2
    assert score(np.zeros((6, 6)), siblings, (2, 0, 2, 5, 2)) == 15


def test_forbidden_arcs_and_wrong_shapes_are_refused():
    scores = np.zeros((3, 3))
    with pytest.raises(SystemsError, match="must have 3 heads, dependents and inner siblings, not"):
        best_tree_with_siblings(scores, np.zeros((3, 3)))
    scores[0] = -np.inf
    with pytest.raises(SystemsError, match="no projective tree can be made of the arcs that are"):
        best_tree_with_siblings(scores, np.zeros((3, 3, 3)))


def test_long_sentences():
    n = 300
    generator = np.random.default_rng(0)
    siblings = generator.normal(size=(n + 1, n + 1, n + 1)).astype(np.float32)
    heads = tuple(best_tree_with_siblings(generator.normal(size=(n + 1, n + 1)), siblings).tolist())
    assert all_trees.is_projective(heads)
    assert heads.count(0) == 1


def test_no_words():
    assert best_tree_with_siblings([[0.0]], np.zeros((1, 1, 1))).tolist() == []
    assert marginals_with_siblings([[0.0]], np.zeros((1, 1, 1)))[0] == 0

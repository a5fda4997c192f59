"""Best trees and sums over trees, against looking at every tree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from tests.examples import examples
from tests.unit.systems.parsers import all_trees
from treegauge.systems import SystemsError
from treegauge.systems.parsers.eisner import best_projective_tree, projective_marginals
from treegauge.systems.parsers.spanning_trees import best_spanning_tree, spanning_tree_marginals

BEST = {True: best_projective_tree, False: best_spanning_tree}
MARGINALS = {True: projective_marginals, False: spanning_tree_marginals}
BOTH = pytest.mark.parametrize("projective", [True, False], ids=["projective", "spanning"])
ROOTS = pytest.mark.parametrize("single_root", [True, False], ids=["one root", "any roots"])


@st.composite
def score_matrices(draw, elements, max_words: int = 5):
    """Draw scores of all arcs of one to five words."""
    n = draw(st.integers(1, max_words))
    return draw(arrays(np.float64, (n + 1, n + 1), elements=elements))


# Whole numbers make ties and have no rounding; wide floats make cycles that all heads prefer.
whole = st.integers(-4, 4).map(float)
wide = st.floats(-50, 50, width=32)


@BOTH
@ROOTS
@given(data=st.data())
@examples(200)
def test_the_best_tree_is_the_best_of_all_trees(projective, single_root, data):
    scores = data.draw(score_matrices(whole | wide))
    heads = tuple(BEST[projective](scores, single_root).tolist())
    assert heads in all_trees.all_trees(len(heads), projective=projective, single_root=single_root)
    best = all_trees.best_score(scores, projective=projective, single_root=single_root)
    assert all_trees.score(scores, heads) == pytest.approx(best, abs=1e-9)


@BOTH
@ROOTS
@given(data=st.data())
@examples(100)
def test_forbidden_arcs_are_in_no_tree(projective, single_root, data):
    forbidding = whole | st.just(-np.inf)
    scores = data.draw(score_matrices(forbidding, max_words=4))
    best = all_trees.best_score(scores, projective=projective, single_root=single_root)
    if best == -np.inf:
        with pytest.raises(SystemsError, match="of the arcs that are allowed"):
            BEST[projective](scores, single_root)
    else:
        heads = BEST[projective](scores, single_root).tolist()
        assert all_trees.score(scores, heads) == best
        assert not single_root or heads.count(0) == 1


@ROOTS
@given(scores=score_matrices(wide))
@examples(100)
def test_projective_trees_are_no_better_than_all_trees(single_root, scores):
    projective = tuple(best_projective_tree(scores, single_root).tolist())
    any_tree = tuple(best_spanning_tree(scores, single_root).tolist())
    lower, upper = (all_trees.score(scores, heads) for heads in (projective, any_tree))
    assert lower <= upper + 1e-9
    if all_trees.is_projective(any_tree):
        assert lower == pytest.approx(upper, abs=1e-9)


@BOTH
@ROOTS
@given(data=st.data())
@examples(200)
def test_sums_and_posteriors_are_those_of_enumeration(projective, single_root, data):
    scores = data.draw(score_matrices(whole | wide))
    log_z, posterior = MARGINALS[projective](scores, single_root)
    true_log_z, true_posterior = all_trees.marginals(
        scores, projective=projective, single_root=single_root
    )
    assert log_z == pytest.approx(true_log_z, rel=1e-10, abs=1e-10)
    np.testing.assert_allclose(posterior, true_posterior, atol=1e-10)
    np.testing.assert_allclose(posterior.sum(axis=0)[1:], 1.0, atol=1e-10)


@BOTH
@ROOTS
def test_a_sum_over_long_sentences_is_consistent(projective, single_root):
    # Too long to enumerate: posteriors are derivatives of log Z, so differences must agree.
    generator = np.random.default_rng(3)
    scores = generator.normal(0, 20, (26, 26))
    log_z, posterior = MARGINALS[projective](scores, single_root)
    np.testing.assert_allclose(posterior.sum(axis=0)[1:], 1.0, atol=1e-8)
    if single_root:
        assert posterior[0].sum() == pytest.approx(1.0, abs=1e-8)
    likely = np.argwhere((posterior > 0.01) & (posterior < 0.99))
    for head, dependent in likely[:10]:
        step = np.zeros_like(scores)
        step[head, dependent] = 1e-4
        above, below = (MARGINALS[projective](scores + s, single_root)[0] for s in (step, -step))
        slope = (above - below) / 2e-4
        assert slope == pytest.approx(posterior[head, dependent], abs=1e-5)
    heads = BEST[projective](scores, single_root)
    assert all_trees.score(scores, tuple(heads)) <= log_z


def test_cycles_that_all_words_prefer_leave_no_rounding_error():
    # The determinant of the matrix-tree theorem is 0 in floating point here.
    scores = np.full((4, 4), -45.0)
    scores[1, 2] = scores[2, 3] = scores[3, 1] = 0.0
    log_z, posterior = spanning_tree_marginals(scores)
    true_log_z, true_posterior = all_trees.marginals(scores, projective=False, single_root=True)
    assert log_z == pytest.approx(true_log_z)
    np.testing.assert_allclose(posterior, true_posterior, atol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 7])
def test_counts_of_trees(n):
    # Cayley: (n + 1)^(n - 1) trees; with one root word n^(n - 1).
    nothing = np.zeros((n + 1, n + 1))
    assert np.exp(spanning_tree_marginals(nothing, False)[0]) == pytest.approx((n + 1) ** (n - 1))
    assert np.exp(spanning_tree_marginals(nothing, True)[0]) == pytest.approx(n ** (n - 1))


def test_counts_of_projective_trees():
    # 1, 2, 7, 30, 143: binom(3n - 2, n - 1) / n trees with one root word.
    counts = [round(np.exp(projective_marginals(np.zeros((n + 1, n + 1)))[0])) for n in range(1, 6)]
    assert counts == [1, 2, 7, 30, 143]


@BOTH
def test_ties_are_settled_the_same_way_every_time(projective):
    first = BEST[projective](np.zeros((6, 6)))
    assert all(np.array_equal(first, BEST[projective](np.zeros((6, 6)))) for _ in range(3))


def test_of_equally_good_heads_the_first_is_taken():
    assert best_spanning_tree(np.zeros((5, 5)), single_root=False).tolist() == [0, 0, 0, 0]


@BOTH
def test_long_sentences(projective):
    n = 300
    scores = np.random.default_rng(0).normal(size=(n + 1, n + 1))
    heads = tuple(BEST[projective](scores).tolist())
    assert all_trees.is_tree(heads)
    assert heads.count(0) == 1


@BOTH
def test_no_words(projective):
    assert BEST[projective]([[0.0]]).tolist() == []
    log_z, posterior = MARGINALS[projective]([[0.0]])
    assert log_z == 0
    assert posterior.shape == (1, 1)


@BOTH
def test_what_is_no_matrix_of_scores(projective):
    with pytest.raises(SystemsError, match=r"n \+ 1 heads and n \+ 1 dependents, not 2 x 3"):
        BEST[projective](np.zeros((2, 3)))
    with pytest.raises(SystemsError, match="arc 0 -> 1 must be a number or minus infinity, not"):
        BEST[projective]([[0, np.nan], [0, 0]])
    with pytest.raises(SystemsError, match="arc 0 -> 1 must be a finite number, not -inf"):
        MARGINALS[projective]([[0, -np.inf], [0, 0]])


@BOTH
def test_the_diagonal_and_the_column_of_the_root_stand_for_nothing(projective):
    scores = np.zeros((3, 3))
    scores[:, 0] = np.nan
    np.fill_diagonal(scores, np.inf)
    assert sorted(BEST[projective](scores).tolist()).count(0) == 1

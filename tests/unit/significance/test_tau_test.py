from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import kendalltau

from tests.examples import examples
from treegauge.significance.tau_test import tau_of_rows, tau_p_value


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=9))
@examples(80)
def test_tau_is_that_of_scipy(pairs):
    x, y = (list(map(float, side)) for side in zip(*pairs, strict=True))
    expected = kendalltau(x, y, variant="b").statistic
    ours = tau_of_rows(x, np.array([y]))[0]
    assert ours == pytest.approx(expected, nan_ok=True, abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=5))
@examples(40)
def test_p_is_the_share_of_orders_that_agree_as_much(pairs):
    x, y = (list(map(float, side)) for side in zip(*pairs, strict=True))
    observed = kendalltau(x, y).statistic
    taus = [kendalltau(x, order).statistic for order in permutations(y)]
    if np.isnan(observed):
        assert tau_p_value(x, y) is None
    else:
        share = np.mean([abs(tau) >= abs(observed) - 1e-9 for tau in taus])
        assert tau_p_value(x, y) == pytest.approx(share)


def test_p_without_ties_is_that_of_scipy():
    random = np.random.default_rng(3)
    for size in (4, 5, 6, 7):
        x, y = random.permutation(size).tolist(), random.permutation(size).tolist()
        assert tau_p_value(x, y) == pytest.approx(kendalltau(x, y, method="exact").pvalue)
    x, y = list(range(12)), random.permutation(12).tolist()
    assert tau_p_value(x, y) == pytest.approx(kendalltau(x, y, method="exact").pvalue, abs=0.02)


def test_p_of_four_in_nearly_the_same_order_worked_by_hand():
    # One of six pairs is turned around. Of 24 orders, 1 turns no pair, 3 turn one, 3 five, 1 six.
    assert tau_p_value([1, 2, 3, 4], [1, 2, 4, 3]) == pytest.approx(8 / 24)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=5))
@examples(40)
def test_p_does_not_depend_on_which_is_permuted_nor_on_the_direction(pairs):
    x, y = (list(map(float, side)) for side in zip(*pairs, strict=True))
    p = tau_p_value(x, y)
    assert tau_p_value(y, x) == pytest.approx(p)
    assert tau_p_value([-value for value in x], y) == pytest.approx(p)


def test_of_many_systems_orders_are_drawn():
    order = [0, 1, 5, 3, 4, 2, 6, 9, 8, 7]
    exact = kendalltau(range(10), order, method="exact").pvalue
    drawn = tau_p_value(list(range(10)), order)
    # Six standard errors of 10,000 orders.
    assert abs(drawn - exact) < 6 * np.sqrt(exact * (1 - exact) / 10_000)
    assert drawn == tau_p_value(list(range(10)), order)
    assert tau_p_value(list(range(20)), list(range(20))) == pytest.approx(1 / 10_001)

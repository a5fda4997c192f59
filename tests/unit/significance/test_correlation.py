"""Correlations, their intervals and p-values."""

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from tests.examples import examples
from treegauge.significance import partial_correlation
from treegauge.significance.correlation import correlation

_rows = st.lists(
    st.tuples(st.integers(-20, 20), st.integers(-20, 20)), min_size=3, max_size=12
).filter(lambda rows: len({x for x, _ in rows}) > 1 and len({y for _, y in rows}) > 1)


@examples(100)
@given(_rows)
def test_the_coefficients_are_those_of_scipy(rows):
    x, y = np.array(rows, float).T
    found = correlation(x, y, resamples=0)
    assert found.pearson == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-9)
    assert found.spearman == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-9)


@examples(40)
@given(_rows, st.integers(1, 5), st.integers(-9, 9))
def test_scale_and_place_do_not_matter(rows, scale, place):
    x, y = np.array(rows, float).T
    one, other = correlation(x, y, resamples=50), correlation(scale * x + place, -y, resamples=50)
    assert other.pearson == pytest.approx(-one.pearson, abs=1e-9)


def test_the_p_value_comes_near_that_of_all_permutations():
    x, y = [1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 1.0, 4.0, 3.0, 7.0]
    value = abs(stats.pearsonr(x, y).statistic)
    all_of_them = [
        abs(stats.pearsonr(x, order).statistic) >= value - 1e-12
        for order in itertools.permutations(y)
    ]
    found = correlation(x, y, resamples=20_000)
    assert found.p == pytest.approx(np.mean(all_of_them), abs=0.01)
    assert found.low < found.pearson < found.high


def test_what_is_missing_is_left_out():
    assert correlation([1, 2, np.nan, 3], [3, 2, 1, None], resamples=0).n == 2


def test_two_points_are_too_few():
    assert str(correlation([1, 2], [3, 4])) == "too few (n = 2)"


def test_a_constant_correlates_with_nothing():
    found = correlation([1, 1, 1], [1, 2, 3])
    assert (found.pearson, found.p, str(found)) == (None, None, "none, n = 3")


def test_a_common_cause_is_taken_out():
    random = np.random.default_rng(0)
    cause = random.normal(size=400)
    x, y = cause + random.normal(size=400), cause + random.normal(size=400)
    assert correlation(x, y).p < 0.01
    assert abs(partial_correlation(x, y, [cause]).pearson) < 0.12


def test_the_partial_coefficient_is_that_of_the_textbook():
    x, y, z = [1.0, 2, 3, 4, 6], [2.0, 1, 4, 3, 7], [1.0, 1, 2, 3, 3]
    xy, xz, yz = (stats.pearsonr(*pair).statistic for pair in ((x, y), (x, z), (y, z)))
    textbook = (xy - xz * yz) / np.sqrt((1 - xz**2) * (1 - yz**2))
    assert partial_correlation(x, y, [z], resamples=0).pearson == pytest.approx(textbook)


def test_what_others_explain_entirely_correlates_with_nothing():
    x = [1.0, 2, 3, 4, 5, 7]
    assert partial_correlation(x, [2.0, 1, 4, 3, 7, 1], [x]).pearson is None

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as arrays
from scipy import sparse

from tests.examples import examples
from treegauge.significance import (
    Resampler,
    holm,
    interval,
    kendall_tau_b,
    paired_bootstrap,
    paired_permutation,
)
from treegauge.significance.agreement import agreement

patient = examples(50)

p_values = st.lists(st.floats(0, 1), max_size=12)
scores = st.lists(st.integers(0, 5), min_size=2, max_size=12)
seeds = st.integers(0, 2**32)


@st.composite
def statistics(draw: st.DrawFn, systems: int = 1) -> list[np.ndarray]:
    """Counts of correct words and of words, one table per system."""
    shape = draw(st.integers(1, 12)), draw(st.integers(2, 4))
    counts = arrays.arrays(np.int64, shape, elements=st.integers(0, 30))
    return [draw(counts) for _ in range(systems)]


def smoothed(sums: np.ndarray) -> np.ndarray:
    return (sums[..., 0] + 1) / (sums[..., 0] + sums[..., 1] + 2)


# ---------------------------------------------------------------------- the slow twins


def naive_holm(p: list[float]) -> list[float]:
    """From the definition: p_(j) is the largest of (m - k) p_(k) over all k up to j."""
    ranked = sorted(range(len(p)), key=lambda i: p[i])
    adjusted = [0.0] * len(p)
    for j, i in enumerate(ranked):
        adjusted[i] = min(1, max((len(p) - k) * p[ranked[k]] for k in range(j + 1)))
    return adjusted


def naive_tau_b(x: list[float], y: list[float]) -> float | None:
    """From the definition, pair by pair."""
    concordant = discordant = in_x = in_y = 0
    for i, j in combinations(range(len(x)), 2):
        dx, dy = x[i] - x[j], y[i] - y[j]
        concordant += dx * dy > 0
        discordant += dx * dy < 0
        in_x += dx != 0
        in_y += dy != 0
    if not in_x or not in_y:
        return None
    return (concordant - discordant) / math.sqrt(in_x * in_y)


# ---------------------------------------------------------------------- resampling


@patient
@given(statistics(), seeds)
def test_resamples_keep_the_number_of_sentences(tables, seed):
    (table,) = tables
    resampler = Resampler(len(table), resamples=20, seed=seed)
    with_ones = np.hstack([table, np.ones((len(table), 1))])
    sums = resampler.sums(with_ones)
    assert (sums[:, -1] == len(table)).all()
    assert (sums[:, :-1] <= len(table) * table.max(axis=0)).all()
    assert (sums[:, :-1] >= len(table) * table.min(axis=0)).all()
    assert (resampler.sums(sparse.csr_array(with_ones)) == sums).all()


@patient
@given(st.lists(st.floats(-10, 10) | st.just(math.nan), max_size=50), st.floats(0.05, 0.99))
def test_an_interval_is_ordered_mirrored_and_wider_than_the_interpolated(values, confidence):
    found = interval(values, confidence=confidence)
    known = [value for value in values if not math.isnan(value)]
    if not known:
        assert found is None
        return
    assert found.low <= found.high
    assert {found.low, found.high} <= set(known)
    assert interval([-value for value in values], confidence=confidence) == (
        -found.high,
        -found.low,
    )
    tail = (1 - confidence) / 2
    assert found.low <= np.quantile(known, tail) + 1e-9
    assert found.high >= np.quantile(known, 1 - tail) - 1e-9


# ---------------------------------------------------------------------- paired tests


@patient
@given(statistics(systems=2), seeds, st.sampled_from([paired_bootstrap, paired_permutation]))
def test_paired_tests_are_symmetric_and_repeatable(tables, seed, test):
    a, b = tables
    number = {"resamples": 50} if test is paired_bootstrap else {"trials": 50}
    there, back = (test(*pair, smoothed, seed=seed, **number) for pair in ((a, b), (b, a)))
    assert 0 < there.p <= 1
    assert there.p == back.p
    assert there.difference == -back.difference
    assert there == test(a, b, smoothed, seed=seed, **number)
    assert test(a, a, smoothed, seed=seed, **number).p == 1
    both_sparse = sparse.csr_array(a), sparse.csr_array(b)
    assert test(*both_sparse, smoothed, seed=seed, **number) == there


@patient
@given(statistics(systems=2), st.randoms())
def test_the_exact_p_ignores_the_order_of_sentences(tables, random):
    a, b = tables
    order = random.sample(range(len(a)), len(a))
    found = paired_permutation(a, b, smoothed, trials=2**12)
    assert found.method.startswith("exact")
    assert paired_permutation(a[order], b[order], smoothed, trials=2**12) == found


# ---------------------------------------------------------------------- many tests


@patient
@given(p_values)
def test_holm_agrees_with_its_definition(p):
    assert holm(p).tolist() == pytest.approx(naive_holm(p))


@patient
@given(p_values)
def test_holm_keeps_order_and_range(p):
    adjusted = holm(p)
    assert (adjusted >= np.array(p)).all()
    assert (adjusted <= np.minimum(1, len(p) * np.array(p))).all()
    in_order = np.argsort(p, kind="stable")
    assert (np.diff(adjusted[in_order]) >= 0).all()


# ---------------------------------------------------------------------- rankings


@patient
@given(scores.flatmap(lambda x: st.tuples(st.just(x), st.permutations(x))))
def test_tau_b_agrees_with_its_definition(rankings):
    x, y = rankings
    expected = naive_tau_b(x, y)
    found = kendall_tau_b(x, y)
    assert (found is None) == (expected is None)
    if found is not None:
        assert -1 <= found <= 1
        assert found == pytest.approx(expected)
        assert kendall_tau_b(y, x) == pytest.approx(found)
        distances = agreement({"x": x, "y": y}, {"x": True, "y": False})
        assert distances == [("x", "y", pytest.approx(-found))]

"""Intervals of few sentences."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from treegauge.significance import (
    Resampler,
    bca_interval,
    interval,
    moments,
    studentised_interval,
)


def share(sums):
    return sums[..., 0] / sums[..., 1]


def drawn(seed: int, n: int) -> np.ndarray:
    """Return right and all words of sentences."""
    random = np.random.default_rng(seed)
    words = random.integers(1, 20, size=n)
    return np.column_stack([random.binomial(words, random.beta(4, 2, size=n)), words])


# ---------------------------------------------------------------------- BCa


def test_bca_by_hand():
    # Of 10 values 3 are below 3 and 3 are equal: half of them make 0.45. No skewness.
    values = [1, 2, 2, 3, 3, 3, 4, 4, 5, 9]
    bias = stats.norm.ppf(0.45)
    ranks = stats.norm.cdf(2 * bias + stats.norm.ppf([0.1, 0.9]))
    found = bca_interval(values, 3, [2.0, 3.0, 4.0], confidence=0.8)
    assert found.low == sorted(values)[math.floor(ranks[0] * 9)]
    assert found.high == sorted(values)[math.ceil(ranks[1] * 9)]


@pytest.mark.parametrize("seed", range(8))
def test_bca_is_scipy_s_but_for_interpolation(seed):
    table = drawn(seed, 12).astype(float)

    def ratio(right, words, axis=-1):
        return right.sum(axis) / words.sum(axis)

    drawing = {"paired": True, "n_resamples": 999, "rng": np.random.default_rng(seed)}
    first = stats.bootstrap(tuple(table.T), ratio, method="percentile", **drawing)
    drawing |= {"n_resamples": 0, "bootstrap_result": first}
    theirs = stats.bootstrap(tuple(table.T), ratio, method="BCa", **drawing).confidence_interval
    whole = table.sum(axis=0)
    values = np.sort(first.bootstrap_distribution)
    ours = bca_interval(values, share(whole), share(whole - table))
    # Theirs lies between two values; ours takes the outer one.
    for own, other, side in ((ours.low, theirs.low, -1), (ours.high, theirs.high, 1)):
        place = np.searchsorted(values, other)
        around = values[max(0, place - 2) : place + 2]
        assert around.min() <= own <= around.max()
        assert side * own >= side * other - 1e-12


def test_without_bias_and_skewness_bca_is_the_percentile_interval():
    values = np.arange(101.0)
    for confidence in (0.5, 0.9):
        plain = interval(values, confidence=confidence)
        assert bca_interval(values, 50, [1, 2, 3], confidence=confidence) == plain


def test_a_biased_sample_is_shifted():
    values = np.arange(101.0)
    plain = interval(values, confidence=0.9)
    # Most resamples are above the score: so the score is above the truth, and the ends go down.
    low, high = bca_interval(values, 40, [1, 2, 3], confidence=0.9)
    assert low < plain.low
    assert high < plain.high


@pytest.mark.parametrize(
    ("values", "estimate", "left_out"),
    [([1, 1, 1], 1, [1, 1]), ([2, 3, 4], 1, [1, 2]), ([1, 2, 3], 2, [5, 5]), ([1, 2, 3], 2, [])],
)
def test_where_nothing_can_be_corrected_it_is_the_percentile_interval(values, estimate, left_out):
    assert bca_interval(values, estimate, left_out) == interval(values)


def test_undefined_scores_are_left_out():
    assert bca_interval([math.nan] * 3, 1, [1, 2]) is None
    clean = bca_interval([1, 2, 3, 4], 2.5, [2, 3, 4])
    assert bca_interval([1, math.nan, 2, 3, 4], 2.5, [2, math.nan, 3, 4]) == clean


# ---------------------------------------------------------------------- studentised


def slow_studentised(table: np.ndarray, resamples: int, seed: int) -> tuple[float, float] | None:
    """Compute the interval sentence by sentence, from the same resamples."""
    n = len(table)
    counts = Resampler(n, resamples=resamples, seed=seed).sums(np.eye(n)).astype(int)

    def ratio_and_error(rows):
        right, words = rows[:, 0].sum(), rows[:, 1].sum()
        ratio = right / words
        return ratio, math.sqrt(((rows[:, 0] - ratio * rows[:, 1]) ** 2).sum()) / words

    ratio, error = ratio_and_error(table)
    steps = []
    for row in counts:
        own, own_error = ratio_and_error(np.repeat(table, row, axis=0))
        if own_error > 1e-9:
            steps.append((own - ratio) / own_error)
    if len(steps) < 0.975 * resamples:
        return None
    steps.sort()
    rank = math.floor(0.025 * (len(steps) - 1))
    return max(0, ratio - steps[-1 - rank] * error), min(1, ratio - steps[rank] * error)


@given(seed=st.integers(0, 1000), n=st.integers(3, 12))
@settings(max_examples=30, deadline=None)
def test_studentised_agrees_with_the_slow_twin(seed, n):
    table = drawn(seed, n).astype(float)
    parts = moments(*table.T)
    sums = Resampler(n, resamples=200, seed=seed).sums(parts)
    found = studentised_interval(sums, parts.sum(axis=0))
    expected = slow_studentised(table, 200, seed)
    if expected is None:
        assert found is None
        return
    assert found == pytest.approx(expected, abs=1e-9)
    assert 0 <= found.low <= share(table.sum(axis=0)) + 1e-12
    assert found.low <= found.high <= 1


@pytest.mark.parametrize(
    "sentences", [([2, 4, 6], [4, 8, 12]), ([2, 3], [4, 4]), ([4] * 9 + [3], [4] * 10)]
)
def test_with_too_few_standard_errors_there_is_none(sentences):
    # Equal sentences; two sentences, of which half of the resamples have only one; and ten of
    # which nine are equal, so that a third of the resamples have only these.
    parts = moments(*sentences)
    sums = Resampler(len(parts), resamples=200).sums(parts)
    assert studentised_interval(sums, parts.sum(axis=0)) is None


def test_no_words_have_none():
    nothing = moments([0, 0], [0, 0])
    assert (
        studentised_interval(Resampler(2, resamples=5).sums(nothing), nothing.sum(axis=0)) is None
    )


def test_few_sentences_have_wider_intervals_than_percentiles_say():
    wider = 0
    for seed in range(40):
        table = drawn(seed, 10).astype(float)
        parts = moments(*table.T)
        sums = Resampler(10, resamples=500, seed=seed).sums(parts)
        plain = interval(share(sums))
        found = studentised_interval(sums, parts.sum(axis=0))
        wider += found.high - found.low > plain.high - plain.low
    assert wider >= 35

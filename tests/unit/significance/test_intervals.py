from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from treegauge.significance import Interval, Resampler, SignificanceError, interval


@pytest.mark.parametrize(
    ("values", "confidence", "expected"),
    [
        (range(101), 0.9, (5, 95)),
        (range(1000), 0.95, (24, 975)),  # 24 left out on each side
        (range(1001), 0.95, (25, 975)),
        (range(10_000), 0.99, (49, 9950)),
        ([3, 1, 2], 0.95, (1, 3)),
        ([7], 0.95, (7, 7)),
    ],
)
def test_worked_examples(values, confidence, expected):
    found = interval(values, confidence=confidence)
    assert found == expected
    assert isinstance(found, Interval)
    assert isinstance(found.low, float)


def test_nan_is_ignored():
    values = [np.nan, *range(101), np.nan, np.nan]
    assert interval(values, confidence=0.9) == (5, 95)


@pytest.mark.parametrize("values", [[], [np.nan], [np.nan, np.nan]])
def test_nothing_to_make_an_interval_from(values):
    assert interval(values) is None


def test_infinite_scores_stay_numbers():
    assert interval([1, 2, np.inf, np.inf], confidence=0.5) == (1, np.inf)
    assert interval([np.inf] * 3) == (np.inf, np.inf)


@pytest.mark.parametrize("confidence", [0, 1, -0.1, 95, np.nan])
def test_confidence_that_is_none(confidence):
    with pytest.raises(SignificanceError, match="between 0 and 1; found"):
        interval([1, 2], confidence=confidence)


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("sentences", [[(1, 2), (5, 5), (0, 3)], [(1, 2), (5, 6), (0, 3), (7, 7)]])
def test_the_interval_is_that_of_all_possible_resamples(sentences, confidence):
    statistics = np.array(sentences)
    every = np.array(list(product(range(len(sentences)), repeat=len(sentences))))
    correct, words = statistics[every].sum(axis=1).T
    resampler = Resampler(len(sentences), resamples=40_000, seed=2)
    sums = resampler.sums(statistics)
    drawn = sums[:, 0] / sums[:, 1]
    found = interval(drawn, confidence=confidence)
    # The share of all resamples outside each end, up to the noise of drawing.
    tail, noise = (1 - confidence) / 2, 0.01
    assert (correct / words < found.low).mean() <= tail + noise
    assert (correct / words <= found.low).mean() >= tail - noise
    assert (correct / words > found.high).mean() <= tail + noise
    assert (correct / words >= found.high).mean() >= tail - noise


def test_an_interval_contains_the_truth_as_often_as_it_says():
    random = np.random.default_rng(11)
    tests, contains = 400, 0
    for seed in range(tests):
        words = random.integers(5, 40, 150)
        statistics = np.stack([random.binomial(words, 0.8), words], axis=1)
        sums = Resampler(150, resamples=500, seed=seed).sums(statistics)
        low, high = interval(sums[:, 0] / sums[:, 1], confidence=0.9)
        contains += low <= 0.8 <= high
    assert 0.86 < contains / tests < 0.94  # 0.9, and 2.7 standard deviations

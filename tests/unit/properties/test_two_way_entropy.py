"""Entropies of choices: by hand, and estimators against their definitions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from treegauge.properties import PropertyError
from treegauge.properties.two_way_entropy import (
    entropies_of_sums,
    size_matched_entropy,
    two_way_entropy,
)

LOG_2 = math.log(2)
counts = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=6)


def plugin(one: int, other: int) -> float:
    return -sum(c / (one + other) * math.log(c / (one + other)) for c in (one, other) if c)


def chao_shen(one: int, other: int) -> float:
    n = one + other
    coverage = 1 - min([one, other].count(1), n - 1) / n
    shares = [coverage * c / n for c in (one, other) if c]
    return -sum(p * math.log(p) / (1 - (1 - p) ** n) for p in shares if p)


def jackknife(one: int, other: int) -> float:
    n = one + other
    if n == 1:
        return 0.0
    sample = [0] * one + [1] * other
    rest = [sample[:i] + sample[i + 1 :] for i in range(n)]
    means = sum(plugin(r.count(0), r.count(1)) for r in rest) / n
    return n * plugin(one, other) - (n - 1) * means


def miller_madow(one: int, other: int) -> float:
    return plugin(one, other) + (bool(one) + bool(other) - 1) / (2 * (one + other))


TWINS = {
    "plugin": plugin,
    "miller-madow": miller_madow,
    "chao-shen": chao_shen,
    "jackknife": jackknife,
}


@examples(200)
@given(counts, st.sampled_from(sorted(TWINS)))
def test_estimators_are_what_their_definitions_say(pairs, estimator):
    one, other = zip(*pairs, strict=True)
    total = sum(one) + sum(other)
    found = two_way_entropy(one, other, base="e", estimator=estimator)
    if not total:
        assert found is None
        return
    expected = sum(
        (a + b) / total * min(max(TWINS[estimator](a, b), 0.0), LOG_2) for a, b in pairs if a + b
    )
    assert found == pytest.approx(expected, abs=1e-12)
    in_bits = two_way_entropy(one, other, estimator=estimator)
    assert in_bits == pytest.approx(expected / LOG_2, abs=1e-12)


def test_by_hand():
    assert two_way_entropy([1], [1]) == 1.0
    assert two_way_entropy([1], [3]) == pytest.approx(0.8112781244591328)
    assert two_way_entropy([2, 3], [2, 0]) == 4 / 7
    # log 2 + 1 / 8, cut to what two choices can have
    assert two_way_entropy([2], [2], base="e", estimator="miller-madow") == LOG_2
    found = two_way_entropy([1], [3], base="e", estimator="miller-madow")
    assert found == pytest.approx(plugin(1, 3) + 1 / 8)


@examples(100)
@given(counts)
def test_no_choice_is_exactly_nothing(pairs):
    one = [first for first, _ in pairs]
    if sum(one):
        for estimator in ("plugin", "bootstrap", "miller-madow", "jackknife", "chao-shen"):
            found = two_way_entropy(one, [0] * len(one), estimator=estimator)
            assert found == 0.0
            assert math.copysign(1, found) == 1


@examples(100)
@given(counts)
def test_laws_of_the_plug_in_estimate(pairs):
    one, other = (np.array(side) for side in zip(*pairs, strict=True))
    found = two_way_entropy(one, other)
    if found is None:
        return
    assert 0 <= found <= 1 + 1e-12
    assert two_way_entropy(other, one) == found
    assert two_way_entropy(one[::-1], other[::-1]) == found
    assert two_way_entropy(2 * one, 2 * other) == found
    assert two_way_entropy([one.sum()], [other.sum()]) >= found - 1e-12
    assert entropies_of_sums(np.concatenate([one, other])) == pytest.approx(found, abs=1e-12)


def expected_bootstrap(one: int, other: int) -> float:
    """Return the mean of infinitely many resamples: binomial weights."""
    n, p = one + other, Fraction(one, one + other)
    mean = sum(
        math.comb(n, k) * float(p**k * (1 - p) ** (n - k)) * plugin(k, n - k) for k in range(n + 1)
    )
    return 2 * plugin(one, other) - mean


def test_the_bootstrap_corrects_upwards_by_what_resamples_lose():
    kinds = 2000  # of the same counts, so that the mean over kinds is that over many resamples
    found = two_way_entropy([3] * kinds, [9] * kinds, base="e", estimator="bootstrap")
    assert found == pytest.approx(expected_bootstrap(3, 9), abs=0.002)
    assert found > plugin(3, 9) + 0.01
    again = two_way_entropy([3] * kinds, [9] * kinds, base="e", estimator="bootstrap")
    assert again == found


def test_matched_sizes():
    one, other = [30, 5, 0], [10, 5, 50]
    mean, deviation = size_matched_entropy(one, other, 100)
    assert (mean, deviation) == (pytest.approx(two_way_entropy(one, other)), pytest.approx(0))
    mean, deviation = size_matched_entropy(one, other, 20, seed=1)
    assert 0 < mean < two_way_entropy(one, other)
    assert deviation > 0
    assert size_matched_entropy(one, other, 20, seed=1) == (mean, deviation)
    # One arc has no choice.
    assert size_matched_entropy(one, other, 1) == (0.0, 0.0)


def test_what_cannot_be_had_is_refused():
    with pytest.raises(PropertyError, match="sample of 9 cannot be drawn from 2"):
        size_matched_entropy([1], [1], 9)
    with pytest.raises(PropertyError, match="unknown estimator 'grassberger'\n  there are plugin"):
        two_way_entropy([1], [1], estimator="grassberger")

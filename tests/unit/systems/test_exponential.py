"""Exponentials that are found several at a time."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st

from tests.examples import examples
from treegauge.kernels import kernel
from treegauge.systems._exponential_numba import exponential


@kernel
def exponentials(numbers, out):
    """Take them of an array, as the callers do."""
    for i in range(numbers.size):
        out[i] = exponential(numbers[i])


def found(numbers) -> np.ndarray:
    numbers = np.array(numbers, float)
    out = np.empty_like(numbers)
    exponentials(numbers, out)
    return out


@given(st.lists(st.floats(-708, 709), min_size=1, max_size=40))
@examples()
def test_within_two_of_the_last_bits(numbers):
    expected = np.exp(numbers)
    assert (np.abs(found(numbers) - expected) <= 2 * np.spacing(expected)).all()


@given(st.floats(-708, 709), st.integers(0, 20), st.integers(0, 20))
@examples()
def test_the_same_whatever_the_neighbours(number, before, behind):
    row = found([1.0] * before + [number] + [-2.0] * behind)
    assert row[before] == found([number])[0]


def test_what_is_too_small_or_too_large():
    assert found([0.0, -0.0]).tolist() == [1.0, 1.0]
    assert found([-709.0, -1e300, -np.inf]).tolist() == [0.0, 0.0, 0.0]
    assert found([710.0, np.inf]).tolist() == found([709.0, 709.0]).tolist()

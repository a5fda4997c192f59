"""Expected lengths as exact fractions over all orders, and the score Omega."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from tests.unit.properties.all_orders import LARGEST, AllOrders, bank, chain, shapes
from treegauge.properties import expected_lengths, omega_scores

SIZES = range(1, LARGEST + 1)


def mean(lengths: np.ndarray) -> float:
    return float(Fraction(int(lengths.sum()), len(lengths)))


@pytest.mark.parametrize("n", SIZES)
def test_closed_forms_are_means_over_all_orders(n):
    trees = bank(*shapes(n))
    orders = [AllOrders(heads) for heads in shapes(n)]
    expected = {
        "projective": [mean(all_.lengths[all_.projective]) for all_ in orders],
        "planar": [mean(all_.lengths[all_.planar]) for all_ in orders],
        "unconstrained": [mean(all_.lengths) for all_ in orders],
    }
    for constraint, values in expected.items():
        assert expected_lengths(trees, constraint=constraint).tolist() == values


@pytest.mark.parametrize("n", SIZES)
def test_the_number_of_projective_orders_is_a_product(n):
    for heads in shapes(n):
        product = math.prod(math.factorial(heads.count(v) + 1) for v in range(1, n + 1))
        assert AllOrders(heads).projective.sum() == product


def test_omega_by_hand():
    # Head first, with two children: length 3; random 8/3, optimal 2.
    assert omega_scores(bank([0, 1, 1])).tolist() == [pytest.approx((8 / 3 - 3) / (8 / 3 - 2))]
    # The optimum has 1; two words, and a single one, have no choice.
    scores = omega_scores(bank([2, 0, 2], [2, 0], [0]))
    assert scores[0] == 1
    assert np.isnan(scores[1:]).all()


def test_long_chains():
    n = 10_000
    (found,) = expected_lengths(bank(chain(n))).tolist()
    # Sizes n, n - 1, ..., 1; all but the last have one child.
    assert found == (3 * n * (n + 1) // 2 - 2 - 1) / 6
    assert omega_scores(bank(chain(n))).tolist() == [1.0]

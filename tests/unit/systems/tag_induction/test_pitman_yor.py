from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.systems.tag_induction.slow_pyp_hmm import Restaurant
from treegauge.systems.tag_induction.pitman_yor import SeatingHistogram, Strength, seating_logs
from treegauge.systems.tag_induction.slice_sampling import slice_sample


@examples(60)
@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=30),
    st.floats(0, 0.95),
    st.floats(0.01, 20),
)
def test_probability_of_counts_is_that_of_customers_one_by_one(dishes, a, b):
    restaurant = Restaurant(a, b, lambda _dish: 0.0)
    expected = sum(restaurant.seat(dish) for dish in dishes)
    counts = np.bincount(dishes)
    seats = SeatingHistogram.of(counts, np.array([(counts > 0).sum()]), np.array([len(dishes)]))
    assert seats.log_probability(Strength(a, b)) == pytest.approx(expected, abs=1e-9)
    logs = seating_logs(Strength(a, b), 30, 5)
    tabulated = logs.stay[counts].sum() + logs.open[(counts > 0).sum()] - logs.enter[len(dishes)]
    assert tabulated == pytest.approx(expected, abs=1e-9)


def test_a_restaurant_by_hand() -> None:
    # x, x, y with a = 1/2, b = 1: opens (1/1), stays (1/2 of 2), opens (1 + 1/2 of 3).
    restaurant = Restaurant(0.5, 1.0, lambda _dish: log(0.1))
    total = sum(map(restaurant.seat, "xxy"))
    assert exp(total) == pytest.approx(0.1 * 1 * (0.5 / 2) * (1.5 / 3) * 0.1)


def test_the_empty_restaurant_says_nothing() -> None:
    nothing = np.zeros(3, np.int64)
    assert SeatingHistogram.of(nothing, nothing, nothing).log_probability(Strength(0.2, 3)) == 0


def test_slice_sampling_draws_from_the_density() -> None:
    generator = np.random.default_rng(0)
    x, drawn = 0.5, []
    for _ in range(4000):  # Beta(3, 2): mean 0.6, variance 0.04
        x = slice_sample(
            lambda x: 2 * np.log(x) + np.log1p(-x) if 0 < x < 1 else -np.inf,
            x,
            generator,
            within=(0.0, 1.0),
            width=0.3,
        )
        drawn.append(x)
    assert np.mean(drawn) == pytest.approx(0.6, abs=0.015)
    assert np.var(drawn) == pytest.approx(0.04, abs=0.004)


def test_slice_sampling_stays_where_nothing_else_is_possible() -> None:
    generator = np.random.default_rng(0)
    stays = slice_sample(
        lambda x: 0.0 if x == 0.5 else -np.inf, 0.5, generator, within=(0, 1), width=0.1
    )
    assert stays == pytest.approx(0.5, abs=1e-9)


def test_strengths_are_drawn_from_their_posterior() -> None:
    # The reference: the posterior on a grid.
    counts = np.array([5, 3, 1, 1, 1, 0])
    seats = SeatingHistogram.of(counts, np.array([5]), np.array([11]))
    discounts = (np.arange(60) + 0.5) / 60
    concentrations = np.exp(np.linspace(-8, 4, 160))
    grid = np.array(
        [
            [seats.log_probability(Strength(a, b)) - b + np.log(b) for b in concentrations]
            for a in discounts
        ]
    )
    weights = np.exp(grid - grid.max())
    weights /= weights.sum()
    generator = np.random.default_rng(1)
    strength, drawn = Strength(0.5, 1.0), []
    for _ in range(1500):
        strength = seats.resampled(strength, generator)
        drawn.append(strength)
    means = np.mean(drawn, axis=0)
    assert means[0] == pytest.approx(weights.sum(1) @ discounts, abs=0.03)
    assert means[1] == pytest.approx(weights.sum(0) @ concentrations, abs=0.12)

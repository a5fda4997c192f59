from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from treegauge.significance import paired_permutation
from treegauge.significance.all_pairs import all_pairs


def share(sums):
    return sums[..., 0] / sums[..., 1]


def made_up(sentences, *rates, seed=0):
    """Words right and words, for systems that are right at these rates."""
    random = np.random.default_rng(seed)
    words = random.integers(1, 20, sentences)
    return [np.stack([random.binomial(words, rate), words], axis=1) for rate in rates]


def test_worked_by_hand():
    # Three sentences, all better in the second: of the 8 ways to exchange them, 2 are as extreme.
    a, b = np.array([[1, 4], [2, 4], [0, 4]]), np.array([[3, 4], [3, 4], [1, 4]])
    assert all_pairs([a, b], share) == {(0, 1): (pytest.approx(4 / 12), 0.25)}


@examples(30)
@given(st.integers(0, 10_000), st.integers(2, 9))
def test_few_sentences_are_enumerated(seed, sentences):
    tables = made_up(sentences, 0.4, 0.6, 0.8, seed=seed)
    found = all_pairs(tables, share, trials=1000)
    for (i, j), (difference, p) in found.items():
        a, b = tables[i].astype(float), tables[j].astype(float)
        observed = share(b.sum(axis=0)) - share(a.sum(axis=0))
        count = 0
        for coins in product([False, True], repeat=sentences):
            swap = np.array(coins)[:, None]
            first, second = np.where(swap, b, a), np.where(swap, a, b)
            other = share(second.sum(axis=0)) - share(first.sum(axis=0))
            count += abs(other) >= abs(observed) - 1e-9
        assert difference == pytest.approx(observed)
        assert p == pytest.approx(count / 2**sentences)


def test_agrees_with_tests_of_two():
    tables = made_up(200, 0.60, 0.62, 0.63, 0.70)
    trials = 20_000
    found = all_pairs(tables, share, trials=trials)
    assert list(found) == list(combinations(range(4), 2))
    for (i, j), (difference, p) in found.items():
        alone = paired_permutation(tables[i], tables[j], share, trials=trials, seed=1)
        assert difference == pytest.approx(alone.difference)
        # Two estimates of one number from as many trials each.
        deviation = np.sqrt(2 * alone.p * (1 - alone.p) / trials)
        assert abs(p - alone.p) < 5 * deviation + 1e-4


def test_the_same_seed_gives_the_same():
    tables = made_up(300, 0.5, 0.55, 0.5)
    assert all_pairs(tables, share, trials=500) == all_pairs(tables, share, trials=500)
    assert all_pairs(tables, share, trials=500) != all_pairs(tables, share, trials=500, seed=1)


def test_a_system_without_a_score_is_in_no_pair():
    tables = [*made_up(50, 0.5, 0.6), np.zeros((50, 2))]
    assert list(all_pairs(tables, share, trials=100)) == [(0, 1)]


def test_under_the_null_hypothesis_p_is_not_small_too_often():
    small = 0
    for seed in range(200):
        ((_, p),) = all_pairs(made_up(60, 0.5, 0.5, seed=seed), share, trials=199).values()
        small += p <= 0.05
    # Binomial with 200 and 0.05: more than 22 has a probability below 0.0005.
    assert small <= 22

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy.sparse as sparse
from scipy.stats import kstest

from treegauge.significance import (
    PairedTest,
    Resampler,
    SignificanceError,
    paired_bootstrap,
    paired_permutation,
    paired_tests as module,
)

BOTH = pytest.mark.parametrize("test", [paired_bootstrap, paired_permutation])


def accuracy(sums: np.ndarray) -> np.ndarray:
    return sums[..., 0] / sums[..., 1]


def f1(sums: np.ndarray) -> np.ndarray:
    """Correct, in gold, in the system: swaps change denominators as well."""
    return 2 * sums[..., 0] / (sums[..., 1] + sums[..., 2])


def systems(seed: int, sentences: int, gain: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Statistics for `f1` of two random systems; b is better by about `gain`."""
    random = np.random.default_rng(seed)
    gold = random.integers(3, 30, sentences)
    made = []
    for quality in (0.7, 0.7 + gain):
        found = random.integers(3, 30, sentences)
        made.append(np.stack([random.binomial(np.minimum(gold, found), quality), gold, found], 1))
    return made[0], made[1]


def all_swaps_p(a, b, score) -> float:
    """The slow twin: exchange every subset of the sentences, and see how many matter."""
    observed = abs(score(b.sum(0)) - score(a.sum(0)))
    extreme = 0
    for swaps in product([False, True], repeat=len(a)):
        swap = np.array(swaps)[:, None]
        x, y = np.where(swap, b, a), np.where(swap, a, b)
        extreme += abs(score(y.sum(0)) - score(x.sum(0))) >= observed - 1e-12
    return extreme / 2 ** len(a)


# ---------------------------------------------------------------------- permutation


@pytest.mark.parametrize(
    ("a", "b", "p"),
    [
        ([1, 2, 0], [3, 3, 1], 2 / 8),  # b better everywhere: only all or nothing is as extreme
        ([1, 1, 1], [2, 0, 1], 1.0),  # no difference
        ([1, 2, 3], [1, 2, 4], 1.0),  # one sentence differs: both ways are as extreme
        ([0, 0, 0], [2, 1, 0], 2 / 4),
        ([0, 0, 1], [2, 1, 0], 6 / 8),  # 2 + 1 - 1 = 2; of ±2 ±1 ±1 only two give 0
    ],
)
def test_permutations_by_hand(a, b, p):
    words = [4, 4, 4]
    a, b = np.stack([a, words], axis=1), np.stack([b, words], axis=1)
    assert paired_permutation(a, b, accuracy).p == p == all_swaps_p(a, b, accuracy)


@pytest.mark.parametrize("sentences", range(11))
@pytest.mark.parametrize("score", [f1, lambda sums: sums[..., 0] - sums[..., 1]])
def test_few_sentences_are_enumerated(sentences, score):
    a, b = systems(sentences, sentences, gain=0.1)
    found = paired_permutation(a, b, score, trials=2**10)
    if not sentences and score is f1:
        assert found.p is None
        return
    assert found.method == "exact paired permutation"
    assert found.p == all_swaps_p(a, b, score)
    assert found == paired_permutation(a, b, score, trials=2**10, seed=99)


def test_drawn_permutations_come_close_to_all():
    for seed in range(5):
        a, b = systems(seed, 10, gain=0.1)
        found = paired_permutation(a, b, f1, trials=1000)
        assert found.method == "paired permutation"
        assert found.trials == 1000
        exact = all_swaps_p(a, b, f1)
        assert abs(found.p - exact) < 4 * np.sqrt(exact * (1 - exact) / 1000) + 0.001


def test_sentences_without_a_difference_need_no_coin():
    a, b = systems(1, 6)
    same = np.tile([5, 9, 8], (500, 1))
    found = paired_permutation(np.vstack([a, same]), np.vstack([b, same]), f1)
    assert found.trials == 2**6 - 1
    assert found.p == all_swaps_p(a, b, lambda sums: f1(sums + same.sum(0)))


def test_enumeration_starts_where_it_is_no_more_work_than_drawing():
    a, b = systems(0, 5)
    assert paired_permutation(a, b, f1, trials=31).method == "paired permutation"
    assert paired_permutation(a, b, f1, trials=32).method == "exact paired permutation"


def test_fractions_tie_in_whatever_order_they_are_added():
    # 0.1 + 0.2 + 0.3 depends on the order; all or nothing must count as extreme anyway.
    a = np.zeros((7, 1))
    b = np.array([[0.1], [0.2], [0.3], [0.7], [1.1], [1e-3], [0.9]])
    assert paired_permutation(a, b, lambda sums: sums[..., 0]).p == 2 / 2**7


def test_blocks_of_permutations_do_not_change_what_is_exact(monkeypatch):
    a, b = systems(4, 9)
    expected = paired_permutation(a, b, f1)
    monkeypatch.setattr(module, "BLOCK", 50)
    assert paired_permutation(a, b, f1) == expected


# ---------------------------------------------------------------------- bootstrap


def test_the_bootstrap_is_centred_at_the_observed_difference():
    a, b = systems(3, 30, gain=0.02)
    found = paired_bootstrap(a, b, f1, resamples=2000, seed=6)
    resampler = Resampler(30, resamples=2000, seed=6)
    differences = f1(resampler.sums(b)) - f1(resampler.sums(a))
    observed = f1(b.sum(0)) - f1(a.sum(0))
    assert found.difference == observed
    count = sum(abs(d - observed) >= abs(observed) for d in differences)
    assert found.p == (count + 1) / 2001
    assert (found.low, found.high) == tuple(np.sort(differences)[[49, 1950]])


@pytest.mark.parametrize("sentences", [3, 4])
def test_the_bootstrap_p_is_that_of_all_possible_resamples(sentences):
    a, b = systems(sentences, sentences)
    every = np.array(list(product(range(sentences), repeat=sentences)))
    differences = f1(b[every].sum(1)) - f1(a[every].sum(1))
    observed = f1(b.sum(0)) - f1(a.sum(0))
    expected = (np.abs(differences - observed) >= abs(observed) - 1e-12).mean()
    assert 0.05 < expected < 0.95  # or this test tests nothing
    found = paired_bootstrap(a, b, f1, resamples=40_000)
    assert abs(found.p - expected) < 0.01


def test_ties_are_ties_after_division_as_well():
    # Differences of ratios miss their ties by a last digit; whole numbers know better. Without
    # a tolerance this p is 0.47 instead of 0.59.
    a, b = np.random.default_rng(3).integers(0, 4, (2, 7))
    words = np.full(7, 7)
    resampler = Resampler(7, resamples=5000)
    differences = (resampler.sums(b[:, None]) - resampler.sums(a[:, None]))[:, 0].astype(int)
    observed = int(b.sum() - a.sum())
    assert observed
    count = int((abs(differences - observed) >= abs(observed)).sum())
    found = paired_bootstrap(
        np.stack([a, words], axis=1), np.stack([b, words], axis=1), accuracy, resamples=5000
    )
    assert found.p == (count + 1) / 5001


# ---------------------------------------------------------------------- both


@BOTH
def test_a_clear_difference_is_found(test):
    a, b = systems(2, 300, gain=0.1)
    found = test(a, b, f1)
    assert found.difference == pytest.approx(f1(b.sum(0)) - f1(a.sum(0)))
    assert found.p == 1 / 10_001  # never 0
    assert found.trials == 10_000


@BOTH
def test_a_system_does_not_differ_from_itself(test):
    a, _ = systems(2, 40)
    found = test(a, a, f1)
    assert (found.difference, found.p) == (0, 1)


@BOTH
@pytest.mark.parametrize("sentences", [8, 50])
def test_symmetric_in_the_two_systems(test, sentences):
    a, b = systems(7, sentences, gain=0.05)
    there, back = test(a, b, f1, seed=3), test(b, a, f1, seed=3)
    assert there.p == back.p
    assert there.difference == -back.difference
    if there.low is not None:
        assert (there.low, there.high) == (-back.high, -back.low)


@BOTH
def test_the_same_seed_gives_the_same_answer(test):
    a, b = systems(7, 40)
    assert test(a, b, f1, seed=1) == test(a, b, f1, seed=1)
    assert test(a, b, f1, seed=1) != test(a, b, f1, seed=2)


@BOTH
@pytest.mark.parametrize("sentences", [6, 40])
def test_sparse_statistics_give_the_same_answer(test, sentences):
    a, b = systems(5, sentences)
    expected = test(a, b, f1)
    assert test(sparse.csr_array(a), sparse.csr_array(b), f1) == expected
    assert test(sparse.csr_matrix(a), b, f1) == expected


def null_p_values(test, **settings) -> np.ndarray:
    """p-values for two systems of which neither is better, on different test sets."""
    return np.array([test(*systems(s, 60), f1, seed=s, **settings).p for s in range(500)])


@pytest.mark.parametrize(
    ("test", "settings"),
    [(paired_permutation, {"trials": 999}), (paired_bootstrap, {"resamples": 999})],
)
def test_p_is_uniform_where_there_is_no_difference(test, settings):
    p = null_p_values(test, **settings)
    assert kstest(p, "uniform").pvalue > 0.05
    assert 0.02 < (p <= 0.05).mean() < 0.08
    # The bound can fail: a one-sided p taken for a two-sided one is found out.
    assert kstest(p / 2, "uniform").pvalue < 1e-10


@BOTH
def test_undefined_scores_count_against_significance(test):
    # Only one sentence has words; without it in the resample there is no accuracy. After an
    # exchange, one of the systems has none.
    a = np.array([[0, 0], [1, 4], [0, 0]])
    b = np.array([[0, 0], [4, 4], [0, 0]])
    found = test(a, b, accuracy)
    assert found.difference == 0.75
    if test is paired_permutation:
        assert found.p == 1
    else:
        # Centred differences are 0 or undefined: (2 / 3) ** 3 of all resamples.
        assert found.p == pytest.approx(8 / 27, abs=0.02)
        assert (found.low, found.high) == (0.75, 0.75)


@BOTH
@pytest.mark.parametrize("sentences", [0, 3])
def test_no_words_at_all(test, sentences):
    nothing = np.zeros((sentences, 2))
    found = test(nothing, nothing, accuracy)
    assert (found.difference, found.low, found.high, found.p) == (None, None, None, None)


@BOTH
def test_infinite_scores_are_no_difference(test):
    a, b = np.array([[1, 0], [2, 0]]), np.array([[1, 1], [2, 3]])
    assert test(a, b, accuracy).difference is None
    assert test(a, a, accuracy).p is None


@BOTH
def test_different_sentences_are_refused(test):
    with pytest.raises(SignificanceError, match="found 3 x 2 and 4 x 2"):
        test(np.ones((3, 2)), np.ones((4, 2)), accuracy)


def test_no_trials_are_refused():
    with pytest.raises(SignificanceError, match="at least one trial"):
        paired_permutation(np.ones((3, 2)), np.ones((3, 2)), accuracy, trials=0)


def test_a_result_cannot_be_changed():
    result = PairedTest(0.1, None, None, 0.5, 10, "paired permutation")
    with pytest.raises(AttributeError):
        result.p = 0.01

"""Lattices of sequences against the enumeration of all of them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.systems.taggers.slow_sequences import all_scores, log_sum, score
from treegauge.systems.taggers._lattice_numba import (
    backward,
    best_path,
    best_tags,
    first_lattice,
    forward,
    lattice_scores,
    next_lattice,
    path_of,
    pruned_lattice,
    softmax,
    state_chances,
)
from treegauge.systems.taggers._sgd_numba import adapt, add_gradient, train_epoch

NO_GOLD = np.empty(0, np.int32)


def starts_of(n_tags: int, order: int, largest: int = 10**6) -> np.ndarray:
    sizes = [min((n_tags + 1) ** (k + 1), largest) for k in range(1, order + 1)]
    return np.cumsum([0, *sizes])


@st.composite
def models(draw, orders=(1, 2, 3)):
    """A sentence's scores, an order, and weights of n-grams, sometimes shared ones."""
    order = draw(st.sampled_from(orders))
    n_tags = draw(st.integers(1, 3))
    n_words = draw(st.integers(1, 5))
    spread = draw(st.sampled_from([0.5, 3.0, 40.0]))
    largest = draw(st.sampled_from([7, 10**6]))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    table_starts = starts_of(n_tags, order, largest)
    return (
        generator.normal(0, spread, (n_words, n_tags)),
        order,
        generator.normal(0, spread, table_starts[-1]),
        table_starts,
    )


def exact_lattice(scores, order, table, table_starts):
    thresholds = np.zeros(order + 1)
    sizes = np.zeros(order + 1, np.int64)
    reached, lattice, node, edge = pruned_lattice(
        scores, order, table, 1.0, table_starts, thresholds, NO_GOLD, sizes
    )
    assert reached == order
    return lattice, node, edge


@examples(100)
@given(models())
def test_the_sum_over_all_paths(model) -> None:
    lattice, node, edge = exact_lattice(*model)
    _, log_total = forward(lattice, node, edge)
    assert log_total == pytest.approx(log_sum(all_scores(*model).values()), rel=1e-10)


@examples(100)
@given(models())
def test_the_best_path(model) -> None:
    scored = all_scores(*model)
    scores, order, table, table_starts = model
    tags = tuple(best_tags(scores, order, table, table_starts, np.zeros(order + 1)).tolist())
    assert scored[tags] == pytest.approx(max(scored.values()), rel=1e-12)
    lattice, node, edge = exact_lattice(*model)
    path = best_path(lattice, node, edge)
    assert tuple(lattice[1][path].tolist()) == tags


@examples(100)
@given(models())
def test_posteriors_of_states_are_sums_of_sequences(model) -> None:
    scored = all_scores(*model)
    n_words, n_tags = model[0].shape
    total = log_sum(scored.values())
    expected = np.zeros((n_words, n_tags))
    for tags, value in scored.items():
        expected[np.arange(n_words), tags] += np.exp(value - total)
    lattice, node, edge = exact_lattice(*model)
    alpha, log_total = forward(lattice, node, edge)
    chances = state_chances(alpha, backward(lattice, node, edge), log_total)
    found = np.zeros((n_words, n_tags))
    for word in range(n_words):
        here = slice(lattice[0][word], lattice[0][word + 1])
        np.add.at(found[word], lattice[1][here], chances[here])
    np.testing.assert_allclose(found, expected, atol=1e-9)


def gradient(model, gold, thresholds):
    """Return the log-likelihood, and its gradient by tags and by n-grams."""
    scores, order, table, table_starts = model
    sizes = np.zeros(order + 1, np.int64)
    reached, lattice, node, edge = pruned_lattice(
        scores, order, table, 1.0, table_starts, thresholds, gold, sizes
    )
    by_tag = np.zeros_like(scores)
    by_gram, late = np.zeros_like(table), np.zeros_like(table)
    likelihood = add_gradient(
        reached, lattice, node, edge, scores, gold, table_starts, by_tag, 1.0, by_gram, 2.0, late
    )
    np.testing.assert_allclose(late, 2 * by_gram)
    return likelihood, by_tag, by_gram, reached


@examples(60)
@given(models(orders=(0, 1, 2, 3)), st.integers(0, 2**32))
def test_the_gradient_is_that_of_finite_differences(model, seed) -> None:
    scores, order, table, table_starts = model
    scores, table = scores / np.abs(scores).max(), table / max(1.0, np.abs(table).max(initial=0))
    generator = np.random.default_rng(seed)
    gold = generator.integers(scores.shape[1], size=len(scores)).astype(np.int32)

    def slow_likelihood(scores, table):
        scored = all_scores(scores, order, table, table_starts)
        return scored[tuple(gold.tolist())] - log_sum(scored.values())

    likelihood, by_tag, by_gram, _ = gradient(
        (scores, order, table, table_starts), gold, np.zeros(order + 1)
    )
    assert likelihood == pytest.approx(slow_likelihood(scores, table), abs=1e-9)
    step = 1e-5
    for array, found in ((scores, by_tag), (table, by_gram)):
        if not array.size:
            continue
        for place in generator.choice(array.size, min(4, array.size), replace=False):
            moved = [array.copy() for _ in range(2)]
            moved[0].flat[place] += step
            moved[1].flat[place] -= step
            values = [
                slow_likelihood(m, table) if array is scores else slow_likelihood(scores, m)
                for m in moved
            ]
            assert found.flat[place] == pytest.approx(
                (values[0] - values[1]) / (2 * step), abs=1e-7
            )


@examples(60)
@given(models(), st.floats(0.0, 0.9), st.integers(0, 2**32))
def test_pruned_lattices_keep_a_path_and_only_paths_of_the_whole(model, threshold, seed) -> None:
    scores, order, table, table_starts = model
    thresholds = np.full(order + 1, threshold)
    sizes = np.zeros(order + 1, np.int64)
    _, lattice, node, edge = pruned_lattice(
        scores, order, table, 1.0, table_starts, thresholds, NO_GOLD, sizes
    )
    path = best_path(lattice, node, edge)
    tags = lattice[1][path]
    assert path_of(lattice, tags).tolist() == path.tolist()
    value = node[path].sum() + sum(
        edge[lattice[5][a] + b - lattice[3][a]] for a, b in pairwise(path)
    )
    assert value == pytest.approx(score(tags, *model), rel=1e-9)
    _, log_total = forward(lattice, node, edge)
    assert log_total <= log_sum(all_scores(*model).values()) + 1e-9
    # An early update's lattice has the gold path, however unlikely.
    gold = np.random.default_rng(seed).integers(scores.shape[1], size=len(scores))
    likelihood, by_tag, _, _ = gradient(model, gold.astype(np.int32), thresholds)
    assert np.isfinite(likelihood)
    assert likelihood <= 1e-9
    np.testing.assert_allclose(by_tag.sum(axis=1), 0, atol=1e-9)


def test_a_lattice_by_hand() -> None:
    # Two words; the second tag of the first word and the first tag of the second are pruned.
    keep = np.array([[True, False, True], [False, True, True]])
    lattice = first_lattice(keep)
    starts, tag, context, first, last, edges = lattice
    assert starts.tolist() == [0, 2, 4]
    assert tag.tolist() == context.tolist() == [0, 2, 1, 2]
    assert (first.tolist(), last.tolist()) == ([2, 2, 0, 0], [4, 4, 0, 0])
    assert edges.tolist() == [0, 2, 4, 4, 4]
    # Without the state of tag 2 of the first word; digit 3 is what is before the sentence.
    pairs = next_lattice(lattice, np.array([True, False, True, True]), 1, 3)
    assert pairs[0].tolist() == [0, 1, 3]
    assert pairs[2].tolist() == [3 * 4 + 0, 0 * 4 + 1, 0 * 4 + 2]
    assert (pairs[3].tolist(), pairs[4].tolist()) == ([1, 3, 3], [3, 3, 3])
    table_starts = starts_of(3, 2)
    table = np.zeros(table_starts[-1])
    table[0 * 4 + 1] = 5.0  # the bigram 0 1
    table[table_starts[1] + (3 * 4 + 0) * 4 + 2] = 7.0  # the trigram before 0 2
    scores = np.array([[1.0, 0, 0], [0, 0.5, 0.25]])
    node, edge = lattice_scores(pairs, scores, 2, 3, table, 1.0, table_starts)
    assert node.tolist() == [1.0, 5.5, 0.25]
    assert edge.tolist() == [0.0, 7.0]
    assert path_of(pairs, np.array([0, 2], np.int32)).tolist() == [0, 2]
    assert path_of(pairs, np.array([2, 1], np.int32))[0] == -1


def test_order_0_is_a_classifier() -> None:
    scores = np.array([[0.0, np.log(3.0)], [2.0, 2.0]])
    np.testing.assert_allclose(softmax(scores), [[0.25, 0.75], [0.5, 0.5]])
    likelihood, by_tag, _, reached = gradient(
        (scores, 0, np.empty(0), np.array([0])), np.array([1, 0], np.int32), np.zeros(1)
    )
    assert reached == 0
    assert likelihood == pytest.approx(np.log(0.75) + np.log(0.5))
    np.testing.assert_allclose(by_tag, [[-0.25, 0.25], [0.5, -0.5]])


def test_thresholds_move_towards_the_wanted_number_of_states() -> None:
    thresholds, sizes = np.array([0.1, 0.1, 0.1, 0.5]), np.array([50, 20, 10, 99])
    adapt(thresholds, sizes, 10, np.array([4.0, 2.0, 1.5]), 0.1)
    np.testing.assert_allclose(thresholds, [0.11, 0.1, 0.09, 0.5])
    assert not sizes.any()


@pytest.mark.parametrize("penalty", [0.0, 0.5, 3.0])
def test_training_takes_the_steps_that_a_slow_twin_takes(penalty) -> None:
    """Plain steps on all weights, and the plain mean of the weights after each."""
    generator = np.random.default_rng(3)
    n_tags, n_features, order = 3, 5, 2
    offsets = np.array([0, 2, 3, 6])
    feature_starts = np.arange(0, 13, 2)
    features = generator.integers(n_features, size=12).astype(np.int32)
    gold = generator.integers(n_tags, size=6).astype(np.int32)
    table_starts = starts_of(n_tags, order)
    steps = [np.array([2, 0, 1]), np.array([1, 2, 0])]
    weights, table = np.zeros((n_features, n_tags)), np.zeros(table_starts[-1])
    weights_sum, table_sum = np.zeros_like(weights), np.zeros_like(table)
    for n_steps, sentence in enumerate(np.concatenate(steps)):
        rate = 0.4 / (1 + n_steps / 3)
        weights *= 1 - 2 * rate * penalty / 3
        table *= 1 - 2 * rate * penalty / 3
        words = range(offsets[sentence], offsets[sentence + 1])
        scores = np.array([weights[features[2 * w : 2 * w + 2]].sum(axis=0) for w in words])
        model = (scores, order, table, table_starts)
        _, by_tag, by_gram, _ = gradient(model, gold[words.start : words.stop], np.zeros(3))
        for row, word in enumerate(words):
            for feature in features[2 * word : 2 * word + 2]:
                weights[feature] += rate * by_tag[row]
        table += rate * by_gram
        weights_sum += weights
        table_sum += table
    fast, fast_late = np.zeros_like(weights), np.zeros_like(weights)
    fast_table, fast_table_late = np.zeros_like(table), np.zeros_like(table)
    clock = np.array([0.0, 1.0, 0.0])
    for order_of_sentences in steps:
        train_epoch(
            order_of_sentences, offsets, feature_starts, features, gold, order, table_starts,
            fast, fast_late, fast_table, fast_table_late, np.zeros(3), np.ones(3), 0.1, 100,
            0.4, penalty, clock,
        )  # fmt: skip
    np.testing.assert_allclose(fast * clock[1], weights, atol=1e-12)
    np.testing.assert_allclose(fast_table * clock[1], table, atol=1e-12)
    np.testing.assert_allclose(fast * clock[2] - fast_late, weights_sum, atol=1e-12)
    np.testing.assert_allclose(fast_table * clock[2] - fast_table_late, table_sum, atol=1e-12)

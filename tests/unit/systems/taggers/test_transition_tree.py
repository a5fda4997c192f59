from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from treegauge.systems.taggers.transition_tree import (
    grow,
    leaves,
    prune,
    questions,
    transitions,
)
from treegauge.systems.taggers.trigram_counts import TrigramCounts


def counted(table: np.ndarray) -> TrigramCounts:
    """Take a table of counts of (a, b, c); its last state is the boundary."""
    codes = np.flatnonzero(table)
    return TrigramCounts.from_codes(codes, table.ravel()[codes].astype(np.int64), len(table) - 1)


def random_counts(seed: int, size: int, most: int) -> TrigramCounts:
    return counted(np.random.default_rng(seed).integers(0, most, (size, size, size)) + (most > 50))


seeds = st.integers(0, 2**32 - 1)


@examples(60)
@given(seeds)
def test_where_only_the_last_tag_counts_nothing_is_asked_about_the_one_before(seed: int) -> None:
    random = np.random.default_rng(seed)
    first, second = random.integers(1, 9, (2, 4))
    third = random.integers(0, 9, (4, 4)) + np.eye(4, dtype=int)
    table = first[:, None, None] * second[:, None] * third
    root = grow(counted(table))
    assert all(position == -1 for position, _ in questions(root))


def test_where_only_the_tag_before_counts_it_is_asked_about() -> None:
    table = np.zeros((3, 3, 3), int)
    table[0, :, 0] = table[1, :, 1] = table[2, :, 2] = 10
    root = grow(counted(table))
    assert {position for position, _ in questions(root)} == {-2}
    assert len(leaves(root)) == 3


@examples(60)
@given(seeds, st.integers(1, 4))
def test_pruning_with_a_threshold_of_zero_changes_nothing(seed: int, most: int) -> None:
    root = grow(random_counts(seed, 4, most + 1))
    before = questions(root)
    prune(root, 0.0)
    assert questions(root) == before


@examples(30)
@given(seeds)
def test_more_pruning_leaves_fewer_questions(seed: int) -> None:
    kept = []
    for threshold in (0.0, 1.0, 10.0, math.inf):
        root = grow(random_counts(seed, 4, 5))
        prune(root, threshold)
        kept.append(len(questions(root)))
    assert kept == sorted(kept, reverse=True)
    assert kept[-1] == 0


@examples(60)
@given(seeds, st.integers(2, 9), st.sampled_from([0.0, 0.1, 1.0]), st.sampled_from([0.0, 3.0]))
def test_rows_sum_to_one(seed: int, most: int, smoothing: float, threshold: float) -> None:
    counts = random_counts(seed, 4, most)
    root = grow(counts)
    prune(root, threshold)
    found = transitions(root, 3, smoothing=smoothing)
    assert found.rows.sum(axis=1) == pytest.approx(1)
    assert found.row_of.shape == (4, 4)
    if smoothing:
        assert (found.rows > 0).all()


@examples(40)
@given(seeds)
def test_without_pruning_abundant_data_gives_relative_frequencies(seed: int) -> None:
    counts = random_counts(seed, 4, 1000)
    found = transitions(grow(counts), 3, smoothing=0.0)
    table = np.zeros((4, 4, 4))
    table[counts.first, counts.second, counts.third] = counts.counts
    expected = table / table.sum(axis=2, keepdims=True)
    assert found.rows[found.row_of] == pytest.approx(expected)


def entropy(counts: np.ndarray) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log2(shares)).sum())


@examples(40)
@given(seeds)
def test_the_first_question_leaves_least_entropy(seed: int) -> None:
    counts = random_counts(seed, 4, 6)
    root = grow(counts)
    n = counts.counts.sum()
    gains = {}
    for position, asked in ((-1, counts.second), (-2, counts.first)):
        for tag in range(4):
            sides = [
                np.bincount(counts.third[side], counts.counts[side], 4)
                for side in (asked == tag, asked != tag)
            ]
            if min(side.sum() for side in sides) >= 2:
                left = sum(side.sum() * entropy(side) for side in sides)
                gains[position, tag] = n * entropy(root.counts) - left
    if root.position:
        assert root.gain == pytest.approx(max(gains.values()))
        assert gains[root.position, root.tag] == pytest.approx(root.gain)
    else:
        assert max(gains.values(), default=0.0) == pytest.approx(0, abs=1e-6)


def test_no_side_of_a_question_has_fewer_than_two_samples() -> None:
    root = grow(random_counts(3, 5, 3))
    assert min(leaf.counts.sum() for leaf in leaves(root)) >= 2


def test_smoothing_of_a_hand_worked_example() -> None:
    # One question, about the last tag: 0 is followed by 0, all else by 1 (the boundary).
    table = np.zeros((2, 2, 2), int)
    table[:, 0, 0] = table[:, 1, 1] = 4
    found = transitions(grow(counted(table)), 1, smoothing=0.5)
    # The root has one half each, mixed with one half each.
    assert found.rows[found.row_of[0, 0]] == pytest.approx([(1 + 0.25) / 1.5, 0.25 / 1.5])

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from treegauge.systems.tag_induction.class_alignment import aligned_classes


def together(one, other, counts, columns) -> float:
    """The words that are expected to have both classes of a pair."""
    return sum(
        count * p[k] * q[column]
        for count, p, q in zip(counts, one, other, strict=True)
        for k, column in enumerate(columns)
    )


@pytest.mark.parametrize("seed", range(5))
def test_no_other_alignment_has_more_words_together(seed: int) -> None:
    generator = np.random.default_rng(seed)
    one, other = generator.dirichlet([0.3] * 4, (2, 9))
    counts = generator.integers(1, 20, 9)
    found = aligned_classes(one, other, counts)
    best = max(together(one, other, counts, columns) for columns in permutations(range(4)))
    assert sorted(found.tolist()) == [0, 1, 2, 3]
    assert together(one, other, counts, found) == pytest.approx(best)


@pytest.mark.parametrize("seed", range(5))
def test_the_same_classes_in_another_order_are_found(seed: int) -> None:
    generator = np.random.default_rng(seed)
    one = np.eye(6)[generator.permutation(np.arange(30) % 6)]
    order = generator.permutation(6)
    found = aligned_classes(one, one[:, order], generator.integers(1, 9, 30))
    assert np.array_equal(one[:, order][:, found], one)


def test_frequent_words_decide() -> None:
    one = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    other = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 0.0]])
    assert aligned_classes(one, other, np.array([9, 1, 1])).tolist() == [1, 0]
    assert aligned_classes(one, other, np.array([1, 9, 1])).tolist() == [0, 1]

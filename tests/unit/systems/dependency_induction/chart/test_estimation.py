from __future__ import annotations

import numpy as np
import pytest
from scipy.special import digamma

from tests.unit.systems.dependency_induction.chart.models import random_corpus, random_grammar
from treegauge.systems.dependency_induction.chart import (
    ChartError,
    Counts,
    Grammar,
    Smoothing,
    estimate,
    estimate_variational,
    estimate_with_prior,
    expectations,
    log_prior,
)


@pytest.fixture
def counts() -> Counts:
    """Of two tags: tag 1 has no events on its left."""
    counts = Counts.zeros(2, 2, 2)
    counts.root[:] = 3, 1
    counts.stop[:] = [[[1, 2], [3, 0]], [[0, 0], [4, 4]]]
    counts.go[:] = [[[3, 2], [1, 0]], [[0, 0], [0, 12]]]
    counts.attach[0] = [[[1, 3], [2, 2]], [[0, 1], [0, 0]]]
    counts.attach[1] = [[[0, 0], [0, 0]], [[0, 4], [6, 2]]]
    return counts


def test_by_hand(counts):
    grammar = estimate(counts)
    assert grammar.root.tolist() == [0.75, 0.25]
    assert grammar.stop.tolist() == [[[0.25, 0.5], [0.75, 0.5]], [[0.5, 0.5], [1, 0.25]]]
    assert (grammar.stop + grammar.go == 1).all()
    assert grammar.attach[0].tolist() == [[[0.25, 0.75], [0.5, 0.5]], [[0, 1], [0.5, 0.5]]]
    smoothed = estimate(counts, smoothing=1.0)
    assert smoothed.root.tolist() == [4 / 6, 2 / 6]
    assert smoothed.stop[0, 0].tolist() == [2 / 6, 3 / 6]
    assert smoothed.attach[1, 1, 1].tolist() == [0.7, 0.3]


def test_rows_without_events_keep_what_they_were(counts):
    previous = random_grammar(1, 2, (2, 2, "inside_out"))
    for backoff in (0.0, 0.3):
        grammar = estimate(counts, previous=previous, backoff=backoff)
        assert (grammar.attach[1, 0] == previous.attach[1, 0]).all()
        assert (grammar.stop[1, 0] == previous.stop[1, 0]).all()
        assert (grammar.go[1, 0] == previous.go[1, 0]).all()
        assert grammar.root.tolist() == [0.75, 0.25]
    nothing = estimate(Counts.zeros_like(counts), previous=previous)
    assert all((nothing.arrays()[k] == v).all() for k, v in previous.arrays().items())


def test_smoothing_by_kind(counts):
    grammar = estimate(counts, smoothing=Smoothing(root=1, attach=2))
    assert grammar.root.tolist() == [4 / 6, 2 / 6]
    assert grammar.stop[0, 0].tolist() == [0.25, 0.5]
    assert grammar.attach[0, 0, 0].tolist() == [3 / 8, 5 / 8]


def test_backoff(counts):
    """Right, valence 1: (6, 2) for tag 1, nothing for tag 0, so pooled (0.75, 0.25)."""
    grammar = estimate(counts, backoff=0.5, smoothing=0)
    assert grammar.attach[1, 1, 1].tolist() == [0.75, 0.25]
    assert grammar.attach[0, 1, 0].tolist() == [0, 1]
    # Left, valence 0 has one head only; right, valence 0: (0, 1) + (0, 4).
    assert grammar.attach[0, 0, 0].tolist() == [0.25, 0.75]
    # Smoothed: (1, 1) for tag 0 becomes (0.5, 0.5), pooled (7, 3) becomes (0.7, 0.3).
    smoothed = estimate(counts, backoff=0.25, smoothing=1.0)
    assert smoothed.attach[0, 1, 1].tolist() == pytest.approx([0.55, 0.45])
    np.testing.assert_allclose(smoothed.attach.sum(axis=-1), 1)


def test_variational(counts):
    grammar = estimate_variational(counts, alpha=0.25)
    assert grammar.root[0] == pytest.approx(np.exp(digamma(3.25) - digamma(4.5)))
    assert grammar.stop[0, 0, 0] == pytest.approx(np.exp(digamma(1.25) - digamma(4.5)))
    assert grammar.go[0, 0, 0] == pytest.approx(np.exp(digamma(3.25) - digamma(4.5)))
    assert grammar.attach[1, 0, 0, 0] == pytest.approx(np.exp(digamma(0.25) - digamma(0.5)))
    assert (grammar.attach.sum(axis=-1) < 1).all()


def test_prior_is_mode_from_one_on(counts):
    mode, plain = estimate_with_prior(counts, alpha=1.5), estimate(counts, smoothing=0.5)
    assert (mode.attach == plain.attach).all()
    mean_field = estimate_with_prior(counts, alpha=0.5)
    assert (mean_field.attach == estimate_variational(counts, alpha=0.5).attach).all()


def test_log_prior():
    grammar = Grammar.uniform(2)
    expected = 2 * np.log(0.5) * 1 + 16 * np.log(0.5) * 2 + 8 * np.log(0.5) * 3
    assert log_prior(grammar, Smoothing(1, 2, 3)) == pytest.approx(expected)
    assert log_prior(grammar, 0.0) == 0


def test_the_estimate_is_the_best_grammar_for_its_counts():
    """No other normalised grammar has a larger expected log probability."""
    counts = expectations(random_grammar(1), random_corpus(1, 30, 6)).counts

    def score(grammar: Grammar) -> float:
        pairs = zip(counts.arrays().values(), grammar.logs.values(), strict=True)
        return sum(float((count * log)[count > 0].sum()) for count, log in pairs)

    best = score(estimate(counts))
    assert all(score(random_grammar(seed)) < best for seed in range(2, 30))


def test_bad_arguments(counts):
    with pytest.raises(ChartError, match="cannot be negative"):
        estimate(counts, smoothing=-1)
    with pytest.raises(ChartError, match="between 0 and 1"):
        estimate(counts, backoff=1.5)
    with pytest.raises(ChartError, match="must be positive"):
        estimate_variational(counts, alpha=0)
    with pytest.raises(ChartError, match="different models"):
        estimate(counts, previous=Grammar.uniform(2))
    with pytest.raises(ChartError, match="different models"):
        _ = counts + Counts.zeros(2)
    with pytest.raises(ChartError, match="must have shapes"):
        Grammar(np.ones(2), np.ones((2, 2, 2)), np.ones((2, 2, 1)), np.ones((2, 2, 1, 2)))
    with pytest.raises(ChartError, match="negative or not finite"):
        Grammar(np.array([-1.0]), np.ones((1, 2, 2)), np.ones((1, 2, 2)), np.ones((1, 2, 1, 1)))
    with pytest.raises(ChartError, match="unknown order"):
        Counts.zeros(1, 2, 2, "upwards")
    with pytest.raises(ChartError, match="positive number"):
        Grammar.uniform(1).power(0)
    with pytest.raises(ChartError, match="shape"):
        Grammar.uniform(1).weighted([[1.0]])


def test_tables_come_back_from_a_file(tmp_path):
    grammar = random_grammar(1, model=(3, 2, "outside_in"))
    np.savez(tmp_path / "grammar.npz", **grammar.arrays())
    with np.load(tmp_path / "grammar.npz") as arrays:
        back = Grammar.from_arrays(arrays, "outside_in")
    assert all((back.arrays()[k] == v).all() for k, v in grammar.arrays().items())
    with pytest.raises(ChartError, match="no table go, stop"):
        Grammar.from_arrays({"root": grammar.root, "attach": grammar.attach})

"""What perplexities say about accuracy, on numbers made by hand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from treegauge.papers.perplexity.published import (
    AVERAGES,
    METRICS,
    shared_task_accuracy,
)
from treegauge.papers.perplexity.statistics import (
    _correlated,
    published_p,
)


def test_the_printed_p_values_are_those_of_fourteen_points():
    for published in METRICS.values():
        assert published_p(published.rho) == pytest.approx(published.p, abs=2e-4)


def test_one_group_of_the_paper_prints_the_ratio_of_means():
    string, derivation, printed = AVERAGES["C06"]
    assert 100 * (derivation / string - 1) == pytest.approx(printed, abs=0.1)
    string, derivation, printed = AVERAGES["C07"]
    assert abs(100 * (derivation / string - 1) - printed) > 20


def test_correlations_within_treebanks():
    pairs = {
        "a": ([1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0]),
        "b": ([11.0, 12.0, 14.0, 13.0], [4.0, 3.0, 2.0, 1.0]),
        "c": ([5.0, 5.0, 5.0, 5.0], [4.0, 3.0, 2.0, 1.0]),
    }
    found = _correlated("perplexity", "uas", "canonical", pairs, 500, 0)
    assert found.by_treebank == {"a": pytest.approx(-1), "b": pytest.approx(-0.8), "c": None}
    assert found.mean == pytest.approx(-0.9)
    # Centred by hand: x has squares 5 + 5 + 0, y 5 each, products -5 and -4.
    assert found.within == pytest.approx(-9 / np.sqrt(10 * 15))
    freedom = 12 - 3 - 1
    t = abs(found.within) * np.sqrt(freedom / (1 - found.within**2))
    assert found.within_p == pytest.approx(2 * stats.t.sf(t, freedom))


def test_the_permutation_test_comes_near_that_of_all_permutations():
    pairs = {"a": ([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 4.0, 3.0]), "b": ([1.0, 2.0, 3.0, 9.0],) * 2}
    found = _correlated("uas", "exact_match", "canonical", pairs, 4000, 0)
    rhos = {
        name: [np.corrcoef(order, y)[0, 1] for order in itertools.permutations(x)]
        for name, (x, y) in pairs.items()
    }
    means = [(a + b) / 2 for a in rhos["a"] for b in rhos["b"]]
    exact = np.mean(np.abs(means) >= found.mean - 1e-12)
    assert found.permutation_p == pytest.approx(exact, abs=0.006)


def test_constant_metrics_have_no_correlation():
    found = _correlated("a", "b", "own", {"t": ([1.0] * 4, [1.0, 2.0, 3.0, 4.0])}, 10, 0)
    assert (found.mean, found.within, found.permutation_p) == (None, None, None)


def test_accuracies_of_shared_tasks_are_for_their_treebanks_only():
    assert shared_task_accuracy("tr_conll2006", "uas_best") == 75.82
    assert shared_task_accuracy("tr_conll2007", "las_best") == 79.81
    assert shared_task_accuracy("tr_imst", "las_best") is None

"""What perplexities say about accuracy, on numbers made by hand."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest
from scipy import stats

from treegauge.papers.perplexity.measure import TRANSITION_SYSTEMS, with_accuracies
from treegauge.papers.perplexity.paper import DerivationPerplexity
from treegauge.papers.perplexity.statistics import (
    correlate_within,
    groups,
    metric_correlations,
    published_p,
    separations,
)


def test_the_printed_p_values_are_those_of_fourteen_points():
    for row in DerivationPerplexity().published()["metrics"].iter_rows(named=True):
        assert published_p(row["mean"]) == pytest.approx(row["p"], abs=2e-4)


def test_correlations_within_treebanks():
    pairs = {
        "a": ([1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0]),
        "b": ([11.0, 12.0, 14.0, 13.0], [4.0, 3.0, 2.0, 1.0]),
        "c": ([5.0, 5.0, 5.0, 5.0], [4.0, 3.0, 2.0, 1.0]),
    }
    within = correlate_within(pairs, permutations=500, seed=0)
    rhos = {row["treebank"]: row["rho"] for row in within["rhos"]}
    assert rhos == {"a": pytest.approx(-1), "b": pytest.approx(-0.8), "c": None}
    assert within["mean"] == pytest.approx(-0.9)
    # Centred by hand: x has squares 5 + 5 + 0, y 5 each, products -5 and -4.
    assert within["within"] == pytest.approx(-9 / np.sqrt(10 * 15))
    freedom = 12 - 3 - 1
    t = abs(within["within"]) * np.sqrt(freedom / (1 - within["within"] ** 2))
    assert within["p_within"] == pytest.approx(2 * stats.t.sf(t, freedom))


def test_the_permutation_test_comes_near_that_of_all_permutations():
    pairs = {"a": ([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 4.0, 3.0]), "b": ([1.0, 2.0, 3.0, 9.0],) * 2}
    within = correlate_within(pairs, permutations=4000, seed=0)
    rhos = {
        name: [np.corrcoef(order, y)[0, 1] for order in itertools.permutations(x)]
        for name, (x, y) in pairs.items()
    }
    means = [(a + b) / 2 for a in rhos["a"] for b in rhos["b"]]
    exact = np.mean(np.abs(means) >= within["mean"] - 1e-12)
    assert within["p_permuted"] == pytest.approx(exact, abs=0.006)


def test_constant_metrics_have_no_correlation():
    within = correlate_within({"t": ([1.0] * 4, [1.0, 2.0, 3.0, 4.0])}, permutations=10, seed=0)
    assert (within["mean"], within["within"], within["p_permuted"]) == (None, None, None)


def _parsers(**scores):
    """Return scores of the four parsers on a treebank of the name `t`."""
    rows = [
        ("t", system, metric, value, None, None)
        for metric, values in scores.items()
        for system, value in zip(TRANSITION_SYSTEMS, values, strict=True)
    ]
    columns = {"treebank": str, "parser": str, "metric": str}
    columns |= dict.fromkeys(("value", "low", "high"), float)
    return pl.DataFrame(rows, schema=columns, orient="row")


def test_orders_of_derivations_are_apart():
    accuracies = {"uas": [0.1, 0.2, 0.3, 0.4], "exact_match": [0.4, 0.3, 0.2, 0.1]}
    canonical = {"perplexity": [4.0, 3.0, 2.0, 1.0]}
    made = metric_correlations(_parsers(**accuracies, **canonical), permutations=0)
    assert made.select("variable", "order", "mean").rows() == [
        ("perplexity / uas", "canonical", pytest.approx(-1)),
        ("perplexity / exact_match", "canonical", pytest.approx(1)),
        ("uas / exact_match", "canonical", pytest.approx(-1)),
    ]
    own = {"own_perplexity": [1.0, 2.0, 3.0, 4.0]}
    made = metric_correlations(_parsers(**accuracies, **canonical, **own), permutations=0)
    assert made.filter(order="own").select("variable", "mean").rows() == [
        ("perplexity / uas", pytest.approx(1)),
        ("perplexity / exact_match", pytest.approx(-1)),
    ]


def test_a_group_that_is_all_treebanks_is_there_once():
    columns = ("treebank", "train_tokens", "is_genuine")
    few = [(name, 1000 * k, k > 1) for k, name in enumerate("abcd", start=1)]
    treebanks = pl.DataFrame(few, schema=columns, orient="row")
    assert {name: one.height for name, one in groups(treebanks).items()} == {
        "all": 4,
        "genuine dependencies": 3,
    }
    larger = treebanks.vstack(pl.DataFrame([("e", 300_000, False)], columns, orient="row"))
    assert list(groups(larger)) == ["all", "genuine dependencies", "under 200k tokens"]


def test_the_best_and_the_mean_are_over_all_parsers():
    parsers = _parsers(uas=[0.5, 0.6, 0.7, 0.8], las=[0.1, 0.2, 0.3, None])
    (row,) = with_accuracies(pl.DataFrame({"treebank": ["t"]}), parsers).iter_rows(named=True)
    assert row["best_uas"] == 0.8
    assert row["mean_uas"] == pytest.approx(0.65)
    assert (row["best_las"], row["mean_las"]) == (0.3, pytest.approx(0.2))


def test_pairs_that_a_metric_separates():
    tests = pl.DataFrame(
        {
            "metric": ["perplexity", "uas", "uas"],
            "p": [0.2, 0.01, 0.04],
            "adjusted_p": [0.2, 0.02, 0.08],
        }
    )
    assert separations(tests).rows() == [("uas", 2, 2, 1), ("perplexity", 1, 0, 0)]

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.unit.systems.dependency_induction.chart.brute_force import events, projective_trees
from tests.unit.systems.dependency_induction.chart.models import (
    MODELS,
    D,
    N,
    V,
    assert_equal_counts,
    corpus_of,
    golden_grammar,
    random_grammar,
)
from treegauge.systems.dependency_induction.chart import (
    ChartError,
    Counts,
    estimate,
    tree_counts,
    tree_log_probability,
)


@pytest.mark.parametrize(
    ("heads", "probability"),
    [
        ((0, 1, 1), 0.0000139968),
        ((0, 1, 2), 0.0000787320),
        ((0, 3, 1), 0.0003048192),
        ((2, 0, 2), 0.0008573040),
        ((2, 3, 0), 0.0199148544),
        ((3, 1, 0), 0.0006858432),
        ((3, 3, 0), 0.0007112448),
    ],
)
def test_golden_probabilities(heads, probability):
    found = tree_log_probability(golden_grammar(), heads, corpus_of([(D, N, V)]))
    assert math.exp(found[0]) == pytest.approx(probability, abs=1e-12)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_events_of_all_trees_of_four_words(model):
    tags = (N, D, V, D)
    trees = projective_trees(4)
    grammar = random_grammar(1, model=model)
    corpus = corpus_of([tags] * len(trees))
    expected = Counts.zeros_like(grammar)
    scores = []
    for heads in trees:
        found = events(tags, heads, grammar)
        for (name, *index), times in found.items():
            expected.arrays()[name][tuple(index)] += times
        tables = grammar.arrays()
        scores.append(sum(k * np.log(tables[name][tuple(i)]) for (name, *i), k in found.items()))
    heads = np.concatenate(trees)
    decision, child, order = model
    counts = tree_counts(
        heads,
        corpus,
        decision_valences=decision,
        child_valences=child,
        child_valence_order=order,
    )
    assert_equal_counts(counts, expected)
    np.testing.assert_allclose(tree_log_probability(grammar, heads, corpus), scores, atol=1e-12)
    squared = tree_log_probability(grammar.power(2.0), heads, corpus)
    np.testing.assert_allclose(squared, 2 * np.array(scores), atol=1e-12)


def test_supervised_estimate_by_hand():
    """D N V with N under V, and N V: of two stops of V on the left at valence 1, all stop."""
    counts = tree_counts([2, 3, 0, 2, 0], corpus_of([(D, N, V), (N, V)]))
    grammar = estimate(counts)
    assert grammar.root.tolist() == [0, 0, 1]
    assert grammar.stop[V, 0].tolist() == [0, 1]
    assert grammar.stop[N, 0].tolist() == [0.5, 1]
    assert grammar.attach[V, 0, 0].tolist() == [0, 1, 0]
    assert grammar.attach[D, 0, 0].tolist() == [1 / 3] * 3  # no events: uniform


def test_sentence_weights():
    corpus = corpus_of([(D, N), (N,)])
    once = tree_counts([2, 0, 0], corpus)
    assert_equal_counts(tree_counts([2, 0, 0], corpus, sentence_weights=[2, 2]), once * 2)
    assert tree_counts([2, 0, 0], corpus, sentence_weights=[0, 1]).root.sum() == 1
    with pytest.raises(ChartError, match="2 sentences, weights"):
        tree_counts([2, 0, 0], corpus, sentence_weights=[1])


@pytest.mark.parametrize(
    ("heads", "flaw"),
    [
        ([0, 1, 1, 5], "head outside"),
        ([0, 1, 1, -1], "head outside"),
        ([0, 2, 1, 1], "its own head"),
        ([0, 0, 1, 1], "no root or several"),
        ([2, 3, 4, 1], "no root or several"),
        ([2, 1, 0, 3], "cycle"),
        ([3, 0, 2, 3], "arc above the root"),
        ([3, 4, 0, 3], "crossing"),
    ],
)
def test_other_trees_are_refused(heads, flaw):
    corpus = corpus_of([(V,), (D, N, V, D)])
    with pytest.raises(ChartError, match=f"number 2 is no projective tree.*{flaw}"):
        tree_counts([0, *heads], corpus)


def test_heads_must_fit():
    with pytest.raises(ChartError, match="2 words"):
        tree_counts([0], corpus_of([(D, N)]))

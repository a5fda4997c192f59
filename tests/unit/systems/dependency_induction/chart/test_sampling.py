from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chisquare

from tests.unit.systems.dependency_induction.chart.brute_force import all_weights
from tests.unit.systems.dependency_induction.chart.models import (
    D,
    N,
    V,
    any_weights,
    corpus_of,
    golden_grammar,
    random_corpus,
    random_grammar,
)
from treegauge.systems.dependency_induction.chart import sample, tree_counts


@pytest.mark.parametrize(
    "model", [(2, 1, "inside_out"), (3, 3, "inside_out"), (3, 2, "outside_in")], ids=str
)
@pytest.mark.parametrize("with_arcs", [False, True])
def test_trees_come_as_often_as_they_are_probable(model, with_arcs):
    tags = (N, D, V, N)
    grammar = any_weights(3, model=model)
    corpus = corpus_of([tags] * 20_000)
    arcs = np.random.default_rng(6).random((5, 4)) + 0.1 if with_arcs else None
    packed = np.tile(arcs.ravel(), 20_000) if with_arcs else None
    heads = sample(grammar, corpus, np.random.default_rng(5), arc_weights=packed)
    found = Counter(map(tuple, heads.reshape(-1, 4).tolist()))
    weights = all_weights(tags, grammar, arcs)
    z = sum(weights.values())
    possible = {tree for tree, weight in weights.items() if weight > 0}
    assert found.keys() <= possible
    common = [tree for tree in possible if weights[tree] / z * 20_000 >= 5]
    rare = possible.difference(common)
    observed = [found[tree] for tree in common] + [sum(found[tree] for tree in rare)]
    expected = [weights[t] * 20_000 / z for t in common] + [
        sum(weights[t] for t in rare) * 20_000 / z
    ]
    if not rare:
        observed, expected = observed[:-1], expected[:-1]
    assert len(common) > 3
    assert chisquare(observed, expected).pvalue > 0.001


def test_samples_are_trees_and_depend_on_nothing_but_the_seed():
    corpus = random_corpus(3, 800, 14, 4)
    grammar = random_grammar(2, 4)
    one = sample(grammar, corpus, np.random.default_rng(1), threads=1)
    two = sample(grammar, corpus, np.random.default_rng(1), threads=2)
    assert (one == two).all()
    assert (one != sample(grammar, corpus, np.random.default_rng(2))).any()
    tree_counts(one, corpus)  # which checks that they are projective trees
    alone = random_corpus(3, 800, 14, 4, deduplicate=False)
    assert (one == sample(grammar, alone, np.random.default_rng(1))).all()


def test_long_and_impossible_sentences():
    tags = tuple(np.random.default_rng(1).integers(0, 3, 200).tolist())
    corpus = corpus_of([tags])
    tree_counts(sample(golden_grammar(), corpus, np.random.default_rng(0)), corpus)
    grammar = replace(golden_grammar(), root=np.array([0.0, 1.0, 0.0]))
    heads = sample(grammar, corpus_of([(D, V, D), (), (N,)]), np.random.default_rng(0))
    assert heads.tolist() == [0, 1, 2, 0]

"""First grammars: the spec's golden values, hand-worked counts, and what all share."""

from __future__ import annotations

import numpy as np
import pytest

from treegauge.systems.dependency_induction.chart import TagCorpus, viterbi
from treegauge.systems.dependency_induction.initialisers import (
    HARMONIC,
    INITIALISERS,
    em,
    initial_grammar,
    plain,
    smith,
)

D, N, V = range(3)
LEFT, RIGHT = 0, 1


@pytest.fixture
def corpus() -> TagCorpus:
    """D N V, N V, V."""
    return TagCorpus([D, N, V, N, V, V], [0, 3, 5, 6], n_tags=3)


def test_smith_has_the_golden_values(corpus):
    grammar = smith(corpus)
    np.testing.assert_allclose(grammar.root, [0.13131313, 0.28282828, 0.58585859], atol=1e-8)
    np.testing.assert_allclose(
        grammar.attach[N, LEFT, 0], [0.73134328, 0.13432836, 0.13432836], atol=1e-8
    )
    np.testing.assert_allclose(
        grammar.attach[V, LEFT, 0], [0.23770492, 0.68852459, 0.07377049], atol=1e-8
    )
    np.testing.assert_allclose(
        grammar.attach[D, RIGHT, 0], [0.11688312, 0.50649351, 0.37662338], atol=1e-8
    )
    expected = [
        [[0.91666667, 0.5], [0.525, 0.75441176]],
        [[0.74090909, 0.88448276], [0.52727273, 0.90873786]],
        [[0.675, 0.82831858], [0.96875, 0.5]],
    ]
    np.testing.assert_allclose(grammar.stop, expected, atol=1e-8)


def test_plain_counts_distances_and_neighbours():
    """A pair of words: each takes the other once, at distance 1, with 1/1 + 1 = 2."""
    grammar = plain(TagCorpus([D, N], [0, 2], n_tags=2))
    assert grammar.root.tolist() == [0.5, 0.5]
    assert grammar.attach[D, RIGHT, 0].tolist() == [0.0, 1.0]
    assert grammar.attach[N, LEFT, 0].tolist() == [1.0, 0.0]
    # D has nothing on its left: it stops at once (1 + 1 of 3); with no word beyond, going on
    # after a first dependent is counted. On its right there is one word: it goes, then stops.
    assert grammar.stop[D].round(6).tolist() == [[0.666667, 0.333333], [0.333333, 0.666667]]


def test_em_prefers_near_words():
    """D N V has seven trees; arcs of distance 2 have half the weight of the others."""
    grammar = em(TagCorpus([D, N, V], [0, 3], n_tags=3))
    # N can take D on its left; V takes N (near) more often than D (far).
    assert grammar.attach[V, LEFT, 0, N] > grammar.attach[V, LEFT, 0, D]
    weights = {
        (0, 1, 1): 0.5, (0, 1, 2): 1, (0, 3, 1): 0.5, (2, 0, 2): 1, (2, 3, 0): 1,
        (3, 1, 0): 0.5, (3, 3, 0): 0.5,
    }  # fmt: skip
    total = sum(weights.values())
    roots = [sum(w for heads, w in weights.items() if heads[i] == 0) / total for i in range(3)]
    np.testing.assert_allclose(grammar.root, (np.array(roots) + 0.1) / 1.3)


@pytest.mark.parametrize("name", INITIALISERS)
@pytest.mark.parametrize("valences", [(2, 1), (2, 2), (3, 3)])
def test_every_first_grammar_is_a_grammar(corpus, name, valences):
    grammar = initial_grammar(
        name,
        corpus,
        np.random.default_rng(1),
        decision_valences=valences[0],
        child_valences=valences[1],
    )
    np.testing.assert_allclose(grammar.root.sum(), 1)
    np.testing.assert_allclose(grammar.stop + grammar.go, 1)
    np.testing.assert_allclose(grammar.attach.sum(axis=-1), 1)
    assert (grammar.decision_valences, grammar.child_valences) == valences


@pytest.mark.parametrize(("side", "heads"), [("left", [2, 3, 0]), ("right", [0, 1, 2])])
def test_branching_starts_prefer_their_trees(side, heads):
    corpus = TagCorpus([D, N, V] * 50, range(0, 151, 3), n_tags=3)
    grammar = initial_grammar(side, corpus, np.random.default_rng(1))
    assert viterbi(grammar, corpus).heads[:3].tolist() == heads


@pytest.mark.parametrize("name", HARMONIC)
def test_how_often_sentences_occur_matters_and_their_order_does_not(name):
    once = TagCorpus([D, N, V, N, V], [0, 3, 5], n_tags=3)
    turned = TagCorpus([N, V, D, N, V], [0, 2, 5], n_tags=3)
    twice = TagCorpus([D, N, V, N, V, N, V], [0, 3, 5, 7], n_tags=3)
    first, second, third = (HARMONIC[name](corpus) for corpus in (once, turned, twice))
    np.testing.assert_allclose(first.attach, second.attach)
    assert not np.allclose(first.attach, third.attach)


@pytest.mark.parametrize("name", INITIALISERS)
def test_one_word_and_one_tag_are_enough(name):
    corpus = TagCorpus([0, 0], [0, 1, 2], n_tags=1)
    grammar = initial_grammar(name, corpus, np.random.default_rng(1))
    assert viterbi(grammar, corpus).heads.tolist() == [0, 0]

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.unit.systems.dependency_induction.chart.brute_force import (
    all_weights,
    events,
    expected_arcs,
    is_projective_tree,
    projective_trees,
)
from tests.unit.systems.dependency_induction.chart.models import (
    MODELS,
    D,
    N,
    V,
    any_weights,
    assert_equal_counts,
    corpus_of,
    golden_grammar,
    random_corpus,
    random_grammar,
)
from treegauge.systems.dependency_induction.chart import (
    ChartError,
    Counts,
    Grammar,
    TagCorpus,
    decode_arcs,
    estimate,
    expectations,
    log_prior,
    minimum_risk,
    tree_counts,
    tree_log_probability,
    viterbi,
)

SENTENCES = [(D, N, V), (N, V), (V,), (D, N, V, D, N), (N, N, N, N), (V, D, V, N, D)]


def trees_of(heads: np.ndarray, corpus: TagCorpus) -> list[tuple[int, ...]]:
    pairs = zip(corpus.offsets[:-1], corpus.offsets[1:], strict=True)
    return [tuple(heads[a:b].tolist()) for a, b in pairs]


def test_golden_tree():
    found = viterbi(golden_grammar(), corpus_of([(D, N, V)]))
    assert found.heads.tolist() == [2, 3, 0]
    assert math.exp(found.scores[0]) == pytest.approx(0.0199148544, abs=5e-11)


@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize("make", [random_grammar, any_weights])
def test_brute_force(model, make):
    grammar = make(5, model=model)
    corpus = corpus_of(SENTENCES)
    found = viterbi(grammar, corpus)
    counts = Counts.zeros_like(grammar)
    for s, (tags, heads) in enumerate(zip(SENTENCES, trees_of(found.heads, corpus), strict=True)):
        weights = all_weights(tags, grammar)
        best = max(weights.values())
        assert weights[heads] == pytest.approx(best, rel=1e-9)
        assert found.scores[s] == pytest.approx(math.log(best), abs=1e-10)
        for (name, *index), times in events(tags, heads, grammar).items():
            counts.arrays()[name][tuple(index)] += times
    assert_equal_counts(found.counts, counts)
    np.testing.assert_allclose(
        found.scores, tree_log_probability(grammar, found.heads, corpus), atol=1e-10
    )


def test_brute_force_with_weights_of_arcs():
    random = np.random.default_rng(2)
    corpus = corpus_of(SENTENCES)
    arcs = random.random(corpus.arc_offsets[-1]) * (random.random(corpus.arc_offsets[-1]) > 0.2)
    grammar = random_grammar(3, model=(2, 2, "outside_in"))
    found = viterbi(grammar, corpus, arc_weights=arcs)
    for s, tags in enumerate(SENTENCES):
        best = max(all_weights(tags, grammar, corpus.arc_matrix(arcs, s)).values())
        expected = math.log(best) if best > 0 else -math.inf
        assert found.scores[s] == pytest.approx(expected, abs=1e-10)


def test_ties_go_to_the_smallest_split_and_then_to_the_smallest_root():
    """With weights of 1 all trees are tied; rounding must not decide."""
    for weight in (1.0, 0.3, 0.1):
        ones = {name: table + weight for name, table in Counts.zeros(1).arrays().items()}
        found = viterbi(Grammar(**ones), corpus_of([(0,) * n for n in range(1, 30)], 1))
        for heads in trees_of(found.heads, corpus_of([(0,) * n for n in range(1, 30)], 1)):
            # The first word is the root; its last dependent is the closest one, and so on down.
            assert heads == tuple(range(len(heads)))


def test_hard_em_climbs():
    corpus = random_corpus(6, 80, 9, 4)
    grammar = random_grammar(7, 4)
    before = -np.inf
    for _ in range(12):
        found = viterbi(grammar, corpus)
        objective = found.scores.sum() + log_prior(grammar, 1.0)
        assert objective >= before - 1e-9
        before = objective
        grammar = estimate(found.counts, smoothing=1.0)


def test_high_powers_expect_the_best_tree():
    corpus = random_corpus(6, 30, 9, 4)
    grammar = random_grammar(7, 4)
    soft = expectations(grammar.power(1 / (1 - 0.9999)), corpus).counts
    hard = viterbi(grammar, corpus).counts
    for name, table in hard.arrays().items():
        np.testing.assert_allclose(soft.arrays()[name], table, atol=1e-6)


def test_threads_change_nothing():
    corpus = random_corpus(3, 1500, 16, 6)
    grammar = random_grammar(4, 6)
    for decode in (viterbi, minimum_risk):
        one, two = decode(grammar, corpus, threads=1), decode(grammar, corpus, threads=2)
        assert (one.heads == two.heads).all()
        assert (one.scores == two.scores).all()


def test_identical_sentences_get_identical_trees():
    grammar = random_grammar(4, 2)
    one = viterbi(grammar, random_corpus(3, 300, 4, 2))
    other = viterbi(grammar, random_corpus(3, 300, 4, 2, deduplicate=False))
    assert (one.heads == other.heads).all()
    assert_equal_counts(one.counts, other.counts)


def test_two_hundred_words():
    tags = tuple(np.random.default_rng(1).integers(0, 3, 200).tolist())
    grammar, corpus = random_grammar(2), corpus_of([tags])
    found = viterbi(grammar, corpus)
    tree_counts(found.heads, corpus)  # which checks that it is a projective tree
    score = tree_log_probability(grammar, found.heads, corpus)[0]
    assert found.scores[0] == pytest.approx(score, abs=1e-9)
    assert score <= expectations(grammar, corpus).log_likelihood


def test_sentences_without_a_possible_tree_become_chains():
    grammar = replace(golden_grammar(), root=np.array([0.0, 1.0, 0.0]))
    found = viterbi(grammar, corpus_of([(D, V, D), (N,)]))
    assert found.scores[0] == -np.inf
    assert found.heads.tolist() == [0, 1, 2, 0]
    assert found.counts.root.tolist() == [0, 1, 0]


def test_no_words():
    for corpus in (corpus_of([]), corpus_of([(), ()])):
        assert viterbi(golden_grammar(), corpus).heads.size == 0
        assert minimum_risk(golden_grammar(), corpus).heads.size == 0


# ---------------------------------------------------------------- sums of arcs


@pytest.mark.parametrize("model", MODELS[1:4], ids=str)
def test_minimum_risk_by_brute_force(model):
    grammar = random_grammar(9, model=model)
    corpus = corpus_of(SENTENCES)
    found = minimum_risk(grammar, corpus)
    for s, (tags, heads) in enumerate(zip(SENTENCES, trees_of(found.heads, corpus), strict=True)):
        arcs = expected_arcs(tags, grammar)
        sums = {
            tree: sum(arcs[head, d] for d, head in enumerate(tree))
            for tree in projective_trees(len(tags))
        }
        assert sums[heads] == pytest.approx(max(sums.values()), abs=1e-10)
        assert found.scores[s] == pytest.approx(sums[heads], abs=1e-10)


def test_arcs_by_brute_force():
    random = np.random.default_rng(4)
    corpus = corpus_of(SENTENCES, deduplicate=False)
    scores = random.normal(0, 5, corpus.arc_offsets[-1])
    scores[random.random(scores.size) < 0.1] = -np.inf
    found = decode_arcs(scores, corpus)
    for s, heads in enumerate(trees_of(found.heads, corpus)):
        arcs = corpus.arc_matrix(scores, s)
        sums = {
            tree: sum(arcs[head, d] for d, head in enumerate(tree))
            for tree in projective_trees(len(heads))
        }
        assert found.scores[s] == pytest.approx(max(sums.values()), abs=1e-9)
        assert found.scores[s] == -np.inf or sums[heads] == pytest.approx(found.scores[s])


def test_votes_for_a_tree_give_that_tree():
    corpus = random_corpus(5, 50, 12, deduplicate=False)
    heads = viterbi(random_grammar(1), corpus).heads
    votes = np.zeros(corpus.arc_offsets[-1])
    for s, tree in enumerate(trees_of(heads, corpus)):
        assert is_projective_tree(tree)
        corpus.arc_matrix(votes, s)[list(tree), range(len(tree))] = 1
    assert (decode_arcs(votes, corpus).heads == heads).all()


def test_scores_must_be_numbers():
    with pytest.raises(ChartError, match="numbers or -inf"):
        decode_arcs([np.nan, 1], corpus_of([(D,)]))

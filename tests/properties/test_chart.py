"""Laws of the charts: what must hold for any grammar and any sentences."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.strategies import projective_heads
from treegauge.systems.dependency_induction.chart import (
    Grammar,
    TagCorpus,
    estimate,
    expectations,
    minimum_risk,
    sample,
    tree_counts,
    tree_log_probability,
    viterbi,
)

N_TAGS = 3


@st.composite
def corpora(draw: st.DrawFn) -> TagCorpus:
    tags = st.integers(0, N_TAGS - 1)
    sentences = draw(st.lists(st.lists(tags, max_size=9), max_size=12))
    offsets = np.concatenate([[0], np.cumsum([len(s) for s in sentences])])
    flat = [tag for sentence in sentences for tag in sentence]
    return TagCorpus(flat, offsets, N_TAGS, deduplicate=draw(st.booleans()))


@st.composite
def grammars(draw: st.DrawFn) -> Grammar:
    valences = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    order = draw(st.sampled_from(["inside_out", "outside_in"]))
    random = np.random.default_rng(draw(st.integers(0, 10_000)))
    concentration = draw(st.sampled_from([0.1, 1.0, 10.0]))
    grammar = Grammar.random(random, N_TAGS, *valences, order, concentration=concentration)
    return grammar.power(draw(st.sampled_from([1.0, 0.5, 2.0])))


@given(grammars(), corpora())
@examples(60)
def test_posteriors(grammar: Grammar, corpus: TagCorpus) -> None:
    found = expectations(grammar, corpus, marginals=True, entropies=True)
    counts = found.counts
    sentences, words = int((corpus.lengths > 0).sum()), corpus.n_words
    assert np.isclose(counts.root.sum(), sentences, atol=1e-9)
    assert np.isclose(counts.root.sum() + counts.attach.sum(), words, atol=1e-9)
    # Every word has a head, and ends each of its sides once.
    for s in range(corpus.n_sentences):
        arcs = corpus.arc_matrix(found.marginals, s)
        np.testing.assert_allclose(arcs.sum(axis=0), 1, atol=1e-9)
    words_by_tag = np.bincount(corpus.tags, minlength=N_TAGS)
    np.testing.assert_allclose(
        counts.stop.sum(axis=2), np.stack([words_by_tag] * 2, axis=1), atol=1e-9
    )
    if grammar.decision_valences > 1:  # a side that has begun to grow did not stop at once
        np.testing.assert_allclose(
            counts.go[:, :, 0] + counts.stop[:, :, 0], words_by_tag[:, None] * [1, 1], atol=1e-9
        )
    np.testing.assert_allclose(counts.go.sum(axis=2), counts.attach.sum(axis=(2, 3)), atol=1e-9)
    assert (found.entropies > -1e-9).all()


@given(grammars(), corpora(), st.integers(0, 1000))
@examples(60)
def test_no_tree_is_better_than_the_best(grammar: Grammar, corpus: TagCorpus, seed: int) -> None:
    best = viterbi(grammar, corpus)
    log_z = expectations(grammar, corpus).sentence_log_likelihoods
    np.testing.assert_allclose(
        best.scores, tree_log_probability(grammar, best.heads, corpus), atol=1e-9
    )
    assert (best.scores <= log_z + 1e-9).all()
    safest = minimum_risk(grammar, corpus)
    drawn = sample(grammar, corpus, np.random.default_rng(seed))
    for heads in (safest.heads, drawn):
        assert (tree_log_probability(grammar, heads, corpus) <= best.scores + 1e-9).all()
    assert (safest.scores <= corpus.lengths + 1e-9).all()


@given(projective_heads(max_size=10), st.data())
@examples(60)
def test_a_supervised_model_likes_its_tree(heads: list[int], data: st.DataObject) -> None:
    """With one tag per word, a tree's own estimates give it no less than any grammar gives it."""
    n = len(heads)
    corpus = TagCorpus(np.arange(n), [0, n], n)
    valences = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
    order = data.draw(st.sampled_from(["inside_out", "outside_in"]))
    counts = tree_counts(
        heads,
        corpus,
        decision_valences=valences[0],
        child_valences=valences[1],
        child_valence_order=order,
    )
    assert counts.attach.sum() == counts.go.sum() == n - 1
    own = estimate(counts)
    other = Grammar.random(np.random.default_rng(n), n, *valences, order)
    mine, theirs = (tree_log_probability(g, heads, corpus)[0] for g in (own, other))
    assert mine >= theirs
    assert viterbi(own, corpus).scores[0] >= mine - 1e-9

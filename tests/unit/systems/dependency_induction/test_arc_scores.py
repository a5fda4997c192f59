"""Weights of arcs: the kernel against the formula, and what weights do to a grammar."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st

import treegauge as tg
from tests.examples import examples
from tests.strategies import projective_heads
from tests.unit.systems.dependency_induction.slow_arc_scores import slow_scores
from tests.unit.treebank.small_trees import sentences
from treegauge.systems.dependency_induction.arc_scores import ArcScores, boundaries
from treegauge.systems.dependency_induction.chart import (
    Grammar,
    TagCorpus,
    decode_arcs,
    estimate,
    expectations,
)
from treegauge.systems.dependency_induction.weighted_inducer import (
    WeightedSettings,
    WeightedText,
    arc_posteriors,
    learn_with_weights,
)
from treegauge.systems.long_sentences import Blocks
from treegauge.treebank import without_punctuation

KINDS = 3


def packed_exp(tables: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.exp(table).ravel() for table in tables])


@st.composite
def scored_texts(draw: st.DrawFn) -> ArcScores:
    """Sentences in which everything that a score is made of occurs."""
    lengths = draw(st.lists(st.integers(0, 7), min_size=1, max_size=3))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = sum(lengths)
    return ArcScores(
        np.concatenate([[0], np.cumsum(lengths)]),
        random.normal(size=n),
        random.integers(0, KINDS, n).astype(np.int32),
        random.normal(size=(KINDS, KINDS)),
        random.normal(size=(KINDS, 2)),
        distance=random.uniform(0, 2),
        over=random.uniform(size=n),
        gap=random.uniform(size=n),
        is_conjunction=random.random(n) < 0.3,
        coordination=1.5,
        run=np.sort(random.integers(0, 4, n)).astype(np.int32),
        name=2.5,
    )


@examples(60)
@given(scored_texts())
def test_the_kernel_writes_what_the_formula_says(scores):
    assert np.allclose(scores.weights(), packed_exp(slow_scores(scores)))


def test_no_weight_is_infinite_or_nothing():
    text = ArcScores(
        np.array([0, 2]),
        np.array([1e6, -1e6]),
        np.zeros(2, np.int32),
        np.full((1, 1), 1e6),
        np.array([[0.0, -1e7]]),
    )
    weights = text.weights().reshape(3, 2)
    possible = weights[[0, 0, 1, 2], [0, 1, 1, 0]]
    assert np.isfinite(possible).all()
    assert (possible > 0).all()


# ---------------------------------------------------------------------- weights in a grammar


def unweighted(corpus: TagCorpus) -> ArcScores:
    """Return scores of nothing."""
    n = corpus.n_tags
    zeros = np.zeros(corpus.tags.size)
    return ArcScores(corpus.offsets, zeros, corpus.tags, np.zeros((n, n)), np.zeros((n, 2)))


def test_weights_of_one_are_the_plain_model():
    corpus = TagCorpus([0, 1, 2, 1, 2, 2, 0, 1], [0, 3, 5, 8], n_tags=3, deduplicate=False)
    text = WeightedText(corpus, unweighted(corpus))
    settings = WeightedSettings(init="uniform", iterations=5)
    grammar = Grammar.uniform(3)
    likelihoods = []
    for _ in range(5):
        e_step = expectations(grammar, corpus)
        likelihoods.append(e_step.log_likelihood)
        grammar = estimate(e_step.counts, smoothing=settings.smoothing, previous=grammar)
    steps = []
    learnt = learn_with_weights(text, settings, lambda _, step: steps.append(step))
    assert np.allclose([step.log_likelihood for step in steps], likelihoods)
    for name, table in grammar.arrays().items():
        assert np.allclose(learnt.arrays()[name], table)
    plain = expectations(grammar, corpus, marginals=True).marginals
    assert np.allclose(arc_posteriors(learnt, text), plain, atol=1e-4)  # but for the floor


@examples(40)
@given(st.lists(projective_heads(), min_size=1, max_size=3))
def test_huge_weights_on_gold_arcs_give_gold(trees):
    """Whatever the grammar thinks: here, that all trees are alike."""
    heads = [head for tree in trees for head in tree]
    n = len(heads)
    offsets = np.concatenate([[0], np.cumsum([len(tree) for tree in trees])])
    pairs, root = np.zeros((n, n)), np.zeros(n)
    for begin, tree in zip(offsets.tolist(), trees, strict=False):
        for d, head in enumerate(tree):
            if head:
                pairs[begin + head - 1, begin + d] = 50
            else:
                root[begin + d] = 50
    # Every word is a kind of its own, so that every arc has its own weight.
    scores = ArcScores(offsets, root, np.arange(n, dtype=np.int32), pairs, np.zeros((n, 2)))
    text = WeightedText.of(np.zeros(n, np.int32), 1, scores)
    posteriors = arc_posteriors(Grammar.uniform(1), text)
    assert decode_arcs(posteriors, text.symbols).heads.tolist() == heads


# ---------------------------------------------------------------------- boundaries


def test_boundaries_are_gaps_in_which_punctuation_stood():
    text = sentences(
        "«/PUNCT so/ADV »/PUNCT ,/PUNCT she/PRON said/VERB ./PUNCT", "go/VERB", "(/PUNCT me/PRON"
    )
    words = without_punctuation(text)
    assert words.lengths.tolist() == [3, 1, 1]
    # What stands before the first word is no gap between words, and hurts no arc.
    assert boundaries(words).tolist() == [True, True, False, False, True]


def test_boundaries_survive_the_cutting_of_long_sentences():
    text = tg.parse(" ".join(["a/NOUN b/VERB ,/PUNCT"] * 5) + "\n", format="slashed")
    blocks = Blocks.of(without_punctuation(text), 4).treebank
    inner = boundaries(blocks)
    inner[blocks.offsets[:-1]] = False  # nothing crosses the begin of a block
    places = np.arange(10) % 2 == 0
    places[blocks.offsets[:-1]] = False
    assert inner.tolist() == places.tolist()

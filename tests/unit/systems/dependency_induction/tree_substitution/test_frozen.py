"""Kept samples: posteriors of arcs against sums over all derivations, files, and drawings."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.systems.dependency_induction.tree_substitution.test_sampler import (
    corpus_of,
    proposal_weights,
    random_corpus,
    sampler_of,
    swept,
)
from treegauge.systems import SystemsError
from treegauge.systems.dependency_induction.chart import TagCorpus
from treegauge.systems.dependency_induction.tree_substitution import frozen
from treegauge.systems.dependency_induction.tree_substitution.drawing import (
    fragments_in_words,
    most_used,
)
from treegauge.systems.dependency_induction.tree_substitution.frozen import FrozenSample
from treegauge.systems.saved_state import SavedState


def summed_posteriors(sampler, tags) -> np.ndarray:
    """Return [n + 1, n] posteriors of arcs, by looking at every derivation."""
    found = np.zeros((len(tags) + 1, len(tags)))
    weights = proposal_weights(sampler, tags)
    for (heads, _), weight in weights.items():
        for word, head in enumerate(heads):
            found[head + 1, word] += weight
    return found / sum(weights.values())


@pytest.fixture
def keeps_all(monkeypatch):
    monkeypatch.setattr(frozen, "_FEWEST", 1)


@pytest.mark.usefixtures("keeps_all")
@pytest.mark.parametrize("with_fragments", [True, False])
def test_posteriors_are_sums_over_all_derivations(with_fragments) -> None:
    sampler = swept(with_fragments=with_fragments)
    sample = FrozenSample.of(sampler)
    assert sample.with_fragments == with_fragments
    sentences = [[1], [0, 1], [0, 1, 0]]
    corpus = corpus_of(*sentences)
    packed = sample.arc_posteriors(corpus)
    for number, tags in enumerate(sentences):
        np.testing.assert_allclose(
            corpus.arc_matrix(packed, number), summed_posteriors(sampler, tags), atol=1e-12
        )


@pytest.mark.usefixtures("keeps_all")
def test_posteriors_know_the_weights_of_arcs() -> None:
    bars = np.array([[0.3, 1.0], [0.5, 2.0], [0.1, 1.5]])
    sampler = sampler_of(random_corpus(40), weights=bars)
    for _ in range(8):
        sampler.sweep()
    corpus = corpus_of([0, 1, 0])
    found = FrozenSample.of(sampler).arc_posteriors(corpus, bars=bars)
    wanted = summed_posteriors(sampler, [0, 1, 0])
    np.testing.assert_allclose(corpus.arc_matrix(found, 0), wanted, atol=1e-12)


def test_long_sentences_have_posteriors_whatever_the_threads() -> None:
    sample = FrozenSample.of(swept())
    random = np.random.default_rng(0)
    lengths = [1, 3, 40, 90, 7]
    offsets = np.cumsum([0, *lengths])
    corpus = TagCorpus(random.integers(0, 2, offsets[-1]), offsets, 2)
    found = sample.arc_posteriors(corpus, threads=1)
    assert found.tolist() == sample.arc_posteriors(corpus, threads=3).tolist()
    for sentence in range(len(lengths)):
        matrix = corpus.arc_matrix(found, sentence)
        np.testing.assert_allclose(matrix.sum(axis=0), 1)
        assert matrix[0].sum() == pytest.approx(1)


def test_what_one_customer_has_goes_to_the_base() -> None:
    sampler = swept()
    sample = FrozenSample.of(sampler)
    customers, tables = sample.nodes[:, 4], sample.nodes[:, 5]
    assert customers[customers > 0].min() >= 2
    _, base, of_customer, discount = sample.shares
    own = np.zeros(base.size)
    roots = sample.nodes[:, 0]
    masses = (customers - discount[roots] * tables) * of_customer[roots]
    np.add.at(own, roots, np.where(customers > 0, masses, 0))
    used = sampler.seats.customers[: base.size] > 0
    np.testing.assert_allclose((own + base)[used], 1)


def test_a_tag_more_has_posteriors_too() -> None:
    sample = FrozenSample.of(swept())
    grammar = sample.grammar
    more = {
        name: np.pad(table, [(0, 1)] + [(0, 0)] * (table.ndim - 1), mode="edge")
        for name, table in grammar.arrays().items()
    }
    more["attach"] = np.pad(more["attach"], [(0, 0)] * 3 + [(0, 1)], mode="edge")
    wider = sample.with_unknown(type(grammar).from_arrays(more), [0.5, 0.5])
    corpus = corpus_of([0, 2, 1, 2], n_tags=3)
    matrix = corpus.arc_matrix(wider.arc_posteriors(corpus), 0)
    np.testing.assert_allclose(matrix.sum(axis=0), 1)
    known = corpus_of([0, 1, 1])
    np.testing.assert_allclose(
        wider.arc_posteriors(corpus_of([0, 1, 1], n_tags=3)), sample.arc_posteriors(known)
    )


# ---------------------------------------------------------------------- files


def test_a_sample_comes_back() -> None:
    sample = FrozenSample.of(swept())
    again = FrozenSample.restored(SavedState(sample.arrays("a."), {}), "a.", 2)
    corpus = corpus_of([0, 1, 0, 1])
    assert again.arc_posteriors(corpus).tolist() == sample.arc_posteriors(corpus).tolist()


@pytest.mark.parametrize("seed", range(40))
def test_forged_fragments_are_refused_or_harmless(seed) -> None:
    sample = FrozenSample.of(swept(3))
    arrays = sample.arrays("")
    random = np.random.default_rng(seed)
    nodes = arrays["nodes"].copy()
    row, column = random.integers(len(nodes)), random.integers(6)
    nodes[row, column] += random.choice([-3, -1, 1, 5, 1000])
    arrays["nodes"] = nodes
    try:
        forged = FrozenSample.restored(SavedState(arrays, {}), "", 2)
    except SystemsError:
        return
    assert np.isfinite(forged.arc_posteriors(corpus_of([0, 1, 0]))).all()


# ---------------------------------------------------------------------- drawings


def test_fragments_are_drawn_as_little_trees() -> None:
    nodes = np.array(
        [
            # non-terminal, choice, left, right, customers, tables
            [1 + 8 + 0, 0, -2, -2, 0, 0],  # L[D] stop
            [1 + 8 + 3, 0, -2, -2, 0, 0],  # R[D] stop
            [1 + 6, 1, 1, -1, 0, 0],  # rest: R[D] stop, L'[N] goes on
            [1 + 2, 1, 0, 2, 5, 1],  # D <- N
            [1 + 0, 1, 3, -2, 7, 2],  # L[N]
            [0, 0, 4, -1, 3, 1],  # S
            [1 + 8 + 1, 0, -2, -2, 9, 3],  # a single rule
        ]
    )
    grammar = FrozenSample.of(swept(1)).grammar
    sample = FrozenSample(grammar, np.ones((4, 17)), nodes)
    assert [times for times, _ in most_used([sample, sample], "ND", 10)] == [7, 5, 3]
    text = fragments_in_words([sample], "ND", 1).splitlines()
    assert text[1:] == [
        "        7.0  L[N]",
        "             └─ D <- N",
        "                ├─ L[D] stop",
        "                ├─ R[D] stop",
        "                └─ L'[N] …",
    ]
    assert "S: N" in fragments_in_words([sample], "ND", 3)
    assert fragments_in_words([sample], "ND", 3).count("…") == 1 + 3 + 1

"""The sibling chart: every tree of short sentences, the DMV as a special case, what is unknown."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.systems.dependency_induction.chart.models import corpus_of, random_corpus
from tests.unit.systems.projective_trees import all_projective_trees
from treegauge.systems.dependency_induction.chart import (
    Counts,
    Grammar,
    expectations,
    tree_log_probability,
    viterbi,
)
from treegauge.systems.dependency_induction.sibling_chart import SiblingChart
from treegauge.systems.dependency_induction.valence_chart import extended

TAGS = 3
CHART = SiblingChart(np.array([1, 2, 2]))
"""Two of three symbols are alike to the dependent behind them."""


def a_grammar(seed: int = 0) -> Grammar:
    return Grammar.random(np.random.default_rng(seed), TAGS, *CHART.contexts)


def log_weight(grammar: Grammar, tags, heads) -> tuple[float, Counts]:
    """The logarithm of a tree's weight and its events, by the definition of the model."""
    counts = Counts.zeros(TAGS, *CHART.contexts)
    n = len(tags)
    counts.root[tags[heads.index(0)]] += 1
    for i in range(n):
        for side, places in enumerate([range(i - 1, -1, -1), range(i + 1, n)]):
            context = 0
            for child in (j for j in places if heads[j] == i + 1):
                counts.go[tags[i], side, context] += 1
                counts.attach[tags[i], side, context, tags[child]] += 1
                context = CHART.context_of[tags[child]]
            counts.stop[tags[i], side, context] += 1
    events, tables = counts.arrays(), grammar.arrays()
    return sum(float((events[k] * np.log(tables[k])).sum()) for k in events), counts


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("weighted", [False, True])
def test_it_is_the_sum_over_all_trees(n: int, weighted: bool) -> None:
    random = np.random.default_rng(n)
    tags = random.integers(0, TAGS, n).tolist()
    grammar, corpus = a_grammar(n), corpus_of([tags])
    arcs = random.uniform(0.1, 3, (n + 1, n)) if weighted else np.ones((n + 1, n))
    trees = all_projective_trees(n)
    scored = [log_weight(grammar, tags, heads) for heads in trees]
    logs = np.array([log for log, _ in scored])
    logs += [np.log(arcs[list(heads), range(n)]).sum() for heads in trees]
    shares = np.exp(logs - np.logaddexp.reduce(logs))
    given = arcs.ravel() if weighted else None
    e_step = CHART.expectations(grammar, corpus, arc_weights=given, marginals=True)
    assert e_step.log_likelihood == pytest.approx(np.logaddexp.reduce(logs), abs=1e-10)
    for name, table in e_step.counts.arrays().items():
        wanted = sum(
            share * counts.arrays()[name] for share, (_, counts) in zip(shares, scored, strict=True)
        )
        np.testing.assert_allclose(table, wanted, atol=1e-10)
    marginals = np.zeros((n + 1, n))
    for share, heads in zip(shares, trees, strict=True):
        marginals[list(heads), range(n)] += share
    np.testing.assert_allclose(corpus.arc_matrix(e_step.marginals, 0), marginals, atol=1e-10)
    best = CHART.viterbi(grammar, corpus, arc_weights=given)
    assert best.scores[0] == pytest.approx(logs.max(), abs=1e-10)
    assert tuple(best.heads.tolist()) == trees[int(logs.argmax())]


def test_events_of_given_trees() -> None:
    sentences = [[0, 1, 2, 1], [2, 0, 1]]
    trees = [(2, 0, 4, 2), (2, 3, 0)]
    counts = CHART.tree_counts(np.array(sum(trees, ()), np.int32), corpus_of(sentences))
    grammar = a_grammar()
    wanted = [
        log_weight(grammar, tags, heads)[1] for tags, heads in zip(sentences, trees, strict=True)
    ]
    for name, table in counts.arrays().items():
        np.testing.assert_array_equal(table, sum(one.arrays()[name] for one in wanted))


def test_a_dmv_is_a_sibling_model_that_looks_at_no_tag() -> None:
    dmv = Grammar.random(np.random.default_rng(5), TAGS)
    corpus = random_corpus(5, 200, 9)
    sibling = extended(dmv, CHART.contexts)
    ours, theirs = CHART.expectations(sibling, corpus), expectations(dmv, corpus)
    np.testing.assert_allclose(
        ours.sentence_log_likelihoods, theirs.sentence_log_likelihoods, atol=1e-9
    )
    np.testing.assert_allclose(ours.counts.root, theirs.counts.root, atol=1e-9)
    np.testing.assert_allclose(ours.counts.attach.sum(2), theirs.counts.attach[:, :, 0], atol=1e-9)
    np.testing.assert_allclose(ours.counts.stop[:, :, 0], theirs.counts.stop[:, :, 0], atol=1e-9)
    trees = CHART.viterbi(sibling, corpus)
    np.testing.assert_allclose(trees.scores, viterbi(dmv, corpus).scores, atol=1e-9)
    np.testing.assert_allclose(
        tree_log_probability(dmv, trees.heads, corpus), trees.scores, atol=1e-9
    )


def test_what_no_tree_can_produce_has_no_counts() -> None:
    grammar = a_grammar()
    never = Grammar(np.zeros(TAGS), grammar.stop, grammar.go, grammar.attach)
    corpus = corpus_of([[0, 1, 2]])
    e_step = CHART.expectations(never, corpus)
    assert e_step.log_likelihood == -np.inf
    assert e_step.counts.attach.sum() == 0
    best = CHART.viterbi(never, corpus)
    assert best.heads.tolist() == [0, 1, 2]
    assert best.counts is not None
    assert best.counts.root.sum() == 0


def test_an_unknown_symbol_behaves_as_the_average() -> None:
    grammar, shares = a_grammar(), np.array([0.5, 0.3, 0.2])
    wider, chart = CHART.with_unknown(grammar, shares), CHART.wide_enough(TAGS + 1)
    assert chart.contexts == (4, 4)
    assert wider.attach.shape == (4, 2, 4, 4)
    np.testing.assert_array_equal(wider.attach[:3, :, :3, :3], grammar.attach)
    unknown = shares[0] * grammar.stop[:, :, 1] + (shares[1] + shares[2]) * grammar.stop[:, :, 2]
    np.testing.assert_allclose(wider.stop[:3, :, 3], unknown)
    assert CHART.wide_enough(TAGS) is CHART
    corpus = corpus_of([[0, 3, 3, 1]], n_tags=4)
    assert np.isfinite(chart.expectations(wider, corpus).log_likelihood)
    assert sorted(chart.viterbi(wider, corpus).heads.tolist()).count(0) == 1


def test_threads_change_no_bit(monkeypatch) -> None:
    corpus, grammar = random_corpus(2, 1500, 14), a_grammar()
    assert len(corpus.shards) > 4
    counts = []
    for threads in ("1", "3"):
        monkeypatch.setenv("TREEGAUGE_THREADS", threads)
        counts.append(CHART.expectations(grammar, corpus).counts.attach.tobytes())
    assert counts[0] == counts[1]

"""The projection on few types: by hand, by sorting, by listing trees, by duality."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.systems.dependency_induction.chart.brute_force import all_weights, expected_arcs
from tests.unit.systems.dependency_induction.chart.models import (
    D,
    N,
    V,
    assert_same_counts,
    corpus_of,
    golden_grammar,
    random_corpus,
    random_grammar,
)
from treegauge.systems.dependency_induction._posterior_projection_numba import project_types
from treegauge.systems.dependency_induction.chart import expectations
from treegauge.systems.dependency_induction.posterior_projection import (
    EdgeTypes,
    project_posterior,
)

patient = examples()

SENTENCES = [(D, N, V), (N, V), (V,), (D, N, V, N), (N, V), (V, D, N)]
KINDS = [
    {"penalty": penalty, "directed": directed, "constrain_root": root}
    for penalty in ("symmetric", "asymmetric")
    for directed in (False, True)
    for root in (False, True)
]


def projected(values, budget, times=None, limits=None) -> list[float]:
    values = np.array(values, float)
    found = np.empty_like(values)
    times = np.ones(values.size) if times is None else np.array(times, float)
    limits = np.array([0, values.size] if limits is None else limits, np.int64)
    project_types(values, times, limits, float(budget), found)
    return found.tolist()


def by_sorting(values: list[float], budget: float) -> list[float]:
    """The textbook's projection: sort, and find how many stay."""
    clipped = [max(0.0, value) for value in values]
    if sum(clipped) <= budget:
        return clipped
    falling = sorted(clipped, reverse=True)
    theta = max((sum(falling[: k + 1]) - budget) / (k + 1) for k in range(len(falling)))
    return [max(0.0, value - theta) for value in clipped]


# ---------------------------------------------------------------- the feasible set


@pytest.mark.parametrize(
    ("values", "budget", "expected"),
    [
        ([3, 1, -1], 2, [2, 0, 0]),
        ([2, 2], 2, [1, 1]),
        ([0.5, -3], 2, [0.5, 0]),
        ([3, 2, 1], 3, [2, 1, 0]),
        ([5, 4], 0, [0, 0]),
        ([], 1, []),
    ],
)
def test_projection_by_hand(values, budget, expected):
    assert projected(values, budget) == pytest.approx(expected, abs=1e-15)


def test_types_are_projected_by_themselves():
    assert projected([3, 1, -1, 2, 2, 0.5], 2, limits=[0, 3, 5, 6]) == [2, 0, 0, 1, 1, 0.5]


@patient
@given(
    st.lists(
        st.tuples(st.floats(-5, 50), st.integers(1, 4)),
        min_size=1,
        max_size=12,
    ),
    st.floats(0, 40),
)
def test_instances_that_occur_often_count_as_often(pairs, budget):
    values, times = zip(*pairs, strict=True)
    repeated = [value for value, n in pairs for _ in range(n)]
    expected = by_sorting(repeated, budget)
    firsts = np.cumsum([0, *times[:-1]])
    assert projected(values, budget, times) == pytest.approx(
        [expected[i] for i in firsts], abs=1e-9
    )


# ---------------------------------------------------------------- types and instances


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_expectations_of_instances_by_listing(kind):
    """Instances are found by walking over all arcs, their expectations by listing all trees."""
    corpus, grammar = corpus_of(SENTENCES), golden_grammar()
    sums: dict = {}
    times: dict = {}
    for tags in dict.fromkeys(SENTENCES):
        arcs = expected_arcs(tags, grammar)
        here = set()
        for head in range(len(tags) + 1):
            for child in range(len(tags)):
                if head == child + 1 or (head == 0 and not kind["constrain_root"]):
                    continue
                parent = tags[head - 1] + 1 if head else 0
                right = int(kind["directed"] and 0 < head < child + 1)
                which = head if kind["penalty"] == "symmetric" else None
                key = (tags[child], parent, right), tags, child, which
                sums[key] = sums.get(key, 0.0) + arcs[head, child]
                here.add(key)
        times.update(dict.fromkeys(here, SENTENCES.count(tags)))
    types = EdgeTypes.of(corpus, **kind)
    marginals = expectations(grammar, corpus, marginals=True).marginals
    expected = types.expected(marginals)
    kinds = np.repeat(types.types, np.diff(types.limits), axis=0)
    found = sorted(zip(map(tuple, kinds.tolist()), expected, types.times, strict=True))
    listed = sorted((key[0], value, float(times[key])) for key, value in sums.items())
    assert [key for key, _, _ in found] == [key for key, _, _ in listed]
    np.testing.assert_allclose([row[1:] for row in found], [row[1:] for row in listed], atol=1e-12)
    largest = types.largest(expected)
    assert largest.tolist() == [
        max(value for key, value, _ in found if key == tuple(kind)) for kind in types.types.tolist()
    ]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_gradient_is_what_is_expected(kind):
    corpus, grammar = corpus_of(SENTENCES), golden_grammar()
    types = EdgeTypes.of(corpus, **kind)
    duals = np.random.default_rng(3).gamma(1.0, 0.5, types.n_instances)

    def log_z(duals):
        weights = types.arc_weights(duals, corpus)
        return expectations(grammar, corpus, arc_weights=weights, marginals=True)

    expected = types.expected(log_z(duals).marginals)
    for i in range(0, types.n_instances, 5):
        step = np.zeros(types.n_instances)
        step[i] = 1e-5
        slope = (log_z(duals + step).log_likelihood - log_z(duals - step).log_likelihood) / 2e-5
        assert slope == pytest.approx(-types.times[i] * expected[i], abs=1e-6)


# ---------------------------------------------------------------- the projection


def test_no_penalty_changes_nothing():
    corpus, grammar = random_corpus(1, 30, 6), random_grammar(1)
    found = project_posterior(grammar, corpus, EdgeTypes.of(corpus), sigma=0.0)
    plain = expectations(grammar, corpus)
    assert not found.duals.any()
    assert found.gap == 0
    assert found.objective == pytest.approx(plain.log_likelihood, rel=1e-14)
    assert_same_counts(found.posterior.counts, plain.counts)


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("sigma", [0.3, 1.0, 3.0])
def test_primal_and_dual_meet(kind, sigma):
    """The penalised divergence of q, by listing all trees, is the dual value: q is optimal."""
    corpus, grammar = corpus_of(SENTENCES), golden_grammar()
    types = EdgeTypes.of(corpus, **kind)
    found = project_posterior(grammar, corpus, types, sigma=sigma, steps=3000, tolerance=2e-5)
    assert (found.duals >= 0).all()
    spent = np.add.reduceat(types.times * found.duals, types.limits[:-1])
    assert (spent <= sigma * (1 + 1e-12)).all()
    packed = types.arc_weights(found.duals, corpus)
    divergence, dual, marginals = 0.0, 0.0, np.zeros(packed.size)
    for s, tags in enumerate(SENTENCES):
        # Of identical sentences, the weights are at the first.
        first = SENTENCES.index(tags)
        arcs = corpus.arc_matrix(packed, first)
        p, weighted = all_weights(tags, grammar), all_weights(tags, grammar, arcs)
        z, weighted_z = sum(p.values()), sum(weighted.values())
        dual -= math.log(weighted_z / z)
        for heads, value in weighted.items():
            q = value / weighted_z
            divergence += q * math.log(q / (p[heads] / z))
        corpus.arc_matrix(marginals, s)[:] = expected_arcs(tags, grammar, arcs)
    penalty = sigma * types.largest(types.expected(marginals)).sum()
    assert -1e-9 < divergence + penalty - dual < 1e-4
    assert found.gap == pytest.approx(divergence + penalty - dual, abs=1e-8)


def test_identical_sentences_share_their_duals():
    """Steps on distinct sentences are those on all of them."""
    random = np.random.default_rng(5)
    kinds = [tuple(random.integers(0, 3, n)) for n in (1, 2, 3, 4, 4, 5)]
    sentences = [kinds[i] for i in random.integers(0, len(kinds), 40)]
    grammar = random_grammar(5, model=(2, 2, "inside_out"))
    once, each = corpus_of(sentences), corpus_of(sentences, deduplicate=False)
    assert once.n_distinct < each.n_distinct == 40
    for penalty in ("symmetric", "asymmetric"):
        for steps in (1, 4, 12):
            shared, apart = (
                project_posterior(
                    grammar, corpus, EdgeTypes.of(corpus, penalty=penalty), sigma=5.0, steps=steps
                )
                for corpus in (once, each)
            )
            assert shared.duals.size < apart.duals.size
            assert shared.objective == pytest.approx(apart.objective, rel=1e-9)
            assert shared.gap == pytest.approx(apart.gap, rel=1e-7)
            assert_same_counts(shared.posterior.counts, apart.posterior.counts, 1e-8)


def test_a_larger_penalty_uses_fewer_types():
    corpus, grammar = random_corpus(7, 60, 6, n_tags=4), random_grammar(7, n_tags=4)
    types = EdgeTypes.of(corpus)
    sums, used = [], []
    for sigma in (0.0, 1.0, 5.0, 25.0, 125.0):
        found = project_posterior(grammar, corpus, types, sigma=sigma, steps=300, tolerance=0.01)
        largest = types.largest(found.expected)
        sums.append(largest.sum())
        used.append(int((largest > 0.05).sum()))
    assert sums == sorted(sums, reverse=True)
    assert used == sorted(used, reverse=True)
    assert used[-1] < used[0]


def test_a_warm_start_is_not_worse():
    corpus, grammar = random_corpus(8, 40, 6), random_grammar(8)
    types = EdgeTypes.of(corpus)
    first = project_posterior(grammar, corpus, types, sigma=10.0, steps=20)
    again = project_posterior(grammar, corpus, types, sigma=10.0, steps=20, start=first)
    value, better = first.posterior.log_likelihood, again.posterior.log_likelihood
    assert better <= value  # the dual is minus this


def test_threads_do_not_matter(monkeypatch):
    corpus, grammar = random_corpus(9, 1500, 9, n_tags=4), random_grammar(9, n_tags=4)
    types = EdgeTypes.of(corpus)
    assert len(corpus.shards) > 1
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("TREEGAUGE_THREADS", threads)
        found.append(project_posterior(grammar, corpus, types, sigma=20.0, steps=5))
    assert (found[0].duals == found[1].duals).all()
    assert found[0].objective == found[1].objective


def test_a_corpus_without_arcs():
    corpus = corpus_of([(V,), (N,)])
    types = EdgeTypes.of(corpus, constrain_root=False)
    found = project_posterior(golden_grammar(), corpus, types, sigma=10.0)
    assert types.n_instances == 0
    assert found.gap == 0
    assert found.posterior.counts.root == pytest.approx([0, 1, 1], abs=1e-12)

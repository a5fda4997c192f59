"""Smoothing inside the model: the bound, coins by listing, divergences by integration."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta

import treegauge as tg
from tests.unit.systems.dependency_induction.chart.brute_force import (
    events,
    projective_trees,
    weight,
)
from tests.unit.systems.dependency_induction.chart.models import (
    MODELS,
    corpus_of,
    random_corpus,
    random_grammar,
)
from treegauge.systems import make_system
from treegauge.systems.dependency_induction.backoff_mixture import (
    BackoffGrammar,
    BackoffPosterior,
    _divergence,
)
from treegauge.systems.dependency_induction.chart import Counts, expectations

QUICK = {"iterations": 15, "max_length": 6, "tolerance": 0.0, "smoothing_kind": "mixture"}


@pytest.fixture(scope="module")
def toy():
    return tg.toy_treebank("toy:svo", part="test")[:200]


def backoff_grammar(seed: int, model=(2, 2, "inside_out")) -> BackoffGrammar:
    corpus = random_corpus(seed, 12, 4)
    found = expectations(random_grammar(seed, model=model), corpus)
    return BackoffGrammar.from_first_counts(found, 1.0).updated(found.counts)


@pytest.mark.parametrize(
    "shapes", [(2.5, 4.0, 1.0, 2.0), (1.0, 1.0, 1.0, 1.0), (7.0, 0.6, 2.0, 3.0)]
)
def test_divergence_by_integration(shapes):
    a, b, c, d = shapes
    mine, prior = beta(a, b), beta(c, d)
    expected, _ = quad(lambda x: mine.pdf(x) * (mine.logpdf(x) - prior.logpdf(x)), 0, 1)
    found = _divergence(np.array([[a, b]]), np.array([c, d]))
    assert found == pytest.approx(expected, abs=1e-6)


def test_counts_are_split_as_if_coins_were_tossed():
    """Every tree with every outcome of its coins, as the story goes."""
    grammar = backoff_grammar(1)
    posterior = grammar.known_posterior
    kept, others = posterior.ways()
    tags = (0, 1, 2, 1)
    total, children = 0.0, np.zeros_like(kept)
    for heads in projective_trees(len(tags)):
        made = events(tags, heads, grammar)
        arcs = [index for (name, *index), n in made.items() if name == "attach" for _ in range(n)]
        rest = weight(tags, heads, grammar)
        for index in arcs:
            rest /= grammar.attach[tuple(index)]
        for coins in product((True, False), repeat=len(arcs)):
            value = rest
            for index, keeps in zip(arcs, coins, strict=True):
                value *= (kept if keeps else others)[tuple(index)]
            total += value
            for index, keeps in zip(arcs, coins, strict=True):
                children[tuple(index)] += value * keeps
    corpus = corpus_of([tags])
    found = expectations(grammar, corpus)
    assert found.log_likelihood == pytest.approx(np.log(total), abs=1e-12)
    updated = grammar.updated(found.counts).known_posterior
    np.testing.assert_allclose(updated.children, children / total + 1.0, atol=1e-12)
    back = found.counts.attach.sum(axis=-1) - children.sum(axis=-1) / total
    np.testing.assert_allclose(updated.coins[..., 1], back + 2.0, atol=1e-12)
    np.testing.assert_allclose(updated.pooled.sum(), back.sum() + updated.pooled.size, atol=1e-12)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_the_bound_never_falls(model):
    corpus = random_corpus(3, 25, 5)
    found = expectations(random_grammar(3, model=model), corpus)
    grammar = BackoffGrammar.from_first_counts(found, 1.0)
    bounds = []
    for _ in range(25):
        found = expectations(grammar, corpus)
        bounds.append(found.log_likelihood - grammar.known_posterior.divergence())
        grammar = grammar.updated(found.counts)
    assert all(after >= before - 1e-9 for before, after in pairwise(bounds))
    assert bounds[-1] > bounds[0] + 0.1


def test_without_data_the_posterior_is_the_prior():
    nothing = Counts.zeros(3, 2, 2)
    posterior = BackoffPosterior.of(nothing, np.full_like(nothing.attach, 1 / 3), 1.0)
    assert posterior.divergence() == 0
    mean = posterior.mean()
    np.testing.assert_allclose(mean.attach, 1 / 3)
    np.testing.assert_allclose(mean.stop, 0.5)


def test_means_are_probabilities_and_weights_are_less():
    grammar = backoff_grammar(4)
    mean = grammar.known_posterior.mean()
    np.testing.assert_allclose(mean.attach.sum(axis=-1), 1)
    np.testing.assert_allclose(mean.stop + mean.go, 1)
    assert mean.root.sum() == pytest.approx(1)
    assert (grammar.attach.sum(axis=-1) < 1).all()


def test_a_head_without_children_backs_off():
    """Of a head that was never seen, two thirds are what all heads have in common."""
    counts = Counts.zeros(3, 2, 2)
    counts.attach[0, :, :, 1] = 1000.0
    kept = np.full_like(counts.attach, 0.5)
    mean = BackoffPosterior.of(counts, kept, 1.0).mean()
    common = (500 + 1) / (500 + 3)
    np.testing.assert_allclose(mean.attach[2, :, :, 1], 2 / 3 * common + 1 / 3 * 1 / 3)


# ---------------------------------------------------------------- the system


@pytest.mark.parametrize(
    "options", [{}, {"init": "random"}, {"no_function_heads": True}, {"valences": "3/3"}], ids=str
)
def test_the_system_climbs_its_bound(options, toy):
    history = make_system("evg", {**QUICK, **options}).fit(toy).history
    assert all(b.objective >= a.objective - 1e-9 for a, b in pairwise(history))
    assert all(step.objective < step.log_likelihood for step in history)


def test_the_best_of_many_starts_is_kept(toy):
    one = make_system("evg", {**QUICK, "init": "random"}).fit(toy)
    many = make_system("evg", {**QUICK, "init": "random", "restarts": 6}).fit(toy)
    assert many.history[-1].objective > one.history[-1].objective


def test_rules_are_expected_of_the_mixture_too(toy):
    plain = make_system("evg", QUICK).fit(toy)
    ruled = make_system("evg", {**QUICK, "rules": "noji"}).fit(toy)
    assert ruled.supervision == "universal rules"
    assert ruled.history[-1].log_likelihood != plain.history[-1].log_likelihood


def test_interpolation_is_what_it_was(toy):
    """The M-step's back-off, of which the mixture knows nothing."""
    default = make_system("evg", {**QUICK, "smoothing_kind": "interpolated"}).fit(toy)
    prior = make_system("evg", {**QUICK, "smoothing_kind": "interpolated", "prior": 5.0}).fit(toy)
    for name, table in default.grammar.arrays().items():
        assert (prior.grammar.arrays()[name] == table).all()
    np.testing.assert_allclose(default.grammar.attach.sum(axis=-1), 1)

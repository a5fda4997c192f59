"""Features: gradients by finite differences, relative frequencies, what related tags share."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import approx_fprime

import treegauge as tg
from tests.unit.systems.dependency_induction.chart.models import random_corpus, random_grammar
from treegauge.systems import SystemsError, load_system, make_system
from treegauge.systems.dependency_induction.chart import Counts, estimate, expectations
from treegauge.systems.dependency_induction.log_linear_grammar import LogLinearModel
from treegauge.systems.dependency_induction.tag_classes import CLASSES, tag_classes
from treegauge.systems.dependency_induction.tag_inventory import TagInventory
from treegauge.treebank import PETROV_TAGS, UD_TAGS

QUICK = {"iterations": 10, "max_length": 6, "tolerance": 0.0}
CLASSES_OF_THREE = [0, 0, 1]


@pytest.fixture(scope="module")
def toy():
    return tg.toy_treebank("toy:svo", part="test")[:200]


def some_counts(seed: int, model=(2, 1, "inside_out")) -> Counts:
    return expectations(random_grammar(seed, model=model), random_corpus(seed, 30, 5)).counts


def some_weights(model: LogLinearModel, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, 0.5, model.n_features)


def value(model: LogLinearModel, counts: Counts, weights: np.ndarray) -> float:
    """Expected log-probability of events, from the grammar's tables."""
    tables = model.grammar(weights).arrays()
    return float(sum((events * np.log(tables[k])).sum() for k, events in counts.arrays().items()))


@pytest.mark.parametrize("valences", [1, 2])
def test_rows_sum_to_one(valences):
    model = LogLinearModel.of(CLASSES_OF_THREE, child_valences=valences)
    grammar = model.grammar(some_weights(model))
    assert grammar.root.sum() == pytest.approx(1, abs=1e-14)
    np.testing.assert_allclose(grammar.stop + grammar.go, 1, atol=1e-14)
    np.testing.assert_allclose(grammar.attach.sum(axis=-1), 1, atol=1e-14)


def test_huge_weights_are_no_trouble():
    model = LogLinearModel.of(CLASSES_OF_THREE)
    grammar = model.grammar(1e4 * some_weights(model))
    np.testing.assert_allclose(grammar.attach.sum(axis=-1), 1, atol=1e-14)


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("valences", [1, 2])
def test_the_gradient_of_an_m_step(shared, valences):
    model = LogLinearModel.of(CLASSES_OF_THREE, child_valences=valences, shared=shared)
    counts, weights = some_counts(2, (2, valences, "inside_out")), some_weights(model)
    numeric = approx_fprime(weights, lambda w: value(model, counts, w), 1e-7)
    np.testing.assert_allclose(model.gradient(counts, weights), numeric, atol=1e-4)


def test_the_gradient_of_the_likelihood():
    """Fisher's identity: the M-step's gradient at the E-step's counts."""
    model, corpus = LogLinearModel.of(CLASSES_OF_THREE), random_corpus(4, 20, 5)
    weights = some_weights(model)

    def likelihood(w):
        return expectations(model.grammar(w), corpus).log_likelihood

    counts = expectations(model.grammar(weights), corpus).counts
    numeric = approx_fprime(weights, likelihood, 1e-6)
    np.testing.assert_allclose(model.gradient(counts, weights), numeric, atol=1e-4)


def test_own_features_without_penalty_are_relative_frequencies():
    everything_once = Counts(**{k: np.ones_like(v) for k, v in Counts.zeros(3).arrays().items()})
    counts = some_counts(3) + everything_once
    model = LogLinearModel.of(CLASSES_OF_THREE, shared=False)
    weights = model.fitted(counts, np.zeros(model.n_features), kappa=0.0, steps=200)
    expected = estimate(counts).arrays()
    for name, table in model.grammar(weights).arrays().items():
        np.testing.assert_allclose(table, expected[name], atol=1e-6, err_msg=name)


@pytest.mark.parametrize("kappa", [0.01, 1.0, 100.0])
def test_a_fit_rests_where_the_penalty_balances_the_gradient(kappa):
    counts = some_counts(5)
    model = LogLinearModel.of(CLASSES_OF_THREE)
    weights = model.fitted(counts, some_weights(model), kappa=kappa, steps=100)
    np.testing.assert_allclose(model.gradient(counts, weights), 2 * kappa * weights, atol=1e-3)


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_a_short_fit_is_never_worse(steps):
    counts = some_counts(6)
    model = LogLinearModel.of(CLASSES_OF_THREE)
    start = some_weights(model)
    fitted = model.fitted(counts, start, kappa=1.0, steps=steps)
    before, after = (value(model, counts, w) - w @ w for w in (start, fitted))
    assert after > before


def test_what_is_not_seen_is_learnt_from_its_class():
    """Tag 1 was never a head, but tag 0 of its class was, and takes tag 2."""
    counts = Counts.zeros(3)
    counts.attach[0, 0, 0, 2] = 100.0
    shared, own = (LogLinearModel.of(CLASSES_OF_THREE, shared=how) for how in (True, False))
    found = {
        model: model.grammar(
            model.fitted(counts, np.zeros(model.n_features), kappa=0.1, steps=50)
        ).attach[1, 0, 0]
        for model in (shared, own)
    }
    assert found[shared][2] > 0.9
    np.testing.assert_allclose(found[own], 1 / 3)


# ---------------------------------------------------------------- classes of tags


def inventory(tags, universal) -> TagInventory:
    return TagInventory("x", tuple(tags), (1 / len(tags),) * len(tags), tuple(universal))


def test_classes_of_universal_tags():
    tags = ("NOUN", "PRON", "AUX", "DET", "CCONJ", "CONJ", "PROPN", "INTJ", "X", "VERB")
    assert tag_classes(inventory(tags, tags)) == [0, 0, 1, 2, 3, 3, 0, 4, 4, 1]


def test_classes_of_fine_and_of_unknown_tags():
    fine = inventory(("NN", "VB", "NNS", "MD"), ("NOUN", "VERB", "NOUN", "AUX"))
    assert tag_classes(fine) == [0, 1, 0, 2]
    assert tag_classes(inventory(("c1", "c2"), ("", ""))) == [0, 0]


def test_no_tag_is_in_two_classes():
    named = [tag for tags in CLASSES.values() for tag in tags]
    assert len(named) == len(set(named))
    assert set(named) <= UD_TAGS | PETROV_TAGS | {"CONJ"}


# ---------------------------------------------------------------- the system


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"kappa": 0.01},
        {"kappa": 30.0, "fitting_steps": 1},
        {"features": "basic"},
        {"init": "random"},
        {"no_function_heads": True},
        {"learning": "gradient"},
        {"learning": "gradient", "no_function_heads": True},
    ],
    ids=str,
)
def test_the_objective_never_falls(options, toy):
    history = make_system("feature-dmv", {**QUICK, **options}).fit(toy).history
    assert len(history) > 1
    assert all(b.objective >= a.objective - 1e-8 for a, b in pairwise(history))
    assert history[-1].objective > history[0].objective


def test_rules_need_em(toy):
    settings = {**QUICK, "rules": "noji"}
    assert len(make_system("feature-dmv", settings).fit(toy).history) == QUICK["iterations"]
    with pytest.raises(SystemsError, match="learning=em"):
        make_system("feature-dmv", {**settings, "learning": "gradient"}).fit(toy)


@pytest.mark.parametrize("learning", ["em", "gradient"])
def test_saved_and_loaded(learning, toy, tmp_path):
    system = make_system("feature-dmv", {**QUICK, "learning": learning}).fit(toy)
    system.save(tmp_path / "model")
    again = load_system(tmp_path / "model")
    assert (again.annotate(toy).head == system.annotate(toy).head).all()
    assert again.history == system.history

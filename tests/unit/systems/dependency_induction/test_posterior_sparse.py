"""Posterior sparsity as a system: EM without its penalty, few types with it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import treegauge as tg
from treegauge.systems import SystemsError, load_system, make_system
from treegauge.systems.dependency_induction.chart import TagCorpus, expectations
from treegauge.systems.dependency_induction.constraints import BARRED, FUNCTION_TAGS
from treegauge.systems.dependency_induction.posterior_projection import EdgeTypes
from treegauge.systems.dependency_induction.posterior_sparse import smoothed
from treegauge.treebank import tree_flaws, without_punctuation

QUICK = {"iterations": 8, "max_length": 6, "tolerance": 0.0}


@pytest.fixture(scope="module")
def toy():
    return tg.toy_treebank("toy:svo", part="test")[:200]


def used_types(system, treebank) -> int:
    """Types that some arc is of, more likely than not."""
    corpus: TagCorpus = system.inventory.encode(without_punctuation(treebank)).up_to(6)
    types = EdgeTypes.of(corpus)
    marginals = expectations(system.grammar, corpus, marginals=True).marginals
    return int((types.largest(types.expected(marginals)) > 0.5).sum())


def test_no_penalty_is_em(toy):
    settings = {**QUICK, "smoothing": 0.0, "smoothing_kind": "interpolated"}
    plain = make_system("evg", settings).fit(toy)
    sparse = make_system("posterior-sparse", {**QUICK, "sigma": 0.0}).fit(toy)
    for mine, other in zip(sparse.history, plain.history, strict=True):
        assert mine.objective == pytest.approx(other.objective, rel=1e-12)
        assert mine.log_likelihood == pytest.approx(other.log_likelihood, rel=1e-12)
    expected = smoothed(plain.grammar).arrays()
    for name, table in sparse.grammar.arrays().items():
        np.testing.assert_allclose(table, expected[name], rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("penalty", ["symmetric", "asymmetric"])
def test_a_penalty_leaves_fewer_types(penalty, toy):
    settings = {**QUICK, "penalty": penalty}
    plain = make_system("posterior-sparse", {**settings, "sigma": 0.0}).fit(toy)
    sparse = make_system("posterior-sparse", {**settings, "sigma": 100.0}).fit(toy)
    assert used_types(sparse, toy) < used_types(plain, toy)


def test_the_objective_never_falls(toy):
    """Of the projections that are reached; without back-off, which no objective knows of."""
    settings = {**QUICK, "backoff": 0.0, "sigma": 20.0, "gradient_steps": 100}
    history = make_system("posterior-sparse", settings).fit(toy).history
    assert len(history) == QUICK["iterations"]
    assert all(after.objective >= before.objective for before, after in pairwise(history))
    assert history[-1].objective > history[0].objective
    assert all(step.objective < step.log_likelihood for step in history)


def test_rules_are_refused(toy):
    with pytest.raises(SystemsError, match="use no_function_heads"):
        make_system("posterior-sparse", {**QUICK, "rules": "noji"}).fit(toy)


def test_the_penalty_does_not_lift_bars(toy):
    """No penalty is so large that function words are heads for its sake."""
    settings = {**QUICK, "no_function_heads": True, "sigma": 140.0}
    system = make_system("posterior-sparse", settings).fit(toy)
    corpus = system.inventory.encode(without_punctuation(toy)).up_to(6)
    types = system._types(corpus)
    found = system._projected(system.constraints.barred(system.grammar), corpus, types, None)
    barred = [tag in FUNCTION_TAGS for tag in system.inventory.universal]
    assert any(barred)
    assert found.duals.max() > -np.log(BARRED)
    assert found.posterior.counts.attach[barred].sum() < 1e-9


def test_sentences_of_function_words_alone_have_trees():
    text = tg.parse("a/DET b/ADP c/DET d/AUX\ne/DET f/NOUN\n", format="slashed")
    system = make_system("posterior-sparse", {**QUICK, "no_function_heads": True}).fit(text)
    assert all(np.isfinite(step.objective) for step in system.history)
    assert not tree_flaws(system.annotate(text)).any()


@pytest.mark.parametrize("decode", ["viterbi", "minimum-risk"])
def test_projected_when_parsing(decode, toy, tmp_path):
    settings = {
        **QUICK,
        "sigma": 30.0,
        "gradient_steps": 3,
        "project_at_test": True,
        "decode": decode,
    }
    system = make_system("posterior-sparse", settings).fit(toy)
    found = system.annotate(toy)
    assert not tree_flaws(found).any()
    plain = make_system("posterior-sparse", {**settings, "project_at_test": False}).fit(toy)
    assert (plain.annotate(toy).head != found.head).any()
    system.save(tmp_path / "model")
    assert (load_system(tmp_path / "model").annotate(toy).head == found.head).all()


def test_unknown_tags_when_projected():
    learnt = tg.parse("a/DET b/NOUN c/VERB\n", format="slashed")
    strange = tg.parse("a/DET b/INTJ c/VERB d/INTJ\ne/INTJ\n", format="slashed")
    system = make_system("posterior-sparse", {"project_at_test": True}).fit(learnt)
    assert not tree_flaws(system.annotate(strange)).any()


def test_the_strongest_penalty_is_still_a_number(toy):
    system = make_system("posterior-sparse", {**QUICK, "sigma": 700.0}).fit(toy)
    assert all(np.isfinite(step.objective) for step in system.history)

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import minimize

from tests.examples import examples
from tests.unit.systems.tag_induction.planted_classes import planted, v_measure
from tests.unit.systems.tag_induction.test_hmm import small_model
from tests.unit.systems.tag_induction.test_word_class_inducer import TEXT, text_of
from tests.unit.systems.taggers import slow_hmm
from treegauge.systems import SystemsError, load_system, make_system
from treegauge.systems.hidden_markov.expectations import expectations
from treegauge.systems.tag_induction.encoded_text import EncodedText, encode
from treegauge.systems.tag_induction.sparse_posterior import (
    SparsePosterior,
    WordsByType,
    sparse_expectations,
    sparse_posterior,
)

pytestmark = pytest.mark.long

SMALL = encode(text_of(["a", "b", "a"], ["b", "a"], ["c", "a"], ["b"]))
SENTENCES = [[0, 1, 0], [1, 0], [2, 0], [1]]
"""The same, as types: a, b and c."""


def projected(
    text: EncodedText, sigma: float, *, n_tags: int = 2, seed: int = 0, steps: int = 300
) -> tuple[SparsePosterior, WordsByType]:
    emissions, transitions = small_model(text.n_types, n_tags, seed)
    words = WordsByType.of(text, 2)
    scales = np.zeros(text.n_types)
    found = sparse_posterior(text, emissions, scales, transitions, words, sigma=sigma, steps=steps)
    return found, words


def test_words_are_by_type_and_frequent_types_constrained() -> None:
    words = WordsByType.of(SMALL, 2)
    assert words.n_constrained == 2
    assert words.row.tolist() == [0, 4, 1, 5, 2, 7, 3, 6]
    assert words.types.tolist() == [0, 0, 0, 0, 1, 1, 1, 2]
    assert words.limits.tolist() == [0, 4, 7, 8]
    assert words.n_constrained_words == 7
    posteriors = np.arange(16.0).reshape(8, 2)
    assert words.norm(posteriors) == words.norm(posteriors[:7]) == 6 + 7 + 12 + 13
    assert words.counts(posteriors).tolist() == [[12, 16], [30, 33], [14, 15]]
    assert WordsByType.of(SMALL, 99).norm(np.zeros((0, 2))) == 0


@pytest.mark.parametrize("n_tags", [1, 2, 3])
def test_lambdas_weigh_down_the_emissions_of_their_word(n_tags) -> None:
    emissions, transitions = small_model(3, n_tags, 4)
    words = WordsByType.of(SMALL, 2)
    random = np.random.default_rng(5)
    duals, scales = random.random((7, n_tags)), random.random(3)
    found = sparse_expectations(SMALL, emissions, scales, transitions, words, duals)
    damped = (emissions * np.exp(scales)[:, None])[words.types]
    damped[:7] *= np.exp(-duals)
    sentences = [words.row[b:e].tolist() for b, e in pairwise(SMALL.offsets.tolist())]
    likelihood, emitted, passed, _ = slow_hmm.expectations(sentences, damped, transitions)
    assert found.log_likelihood == pytest.approx(likelihood, rel=1e-12)
    np.testing.assert_allclose(found.emitted, emitted, rtol=1e-10)
    np.testing.assert_allclose(found.passed, passed, rtol=1e-10)


def test_threads_and_shards_of_constrained_words_make_no_difference(monkeypatch) -> None:
    random = np.random.default_rng(1)
    sentences = random.choice(list("abcdefg"), (4500, 9)).tolist()
    text = encode(text_of(*sentences))
    emissions, transitions = small_model(7, 3)
    words = WordsByType.of(text, 5770)
    assert 0 < words.n_constrained < 7
    duals = random.random((words.n_constrained_words, 3))
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("TREEGAUGE_THREADS", threads)
        found.append(sparse_expectations(text, emissions, np.zeros(7), transitions, words, duals))
    assert found[0].log_likelihood == found[1].log_likelihood
    assert found[0].emitted.tolist() == found[1].emitted.tolist()
    assert found[0].passed.tolist() == found[1].passed.tolist()
    np.testing.assert_allclose(found[0].emitted.sum(axis=1), 1)
    no_duals = np.zeros((words.n_constrained_words, 3))
    plain = sparse_expectations(text, emissions, np.zeros(7), transitions, words, no_duals)
    by_type = expectations(text.words, text.offsets, emissions, np.zeros(7), transitions)
    assert plain.log_likelihood == pytest.approx(by_type.log_likelihood, rel=1e-12)
    np.testing.assert_allclose(words.counts(plain.emitted), by_type.emitted, rtol=1e-9)
    np.testing.assert_allclose(plain.passed, by_type.passed, rtol=1e-9)


# ------------------------------------------------------------------ the projection of duals


def nearest(values: np.ndarray, budget: float) -> np.ndarray:
    """By sorting (the textbook's way)."""
    clipped = np.maximum(values, 0)
    if clipped.sum() <= budget:
        return clipped
    ordered = np.sort(clipped)[::-1]
    thresholds = (np.cumsum(ordered) - budget) / np.arange(1, len(values) + 1)
    theta = thresholds[np.flatnonzero(ordered > thresholds)[-1]]
    return np.maximum(clipped - theta, 0)


@examples(100)
@given(
    st.integers(0, 2**32 - 1),
    st.lists(st.integers(1, 6), min_size=1, max_size=4),
    st.sampled_from([0.01, 0.5, 1.0, 4.0]),
)
def test_duals_go_to_the_nearest_that_are_allowed(seed, sizes, budget):
    random = np.random.default_rng(seed)
    limits = np.cumsum([0, *sizes])
    # Rounded, so that there are ties.
    values = np.round(random.normal(0.3, 1, (limits[-1], 3)), 1)
    nothing = np.zeros(0, np.int32)
    words = WordsByType(nothing, nothing, limits, len(sizes))
    found = words.feasible(values, budget)
    for begin, end in pairwise(limits):
        for t in range(3):
            expected = nearest(values[begin:end, t], budget)
            np.testing.assert_allclose(found[begin:end, t], expected, atol=1e-12)


# ------------------------------------------------------------------ the projection of posteriors


def least_divergence(sigma: float, seed: int) -> tuple[float, np.ndarray]:
    """Minimise KL(q || p) + sigma * norm over all distributions of paths, sentence by sentence.

    Returns the minimum and q's posteriors of words. The largest posteriors of a and b are four
    variables more, with constraints, so that everything is smooth.
    """
    emissions, transitions = small_model(3, 2, seed)
    found = [list(slow_hmm.paths(sentence, emissions, transitions)) for sentence in SENTENCES]
    n_paths = sum(map(len, found))
    n_words = sum(map(len, SENTENCES))
    p = np.concatenate([[w / sum(w for _, w in paths) for _, w in paths] for paths in found])
    is_of = np.zeros((len(SENTENCES), n_paths + 4))
    has_tag = np.zeros((n_words, 2, n_paths + 4))
    place = word = 0
    for number, (sentence, paths) in enumerate(zip(SENTENCES, found, strict=True)):
        for tags, _ in paths:
            is_of[number, place] = 1
            for i, tag in enumerate(tags):
                has_tag[word + i, tag, place] = 1
            place += 1
        word += len(sentence)
    below = -has_tag.copy()
    for i, kind in enumerate(kind for sentence in SENTENCES for kind in sentence):
        if kind == 2:  # c occurs once, and is not constrained
            below[i] = 0
        else:
            below[i, [0, 1], [n_paths + 2 * kind, n_paths + 2 * kind + 1]] = 1
    below = below.reshape(2 * n_words, -1)

    def value(x: np.ndarray) -> tuple[float, np.ndarray]:
        logs = np.log(x[:n_paths] / p)
        slope = np.append(logs + 1, np.full(4, sigma))
        return float(x[:n_paths] @ logs + sigma * x[n_paths:].sum()), slope

    best = minimize(
        value,
        np.concatenate([p, np.ones(4)]),
        jac=True,
        method="SLSQP",
        bounds=[(1e-12, 1)] * n_paths + [(0, 1)] * 4,
        constraints=[
            {"type": "eq", "fun": lambda x: is_of @ x - 1, "jac": lambda _: is_of},
            {"type": "ineq", "fun": lambda x: below @ x, "jac": lambda _: below},
        ],
        options={"maxiter": 500, "ftol": 1e-12},
    )
    assert best.success
    return float(best.fun), has_tag @ best.x


@pytest.mark.parametrize(("sigma", "seed"), [(1.0, 1), (3.0, 2)])
def test_the_projection_is_the_minimum_over_all_distributions(sigma, seed) -> None:
    found, words = projected(SMALL, sigma, seed=seed)
    likelihood = projected(SMALL, 0.0, seed=seed)[0].posterior.log_likelihood
    least, posteriors = least_divergence(sigma, seed)
    assert likelihood - found.objective == pytest.approx(least, abs=1e-5)
    np.testing.assert_allclose(found.posterior.emitted[words.row], posteriors, atol=2e-3)


@examples(40)
@given(st.integers(0, 1000), st.sampled_from([0.2, 1.0, 5.0, 32.0]))
def test_at_the_optimum_lambdas_are_on_the_largest_posteriors(seed, sigma):
    found, words = projected(SMALL, sigma, n_tags=3, seed=seed)
    assert found.gap == pytest.approx(0, abs=1e-4)
    assert (found.duals >= 0).all()
    for begin, end in pairwise(words.limits[:3]):
        for t in range(3):
            duals, q = found.duals[begin:end, t], found.posterior.emitted[begin:end, t]
            assert duals.sum() <= sigma + 1e-9
            # What is not spent, or not on the largest, is a part of the gap.
            assert sigma * q.max() - duals @ q <= found.gap + 1e-9


def test_without_penalty_nothing_changes() -> None:
    found, words = projected(SMALL, 0.0)
    emissions, transitions = small_model(3, 2)
    plain = expectations(SMALL.words, SMALL.offsets, emissions, np.zeros(3), transitions)
    assert found.posterior.log_likelihood == pytest.approx(plain.log_likelihood, rel=1e-12)
    assert found.objective == found.posterior.log_likelihood
    np.testing.assert_allclose(words.counts(found.posterior.emitted), plain.emitted)
    assert not found.duals.any()


def test_large_lambdas_leave_something_of_every_word() -> None:
    emissions, transitions = small_model(SMALL.n_types, 2, 0)
    words = WordsByType.of(SMALL, 2)
    plain, _ = projected(SMALL, 0.0)
    # Equal lambdas of all tags change the likelihood, and nothing else; exp(-5000) is 0.
    start = SparsePosterior(np.full((7, 2), 5000.0), plain.posterior, plain.expected, 0.0, 1.0)
    found = sparse_posterior(
        SMALL,
        emissions,
        np.zeros(SMALL.n_types),
        transitions,
        words,
        sigma=1e6,
        steps=0,
        start=start,
    )
    np.testing.assert_allclose(found.posterior.emitted, plain.posterior.emitted, rtol=1e-12)
    assert found.posterior.log_likelihood == pytest.approx(
        plain.posterior.log_likelihood - 7 * 5000
    )


def test_a_strong_penalty_leaves_every_type_one_tag() -> None:
    projections = [projected(SMALL, sigma, seed=3) for sigma in (0.0, 0.1, 0.3, 1000.0)]
    norms = [words.norm(point.expected) for point, words in projections]
    assert norms == sorted(norms, reverse=True)
    assert norms[0] > 2.3
    assert norms[-1] == pytest.approx(2, abs=1e-4)


def test_going_on_from_the_last_lambdas_is_never_worse() -> None:
    emissions, transitions = small_model(3, 2, 1)
    words = WordsByType.of(SMALL, 2)
    found = None
    values = []
    for _ in range(6):
        found = sparse_posterior(
            SMALL, emissions, np.zeros(3), transitions, words, sigma=2.0, steps=2, start=found
        )
        values.append(found.posterior.log_likelihood)
    # The dual only falls, to the value of the primal.
    assert values == sorted(values, reverse=True)
    best, _ = projected(SMALL, 2.0, seed=1)
    assert best.posterior.log_likelihood <= values[-1] + 1e-9
    assert values[-1] - best.objective < 0.1 * (values[0] - best.objective)


# ------------------------------------------------------------------ the system

FEW = {"frequent_word": 1, "frequent_ending": 2, "constrained_count": 2}


def test_the_objective_never_falls() -> None:
    words, _ = planted(3, 12, 150)
    settings = {"classes": 3, "iterations": 25, "dual_steps": 300, "sigma": 2.0, **FEW}
    settings["plain_iterations"] = 5
    system = make_system("hmm-pr", settings).fit(words)
    steps = np.diff(system.history)
    assert steps[4] < 0  # the penalty
    steps = np.delete(steps, 4)
    assert (steps > -1e-3).all()  # projections end where steps are lost in rounding
    assert steps.sum() > 10


def test_without_penalty_it_is_plain_em() -> None:
    settings = {"classes": 3, "iterations": 25, "sigma": 0.0, **FEW}
    one, other = (
        make_system("hmm-pr", {**settings, "dual_steps": steps}).fit(TEXT) for steps in (0, 9)
    )
    assert one.history == other.history
    assert (np.diff(one.history) > -1e-9).all()


def test_planted_classes_are_found_with_few_tags_a_type() -> None:
    words, classes = planted(6, 60, 2000)
    # Endings tell the words of a class apart; only neighbours tell classes.
    settings = {"classes": 6, "iterations": 100, **FEW, "frequent_ending": 10**6}
    plain, sparse = (
        make_system("hmm-pr", {**settings, "plain_iterations": 70, "sigma": sigma}).fit(words)
        for sigma in (0.0, 32.0)
    )
    found = np.array([int(tag) for tag in sparse.annotate(words).upos])
    assert v_measure(classes, found) > 85
    assert plain.tags_per_type > 1.4
    assert 1 <= sparse.tags_per_type < 1.05


def test_an_unseen_word_goes_by_its_features() -> None:
    words = text_of(*[["the", "walking"], ["the", "singing"], ["a", "king"], ["The", "ring"]] * 5)
    system = make_system("hmm-pr", {"classes": 2, "iterations": 30, **FEW}).fit(words)
    logs = system._log_emissions(["jumping", "cat"])
    # Nothing that the model knows of says anything about a cat.
    assert logs[1].tolist() == (-system._log_sums).tolist()
    known, unseen = text_of(["the", "ring"]), text_of(["the", "jumping"])
    assert system.annotate(known).upos == system.annotate(unseen).upos


def test_the_same_seed_gives_the_same_and_models_come_back(tmp_path) -> None:
    settings = {"classes": 3, "iterations": 4, **FEW}
    first, second, other = (
        make_system("hmm-pr", settings, seed=seed).fit(TEXT) for seed in (5, 5, 6)
    )
    assert first.history == second.history != other.history
    first.save(tmp_path / "model")
    back = load_system(tmp_path / "model")
    assert back.annotate(TEXT).upos == first.annotate(TEXT).upos
    assert back.tags_per_type == first.tags_per_type
    assert back.describe_grammar() == first.describe_grammar()
    arrays, facts = first.state()
    for key in ("weights", "log_sums", "transitions"):
        with pytest.raises(SystemsError, match="damaged"):
            make_system("hmm-pr").restore(arrays | {key: arrays[key][:-1]}, facts)


@pytest.mark.parametrize("count", [1, 10, 1000])
def test_all_types_or_none_can_be_constrained(count) -> None:
    settings = {"classes": 3, "iterations": 3, "plain_iterations": 0, "constrained_count": count}
    system = make_system("hmm-pr", settings).fit(TEXT)
    assert np.isfinite(system.history).all()
    assert (system.tags_per_type > 0) == (count == 1)


def test_progress_goes_to_the_end() -> None:
    told: list[float] = []
    make_system("hmm-pr", {"classes": 3, "iterations": 4}).fit(
        TEXT, on_progress=lambda share, _line: told.append(share)
    )
    assert told == [0.25, 0.5, 0.75, 1]

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st
from threadpoolctl import threadpool_limits

from tests.examples import examples
from tests.unit.systems.tag_induction.enumerated_posterior import largest_deviation, posterior
from tests.unit.systems.tag_induction.planted_classes import planted, v_measure
from tests.unit.systems.tag_induction.test_word_class_inducer import TEXT, text_of
from tests.unit.systems.taggers import slow_hmm
from treegauge.systems import SystemsError, load_system, make_system
from treegauge.systems.hidden_markov.expectations import (
    expectations,
    shard_bounds,
)
from treegauge.systems.tag_induction._hmm_gibbs_numba import write_scores
from treegauge.systems.tag_induction.encoded_text import encode
from treegauge.systems.tag_induction.tagged_counts import TaggedCounts
from treegauge.treebank import Column

pytestmark = pytest.mark.long

LEARNERS = ("em", "gibbs")


# ------------------------------------------------------------------ expectations in shards


def small_model(n_types: int, n_tags: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    emissions = random.random((n_types, n_tags)) + 0.01
    transitions = random.random((n_tags + 1, n_tags + 1)) + 0.01
    transitions[-1, -1] = 0
    return emissions, transitions / transitions.sum(axis=1, keepdims=True)


def test_shards_cover_all_sentences_and_are_alike_in_size() -> None:
    offsets = np.arange(0, 100_001, 10)
    begins, ends = shard_bounds(offsets)
    assert begins[0] == 0
    assert ends[-1] == 10_000
    assert begins[1:] == ends[:-1]
    assert len(begins) == 6
    assert max(ends[i] - begins[i] for i in range(6)) < 1700
    # One long sentence cannot be divided, and an empty text has nothing to divide.
    assert shard_bounds(np.array([0, 90_000])) == ([0], [1])
    assert shard_bounds(np.array([0, 0])) == ([0], [1])


def test_shards_and_threads_make_no_difference(monkeypatch) -> None:
    emissions, transitions = small_model(7, 3)
    random = np.random.default_rng(1)
    words = random.integers(0, 7, 40_000).astype(np.int32)
    offsets = np.append(np.arange(0, 40_000, 9), 40_000).astype(np.int64)
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("TREEGAUGE_THREADS", threads)
        found.append(expectations(words, offsets, emissions, np.zeros(7), transitions))
    assert found[0].log_likelihood == found[1].log_likelihood
    assert found[0].emitted.tolist() == found[1].emitted.tolist()
    assert found[0].passed.tolist() == found[1].passed.tolist()
    assert found[0].emitted.sum() == pytest.approx(40_000)


def test_threads_of_matrix_products_make_no_difference() -> None:
    """Of so many states they would be seen in the last bits."""
    emissions, transitions = small_model(50, 230)
    words = np.random.default_rng(1).integers(0, 50, 2000).astype(np.int32)
    offsets = np.arange(0, 2001, 10)
    found = []
    for threads in (1, 2):
        with threadpool_limits(threads, user_api="blas"):
            found.append(expectations(words, offsets, emissions, np.zeros(50), transitions))
    assert found[0].passed.tolist() == found[1].passed.tolist()
    assert found[0].emitted.tolist() == found[1].emitted.tolist()


# ------------------------------------------------------------------ the sampler

WORDS = np.array([0, 1, 0, 2, 1], np.int32)
OFFSETS = np.array([0, 3, 3, 4, 5])


def slow_log_joint(words, offsets, tags, n_types, n_tags, alpha, beta) -> float:
    """By the chain rule, word after word and transition after transition."""
    total = 0.0
    emitted = np.zeros((n_tags, n_types))
    passed = np.zeros((n_tags + 1, n_tags + 1))

    def go(a: int, b: int) -> None:
        nonlocal total
        # The beginning cannot be followed by the end.
        outcomes = n_tags if a == n_tags else n_tags + 1
        total += np.log((passed[a, b] + alpha) / (passed[a].sum() + outcomes * alpha))
        passed[a, b] += 1

    for begin, end in pairwise(offsets):
        before = n_tags
        for i in range(begin, end):
            go(before, tags[i])
            w, t = words[i], tags[i]
            total += np.log((emitted[t, w] + beta) / (emitted[t].sum() + n_types * beta))
            emitted[t, w] += 1
            before = t
        if begin < end:
            go(before, n_tags)
    return float(total)


def counts_of(tags, n_tags, alpha=0.5, beta=0.3, words=WORDS, offsets=OFFSETS) -> TaggedCounts:
    return TaggedCounts(
        words,
        offsets,
        np.array(tags, np.int32),
        n_types=3,
        n_tags=n_tags,
        alpha=alpha,
        beta=beta,
    )


@examples(60)
@given(st.data(), st.integers(1, 3), st.floats(0.01, 3), st.floats(0.01, 3))
def test_joint_and_conditionals_are_those_of_the_definition(data, n_tags, alpha, beta):
    tags = data.draw(st.lists(st.integers(0, n_tags - 1), min_size=5, max_size=5))
    sizes = data.draw(st.lists(st.integers(0, 5), max_size=3))
    offsets = np.unique(np.minimum([0, *np.cumsum(sizes), 5], 5))
    state = counts_of(tags, n_tags, alpha, beta, offsets=offsets)

    def joint(tags: list[int]) -> float:
        return slow_log_joint(WORDS, offsets, tags, 3, n_tags, alpha, beta)

    assert state.log_joint() == pytest.approx(joint(tags), abs=1e-9)
    i = data.draw(st.integers(0, 4))
    a = n_tags if i in offsets else tags[i - 1]
    b = n_tags if i + 1 in offsets else tags[i + 1]
    state.emitted[WORDS[i], tags[i]] -= 1
    state.totals[tags[i]] -= 1
    state.passed[a, tags[i]] -= 1
    state.passed[tags[i], b] -= 1
    rates = 1 / ((state.totals + 3 * beta) * (state.totals + (n_tags + 1) * alpha))
    score = np.zeros(n_tags)
    write_scores(state.emitted[WORDS[i]], state.passed, rates, a, b, alpha, beta, score)
    for t in range(n_tags):
        ratio = joint([*tags[:i], t, *tags[i + 1 :]]) - joint(tags)
        assert np.log(score[t] / score[tags[i]]) == pytest.approx(ratio, abs=1e-9)


def test_a_conditional_by_hand() -> None:
    # One sentence of three words w with tags 0 ? 0, of two tags; alpha = beta = 1.
    emitted, passed = np.array([2.0, 0.0]), np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]])
    totals, score = np.array([2, 0]), np.zeros(2)
    rates = 1 / ((totals + 1) * (totals + 3))
    write_scores(emitted, passed, rates, 0, 0, 1.0, 1.0, score)
    # 0: 3/3 for the word, 1 for 0 -> 0, (1 + 1)/(2 + 3) for 0 -> 0 once more; 1: 1/1, 1, 1/3.
    assert score.tolist() == pytest.approx([2 / 5, 1 / 3])


def test_draws_are_from_the_posterior() -> None:
    expected = posterior(
        lambda tags: slow_log_joint(WORDS, OFFSETS, tags, 3, 2, 0.5, 0.3), len(WORDS), 2
    )
    assert 0.05 < max(expected.values()) < 0.4
    state, generator = counts_of([0, 0, 0, 0, 0], 2), np.random.default_rng(0)
    drawn = []
    for _ in range(30_000):
        state.sweep(generator)
        drawn.append(tuple(state.tags.tolist()))
    assert largest_deviation(expected, drawn) < 0.01


def test_counts_after_sweeps_are_those_of_a_new_start() -> None:
    state, generator = counts_of([0, 1, 2, 0, 1], 3), np.random.default_rng(0)
    moved = [state.sweep(generator) for _ in range(30)]
    fresh = counts_of(state.tags, 3)
    assert max(moved) > 0
    for name in ("emitted", "passed", "totals"):
        assert getattr(state, name).tolist() == getattr(fresh, name).tolist()


# ------------------------------------------------------------------ the system


def test_em_never_lowers_its_objective() -> None:
    system = make_system("hmm", {"classes": 3, "iterations": 60, "tolerance": 0}).fit(TEXT)
    steps = np.diff(system.history)
    assert len(steps) > 20
    assert (steps >= -1e-9).all()  # at rest, rounding decides
    assert steps.sum() > 1


def test_em_stops_at_rest() -> None:
    system = make_system("hmm", {"classes": 2, "tolerance": 1e-3}).fit(TEXT)
    assert len(system.history) < 100


@pytest.mark.parametrize("learner", LEARNERS)
def test_planted_classes_are_found(learner) -> None:
    words, classes = planted(8, 80, 8000)
    settings = {"classes": 8, "learner": learner, "iterations": 120, "word_smoothing": 0.1}
    # EM can get stuck; the best of some starts by its own objective does not.
    systems = [make_system("hmm", settings, seed=seed).fit(words) for seed in range(2)]
    best = max(systems, key=lambda system: system.history[-1])
    found = np.array([int(tag) for tag in best.annotate(words).upos])
    assert v_measure(classes, found) > 95


def test_one_type_can_have_several_tags() -> None:
    # Where a word stands tells more than what it is: first or last of two.
    words = text_of(*([["x", "c"], ["d", "x"]] * 30))
    system = make_system("hmm", {"classes": 2}).fit(words)
    first, second, third, fourth = system.annotate(words).upos[:4]
    assert not system.tags_types
    assert first == third != second == fourth


@pytest.mark.parametrize("decoding", ["posterior", "viterbi"])
def test_decoding_is_that_of_all_paths(decoding) -> None:
    system = make_system("hmm", {"classes": 3, "iterations": 5, "decoding": decoding}).fit(TEXT)
    words = text_of(["the", "dog", "sees", "Cats"], ["sleeps"])
    emissions = np.exp(system._log_emissions(list(words.form)))
    found = [int(tag) for tag in system.annotate(words).upos]
    for begin, end in ((0, 4), (4, 5)):
        places = list(range(begin, end))
        if decoding == "viterbi":
            paths = dict(slow_hmm.paths(places, emissions, system.transitions))
            expected = list(max(paths, key=paths.__getitem__))
        else:
            tables = slow_hmm.expectations([places], emissions, system.transitions)[3]
            expected = tables[0].argmax(axis=1).tolist()
        assert found[begin:end] == expected


def test_states_are_numbered_by_their_words() -> None:
    system = make_system("hmm", {"classes": 4, "learner": "gibbs", "iterations": 20}).fit(TEXT)
    assert (np.diff(system.shares) <= 0).all()
    assert system.shares.sum() == pytest.approx(1)
    np.testing.assert_allclose(system.transitions.sum(axis=1), 1)
    np.testing.assert_allclose(np.exp(system._logs).sum(axis=0), 1)


def test_an_unseen_word_is_taken_for_its_neighbour() -> None:
    system = make_system("hmm", {"classes": 3, "iterations": 10}).fit(TEXT)
    # Of dog (3) and what else ends in og, only dog; of all that end in s, the first most frequent.
    logs = system._log_emissions(["frog", "dog", "bees", "sees", "\u4e2d", "the"])
    assert logs[0].tolist() == logs[1].tolist()
    assert logs[2].tolist() == logs[3].tolist()
    most_frequent = next(iter(encode(TEXT).forms))
    assert logs[4].tolist() == system._log_emissions([most_frequent])[0].tolist()


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_same_seed_gives_the_same_and_models_come_back(learner, tmp_path) -> None:
    settings = {"classes": 3, "learner": learner, "iterations": 15}
    first, second, other = (make_system("hmm", settings, seed=seed).fit(TEXT) for seed in (5, 5, 6))
    assert first.history == second.history != other.history
    assert first.transitions.tolist() == second.transitions.tolist()
    first.save(tmp_path / "model")
    back = load_system(tmp_path / "model")
    assert back.annotate(TEXT).upos == first.annotate(TEXT).upos
    assert back.describe_grammar() == first.describe_grammar()
    assert back.history == first.history


def test_damaged_models_are_refused() -> None:
    system = make_system("hmm", {"classes": 3, "iterations": 2}).fit(TEXT)
    arrays, facts = system.state()
    for key, value in (
        ("transitions", arrays["transitions"][:-1]),
        ("transitions", np.zeros_like(arrays["transitions"])),
        ("transitions", arrays["transitions"] * np.nan),
        ("log_emissions", arrays["log_emissions"][:-1]),
        ("log_emissions", arrays["log_emissions"].astype(int)),
        ("shares", np.zeros(0)),
        ("forms_starts", arrays["forms_starts"][::-1]),
    ):
        with pytest.raises(SystemsError, match="damaged"):
            make_system("hmm").restore(arrays | {key: value}, facts)


def test_the_sampler_is_expected_to_take_less_time_than_em() -> None:
    em, gibbs = (make_system("hmm", {"learner": learner}) for learner in LEARNERS)
    assert 0 < gibbs.seconds_per_word < em.seconds_per_word


def test_gold_tags_make_no_difference() -> None:
    tagged = TEXT.replace(
        columns={"upos": Column.from_strings([str(i % 5) for i in range(TEXT.n_words)])}
    )
    one, two = (
        make_system("hmm", {"classes": 4, "iterations": 5}).fit(words) for words in (TEXT, tagged)
    )
    assert one.history == two.history


@pytest.mark.parametrize("learner", LEARNERS)
def test_progress_goes_to_the_end(learner) -> None:
    told: list[float] = []
    make_system("hmm", {"classes": 3, "iterations": 25, "learner": learner, "tolerance": 0}).fit(
        TEXT, on_progress=lambda share, _line: told.append(share)
    )
    assert told == sorted(told)
    assert told[-1] == 1


def test_states_in_words() -> None:
    words = text_of(*[["the", "cat"], ["the", "dog"]] * 10)
    system = make_system("hmm", {"classes": 2, "iterations": 50}).fit(words)
    lines = system.describe_grammar(1).splitlines()
    assert lines[0] == "2 states: 3 types"
    assert sorted(line.split("  ")[-1] for line in lines[1:]) == ["cat", "the"]
    assert any("then the end (99%)" in line for line in lines)

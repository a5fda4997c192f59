from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.systems.tag_induction.planted_classes import planted, v_measure
from treegauge.systems import make_system
from treegauge.systems.tag_induction import predictive_exchange
from treegauge.systems.tag_induction._exchange_numba import objective, sweep
from treegauge.systems.tag_induction.bigrams import count_bigrams, with_boundaries
from treegauge.systems.tag_induction.encoded_text import encode
from treegauge.systems.tag_induction.exchange import Exchange
from treegauge.systems.tag_induction.predictive_exchange import PredictiveClasses


def h(x: np.ndarray) -> float:
    x = np.asarray(x, float)
    return float((x * np.log2(np.maximum(x, 1))).sum())


def slow_objective(words: list[int], classes: list[int], n_classes: int) -> float:
    """F by definition; the boundary, the last type, is in a class of its own."""
    z = [*classes, n_classes]
    table = np.zeros((n_classes + 1, n_classes + 1))
    for v, w in pairwise(words):
        table[z[v], z[w]] += 1
    return h(table) - h(table.sum(0)) - h(table.sum(1))


def slow_predictive(words: list[int], classes: list[int], n_classes: int) -> float:
    """G by definition, without what is constant: the boundary as what is predicted."""
    table = np.zeros((len(classes) + 1, n_classes))
    for v, w in pairwise(words):
        if w < len(classes):
            table[v, classes[w]] += 1
    return h(table) - h(table.sum(0))


@st.composite
def problems(draw: st.DrawFn, *, most_types: int = 6) -> tuple[list[int], list[int], int]:
    """A text that begins and ends with the boundary, classes of its types, and their number.

    Few types in many words: self bigrams, singleton classes and empty ones are common.
    """
    n_types = draw(st.integers(1, most_types))
    n_classes = draw(st.integers(1, 5))
    middle = draw(st.lists(st.integers(0, n_types), max_size=25))
    classes = draw(st.lists(st.integers(0, n_classes - 1), min_size=n_types, max_size=n_types))
    return [n_types, *range(n_types), *middle, n_types], classes, n_classes


def exchange(words: list[int], classes: list[int], n_classes: int) -> Exchange:
    bigrams = count_bigrams(np.array(words, np.int32), len(classes) + 1)
    return Exchange(bigrams, np.array(classes, np.int32), n_classes)


def predictive(words: list[int], classes: list[int], n_classes: int) -> PredictiveClasses:
    bigrams = count_bigrams(np.array(words, np.int32), len(classes) + 1)
    return PredictiveClasses(bigrams, np.array(classes, np.int32), n_classes)


# ------------------------------------------------------------------ the class bigram model


@examples(200)
@given(problems())
def test_gains_are_differences_of_the_objective(problem):
    words, classes, n_classes = problem
    model = exchange(words, classes, n_classes)
    before = slow_objective(words, classes, n_classes)
    assert model.objective() == pytest.approx(before, abs=1e-6)
    for kind in range(len(classes)):
        gains = model.gains(kind)
        assert gains[classes[kind]] == 0
        for target in range(n_classes):
            moved = [*classes[:kind], target, *classes[kind + 1 :]]
            expected = slow_objective(words, moved, n_classes) - before
            assert gains[target] == pytest.approx(expected, abs=1e-6)
    # Looking changes nothing.
    assert model.classes.tolist() == classes
    fresh = exchange(words, classes, n_classes)
    assert model.tables.follows.tolist() == fresh.tables.follows.tolist()


@examples(100)
@given(problems())
def test_climbing_only_climbs_and_ends_where_no_move_gains(problem):
    words, classes, n_classes = problem
    model = exchange(words, classes, n_classes)
    moves = len(classes)
    while moves:
        before = objective(model.tables)
        moves, gained = sweep(model.tables, model.bigrams, 0.0, 0.0)
        # In fixed point this is so to the last bit.
        assert gained == objective(model.tables) - before
        assert (gained > 0) == (moves > 0)
    assert model.climb(1)
    found = model.classes.tolist()
    expected = slow_objective(words, found, n_classes)
    assert model.objective() == pytest.approx(expected, abs=1e-6)
    assert all((model.gains(kind) <= 0).all() for kind in range(len(classes)))


@examples(100)
@given(problems(), st.integers(0, 3))
def test_threshold_accepting_keeps_its_books(problem, seed):
    words, classes, n_classes = problem
    model = exchange(words, classes, n_classes)
    total = [model.objective()]
    model.accept_by_threshold(3, 0.7, np.random.default_rng(seed), total.append)
    assert model.objective() == pytest.approx(sum(total), abs=1e-9)
    fresh = exchange(words, model.classes.tolist(), n_classes)
    assert model.tables.follows.tolist() == fresh.tables.follows.tolist()
    assert model.tables.precedes.tolist() == fresh.tables.precedes.tolist()
    assert model.tables.right_total.tolist() == fresh.tables.right_total.tolist()
    assert model.tables.left_total.tolist() == fresh.tables.left_total.tolist()


@examples(100)
@given(problems(), st.randoms(use_true_random=False))
def test_names_of_classes_make_no_difference(problem, random):
    words, classes, n_classes = problem
    names = random.sample(range(n_classes), n_classes)
    renamed = [names[c] for c in classes]
    model, other = exchange(words, classes, n_classes), exchange(words, renamed, n_classes)
    assert model.objective() == other.objective()
    assert predictive(words, classes, n_classes).objective(0.5) == pytest.approx(
        predictive(words, renamed, n_classes).objective(0.5), abs=1e-9
    )


def test_starts_reach_the_best_partition_of_small_texts() -> None:
    generator = np.random.default_rng(0)
    for _ in range(5):
        words = [6, *range(6), *generator.integers(0, 7, 40).tolist(), 6]
        best = max(slow_objective(words, list(z), 2) for z in product(range(2), repeat=6))
        reached = []
        for start in range(10):
            model = exchange(words, np.random.default_rng(start).integers(0, 2, 6).tolist(), 2)
            model.accept_by_threshold(10, 0.9, np.random.default_rng(start))
            model.climb(50)
            reached.append(model.objective())
        assert max(reached) == pytest.approx(best, abs=1e-6)


def test_more_starts_are_never_worse_and_seeds_differ() -> None:
    words, _ = planted(6, 60, 1500)
    settings = {"classes": 6, "init": "random", "optimiser": "climb"}
    one = make_system("mkcls", settings).fit(words)
    many = make_system("mkcls", settings | {"starts": 5}).fit(words)
    assert many.history[-1] > one.history[-1]
    assert many.perplexity < one.perplexity
    other = make_system("mkcls", settings, seed=1).fit(words)
    assert other.history != one.history
    assert all(a <= b for a, b in pairwise(one.history))


def test_perplexity_is_that_of_the_class_bigram_model() -> None:
    words, _ = planted(3, 9, 300)
    system = make_system("mkcls", {"classes": 3}).fit(words)
    forms, z = list(words.form), dict(zip(system.forms, system.class_of_type, strict=True))
    text = ["$"]
    for begin, end in pairwise(words.offsets):
        text += [*forms[begin:end], "$"]
    classes = [z.get(form, -1) for form in text]
    pairs = list(pairwise(classes))
    behind = text[1:]
    log_likelihood = sum(
        np.log(pairs.count((a, b)) / sum(c == a for c in classes[:-1]))
        + np.log(behind.count(w) / sum(c == b for c in classes[1:]))
        for (a, b), w in zip(pairs, behind, strict=True)
    )
    assert system.perplexity == pytest.approx(np.exp(-log_likelihood / len(pairs)))


# ------------------------------------------------------------------ the predictive model


@examples(200)
@given(problems(most_types=9), st.sampled_from([0.0, 0.55, 1.0]), st.sampled_from([0, 1, 2, 1000]))
def test_sweeps_gain_what_they_say_with_rows_and_without(problem, weight, rows):
    words, classes, n_classes = problem
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(predictive_exchange, "_SPARSE", rows)  # 0: no rows; 1000: all have rows
        model = predictive(words, classes, n_classes)
    reference = predictive(words, classes, n_classes)

    def expected() -> float:
        z = model.classes.tolist()
        backward = slow_predictive(words[::-1], z, n_classes)
        return weight * slow_predictive(words, z, n_classes) + (1 - weight) * backward

    assert model.objective(weight) == pytest.approx(expected(), abs=1e-6)
    for _ in range(20):
        before = expected()
        moves, gained = model.sweep(weight)
        assert gained == pytest.approx(expected() - before, abs=1e-6)
        assert (gained > 0) == (moves > 0)
        assert reference.sweep(weight)[0] == moves
        assert reference.classes.tolist() == model.classes.tolist()
        if not moves:
            break
    else:
        pytest.fail("no end")
    # No single move gains anything.
    best = expected()
    for kind, target in product(range(len(classes)), range(n_classes)):
        kept = model.classes[kind]
        model.classes[kind] = target
        assert expected() <= best + 1e-6
        model.classes[kind] = kept


def test_starts_reach_the_best_predictive_partition_of_small_texts() -> None:
    generator = np.random.default_rng(0)
    for _ in range(5):
        words = [6, *range(6), *generator.integers(0, 7, 40).tolist(), 6]

        def both_sides(z: list[int], words: list[int] = words) -> float:
            return 0.5 * slow_predictive(words, z, 2) + 0.5 * slow_predictive(words[::-1], z, 2)

        best = max(both_sides(list(z)) for z in product(range(2), repeat=6))
        reached = []
        for start in range(10):
            model = predictive(words, np.random.default_rng(start).integers(0, 2, 6).tolist(), 2)
            while model.sweep(0.5)[0]:
                pass
            reached.append(model.objective(0.5))
        assert max(reached) == pytest.approx(best, abs=1e-6)


def test_types_can_be_held_and_classes_closed() -> None:
    words, classes, n_classes = [5, 0, 1, 2, 3, 4, 0, 2, 4, 1, 3, 5], [0, 1, 2, 3, 0], 4
    model = predictive(words, classes, n_classes)
    model.sweep(0.5, first=2, n_open=3)
    assert model.classes[:2].tolist() == [0, 1]
    assert model.classes[3] == 3  # what is in a closed class stays there
    assert (model.classes[[2, 4]] < 3).all()


def test_history_is_of_the_objective_and_ends_well() -> None:
    words, _ = planted(6, 90, 3000)
    system = make_system("predictive-exchange", {"classes": 6, "sweeps": 30}).fit(words)
    assert system.has_converged
    assert system.history[-1] == max(system.history)


# ------------------------------------------------------------------ both


def test_planted_classes_are_found_by_exchange() -> None:
    words, classes = planted(5, 50, 8000)
    found = make_system("mkcls", {"classes": 5}).fit(words).annotate(words).upos.codes
    assert v_measure(classes, found) > 95


def test_planted_classes_that_were_disturbed_are_found_by_predictive_exchange() -> None:
    words, classes = planted(5, 50, 8000)
    text = encode(words)
    planted_class = np.empty(text.n_types, np.int32)
    planted_class[text.words] = classes
    generator = np.random.default_rng(0)
    is_moved = generator.random(text.n_types) < 0.3
    begin = np.where(is_moved, generator.integers(0, 5, text.n_types), planted_class)
    bounded = with_boundaries(text.words, text.offsets, text.n_types)
    model = predictive(bounded.tolist(), begin.tolist(), 5)
    best = predictive(bounded.tolist(), planted_class.tolist(), 5).objective(0.5)
    assert model.objective(0.5) < best
    while model.sweep(0.5)[0]:
        pass
    assert model.objective(0.5) >= best
    assert v_measure(classes, model.classes[text.words]) > 99


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "settings", "least"),
    [("brown", {}, 95), ("mkcls", {"starts": 4}, 95), ("predictive-exchange", {}, 85)],
)
def test_many_planted_classes_are_found(name, settings, least) -> None:
    """Predictive exchange climbs from one start, and can end in a local optimum."""
    words, classes = planted(10, 500, 200_000)
    found = make_system(name, {"classes": 10, **settings}).fit(words).annotate(words).upos.codes
    assert v_measure(classes, found) > least

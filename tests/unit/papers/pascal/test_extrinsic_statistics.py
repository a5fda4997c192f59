"""What classes are worth: gains, learning curves, and rankings of tasks and metrics."""

from __future__ import annotations

import json
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

import treegauge as tg
from tests.examples import examples
from treegauge.papers.pascal.extrinsic_statistics import (
    AVERAGE,
    CURVE,
    PARSING,
    Task,
    Use,
    Uses,
    curve_weights,
    tagging_counts,
    tau_test,
)
from treegauge.significance import kendall_tau_b

ONE = np.ones(1)


def counts(right, words=4.0):
    """Return right words and words of sentences that are all of one length, three times over."""
    table = np.stack([np.array(right, np.float64), np.full(len(right), words)], axis=1)
    return np.hstack([table] * 3)


def use(treebank, classes, right, *, metrics=None, size=100, parsed=None):
    parsing = None if parsed is None else counts(parsed)[:, :2]
    return Use(treebank, classes, metrics or {}, {size: counts(right)}, parsing)


# ---------------------------------------------------------------------- counts and curves


def test_right_words_of_sentences_worked_by_hand():
    gold = tg.parse("a/DET run/NOUN ends/VERB\ncats/NOUN run/VERB\n", format="slashed")
    tagged = tg.parse("a/DET run/VERB ends/VERB\ncats/VERB run/VERB\n", format="slashed")
    unknown = np.array([False, False, True, True, False])
    ambiguous = np.array([False, True, False, False, True])
    found = tagging_counts(gold, tagged, unknown, ambiguous)
    # right and all: of all words, of unknown ones, of ambiguous ones
    assert found.tolist() == [[2, 3, 1, 1, 0, 1], [1, 2, 0, 1, 1, 1]]


def test_the_area_under_a_learning_curve_worked_by_hand():
    # From 100 to 200 accuracy is 0.5 on average, from 200 to 800, twice as wide, 0.8.
    weights = curve_weights([100, 200, 800])
    assert weights @ [0.4, 0.6, 1.0] == pytest.approx((0.5 * 1 + 0.8 * 2) / 3)


sizes_of_sets = st.lists(st.integers(1, 5000), min_size=2, max_size=6, unique=True).map(sorted)


@given(sizes_of_sets, st.integers(2, 9), st.data())
@examples(60)
def test_areas_are_mean_accuracies_over_logarithms(sizes, factor, data):
    weights = curve_weights(sizes)
    assert weights.sum() == pytest.approx(1.0)
    # In thousands of sentences the curve has the same shape.
    assert curve_weights([factor * size for size in sizes]) == pytest.approx(weights)
    shares = data.draw(st.lists(st.floats(0, 1), min_size=len(sizes), max_size=len(sizes)))
    logs = np.log(sizes)
    area = sum(
        (shares[i] + shares[i + 1]) / 2 * (logs[i + 1] - logs[i]) for i in range(len(sizes) - 1)
    )
    assert weights @ shares == pytest.approx(area / (logs[-1] - logs[0]))


tables = st.lists(st.tuples(st.integers(0, 4), st.just(4)), min_size=1, max_size=5)


@given(st.lists(tables, min_size=1, max_size=4))
@examples(60)
def test_the_score_of_an_average_is_the_average_of_scores(banks):
    tasks = [Task(np.array(bank, np.float64), ONE) for bank in banks]
    whole = Task.mean(tasks)
    assert len(whole.per_sentence) == sum(map(len, banks))
    assert whole.value == pytest.approx(np.mean([task.value for task in tasks]))


def test_words_that_do_not_occur_have_no_score():
    assert Task(np.zeros((3, 2)), ONE).value is None


# ---------------------------------------------------------------------- gains


def test_gains_worked_by_hand():
    rows = (
        use("birds", "no classes", [1, 2, 0], parsed=[1, 1, 1]),
        use("birds", "brown", [3, 3, 1], parsed=[1, 1, 1]),
        use("birds", "mkcls", [1, 1, 0]),
    )
    found = Uses(rows, ("brown", "mkcls"))
    task = "tagging, 100 sentences"
    # All three sentences are better: of the eight ways to exchange them two are as extreme.
    brown = found.gains["birds", task, "brown"]
    assert (brown.difference, brown.p) == (pytest.approx(4 / 12), 0.25)
    # One sentence is worse, and either way of exchanging it is as extreme.
    mkcls = found.gains["birds", task, "mkcls"]
    assert (mkcls.difference, mkcls.p) == (pytest.approx(-1 / 12), 1.0)
    # Holm: the smaller of two is doubled.
    assert (brown.adjusted_p, mkcls.adjusted_p) == (0.5, 1.0)
    assert not brown.is_significant
    # One size is the whole learning curve; nothing was gained by parsing; mkcls did not parse.
    assert found.gains["birds", CURVE, "brown"] == brown
    assert found.gains["birds", PARSING, "brown"].p == 1.0
    assert ("birds", PARSING, "mkcls") not in found.gains


def test_many_sentences_make_a_gain_significant():
    rows = (use("birds", "no classes", [2] * 20), use("birds", "brown", [3] * 20))
    assert Uses(rows, ("brown",)).gains["birds", CURVE, "brown"].is_significant


def test_averages_are_over_treebanks_where_everybody_has_the_task():
    rows = (
        use("birds", "no classes", [1, 1]),
        use("birds", "brown", [2, 4], parsed=[4, 4]),
        use("fish", "no classes", [0, 0, 0, 0]),
        use("fish", "brown", [4, 4, 4, 4], parsed=[0, 0, 0, 0]),
        use("bees", "no classes", [0]),
    )
    found = Uses(rows, ("brown",))
    task = "tagging, 100 sentences"
    assert found.places == ("birds", "fish", "bees", AVERAGE)
    assert found.averaged(task) == ("birds", "fish")
    # Treebanks count alike, however many sentences they have: (3/4 - 1/4 + 1 - 0) / 2.
    assert found.gains[AVERAGE, task, "brown"].difference == pytest.approx(0.75)
    # Nobody else parsed: there is an average, but no gain.
    assert found.tasks(AVERAGE)[PARSING]["brown"].value == pytest.approx(0.5)
    assert (AVERAGE, PARSING, "brown") not in found.gains
    json.dumps(found.to_dict())


# ---------------------------------------------------------------------- agreement


def test_agreement_of_tasks_and_metrics_worked_by_hand():
    def row(classes, m1, vi, right):
        metrics = {"many_to_one": m1, "one_to_one": 0.5, "v_measure": -m1, "vi": vi}
        return use("birds", classes, [right], metrics=metrics)

    rows = (row("a", 0.1, 3.0, 1), row("b", 0.2, 2.0, 2), row("c", 0.3, 1.0, 3))
    # A control takes no part, whatever its scores are.
    rows += (row("gold classes", 0.0, 0.0, 4),)
    found = {
        one.metric: (one.inducers, one.tau, one.p)
        for one in Uses(rows, ("a", "b", "c")).agreement
        if one.task == CURVE
    }
    # A distance that falls goes with accuracy that rises; a constant goes with nothing.
    assert found == {
        "many_to_one": (3, 1.0, 1 / 3),
        "one_to_one": (3, None, None),
        "v_measure": (3, -1.0, 1 / 3),
        "vi": (3, 1.0, 1 / 3),
    }


def test_p_of_four_in_nearly_the_same_order_worked_by_hand():
    # One of six pairs is turned around. Of 24 orders, 1 turns no pair, 3 turn one, 3 five, 1 six.
    tau, p = tau_test([1, 2, 3, 4], [1, 2, 4, 3])
    assert tau == pytest.approx(4 / 6)
    assert p == pytest.approx(8 / 24)


def by_brute_force(x, y):
    """Return p by tau-b itself, of every order."""
    observed = abs(kendall_tau_b(x, y))
    taus = [abs(kendall_tau_b(x, list(order))) for order in permutations(y)]
    return np.mean([tau > observed - 1e-9 for tau in taus])


values = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=5)


@given(values)
@examples(40)
def test_p_with_ties_is_that_of_all_orders(pairs):
    x, y = map(list, zip(*pairs, strict=True))
    tau, p = tau_test(x, y)
    assert tau == kendall_tau_b(x, y)
    if tau is None:
        assert p is None
        return
    assert p == pytest.approx(by_brute_force(x, y))
    # It does not matter which of the two is permuted, nor in which direction it is counted.
    assert tau_test(y, x)[1] == pytest.approx(p)
    assert tau_test([-value for value in x], y)[1] == pytest.approx(p)


@given(st.permutations(range(7)))
@examples(40)
def test_p_without_ties_is_that_of_scipy(order):
    found = tau_test(list(range(7)), order)
    assert found[1] == pytest.approx(stats.kendalltau(range(7), order, method="exact").pvalue)


def test_of_many_systems_orders_are_drawn():
    order = [0, 1, 5, 3, 4, 2, 6, 9, 8, 7]
    exact = stats.kendalltau(range(10), order, method="exact").pvalue
    drawn = tau_test(list(range(10)), order)[1]
    # Six standard errors of 10,000 orders.
    assert abs(drawn - exact) < 6 * np.sqrt(exact * (1 - exact) / 10_000)
    assert drawn == tau_test(list(range(10)), order)[1]
    assert tau_test(list(range(20)), list(range(20)))[1] == pytest.approx(1 / 10_001)

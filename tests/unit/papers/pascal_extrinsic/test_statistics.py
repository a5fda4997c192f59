"""What classes are worth: gains, learning curves, and rankings of tasks and metrics."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st

import treegauge as tg
from tests.examples import examples
from treegauge.papers.pascal_extrinsic.statistics import (
    AVERAGE,
    CURVE,
    PARSING,
    Task,
    Use,
    Uses,
    curve_weights,
    tagging_counts,
)
from treegauge.papers.pascal_extrinsic.tables import SIGNIFICANT

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


def gains(uses):
    """Return the rows of tasks with a gain, by treebank, task and classes."""
    rows = uses.frames()["tasks"].filter(pl.col("gain").is_not_null()).to_dicts()
    return {(row["treebank"], row["task"], row["classes"]): row for row in rows}


def test_gains_worked_by_hand():
    rows = (
        use("birds", "no classes", [1, 2, 0], parsed=[1, 1, 1]),
        use("birds", "brown", [3, 3, 1], parsed=[1, 1, 1]),
        use("birds", "mkcls", [1, 1, 0]),
    )
    made = gains(Uses(rows, ("brown", "mkcls")))
    task = "tagging, 100 sentences"
    # All three sentences are better: of the eight ways to exchange them two are as extreme.
    brown = made["birds", task, "brown"]
    assert (brown["gain"], brown["p"]) == (pytest.approx(4 / 12), 0.25)
    # One sentence is worse, and either way of exchanging it is as extreme.
    mkcls = made["birds", task, "mkcls"]
    assert (mkcls["gain"], mkcls["p"]) == (pytest.approx(-1 / 12), 1.0)
    # Holm: the smaller of two is doubled.
    assert (brown["adjusted_p"], mkcls["adjusted_p"]) == (0.5, 1.0)
    # One size is the whole learning curve; nothing was gained by parsing; mkcls did not parse.
    assert {**made["birds", CURVE, "brown"], "task": task} == brown
    assert made["birds", PARSING, "brown"]["p"] == 1.0
    assert ("birds", PARSING, "mkcls") not in made


def test_many_sentences_make_a_gain_significant():
    rows = (use("birds", "no classes", [2] * 20), use("birds", "brown", [3] * 20))
    assert gains(Uses(rows, ("brown",)))["birds", CURVE, "brown"]["adjusted_p"] < SIGNIFICANT


def test_averages_are_over_treebanks_where_everybody_has_the_task():
    rows = (
        use("birds", "no classes", [1, 1]),
        use("birds", "brown", [2, 4], parsed=[4, 4]),
        use("fish", "no classes", [0, 0, 0, 0]),
        use("fish", "brown", [4, 4, 4, 4], parsed=[0, 0, 0, 0]),
        use("bees", "no classes", [0]),
    )
    uses = Uses(rows, ("brown",))
    task = "tagging, 100 sentences"
    assert uses.places == ("birds", "fish", "bees", AVERAGE)
    assert uses.averaged(task) == ("birds", "fish")
    # Treebanks count alike, however many sentences they have: (3/4 - 1/4 + 1 - 0) / 2.
    made = gains(uses)
    assert made[AVERAGE, task, "brown"]["gain"] == pytest.approx(0.75)
    # Nobody else parsed: there is an average, but no gain.
    assert uses.tasks(AVERAGE)[PARSING]["brown"].value == pytest.approx(0.5)
    assert (AVERAGE, PARSING, "brown") not in made


# ---------------------------------------------------------------------- agreement


def test_agreement_of_tasks_and_metrics_worked_by_hand():
    def row(classes, m1, vi, right):
        metrics = {"many_to_one": m1, "one_to_one": 0.5, "v_measure": -m1, "vi": vi}
        return use("birds", classes, [right], metrics=metrics)

    rows = (row("a", 0.1, 3.0, 1), row("b", 0.2, 2.0, 2), row("c", 0.3, 1.0, 3))
    # A control takes no part, whatever its scores are.
    rows += (row("gold classes", 0.0, 0.0, 4),)
    agreement = Uses(rows, ("a", "b", "c")).frames()["agreement"]
    taus = {
        metric: (inducers, tau, p)
        for _, task, metric, inducers, tau, p in agreement.iter_rows()
        if task == CURVE
    }
    # A distance that falls goes with accuracy that rises; a constant goes with nothing.
    assert taus == {
        "many_to_one": (3, 1.0, 1 / 3),
        "one_to_one": (3, None, None),
        "v_measure": (3, -1.0, 1 / 3),
        "vi": (3, 1.0, 1 / 3),
    }

"""Two systems on five sentences, counted by hand."""

from __future__ import annotations

from dataclasses import astuple
from random import Random

import numpy as np
import pytest

from tests.unit.runs.birds import clusters, gold, perfect, right_branching
from treegauge.evaluation import break_down, evaluate
from treegauge.evaluation.comparison import compare
from treegauge.evaluation.comparison_result import Contrast
from treegauge.metrics import METRICS, Comparison, MetricError, preset
from treegauge.treebank import Column, concatenate


def compared(*metrics: str, **how):
    options = {"resamples": 0, "trials": 100, **how}
    return compare(gold(), right_branching(), perfect(), metrics=metrics, **options)


def test_scores_and_tests_are_those_of_evaluate():
    found = compared("uas", "exact_match")
    same = evaluate(
        gold(),
        right_branching(),
        perfect(),
        metrics=["uas", "exact_match"],
        resamples=0,
        trials=100,
    )
    assert found.evaluation.pairs == same.pairs
    assert found.names == ("chain", "perfect")
    assert found.metric == "uas"


def test_who_is_right_about_what():
    # The chain is right about yes, both cats, and both exclamation marks.
    contrasts = compared("uas").contrasts
    assert contrasts["relation"] == [
        Contrast("root", 0, 4, 1, 0),
        Contrast("nsubj", 0, 4, 0, 0),
        Contrast("amod", 0, 2, 0, 0),
        Contrast("punct", 0, 0, 2, 0),
        Contrast("obj", 0, 0, 2, 0),
    ]
    tags = {row.value: astuple(row)[1:] for row in contrasts["tag"]}
    assert tags == {
        "ADJ": (0, 2, 0, 0),
        "NOUN": (0, 2, 2, 0),
        "VERB": (0, 4, 0, 0),
        "PUNCT": (0, 0, 2, 0),
        "PRON": (0, 2, 0, 0),
        "INTJ": (0, 0, 1, 0),
    }


def test_both_directions_are_counted():
    systems = [perfect(), right_branching()]
    found = compare(gold(), *systems, metrics=["uas"], resamples=0, trials=0)
    rows = {row.value: row for row in found.contrasts["relation"]}
    assert (rows["nsubj"].only_first, rows["nsubj"].only_second) == (4, 0)
    assert found.evaluation.pairs == ()


def test_exact_tests_of_strata():
    (cells,) = compared("uas", by=["relation"]).strata.values()
    shown = {cell.stratum: (cell.first, cell.second, cell.p, cell.adjusted_p, cell.n)
             for cell in cells}  # fmt: skip
    # Four sentences differ in subjects and roots: 2 of 16 exchanges are as extreme; two in
    # adjectives: 2 of 4. Holm: 5 x 1/8, and the rest is 1.
    assert shown == {
        "nsubj": (0, 1, 2 / 16, 5 / 8, 4),
        "root": (1 / 5, 1, 2 / 16, 5 / 8, 5),
        "amod": (0, 1, 2 / 4, 1, 2),
        "punct": (1, 1, 1, 1, 2),
        "obj": (1, 1, 1, 1, 2),
    }
    assert {cell.stratum: cell.difference for cell in cells}["root"] == 4 / 5


def test_strata_have_the_values_of_break_down():
    for by in ("direction", "relation*direction", "edge_length"):
        for how in ("conll2018", "pascal"):
            conventions = preset(how)
            (cells,) = compared("uas", by=[by], conventions=conventions, trials=0).strata.values()
            comparison = Comparison(gold(), right_branching(), conventions)
            alone = break_down(comparison, METRICS["uas"], by, resamples=0)
            assert [(c.stratum, c.first, c.n) for c in cells] == [
                (c.stratum, c.value, c.n) for c in alone
            ]
            assert {c.p for c in cells} == {None}


def test_bootstrap_tests_strata_too():
    (cells,) = compared("uas", by=["direction"], test="bootstrap").strata.values()
    assert all(cell.p is not None and 0 < cell.p <= 1 for cell in cells)


def test_the_largest_differences_first_and_short_sentences_before_long_ones():
    found = compared("uas", sentences=9).sentences
    # Three words of birds, two of cats; yes is the same.
    assert [(s.number, s.right, s.n) for s in found] == [
        (1, (1, 4), 4),
        (5, (1, 4), 4),
        (2, (1, 3), 3),
        (4, (1, 3), 3),
    ]
    assert found[0].gold.id == "birds"
    assert found[0].outputs is not None
    assert [output.heads for output in found[0].outputs] == [[0, 1, 2, 3], [2, 3, 0, 3]]
    assert len(compared("uas", sentences=1).sentences) == 1
    assert compared("uas", sentences=0).sentences == []


def test_the_verdict_says_who_is_better_and_how_surely():
    assert compared("uas", trials=0).verdict == (
        "perfect is better than chain by 66.67 UAS points (no test was made)"
    )
    many = concatenate([gold()] * 4), concatenate([right_branching()] * 4)
    surely = compare(many[0], many[1], many[0].replace(name="perfect"), metrics="uas", trials=99)
    assert surely.verdict == (
        "perfect is better than chain by 66.67 UAS points, p = 0.010 "
        "(paired permutation test over sentences)"
    )
    back = compare(many[0], many[0].replace(name="perfect"), many[1], metrics="uas", trials=99)
    assert back.verdict == surely.verdict
    assert compare(gold(), perfect(), perfect("twin"), metrics="uas", trials=9).verdict == (
        "perfect and twin have the same UAS"
    )


def test_the_verdict_knows_where_less_is_better_and_how_classes_are_tested():
    lazy = clusters().replace(columns={"upos": Column.constant("c", 15)}, name="lazy")
    found = compare(gold(), lazy, clusters(), metrics="vi", resamples=0, trials=9)
    assert found.verdict.startswith("no significant difference: clusters is ahead of lazy by 2.")
    assert found.verdict.endswith("(paired bootstrap test over sentences)")


def test_sentences_keep_their_numbers_under_a_cut_off():
    found = compared("uas@3", sentences=9).sentences
    assert [s.number for s in found] == [2, 4]
    assert str(found[0].gold) == "I see cats"


def test_all_metrics_are_tested_and_the_first_about_words_decides():
    found = compared("exact_match", "upos", "uas")
    assert found.metric == "upos"
    assert [pair.metric for pair in found.evaluation.pairs] == ["exact_match", "upos", "uas"]
    assert found.sentences == []


def test_metrics_that_are_not_about_words_have_no_contrasts():
    a, b = clusters("a"), clusters("b")
    found = compare(gold(), a, b, metrics=["v_measure"], resamples=0, trials=10)
    assert (found.metric, found.contrasts, found.sentences) == ("", {}, [])
    with pytest.raises(MetricError, match="nothing to break down"):
        compare(gold(), a, b, metrics=["v_measure"], by=["tag"], resamples=0, trials=10)


@pytest.mark.parametrize("name", [name for name, metric in METRICS.items() if metric.outcome])
def test_contrasts_add_up_to_scores(name):
    """Whatever the metric: right words of each system, as its own statistics count them."""
    random = Random(3)
    n = gold().n_words
    systems = [
        gold().replace(head=[random.randint(0, 3) for _ in range(n)], name=f"s{k}") for k in "ab"
    ]
    found = compare(gold(), *systems, metrics=[name], resamples=0, trials=0)
    for rows in found.contrasts.values():
        table = np.array([astuple(row)[1:] for row in rows])
        for place, system in enumerate(found.evaluation.systems):
            right = table[:, place].sum() + table[:, 2].sum()
            assert right == system.statistics[name].per_sentence[:, 0].sum()
        assert table.sum() == found.evaluation.systems[0].scores[name].n

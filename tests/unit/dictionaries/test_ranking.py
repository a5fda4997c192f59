from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import strategies as st
from scipy.stats import binomtest, kendalltau

import treegauge as tg
from treegauge.dictionaries import (
    DictionaryError,
    TagDictionary,
    Text,
    few_taggers_note,
    from_treebank,
    held_out_curve,
    indistinguishable,
    mcnemar,
    pooled_test,
    precision_at_1,
    rank,
    regret,
    required_sentences,
    tag_codes,
    tagged_texts,
)
from treegauge.dictionaries.corruption import corrupted_treebank
from treegauge.dictionaries.ranking import least_significant_tau
from treegauge.significance.tau_test import tau_p_value

TRUE = [0.95, 0.94, 0.94, 0.90, 0.85]
PREDICTED = [0.90, 0.91, 0.89, 0.89, 0.80]


def test_the_worked_ranking():
    found = rank(TRUE, PREDICTED)
    assert found.tau == pytest.approx(2 / 3)
    assert found.precision_at_1 == 0
    assert found.regret == pytest.approx(0.01)


def test_ties_for_the_top():
    assert precision_at_1([0.9, 0.9, 0.8], [0.5, 0.5, 0.5]) == pytest.approx(2 / 3)
    assert precision_at_1([0.9, 0.8], [0.5, 0.5 + 1e-14]) == 0.5
    assert regret([0.9, 0.8], [0.5, 0.5]) == pytest.approx(0.05)
    assert regret([0.9, 0.8], [0.6, 0.5]) == 0


def test_what_cannot_be_ranked():
    with pytest.raises(DictionaryError, match="found 1 and 2"):
        rank([0.5], [0.5, 0.6])
    with pytest.raises(DictionaryError, match="without a score"):
        rank([0.5, float("nan")], [0.5, 0.6])
    assert rank([0.5, 0.5], [0.1, 0.2]).tau is None


scores = st.lists(st.integers(0, 4), min_size=2, max_size=9)


def test_five_taggers_can_hardly_be_significant():
    # Orders of five by inversions: 1, 4, 9, 15, 20, 22, ... of 120.
    assert tau_p_value([1, 2, 3, 4, 5], [1, 2, 3, 5, 4]) == pytest.approx(10 / 120)
    assert tau_p_value([1, 2, 3, 4, 5], [5, 4, 3, 2, 1]) == pytest.approx(2 / 120)
    assert least_significant_tau(5) == 1
    assert "only if all are ranked as gold" in few_taggers_note(5)
    assert few_taggers_note(3) == "with 3 taggers, no tau can reach p < 0.05"
    assert few_taggers_note(6).endswith("from 0.87 on")


@pytest.mark.parametrize("size", [3, 4, 5])
def test_the_least_significant_tau_by_enumeration(size):
    first = list(range(size))
    significant = [
        abs(kendalltau(first, order).statistic)
        for order in permutations(first)
        if tau_p_value(first, order) < 0.05
    ]
    least = least_significant_tau(size)
    assert least == (None if not significant else pytest.approx(min(significant)))


def test_languages_are_pooled():
    agreeing = {str(i): ([1.0, 2, 3, 4, 5], [1.0, 2, 3, 5, 4]) for i in range(6)}
    found = pooled_test(agreeing, trials=2000, seed=1)
    assert found.mean_tau == pytest.approx(0.8)
    assert found.p == pytest.approx(1 / 2001)
    # Alone, none of them is significant.
    alone = pooled_test({"0": agreeing["0"]}, trials=20_000, seed=1)
    assert alone.p == pytest.approx(10 / 120, abs=0.01)
    contrary = {"a": ([1.0, 2, 3], [1.0, 2, 3]), "b": ([1.0, 2, 3], [3.0, 2, 1])}
    assert pooled_test(contrary, trials=500).p == 1
    with pytest.raises(DictionaryError, match="no language has a tau"):
        pooled_test({"a": ([1.0, 1], [1.0, 2])})


def test_mcnemar_is_exact():
    assert mcnemar(2, 9) == pytest.approx(binomtest(2, 11).pvalue)
    assert mcnemar(0, 0) == 1


# ---------------------------------------------------------------------- groups


def test_groups_of_taggers_that_cannot_be_told_apart():
    gold = tg.toy_treebank("toy:svo", tokens=1500, seed=1)
    text = Text(gold, TagDictionary.from_mapping(dict(from_treebank(gold).items())))
    outputs = [
        corrupted_treebank(gold, accuracy, seed=i).replace(name=name)
        for i, (name, accuracy) in enumerate(
            [("poor", 0.5), ("good", 0.9), ("as good", 0.902), ("middling", 0.7)]
        )
    ]
    tagged = tagged_texts(text, outputs)
    right = [one.codes == tag_codes(gold) for one in tagged]
    found = indistinguishable(text, tagged, right, text.is_scored, trials=500)
    assert found.order == ("as good", "good", "middling", "poor")
    assert found.groups == (("as good", "good"), ("middling",), ("poor",))
    assert found.best == ("as good", "good")
    by_names = {(p.first, p.second): p for p in found.pairs}
    assert by_names["poor", "good"].difference == pytest.approx(-0.4, abs=0.01)
    assert by_names["poor", "good"].mcnemar_p < 1e-6
    assert by_names["good", "as good"].p > 0.05


# ---------------------------------------------------------------------- held-out sentences


def test_enough_sentences_rank_as_gold_does():
    random = np.random.default_rng(1)
    words = random.integers(5, 20, 60).astype(float)
    right = np.stack([random.binomial(words.astype(int), a) for a in (0.9, 0.8, 0.5)], axis=1)
    points = held_out_curve(right.astype(float), words, sizes=[5, 20, 60, 90], draws=100, seed=2)
    assert [point.sentences for point in points] == [5, 20, 60]
    # All sentences are the test set itself.
    assert (points[-1].precision_at_1, points[-1].tau) == (1, 1)
    assert points[0].precision_at_1 <= points[1].precision_at_1 <= 1
    assert required_sentences(points, tau=1.0) in (20, 60)
    assert required_sentences(points, precision_at_1=0.1) == 5
    assert required_sentences(points[:1], tau=1.1) is None
    with pytest.raises(DictionaryError, match="precision at 1 or the tau"):
        required_sentences(points)


def test_draws_of_sentences_equal_the_definition():
    words = np.array([2.0, 3, 4])
    right = np.array([[2.0, 1], [1, 2], [3, 3]])
    (point,) = held_out_curve(right, words, sizes=[1], draws=3000, seed=1)
    # Sentence 1 ranks the first tagger on top, 2 the second, 3 neither; both are truly top.
    assert right.sum(axis=0).tolist() == [6, 6]
    assert point.precision_at_1 == 1
    assert point.tau is None
    better = right + np.array([[0, 0], [1, 0], [0, 0]])
    (point,) = held_out_curve(better, words, sizes=[1], draws=3000, seed=1)
    # Sentence 1: 1, sentences 2 and 3: a tie, of which one half is right.
    assert point.precision_at_1 == pytest.approx(2 / 3, abs=0.02)

from __future__ import annotations

import math
import warnings

import pytest

from tests.unit.metrics.small_scores import compare, score, with_column
from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.metrics import tag_counts, total

GOLD = sentences("a/NOUN b/NOUN c/VERB d/ADJ", "e/NOUN")


def test_macro_f1_by_hand():
    # NOUN: 2 right of 3 gold and 3 tagged, F1 2/3; VERB: 0 of 1 and 0; ADJ: 1 of 1 and 1;
    # ADV: tagged once, never gold, F1 0.
    system = with_column(GOLD, "upos", "NOUN ADV NOUN ADJ NOUN")
    assert score("upos_macro_f1", GOLD, system) == pytest.approx((2 / 3 + 0 + 1 + 0) / 4)


def test_macro_f1_agrees_with_scikit_learn():
    from sklearn.metrics import f1_score

    system = with_column(GOLD, "upos", "NOUN ADV NOUN ADJ VERB")
    expected = f1_score(list(GOLD.upos), list(system.upos), average="macro", zero_division=0)
    assert score("upos_macro_f1", GOLD, system) == pytest.approx(expected, abs=1e-15)


def test_fine_tags_are_scored_alike():
    gold = treebank("1 a _ X NN _ _ _ _ _\n2 b _ X VB _ _ _ _ _")
    system = with_column(gold, "xpos", "NN NN")
    assert score("xpos_macro_f1", gold, system) == pytest.approx((2 / 3 + 0) / 2)
    assert score("upos_macro_f1", gold, system) == 1


def test_every_tag_has_precision_recall_and_f1():
    system = with_column(GOLD, "upos", "NOUN ADV NOUN ADJ NOUN")
    counts = tag_counts(compare(GOLD, system), "upos")
    assert counts.table(total(counts.per_sentence)) == [
        ("NOUN", 3, 2 / 3, 2 / 3, 2 / 3),
        ("VERB", 1, None, 0.0, 0.0),
        ("ADJ", 1, 1.0, 1.0, 1.0),
        ("ADV", 0, 0.0, None, 0.0),
    ]


def test_tags_of_what_is_not_counted_do_not_count():
    gold = sentences("a/NOUN !/PUNCT")
    system = with_column(gold, "upos", "NOUN VERB")
    assert score("upos_macro_f1", gold, system) == pytest.approx((1 + 0 + 0) / 3)
    assert score("upos_macro_f1", gold, system, "conll2006") == 1
    assert score("upos_macro_f1", gold, system, "pascal") == 1


def test_nothing_is_not_a_number():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert math.isnan(score("upos_macro_f1", GOLD[:0], GOLD[:0]))

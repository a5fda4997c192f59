"""The metrics of the shared task, worked by hand.

A sentence of three content words (she, seen, cats) and two function words.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.metrics.small_scores import compare, score, sums
from tests.unit.treebank.small_trees import treebank
from treegauge.metrics.shared_task import universal_features
from treegauge.treebank import Treebank

SHE_HAS_SEEN = [
    ("She", "she", "PRON", "PRP", "Case=Nom|Number=Sing", 3, "nsubj"),
    ("has", "have", "AUX", "VBZ", "Mood=Ind|Tense=Pres", 3, "aux:tense"),
    ("seen", "see", "VERB", "VBN", "Tense=Past", 0, "root"),
    ("the", "the", "DET", "DT", "Definite=Def", 5, "det"),
    ("cats", "cat", "NOUN", "NNS", "Number=Plur", 3, "obj"),
]
FIELDS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel")


def sentence(**changes: dict[int, Any]) -> Treebank:
    """Return the sentence, with other values for some words in some columns."""
    rows = [dict(zip(FIELDS, row, strict=True)) for row in SHE_HAS_SEEN]
    for column, values in changes.items():
        for position, value in values.items():
            rows[position - 1][column] = value
    lines = [
        f"{i} {r['form']} {r['lemma']} {r['upos']} {r['xpos']} {r['feats']} {r['head']} "
        f"{r['deprel']} _ _"
        for i, r in enumerate(rows, start=1)
    ]
    return treebank("\n".join(lines))


GOLD = sentence()


def right(metric: str, system: Treebank, gold: Treebank = GOLD) -> list[float]:
    """Return correct, in gold, in the system."""
    return sums(metric, compare(gold, system))


@pytest.mark.parametrize(
    ("changes", "clas", "mlas", "blex"),
    [
        ({}, 3, 3, 3),
        # A function word on the wrong word: its old and its new head lose it in MLAS.
        ({"head": {2: 5}}, 3, 1, 3),
        # with another relation, another tag, or other features: the head loses it.
        ({"deprel": {2: "cop"}}, 3, 2, 3),
        ({"deprel": {2: "aux:pass"}}, 3, 3, 3),
        ({"upos": {2: "VERB"}}, 3, 2, 3),
        ({"feats": {4: "Definite=Ind"}}, 3, 2, 3),
        ({"xpos": {2: "XX"}}, 3, 3, 3),
        ({"lemma": {2: "hazz"}}, 3, 3, 3),
        # A content word with a wrong head, relation, tag, feature or lemma.
        ({"head": {1: 5}}, 2, 2, 2),
        ({"deprel": {5: "iobj"}}, 2, 2, 2),
        ({"upos": {5: "PROPN"}}, 3, 2, 3),
        ({"feats": {5: "Number=Sing"}}, 3, 2, 3),
        ({"feats": {5: "_"}}, 3, 2, 3),
        ({"lemma": {5: "cats"}}, 3, 3, 2),
        ({"lemma": {5: "_"}}, 3, 3, 2),
        # Features of one language count for nothing, and neither does their order.
        ({"feats": {5: "Number=Plur|Style=Slng"}}, 3, 3, 3),
        ({"feats": {1: "Number=Sing|Case=Nom"}}, 3, 3, 3),
    ],
)
def test_one_change(changes, clas, mlas, blex):
    system = sentence(**changes)
    assert right("clas", system) == [clas, 3, 3]
    assert right("mlas", system) == [mlas, 3, 3]
    assert right("blex", system) == [blex, 3, 3]


def test_a_content_word_made_a_function_word_is_missing_from_precision():
    # cats is content in gold only; the system claims two content words, one of them right
    # in MLAS: seen has got a function word too many.
    system = sentence(deprel={5: "case"})
    assert right("clas", system) == [2, 3, 2]
    assert score("clas", GOLD, system) == 2 * 2 / (3 + 2)
    assert right("mlas", system) == [1, 3, 2]


def test_a_function_word_made_a_content_word_costs_precision():
    system = sentence(deprel={4: "amod"})
    assert right("clas", system) == [3, 3, 4]
    assert score("clas", GOLD, system) == 6 / 7
    # cats has lost its determiner.
    assert right("mlas", system) == [2, 3, 4]
    assert right("blex", system) == [3, 3, 4]


def test_punctuation_and_unknown_relations_are_neither():
    system = sentence(deprel={1: "punct", 5: "ekspl"})
    assert right("clas", system) == [1, 3, 1]
    assert right("clas", GOLD, system) == [1, 1, 3]


def test_without_content_words_there_is_nothing_to_score():
    the = treebank("1 the the DET _ _ 0 det _ _")
    for metric in ("clas", "mlas", "blex"):
        assert right(metric, the, the) == [0, 0, 0]


def test_a_lemma_that_gold_does_not_know_is_never_wrong():
    gold = sentence(lemma={5: "_"})
    assert right("blex", GOLD, gold) == [3, 3, 3]
    assert right("lemma", GOLD, gold) == [5, 5, 5]
    assert right("lemma", gold, GOLD) == [4, 5, 5]


def test_subtypes_of_function_words_are_compared_where_the_preset_does():
    system = sentence(deprel={2: "aux:pass"})
    assert score("mlas", GOLD, system) == 1
    assert score("mlas", GOLD, system, "conll2006") == 2 / 3
    assert score("clas", GOLD, system, "conll2006") == 1


@pytest.mark.parametrize(
    ("metric", "changes", "correct"),
    [
        ("upos", {"upos": {2: "VERB", 5: "PROPN"}}, 3),
        ("xpos", {"xpos": {1: "NN"}}, 4),
        ("feats", {"feats": {1: "Case=Nom|Number=Plur", 5: "Number=Plur|Style=Slng"}}, 4),
        ("lemma", {"lemma": {3: "saw"}}, 4),
        ("alltags", {"upos": {2: "VERB"}, "xpos": {2: "VB", 3: "VBD"}, "feats": {4: "_"}}, 2),
        ("words", {"upos": {2: "VERB"}, "head": {5: 4}}, 5),
    ],
)
def test_columns(metric, changes, correct):
    assert right(metric, sentence(**changes)) == [correct, 5, 5]
    assert score(metric, GOLD, sentence(**changes)) == correct / 5


def test_a_flag_without_a_value_is_a_feature():
    assert universal_features("Poss|Number=Sing") == "Number=Sing|Poss"
    assert universal_features("_") == ""
    # Layers of a feature are features of one language.
    assert universal_features("Gender[psor]=Fem|Gender=Fem") == "Gender=Fem"

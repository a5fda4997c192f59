"""Verb arguments, on sentences whose triples can be counted."""

from __future__ import annotations

import pytest

from tests.unit.metrics.small_scores import compare, score, sums, with_column, with_heads
from tests.unit.treebank.small_trees import treebank
from treegauge.evaluation import evaluate
from treegauge.metrics import METRICS, MetricError
from treegauge.metrics.task import role
from treegauge.treebank import Column

# she gave him cake because cats sleep: (gave, subject, she), (gave, object, him),
# (gave, object, cake), (sleep, subject, cats).
GOLD = """
    1 she     she  PRON  _ _ 2 nsubj _ _
    2 gave    give VERB  _ _ 0 root  _ _
    3 him     he   PRON  _ _ 2 iobj  _ _
    4 cake    cake NOUN  _ _ 2 obj   _ _
    5 because b    SCONJ _ _ 7 mark  _ _
    6 cats    cat  NOUN  _ _ 7 nsubj _ _
    7 sleep   s    VERB  _ _ 2 advcl _ _
"""


def test_a_triple_needs_verb_role_and_argument():
    gold = treebank(GOLD)
    assert sums("verb_arguments", compare(gold, gold)) == [4, 4, 4]
    # him is an oblique now, because an object, and cats hangs on gave.
    moved = with_heads(gold, 2, 0, 2, 2, 7, 2, 2)
    system = with_column(moved, "deprel", "nsubj root obl iobj obj nsubj advcl")
    # Right: she and cake. In the system: she, cake, because and cats.
    assert sums("verb_arguments", compare(gold, system)) == [2, 4, 4]
    assert sums("verb_argument_pairs", compare(gold, system)) == [3, 4, 4]


def test_precision_and_recall_are_told_apart():
    gold = treebank(GOLD)
    system = with_column(gold, "deprel", "nsubj root dep dep mark dep advcl")
    found = evaluate(gold, system, metrics=["verb_arguments"], resamples=0)["verb_arguments"]
    assert found.details == {"precision": 1.0, "recall": 1 / 4}
    assert found.value == pytest.approx(2 * 1 / (4 + 1))
    assert found.n == 4


def test_roles_matter_and_kinds_of_objects_do_not():
    gold = treebank(GOLD)
    swapped = with_column(gold, "deprel", "obj root obj iobj mark nsubj:pass advcl")
    assert sums("verb_arguments", compare(gold, swapped)) == [3, 4, 4]


def test_trees_without_relations_are_asked_for_pairs():
    gold = treebank(GOLD)
    moved = with_heads(gold, 2, 0, 2, 2, 7, 2, 2)
    system = moved.replace(columns={"deprel": Column.constant("_", 7)})
    # she, him and cake hang on their verb, cats does not.
    assert sums("verb_arguments", compare(gold, system)) == [3, 4, 4]
    assert score("verb_arguments", gold, system) == 3 / 4


def test_gold_without_relations_is_refused():
    bare = treebank(GOLD)
    bare = bare.replace(columns={"deprel": Column.constant("_", 7)}, name="bare")
    with pytest.raises(MetricError, match="by relations, and bare has none"):
        METRICS["verb_arguments"].statistics(compare(bare, treebank(GOLD)))


def test_an_argument_of_the_root_is_none():
    gold = treebank(GOLD)
    system = with_column(with_heads(gold, 2, 0, 2, 2, 7, 7, 2), "deprel", " ".join(["nsubj"] * 7))
    # gave hangs on no word; the six others are subjects, two of them rightly.
    assert sums("verb_arguments", compare(gold, system)) == [2, 4, 6]


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        ("nsubj", "subject"),
        ("nsubj:pass", "subject"),
        ("csubj:outer", "subject"),
        ("nsubjpass", "subject"),
        ("SBJ", "subject"),
        ("Sb", "subject"),
        ("obj", "object"),
        ("iobj", "object"),
        ("dobj", "object"),
        ("ccomp", "object"),
        ("OBJ", "object"),
        ("comp:obj", "object"),
        ("SUB", ""),  # a clause below its subordinator, in LTH
        ("comp", ""),
        ("obl", ""),
        ("xcomp", ""),
        ("_", ""),
    ],
)
def test_roles_of_relations(relation, expected):
    assert role(relation) == expected

"""What is drawn of a sentence, and the verdicts on a system's arcs."""

from __future__ import annotations

import pytest

from tests.unit.metrics.small_scores import with_column, with_heads
from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.reports.trees import Arc, Verdict, drawing_of
from treegauge.treebank import Column, TreebankError

GOLD = """
    # sent_id = cats-1
    1 the  the DET   _ _ 2 det   _ _
    2 bird b   NOUN  _ _ 3 nsubj _ _
    3 sees see VERB  _ _ 0 root  _ _
    4 cats cat NOUN  _ _ 3 obj   _ _
    5 !    !   PUNCT _ _ 3 punct _ _
"""


def verdicts(gold, system) -> dict[str, str]:
    drawing = drawing_of(gold[0], system[0])
    found = {drawing.forms[arc.dependent - 1]: arc for arc in drawing.trees[1].arcs}
    return {
        form: f"{arc.verdict}{'' if arc.same_label else ', other relation'}"
        for form, arc in found.items()
    }


def test_a_sentence_alone_is_plain():
    drawing = drawing_of(treebank(GOLD)[0])
    assert drawing.title == "cats-1"
    assert drawing.forms == ("the", "bird", "sees", "cats", "!")
    assert drawing.tags == ("DET", "NOUN", "VERB", "NOUN", "PUNCT")
    (tree,) = drawing.trees
    assert tree.arcs[0] == Arc(2, 1, "det", Verdict.PLAIN)
    assert not drawing.is_judged


def test_verdicts_are_those_of_ned():
    gold = treebank(GOLD)
    # bird and sees change places: both are forgiven, and so is what hangs on bird's new head.
    system = with_heads(gold, 3, 0, 2, 5, 4)
    assert verdicts(gold, system) == {
        "the": "flipped",  # on its grandparent
        "bird": "flipped",  # on the root, its grandparent
        "sees": "flipped",  # on its child
        "cats": "wrong",
        "!": "wrong",
    }


def test_relations_count_where_the_head_is_right():
    gold = treebank(GOLD)
    system = with_column(with_heads(gold, 2, 3, 0, 3, 4), "deprel", "det obj root obj:x dep")
    assert verdicts(gold, system) == {
        "the": "right",
        "bird": "right, other relation",
        "sees": "right",
        "cats": "right",  # as in scores, without subtypes
        "!": "wrong",
    }
    unlabelled = gold.replace(columns={"deprel": Column.constant("_", 5)})
    assert set(verdicts(gold, unlabelled).values()) == {"right"}


def test_words_without_a_head_have_no_arc_and_gold_without_one_no_verdict():
    gold = sentences("a/X/0 b/X c/X/1")
    system = sentences("a/X/0 b/X/1 c/X")
    assert verdicts(gold, system) == {"a": "right", "b": "plain"}
    assert verdicts(gold, sentences("a/X/7 b/X/2 c/X/1")) == {"b": "plain", "c": "right"}


def test_other_words_are_refused():
    with pytest.raises(TreebankError):
        drawing_of(sentences("a/X/0")[0], sentences("b/X/0")[0])


@pytest.mark.parametrize(
    ("forms", "expected"),
    [
        ("cats sleep", False),
        ("القط ينام", True),
        ("שלום לכם !", True),
        ("! 123 .", False),
        ("القط iPhone 15", False),  # more Latin letters than Arabic ones
        ("نام القط في البيت UN", True),
        ("猫 が 寝る", False),
    ],
)
def test_scripts_from_right_to_left(forms, expected):
    words = " ".join(f"{form}/X/0" for form in forms.split())
    assert drawing_of(sentences(words)[0]).right_to_left is expected


def test_systems_of_one_name_are_numbered():
    gold = treebank(GOLD)
    system = gold.replace(name="ours")
    assert [tree.name for tree in drawing_of(gold[0], system[0], system[0]).trees] == [
        "gold",
        "ours (1)",
        "ours (2)",
    ]

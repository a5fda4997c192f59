from __future__ import annotations

from tests.unit.strata.worked_tree import named
from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.strata import stratify

FIVE = """
    1 a _ X _ _ 0 root      _ _
    2 b _ X _ _ 1 obl:agent _ _
    3 c _ _ _ _ 1 obj       _ _
    4 d _ Y _ _ 1 obl       _ _
    5 e _ Y _ _ 1 _         _ _
"""


def test_labels_come_by_frequency_and_then_by_alphabet():
    five = treebank(FIVE)
    assert stratify("relation", five).names == ("obl", "obj", "root")
    assert stratify("relation_full", five).names == ("obj", "obl", "obl:agent", "root")
    assert stratify("tag", five).names == ("X", "Y")


def test_words_without_a_label_belong_to_no_stratum():
    five = treebank(FIVE)
    assert named(stratify("relation", five)) == ["root", "obl", "obj", "obl", None]
    assert named(stratify("tag", five)) == ["X", "X", None, "Y", "Y"]


def test_fine_tags_fall_back_as_everywhere():
    assert named(stratify("fine_tag", sentences("a/DET cat/NOUN"))) == ["DET", "NOUN"]


def test_labels_of_sentences_that_were_left_out_are_no_strata():
    both = sentences("a/DET", "yes/INTJ")
    assert stratify("tag", both[1:]).names == ("INTJ",)

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.unit.metrics.small_scores import compare, macro, score, score_of, sums, with_heads
from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.metrics import METRICS, PRESETS, Comparison
from treegauge.treebank import Treebank, concatenate

WANT = sentences("I/PRON/2 want/VERB/0 to/PART/4 eat/VERB/2")
WANT_FLIPPED = with_heads(WANT, 2, 0, 2, 3)

DIRECTED = ("uas", "undirected", "ned")


def all_three(gold: Treebank, *heads: int) -> list[float]:
    """Return the numbers of words that UAS, undirected and NED accept."""
    comparison = compare(gold, with_heads(gold, *heads))
    return [sums(metric, comparison)[0] for metric in DIRECTED]


# ---------------------------------------------------------------------- Schwartz et al. (2011)


def test_i_want_to_eat():
    # Figure 2: the edge between to and eat is flipped.
    scores = [score(metric, WANT, WANT_FLIPPED) for metric in DIRECTED]
    assert scores == [2 / 4, 3 / 4, 4 / 4]


IN_THE_HOUSE = sentences("in/ADP/0 the/DET/3 house/NOUN/1")


@pytest.mark.parametrize(
    ("heads", "accepted"),
    [
        ((0, 1, 2), [1, 2, 3]),  # the determiner heads the noun: figure 4d
        ((3, 3, 0), [1, 2, 3]),  # the noun is the head of all: figure 4e
        ((2, 0, 2), [0, 1, 1]),  # the determiner is the head of all: no flip of one edge
        ((0, 1, 1), [2, 2, 3]),  # the hangs on its grandparent
    ],
)
def test_in_the_house(heads, accepted):
    assert all_three(IN_THE_HOUSE, *heads) == accepted


JOHN_AND_MARY = """
    1 John _ PROPN _ _ 0 root _ Debatable=1
    2 and  _ CCONJ _ _ 1 cc   _ Debatable=1
    3 Mary _ PROPN _ _ 1 conj _ Debatable=1
"""


def test_coordination_is_not_forgiven_by_ned_but_as_a_debatable_structure():
    # Figure 4b: Mary's new head is neither its gold child nor its gold grandparent.
    gold = treebank(JOHN_AND_MARY)
    comparison = compare(gold, with_heads(gold, 2, 0, 2))
    assert score_of("uas", comparison) == 0
    assert score_of("ned", comparison) == 2 / 3
    assert score_of("debatable_uas", comparison) == 1


# ---------------------------------------------------------------------- directions


def test_a_flip_at_the_root():
    # birds sing: sing is the root. Its gold child as the root is accepted as a grandparent.
    gold = sentences("birds/NOUN/2 sing/VERB/0")
    assert all_three(gold, 0, 1) == [0, 1, 2]


def test_a_root_that_hangs_on_no_child_is_wrong_everywhere():
    gold = sentences("a/X/0 b/X/1 c/X/2 d/X/3")
    assert all_three(gold, 4, 1, 2, 0) == [2, 2, 2]


def test_two_words_that_are_each_other_s_head_are_not_both_right_undirected():
    chain = sentences("a/X/0 b/X/1 c/X/2")
    assert all_three(chain, 2, 1, 2) == [1, 1, 1]
    assert all_three(chain, 3, 1, 2) == [0, 0, 0]
    # What hangs on a word of the cycle is right if gold hangs it there.
    assert sums("las", compare(chain, with_heads(chain, 2, 1, 2))) == [1, 3, 3]


def test_the_root_is_nobody_s_child():
    # Two words predicted as roots are no undirected match, unless gold has them as roots.
    gold = sentences("a/X/0 b/X/1 c/X/2")
    assert all_three(gold, 0, 0, 0) == [1, 1, 2]


def test_several_gold_roots_are_words_like_any():
    gold = sentences("a/X/0 b/X/0 c/X/2")
    assert all_three(gold, 0, 1, 2) == [2, 2, 2]
    assert all_three(gold, 2, 0, 2) == [2, 2, 2]
    assert all_three(gold, 0, 3, 0) == [1, 2, 3]


def test_words_without_a_gold_head_are_not_scored():
    gold = sentences("a/X/0 b/X c/X/1")
    assert sums("uas", compare(gold, with_heads(gold, 0, 1, 1))) == [2, 2, 2]
    assert sums("uas", compare(gold, gold)) == [2, 2, 2]


def test_a_word_that_the_system_leaves_without_a_head_is_wrong():
    gold = sentences("a/X/0 b/X/1 c/X/1")
    assert all_three(gold, 0, -1, 1) == [2, 2, 2]
    assert sums("uas", compare(gold, with_heads(gold, 0, -1, 1))) == [2, 3, 3]


def test_a_head_outside_the_sentence_is_wrong():
    # Word 4 would be the first word of the next sentence.
    gold = sentences("a/X/0 b/X/1 c/X/1", "d/X/0")
    assert sums("uas", compare(gold, with_heads(gold, 0, 4, 1, 0))) == [3, 4, 4]


def test_a_gold_head_outside_the_sentence_is_no_head():
    gold = sentences("a/X/0 b/X/7")
    assert sums("uas", compare(gold, gold)) == [1, 1, 1]


def test_heads_of_sentences_do_not_mix():
    # Head 1 is another word in every sentence.
    gold = sentences("a/X/0 b/X/1", "c/X/0 d/X/1", "e/X/2 f/X/0")
    assert score("uas", gold, gold) == 1
    assert sums("uas", compare(gold, with_heads(gold, 0, 1, 2, 0, 2, 0))) == [4, 6, 6]


# ---------------------------------------------------------------------- relations

BIRDS = """
    1 old   _ ADJ  _ _ 2 amod       _ _
    2 birds _ NOUN _ _ 3 nsubj:pass _ _
    3 sing  _ VERB _ _ 0 root       _ _
"""
# old hangs on the wrong word; birds has another subtype.
BIRDS_PARSED = """
    1 old   _ ADJ  _ _ 3 amod       _ _
    2 birds _ NOUN _ _ 3 nsubj:outer _ _
    3 sing  _ VERB _ _ 0 root       _ _
"""


def test_las_and_label_cut_subtypes_unless_asked():
    gold, system = treebank(BIRDS), treebank(BIRDS_PARSED)
    assert score("uas", gold, system) == 2 / 3
    assert score("las", gold, system) == 2 / 3
    assert score("label", gold, system) == 1
    # conll2006 and pascal compare relations whole.
    for conventions in ("conll2006", "pascal"):
        assert score("las", gold, system, conventions) == 1 / 3
        assert score("label", gold, system, conventions) == 2 / 3


def test_label_counts_words_without_a_gold_head():
    gold = treebank("1 a _ X _ _ _ dep _ _\n2 b _ X _ _ 1 obj _ _")
    assert sums("label", compare(gold, gold)) == [2, 2, 2]


# ---------------------------------------------------------------------- sentences


def test_exact_match_is_about_whole_sentences():
    gold = treebank(BIRDS)
    both = concatenate([gold, gold])
    system = concatenate([gold, treebank(BIRDS_PARSED)])
    assert score("exact_match", both, system) == 1 / 2
    assert sums("exact_match", compare(both, system)) == [1, 2, 2]
    # Heads right, one relation wrong.
    relabelled = concatenate([gold, treebank(BIRDS.replace("amod", "det"))])
    assert score("exact_match", both, relabelled) == 1
    assert score("exact_match_labelled", both, relabelled) == 1 / 2


def test_sentences_with_nothing_to_score_do_not_match():
    gold = sentences("a/X/0", "!/PUNCT/0")
    assert sums("exact_match", compare(gold, gold, "conll2006")) == [1, 1, 1]


def test_root_is_the_share_of_gold_roots_that_are_found():
    gold = sentences("a/X/0 b/X/1", "c/X/0 d/X/0", "e/X/0")
    assert sums("root", compare(gold, gold)) == [4, 4, 4]
    assert sums("root", compare(gold, with_heads(gold, 2, 0, 0, 1, 0))) == [2, 4, 4]
    # More roots than gold has cost nothing here; UAS sees them.
    assert score("root", gold, with_heads(gold, 0, 0, 0, 0, 0)) == 1


def test_the_mean_of_sentences_weighs_short_ones_more():
    gold = sentences("a/X/0", "b/X/0 c/X/1 d/X/1 e/X/1")
    system = with_heads(gold, 0, 0, 1, 2, 3)
    assert score("uas", gold, system) == 3 / 5
    assert macro(gold, system, "uas") == (1 + 2 / 4) / 2


def test_the_mean_leaves_out_sentences_with_nothing_to_score():
    gold = sentences("a/X/0 b/X/1", "!/PUNCT/0")
    system = with_heads(gold, 0, 0, 0)
    averaged = Comparison(gold, system, replace(PRESETS["conll2006"], average="sentence"))
    assert score_of("uas", averaged) == 1 / 2


# ---------------------------------------------------------------------- debatable structures


def debatable(text: str, *heads: int) -> float:
    gold = treebank(text)
    return score("debatable_uas", gold, with_heads(gold, *heads))


CATS = """
    1 I    _ PRON _ _ 2 nsubj _ _
    2 see  _ VERB _ _ 0 root  _ _
    3 cats _ NOUN _ _ 2 obj   _ Debatable=a
    4 and  _ CCONJ _ _ 3 cc   _ SpaceAfter=No|Debatable=a
    5 dogs _ NOUN _ _ 3 conj  _ Debatable=a
"""


@pytest.mark.parametrize(
    ("heads", "right"),
    [
        ((2, 0, 2, 3, 3), 5),
        ((2, 0, 4, 2, 4), 5),  # and is the head of the structure
        ((2, 0, 5, 5, 2), 5),  # dogs is
        ((2, 0, 2, 5, 3), 5),  # another tree inside
        ((2, 0, 4, 1, 4), 4),  # the structure hangs on the wrong word: one mistake
        ((2, 0, 4, 5, 3), 2),  # a circle: its words are wrong
        ((2, 0, 2, 2, 2), 3),  # three words hang outside, gold has one
        ((2, 0, 1, 1, 1), 2),
        ((2, 0, 2, 4, 3), 4),  # and hangs on itself
        ((3, 0, 2, 3, 3), 4),  # I is no part of it
    ],
)
def test_any_head_inside_a_debatable_structure_will_do(heads, right):
    assert debatable(CATS, *heads) == right / 5


def test_a_word_that_is_attached_right_stays_right():
    # cats and and both hang on see; cats is the one that gold hangs there.
    gold = treebank(CATS)
    comparison = compare(gold, with_heads(gold, 2, 0, 2, 2, 3))
    outcome = METRICS["debatable_uas"].outcome
    assert outcome is not None
    assert outcome(comparison).correct.tolist() == [True, True, True, False, True]
    # The same with the word that gold hangs there behind the other.
    last = with_heads(gold, 2, 0, 5, 5, 2)
    comparison = compare(last, with_heads(gold, 2, 0, 2, 5, 2))
    assert outcome(comparison).correct.tolist() == [True, True, False, True, True]


def test_a_structure_without_a_gold_head_is_not_scored_at_its_top():
    gold = with_heads(treebank(CATS), 2, 0, -1, 3, 3)
    comparison = compare(gold, with_heads(gold, 2, 0, 4, -1, 4))
    assert sums("debatable_uas", comparison) == [3, 4, 4]


def test_words_on_a_debatable_structure_may_hang_on_any_word_of_it():
    text = """
        1 salt   _ NOUN _ _ 0 root _ Debatable=1
        2 and    _ CCONJ _ _ 1 cc  _ Debatable=1
        3 pepper _ NOUN _ _ 1 conj _ Debatable=1
        4 please _ INTJ _ _ 1 discourse _ _
    """
    assert debatable(text, 0, 1, 1, 3) == 1
    assert debatable(text, 2, 0, 2, 2) == 1
    assert debatable(text, 4, 1, 1, 0) == 2 / 4


def test_a_structure_may_hang_on_another():
    text = """
        1 a _ X _ _ 0 root _ Debatable=1
        2 b _ X _ _ 1 dep  _ Debatable=1
        3 c _ X _ _ 1 dep  _ Debatable=2
        4 d _ X _ _ 3 dep  _ Debatable=2
    """
    assert debatable(text, 0, 1, 1, 3) == 1
    assert debatable(text, 2, 0, 4, 2) == 1
    assert debatable(text, 0, 1, 0, 3) == 3 / 4


def test_the_same_mark_in_another_sentence_is_another_structure():
    gold = concatenate([treebank(JOHN_AND_MARY), treebank(JOHN_AND_MARY)])
    assert score("debatable_uas", gold, with_heads(gold, 2, 0, 2, 0, 3, 1)) == 1
    assert score("debatable_uas", gold, with_heads(gold, 2, 0, 2, -1, 3, 1)) == 5 / 6


def test_a_debatable_structure_in_two_pieces_is_right_as_gold_has_it():
    text = """
        1 a _ X _ _ 2 dep  _ Debatable=1
        2 b _ X _ _ 0 root _ _
        3 c _ X _ _ 4 dep  _ Debatable=1
        4 d _ X _ _ 2 dep  _ _
    """
    assert debatable(text, 2, 0, 4, 2) == 1
    assert debatable(text, 2, 0, 2, 2) == 3 / 4


def test_without_marks_debatable_uas_is_uas():
    assert score("debatable_uas", WANT, WANT_FLIPPED) == 2 / 4


def test_what_the_system_marks_as_debatable_does_not_count():
    gold = treebank(JOHN_AND_MARY.replace("Debatable=1", "_"))
    system = with_heads(treebank(JOHN_AND_MARY), 2, 0, 2)
    assert score("debatable_uas", gold, system) == 0


def test_many_debatable_structures_take_no_longer_than_they_should():
    # Quadratic work on this many structures would take minutes.
    gold = treebank(JOHN_AND_MARY)
    many = gold.take(np.zeros(30_000, np.intp))
    assert score("debatable_uas", many, many) == 1

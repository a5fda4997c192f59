from __future__ import annotations

import numpy as np
import pytest

from tests.unit.treebank.small_trees import heads, sentences, texts, treebank
from treegauge.formats import to_text
from treegauge.treebank import (
    Column,
    Treebank,
    TreebankError,
    comment_mask,
    cut_off_mask,
    keep_words,
    length_mask,
    restore_words,
    without_punctuation,
)

# ---------------------------------------------------------------------- removing punctuation


def reduced(*written: str) -> tuple[list[str], list[list[int]]]:
    made = sentences(*written).without_punctuation()
    return texts(made), heads(made)


def test_heads_are_renumbered() -> None:
    assert reduced("(/PUNCT/2 birds/NOUN/4 ,/PUNCT/2 sing/VERB/0 ./PUNCT/4") == (
        ["birds sing"],
        [[2, 0]],
    )


def test_child_of_punctuation_goes_to_the_grandparent() -> None:
    # no -> , -> sing
    assert reduced("no/INTJ/2 ,/PUNCT/4 birds/NOUN/4 sing/VERB/0") == (
        ["no birds sing"],
        [[3, 3, 0]],
    )


def test_chain_of_punctuation() -> None:
    # no -> ) -> , -> ( -> sing
    assert reduced("(/PUNCT/5 no/INTJ/3 )/PUNCT/4 ,/PUNCT/1 sing/VERB/0") == (
        ["no sing"],
        [[2, 0]],
    )


def test_root_that_is_punctuation_leaves_several_roots() -> None:
    # birds and sing both hang on the full stop, the only root.
    assert reduced("birds/NOUN/4 do/AUX/3 sing/VERB/4 ./PUNCT/0") == (
        ["birds do sing"],
        [[0, 3, 0]],
    )


def test_chain_of_punctuation_up_to_the_root() -> None:
    assert reduced("oh/INTJ/2 ,/PUNCT/3 ./PUNCT/0") == (["oh"], [[0]])


def test_sentence_of_punctuation_only_stays_without_words() -> None:
    assert reduced("oh/INTJ/0", "./PUNCT/2 ./PUNCT/0", "ah/INTJ/0") == (
        ["oh", "", "ah"],
        [[0], [], [0]],
    )


def test_no_heads_annotated() -> None:
    assert reduced("birds/NOUN ,/PUNCT sing/VERB") == (["birds sing"], [[-1, -1]])


def test_head_missing_on_the_way_up() -> None:
    assert reduced("oh/INTJ/2 ,/PUNCT sing/VERB/0") == (["oh sing"], [[-1, 0]])


def test_head_outside_the_sentence_is_no_head() -> None:
    assert reduced("oh/INTJ/2 ,/PUNCT/9 sing/VERB/7") == (["oh sing"], [[-1, -1]])


def test_a_cycle_of_words_stays_one() -> None:
    # birds -> , -> sing -> birds
    assert reduced("birds/NOUN/2 ,/PUNCT/3 sing/VERB/1") == (["birds sing"], [[2, 1]])


CIRCLE = """
# sent_id = fine
1 oh    _ INTJ  _ _ 0 root  _ _

{comment}
1 birds _ NOUN  _ _ 2 nsubj _ _
2 ,     _ PUNCT _ _ 3 punct _ _
3 ;     _ PUNCT _ _ 2 punct _ _
4 sing  _ VERB  _ _ 0 root  _ _
"""


@pytest.mark.parametrize(
    ("comment", "name"), [("# sent_id = odd", "sentence odd"), ("# text = x", "sentence number 2")]
)
def test_a_cycle_of_punctuation_names_the_sentence(comment: str, name: str) -> None:
    circular = treebank(CIRCLE.format(comment=comment))
    with pytest.raises(TreebankError, match=f"{name}: its heads form a cycle"):
        without_punctuation(circular)


def test_a_punctuation_mark_that_is_its_own_head() -> None:
    with pytest.raises(TreebankError, match="sentence number 1"):
        without_punctuation(sentences("oh/INTJ/2 ,/PUNCT/2"))


def test_what_goes_with_the_words_and_what_stays() -> None:
    whole = treebank("""
        # global.columns = ID FORM LEMMA UPOS FEATS HEAD DEPREL DEPS MISC PHEAD PDEPREL NOTE
        # sent_id = one
        1    (    (  PUNCT _   3 punct 3:punct a  3 p x
        2-3  duno _  _     _   _ _     _       b  _ _ _
        2    du   do VERB  F=1 0 root  0:root  c  0 r y
        2.1  I    I  PRON  _   _ _     2:nsubj d  _ _ _
        3    no   no PART  F=2 2 neg   2:neg   e  2 n z
    """)
    small = whole.without_punctuation()
    assert list(small.form) == ["du", "no"]
    assert list(small.lemma) == ["do", "no"]
    assert list(small.feats) == ["F=1", "F=2"]
    assert list(small.deprel) == ["root", "neg"]
    assert list(small.columns["misc"]) == ["c", "e"]
    assert list(small.columns["note"]) == ["y", "z"]
    assert small.head.tolist() == [0, 1]
    # What speaks of positions is gone.
    for gone in ("deps", "phead", "pdeprel"):
        assert list(small.columns[gone]) == ["_", "_"]
    assert small[0].comments == ["# sent_id = one"]
    assert small[0].multiword_tokens == {}
    assert len(small.side_lines) == 1


def test_a_comment_behind_words_is_not_lost() -> None:
    whole = treebank("""
        1 (    _ PUNCT _ _ 2 punct _ _
        # between
        2 oh   _ INTJ  _ _ 0 root  _ _
        3 )    _ PUNCT _ _ 2 punct _ _
        # behind
    """)
    small = whole.without_punctuation()
    assert small.side_lines.of_sentence(0) == [(0, 0, "# between"), (0, 1, "# behind")]
    assert [line[:4] for line in to_text(small).split("\n")] == ["# be", "1\toh", "# be", "", ""]


def test_keep_words_by_any_mask() -> None:
    made = keep_words(
        sentences("a/X/2 b/X/3 c/X/0", "d/X/0 e/X/1"), np.array([True, False, True, False, True])
    )
    assert texts(made) == ["a c", "e"]
    assert heads(made) == [[2, 0], [0]]


def test_keep_words_refuses_a_mask_of_another_length() -> None:
    with pytest.raises(TreebankError, match="a mask over words needs 2 values, not 3"):
        keep_words(sentences("a/X/2 b/X/0"), np.array([True, False, True]))


def test_the_mask_of_a_blind_copy_is_reduced_too() -> None:
    blind = sentences("(/PUNCT/2 oh/INTJ/0 $/PUNCT/2").blind(tags=True)
    small = blind.without_punctuation()
    assert texts(small) == ["oh"]
    assert small.punctuation.tolist() == [False]


# ---------------------------------------------------------------------- what is remembered


def test_origin_of_the_words() -> None:
    small = sentences("(/PUNCT/2 a/X/0 ,/PUNCT/2 b/X/2", "./PUNCT/0").without_punctuation()
    assert small.original_lengths.tolist() == [4, 1]
    assert small.original_positions.tolist() == [2, 4]


def test_positions_compose_over_two_removals() -> None:
    whole = sentences("(/PUNCT/2 a/X/0 ,/PUNCT/2 b/X/2 c/X/4")
    once = whole.without_punctuation()
    twice = keep_words(once, np.array([True, False, True]))
    assert texts(twice) == ["a c"]
    assert heads(twice) == [[0, 1]]
    assert twice.original_positions.tolist() == [2, 5]
    assert twice.original_lengths.tolist() == [5]


def test_origin_moves_with_sentences() -> None:
    small = sentences("(/PUNCT/2 a/X/0", "b/X/0 !/PUNCT/1 ?/PUNCT/1").without_punctuation()
    turned = small[[1, 0]]
    assert turned.original_lengths.tolist() == [3, 2]
    assert turned.original_positions.tolist() == [1, 2]


# ---------------------------------------------------------------------- length cut-offs


def ten_and_more() -> Treebank:
    """Sentences of 10, of 11 with one punctuation mark, and of 11 words."""
    return sentences(
        " ".join(["a/X/0"] * 9 + ["./PUNCT/1"]),
        " ".join(["b/X/0"] * 10 + ["./PUNCT/1"]),
        " ".join(["c/X/0"] * 11),
    )


@pytest.mark.parametrize(
    ("cut_off", "kept"),
    [
        ("@10", [True, False, False]),
        ("@11", [True, True, True]),
        ("@10w", [True, True, False]),
        ("@9w", [True, False, False]),
        ("@0", [False, False, False]),
    ],
)
def test_cut_off_before_and_after_removal(cut_off: str, kept: list[bool]) -> None:
    whole = ten_and_more()
    assert cut_off_mask(whole, cut_off).tolist() == kept
    assert cut_off_mask(whole.without_punctuation(), cut_off).tolist() == kept
    assert cut_off_mask(whole.blind(tags=True), cut_off).tolist() == kept
    assert cut_off_mask(whole.blind(tags=True).without_punctuation(), cut_off).tolist() == kept


def test_up_to() -> None:
    whole = ten_and_more()
    assert whole.up_to(10).lengths.tolist() == [10]
    assert whole.without_punctuation().up_to(10).lengths.tolist() == [9]
    assert whole.up_to(10, count_punctuation=False).lengths.tolist() == [10, 11]
    reduced_first = whole.without_punctuation().up_to(10, count_punctuation=False)
    assert reduced_first.lengths.tolist() == [9, 10]
    assert whole.up_to(10).without_punctuation() == whole.without_punctuation().up_to(10)


def test_length_mask_of_sentences_without_words() -> None:
    silent = sentences("./PUNCT/0", "oh/INTJ/0").without_punctuation()
    assert length_mask(silent, 0, count_punctuation=False).tolist() == [True, False]
    assert length_mask(silent, 0).tolist() == [False, False]


@pytest.mark.parametrize("wrong", ["10", "@", "@w", "@10x", "@-1", "@10w ", ""])
def test_unknown_cut_off(wrong: str) -> None:
    with pytest.raises(TreebankError, match="write @10, or @10w for words only"):
        cut_off_mask(ten_and_more(), wrong)


# ---------------------------------------------------------------------- comments


def test_comment_mask() -> None:
    talk = treebank("""
        # speaker = MOT
        1 oh _ INTJ _ _ 0 root _ _

        # speaker=CHI
        1 ah _ INTJ _ _ 0 root _ _

        1 uh _ INTJ _ _ 0 root _ _
    """)
    assert comment_mask(talk, "speaker=MOT").tolist() == [True, False, False]
    assert comment_mask(talk, "speaker = CHI").tolist() == [False, True, False]
    assert comment_mask(talk, "speaker!=CHI").tolist() == [True, False, True]
    assert comment_mask(talk, "speaker=M").tolist() == [False] * 3
    assert comment_mask(talk[2:], "speaker=MOT").tolist() == [False]
    with pytest.raises(TreebankError, match="write KEY=VALUE or KEY!=VALUE"):
        comment_mask(talk, "speaker")


# ---------------------------------------------------------------------- the way back


def test_restored_heads_and_relations() -> None:
    whole = treebank("""
        1 (     _ PUNCT _ _ 4 punct _ _
        2 birds _ NOUN  _ _ 4 nsubj _ _
        3 ,     _ PUNCT _ _ 2 punct _ _
        4 sing  _ VERB  _ _ 0 root  _ _
        5 .     _ PUNCT _ _ 4 punct _ _
    """)
    # A system has turned the tree around.
    parsed = whole.without_punctuation().replace(
        head=[0, 1], columns={"deprel": Column.from_strings(["top", "dep"])}
    )
    back = restore_words(parsed, whole)
    assert heads(back) == [[2, 0, 2, 2, 2]]
    assert list(back.deprel) == ["punct", "top", "punct", "dep", "punct"]
    assert list(back.form) == ["(", "birds", ",", "sing", "."]
    assert list(back.upos) == list(whole.upos)
    assert back.origin is None


def test_restored_to_a_blind_original() -> None:
    whole = sentences("oh/INTJ/2 ,/PUNCT/3 sing/VERB/0")
    back = restore_words(whole.without_punctuation(), whole.blind(tags=True))
    assert heads(back) == [[3, 3, 0]]
    assert back.punctuation.tolist() == [False, True, False]


def test_restored_with_several_roots() -> None:
    whole = sentences("(/PUNCT/2 a/X/0 b/X/0 )/PUNCT/3")
    back = restore_words(whole.without_punctuation(), whole)
    # Punctuation goes to the first root.
    assert heads(back) == [[2, 0, 0, 2]]


def test_restored_sentence_of_which_nothing_was_kept() -> None:
    whole = sentences("a/X/0", "./PUNCT/2 ./PUNCT/0 ./PUNCT/2", "b/X/0 ./PUNCT/1")
    back = restore_words(whole.without_punctuation(), whole)
    assert heads(back) == [[0], [0, 1, 1], [0, 1]]
    assert list(back.deprel) == ["_", "punct", "punct", "punct", "_", "punct"]


def test_restored_sentences_of_no_words_at_all() -> None:
    whole = treebank("""
        # sent_id = silent

        1 (  _ PUNCT _ _ 2 punct _ _
        2 oh _ INTJ  _ _ 0 root  _ _

        # sent_id = silent too
    """)
    assert whole.lengths.tolist() == [0, 2, 0]
    assert heads(restore_words(whole.without_punctuation(), whole)) == [[], [2, 0], []]


def test_restored_prediction_without_a_root() -> None:
    # a and b hang on each other; the bracket must not hang on itself.
    whole = sentences("(/PUNCT/2 a/X/0 b/X/2")
    parsed = whole.without_punctuation().replace(head=[2, 1])
    assert heads(restore_words(parsed, whole)) == [[2, 3, 2]]


def test_restored_heads_outside_the_sentence_are_no_heads() -> None:
    whole = sentences("(/PUNCT/2 a/X/0 b/X/2")
    parsed = whole.without_punctuation().replace(head=[0, 9])
    assert heads(restore_words(parsed, whole)) == [[2, 0, -1]]


def test_restored_when_nothing_was_removed() -> None:
    whole = sentences("a/X/2 b/X/0")
    assert heads(restore_words(whole, whole)) == [[2, 0]]


@pytest.mark.parametrize(
    "wrong",
    [
        sentences("a/X/0 ./PUNCT/1"),
        sentences("a/X/0", "./PUNCT/2 b/X/0"),
        sentences("a/X/0 ./PUNCT/1", "b/X/0"),
        sentences("a/X/0 ./PUNCT/1", "./PUNCT/2 b/X/0").without_punctuation(),
    ],
)
def test_words_are_restored_only_to_where_they_came_from(wrong: Treebank) -> None:
    whole = sentences("a/X/0 ./PUNCT/1", "./PUNCT/2 b/X/0")
    with pytest.raises(TreebankError, match="only be restored to the treebank they were removed"):
        restore_words(whole.without_punctuation(), wrong)

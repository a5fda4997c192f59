"""The record of the original order, and the way back: to the same treebank, to the same bytes."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

import treegauge as tg
from tests.examples import examples
from tests.strategies import CONLLU_COLUMNS, conllu_texts, read_text
from tests.unit.properties.all_orders import bank
from treegauge.rewrite import RewriteError, permute, restore_order
from treegauge.rewrite.word_orders import reorder
from treegauge.treebank import keep_words

WRITTEN = """\
# sent_id = birds-1
# text = Del mar, birds sing.
1-2\tDel\t_\t_\t_\t_\t_\t_\t_\t_
1\tDe\tde\tADP\t_\t_\t3\tcase\t3:case\t_
2\tel\tel\tDET\t_\t_\t3\tdet\t3:det\t_
3\tmar\tmar\tNOUN\t_\t_\t5\tobl\t5:obl:de\tGloss=sea|SpaceAfter=No
3.1\tthat\t_\tPRON\t_\t_\t_\t_\t5:dep\t_
# late
4\tbirds\tbird\tNOUN\t_\t_\t5\tnsubj\t5:nsubj\t_
5\tsing\tsing\tVERB\t_\t_\t0\troot\t0:root\tSpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t5\tpunct\t5:punct\t_

# newpar
1\tYes\tyes\tINTJ\t_\t_\t0\troot\t_\t_

"""


def test_a_permuted_sentence_as_it_is_written():
    text = tg.to_text(permute(read_text(WRITTEN), "right"))
    assert text.replace("\t", " ") == (
        "# sent_id = birds-1\n"
        "# permutation = right\n"
        "# original_order = 5 4 3 1 2 6\n"
        "# original_deps = 3:case 3:det 5:obl:de 5:nsubj 0:root 5:punct\n"
        "# original_misc = _ _ Gloss=sea|SpaceAfter=No _ SpaceAfter=No _\n"
        "# original_line = 1 0 comment # text = Del mar, birds sing.\n"
        "# text = sing birds mar De el .\n"
        "# original_line = 2 0 multiword 1-2 Del _ _ _ _ _ _ _ _\n"
        "# original_line = 3 3 node 3.1 that _ PRON _ _ _ _ 5:dep _\n"
        "1 sing sing VERB _ _ 0 root _ _\n"
        "2 birds bird NOUN _ _ 1 nsubj _ _\n"
        "3 mar mar NOUN _ _ 1 obl _ Gloss=sea\n"
        "# late\n"
        "4 De de ADP _ _ 3 case _ _\n"
        "5 el el DET _ _ 3 det _ _\n"
        "6 . . PUNCT _ _ 1 punct _ _\n"
        "\n"
        "# newpar\n"
        "# permutation = right\n"
        "# original_order = 1\n"
        "1 Yes yes INTJ _ _ 0 root _ _\n"
        "\n"
    )


@pytest.mark.parametrize("order", ["right", "left", "optdl", "random", "mirror"])
def test_the_file_comes_back_byte_for_byte(order):
    permuted = tg.to_text(permute(read_text(WRITTEN), order, seed=4))
    assert permuted != WRITTEN
    assert tg.to_text(restore_order(read_text(permuted))) == WRITTEN


def test_several_permutations_are_undone_one_after_the_other():
    once = permute(read_text(WRITTEN), "left")
    twice = read_text(tg.to_text(permute(once, "random", seed=1)))
    assert tg.to_text(restore_order(twice)) == tg.to_text(once)
    assert tg.to_text(restore_order(restore_order(twice))) == WRITTEN


def test_a_permuted_file_is_valid_and_numbered():
    permuted = permute(read_text(WRITTEN.replace("# late\n", "")), "random", seed=2)
    text = tg.to_text(permuted)
    assert len(tg.validate(io.BytesIO(text.encode()), format="conllu").findings) == 0
    numbers = [int(line.split("\t")[0]) for line in text.splitlines() if line[:1].isdigit()]
    assert numbers == [1, 2, 3, 4, 5, 6, 1]


NO_SPACE = st.sampled_from(["SpaceAfter=No", "A=1|SpaceAfter=No", "SpaceAfter=No|_", "_"])


@st.composite
def spaced_texts(draw: st.DrawFn) -> str:
    """Texts of CoNLL-U files in which MISC often says that no space follows."""
    text = draw(conllu_texts(min_sentences=1))
    lines = text.split("\n")
    for i, line in enumerate(lines):
        fields = line.split("\t")
        if len(fields) == len(CONLLU_COLUMNS) and draw(st.booleans()):
            lines[i] = "\t".join([*fields[:-1], draw(NO_SPACE)])
    return "\n".join(lines)


@examples(150)
@given(spaced_texts(), st.sampled_from(["random", "mirror"]), st.integers(0, 3))
def test_any_file_comes_back(text, order, seed):
    treebank = read_text(text)
    permuted = permute(treebank, order, seed=seed, keep_all=True, final_punctuation="include")
    assert restore_order(permuted) == treebank
    again = read_text(tg.to_text(permuted))
    assert tg.to_text(restore_order(again)) == tg.to_text(treebank)


@examples(50)
@given(st.data())
def test_annotation_travels_with_the_words(data):
    treebank = read_text(data.draw(conllu_texts(min_sentences=1)))
    assume(treebank.n_words)
    permuted = permute(treebank, "random", seed=1, keep_all=True, final_punctuation="include")
    for before, after in zip(treebank, permuted, strict=True):
        rows = [
            sorted((w.form, w.lemma, w.upos, w.xpos, w.feats, w.deprel) for w in sentence)
            for sentence in (before, after)
        ]
        assert rows[0] == rows[1]


def test_what_a_parser_says_of_a_permuted_sentence_can_be_taken_back():
    # Every word on the first one, as a parser might say.
    gold = read_text(WRITTEN)[:1]
    permuted = permute(gold, "right")
    predicted = permuted.replace(head=[0, 1, 1, 1, 1, 1])
    back = restore_order(predicted)
    assert list(back.form) == list(gold.form)
    assert back.head.tolist() == [5, 5, 5, 5, 0, 5]


def test_removed_words_stay_removed():
    treebank = keep_words(read_text(WRITTEN), np.array([True, True, True, True, True, False, True]))
    permuted = permute(treebank, "mirror")
    assert permuted.original_positions.tolist() == [5, 4, 3, 2, 1, 1]
    assert restore_order(permuted) == treebank


def test_formats_without_comments_lead_nowhere():
    text = tg.to_text(permute(read_text(WRITTEN), "right"), format="conllx")
    with pytest.raises(RewriteError, match="2 of 2 sentences have no record of another order"):
        restore_order(tg.parse(text, format="conllx"))


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("# original_order = 5 4", "# original_order = 5 5", "does not fit its 6 words"),
        ("# original_order = 5 4", "# original_order = 5 x", "no longer as"),
        ("# original_line = 1 0", "# original_line = one", "no longer as"),
        ("# original_deps = 3:case\t", "# original_deps = ", "has 5 values for 6 words"),
    ],
)
def test_a_record_that_does_not_fit_is_refused(old, new, complaint):
    text = tg.to_text(permute(read_text(WRITTEN), "right"))
    assert old in text
    with pytest.raises(RewriteError, match=f"sentence birds-1: .*{complaint}"):
        restore_order(read_text(text.replace(old, new)))


@pytest.mark.parametrize("words", [[0, 0], [0], [1, 2], [0, -1]])
def test_an_order_has_every_word_once(words):
    with pytest.raises(RewriteError, match="every word once, in its own sentence"):
        reorder(bank([0, 1]), np.array(words), name="odd")
    with pytest.raises(RewriteError, match="in its own sentence"):
        reorder(bank([0], [0]), np.array([1, 0]), name="odd")


def test_blind_copies_do_not_know_the_order():
    permuted = permute(read_text(WRITTEN), "left")
    assert len(permuted.blind().side_lines) == 0
    assert permuted.blind().origin is None

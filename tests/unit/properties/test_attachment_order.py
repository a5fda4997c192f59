"""Orders of attachment as texts and as records; every order is also found by a slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

import treegauge as tg
from tests.examples import examples
from tests.properties.treebank_strategies import forests, with_heads
from treegauge.properties import PropertyError
from treegauge.properties.attachment_order import (
    HeadlessWordsWarning,
    attachment_order,
    in_order,
    recorded_order,
    text_lines,
    with_recorded_order,
    words_as,
)
from treegauge.transitions import TransitionError

# Old birds sing two songs: old, birds; then two, songs; sing last.
SONGS = """\
1\tOld\told\tADJ\tJJ\t_\t2\tamod\t_\t_
2\tbirds\tbird\tNOUN\tNNS\t_\t3\tnsubj\t_\tSpaceAfter=No
3\tsing\tsing\tVERB\tVBP\t_\t0\troot\t_\t_
4\t10 000\t10000\tNUM\tCD\t_\t5\tnummod\t_\tAttachedAs=1|Gloss=many
5\tsongs\tsong\tNOUN\tNNS\t_\t3\tobj\t_\t_

"""


@pytest.fixture(scope="module")
def songs() -> tg.Treebank:
    return tg.parse(SONGS, format="conllu")


def post_order(heads: list[int]) -> list[int]:
    """The order of arc-standard on a projective tree, from its definition.

    Right dependents are attached as soon as they are complete; left ones wait for their head, the
    nearest is attached first.
    """
    order: list[int] = []

    def complete(word: int) -> None:
        """Attach everything below a word."""
        left = [i for i in range(1, word) if heads[i - 1] == word]
        right = [i for i in range(word + 1, len(heads) + 1) if heads[i - 1] == word]
        for child in left:
            complete(child)
        order.extend(reversed(left))
        for child in right:
            complete(child)
            order.append(child)

    complete(0)
    return order


@st.composite
def projective_heads(draw: st.DrawFn) -> list[int]:
    """Heads of a projective forest: spans are divided among heads."""
    n = draw(st.integers(1, 7))
    heads = [0] * n

    def divide(first: int, last: int, head: int) -> None:
        if first > last:
            return
        end = draw(st.integers(first, last))
        word = draw(st.integers(first, end))
        heads[word - 1] = head
        divide(first, word - 1, word)
        divide(word + 1, end, word)
        divide(end + 1, last, head)

    divide(1, n, 0)
    return heads


@pytest.mark.parametrize(
    ("system", "words"),
    [
        ("swap-lazy", "Old birds 10\u00a0000 songs sing"),
        ("arc-standard", "Old birds 10\u00a0000 songs sing"),
        # Right dependents are attached before what is below them, the root at once.
        ("arc-eager", "Old birds sing 10\u00a0000 songs"),
        ("covington", "Old birds sing 10\u00a0000 songs"),
    ],
)
def test_a_hand_worked_sentence(songs, system, words):
    order = attachment_order(songs, system)
    text = in_order(songs.form, songs, order)
    assert b"".join(text_lines(text, songs.offsets)).decode() == words + "\n"


@given(projective_heads())
@examples(80)
def test_projective_trees_have_one_order_in_four_systems(heads):
    treebank = with_heads([heads])
    for system in ("arc-standard", "arc-hybrid", "swap-eager", "swap-lazy"):
        assert attachment_order(treebank, system).tolist() == post_order(heads)


@given(projective_heads())
@examples(60)
def test_left_siblings_hide_wrong_heads(heads):
    # Why low perplexity is not goodness: another tree, the same order.
    other = list(heads)
    for word, head in enumerate(heads, start=1):
        before = [i for i in range(1, word) if heads[i - 1] == head and word < head]
        if before:
            other[word - 1] = before[-1]
    first, second = (attachment_order(with_heads([tree])) for tree in (heads, other))
    assert first.tolist() == second.tolist()


@given(st.lists(forests(), max_size=4))
@examples(80)
def test_orders_are_permutations_and_come_back_from_misc(sentences):
    sentences = [[max(head, 0) for head in heads] for heads in sentences]
    treebank = with_heads(sentences)
    order = attachment_order(treebank)
    for begin, end in zip(treebank.offsets, treebank.offsets[1:], strict=False):
        assert sorted(order[begin:end]) == list(range(1, end - begin + 1))
    recorded = with_recorded_order(treebank, order)
    assert recorded_order(recorded).tolist() == order.tolist()


def test_a_record_keeps_what_else_misc_says(songs):
    recorded = with_recorded_order(songs, attachment_order(songs))
    assert list(recorded.columns["misc"]) == [
        "AttachedAs=1",
        "SpaceAfter=No|AttachedAs=2",
        "AttachedAs=5",
        "Gloss=many|AttachedAs=3",
        "AttachedAs=4",
    ]


@pytest.mark.parametrize(
    "misc",
    [
        ["AttachedAs=1", "_"],
        ["AttachedAs=1", "AttachedAs=1"],
        ["AttachedAs=0", "AttachedAs=1"],
        ["AttachedAs=2", "AttachedAs=3"],
        ["AttachedAs=1", "NotAttachedAs=2"],
        ["AttachedAs=1", "AttachedAs=2.5"],
        ["AttachedAs=1", "AttachedAs=99999999999999999999"],
    ],
)
def test_what_is_no_record(misc):
    treebank = tg.Treebank(
        {"form": tg.Column.constant("w", 2), "misc": tg.Column.from_strings(misc)},
        [0, 1],
        offsets=[0, 2],
    )
    with pytest.raises(
        PropertyError, match="AttachedAs in MISC; 1 of 1 sentences lack it: number 1"
    ):
        recorded_order(treebank)


def test_words_without_a_head_come_last_from_left_to_right():
    # 1 and 4 have no head; 2 hangs on 3, 3 on the root, 5 on 3.
    treebank = with_heads([[-1, 3, 0, -1, 3], [2, 0]])
    with pytest.warns(HeadlessWordsWarning, match="2 words of the treebank without a head"):
        order = attachment_order(treebank)
    assert order.tolist() == [2, 5, 3, 1, 4, 1, 2]


def test_fields(songs):
    assert list(words_as(songs, "form/upos"))[3] == "10 000/NUM"
    assert words_as(songs, "lemma")[0] == "old"
    assert words_as(songs, "xpos")[0] == "JJ"
    # Two pairs that are one string are one word.
    slashes = tg.Treebank(
        {
            "form": tg.Column.from_strings(["a", "a/b"]),
            "upos": tg.Column.from_strings(["b/C", "C"]),
        },
        [0, 1],
        offsets=[0, 2],
    )
    joined = words_as(slashes, "form/upos")
    assert joined.codes.tolist() == [0, 0]
    with pytest.raises(PropertyError, match="unknown field of words 'word'\n  there are form"):
        words_as(songs, "word")
    with pytest.raises(PropertyError, match="the treebank has no UPOS"):
        words_as(with_heads([[0]]), "form/upos")


def test_texts_of_nothing():
    nothing = with_heads([[], []])
    assert attachment_order(nothing).tolist() == []
    assert b"".join(text_lines(nothing.form, nothing.offsets)) == b"\n\n"
    empty = tg.Column.from_strings(["", "a\tb"])
    assert b"".join(text_lines(empty, np.array([0, 2]))) == "_ a\u00a0b\n".encode()


def test_trees_without_a_derivation():
    crossing = with_heads([[2, 0], [3, 4, 0, 3]])
    with pytest.raises(TransitionError, match=r"arc-eager has none for 1 of 2 .*1 not projective"):
        attachment_order(crossing, "arc-eager")
    with pytest.raises(tg.TreebankError, match="1 of 1 are not: number 1"):
        attachment_order(with_heads([[2, 1]]))
    with pytest.raises(tg.TreebankError, match="1 of 2 are not: number 2"):
        attachment_order(with_heads([[0], [-1, -1]]))

"""Edge flips: by hand, as laws, and against a slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

import treegauge as tg
from tests.examples import examples
from tests.strategies import trees
from treegauge.evaluation import evaluate
from treegauge.rewrite import RewriteError
from treegauge.rewrite.edge_flips import flip_edges
from treegauge.treebank import Column, Treebank, TreebankError, tree_flaws


def bank(*sentences: list[int]) -> Treebank:
    """Trees over words w1, w2, …, each with a relation of its own."""
    heads = [head for sentence in sentences for head in sentence]
    names = [f"w{i}" for i in range(len(heads))]
    return Treebank(
        {
            "form": Column.from_strings(names),
            "deprel": Column.from_strings([name.upper() for name in names]),
        },
        heads,
        offsets=np.concatenate([[0], np.cumsum([len(s) for s in sentences])]),
    )


def marks(n: int, *positions: int) -> list[bool]:
    return [i in positions for i in range(1, n + 1)]


def flipped_slowly(heads: list[int], marked: set[int]) -> list[int]:
    """One arc after the other, from the root downwards, on a dictionary."""
    head = dict(enumerate(heads, start=1))

    def depth(word: int) -> int:
        return 0 if word == 0 else 1 + depth(heads[word - 1])

    for d in sorted(marked, key=lambda word: (depth(word), word)):
        h = head[d]
        assert h == heads[d - 1]
        head[d], head[h] = head[h], d
    return [head[word] for word in sorted(head)]


@st.composite
def trees_with_marks(draw: st.DrawFn) -> tuple[list[int], set[int]]:
    heads = draw(trees(min_size=1, max_size=9))
    words = [i for i, head in enumerate(heads, start=1) if head]
    return heads, draw(st.sets(st.sampled_from(words))) if words else set()


def test_i_want_to_eat():
    # The paper's Figure 2: the edge between "to" and "eat".
    gold = bank([2, 0, 4, 2])
    flipped = flip_edges(gold, marks(4, 3))
    assert flipped.head.tolist() == [2, 0, 2, 3]
    assert list(flipped.deprel) == ["W0", "W1", "W3", "W2"]


def test_the_edge_to_the_root_word_moves_the_root():
    assert flip_edges(bank([2, 0, 2]), marks(3, 1)).head.tolist() == [0, 1, 2]


def test_a_chain_is_turned_around_as_a_whole():
    assert flip_edges(bank([0, 1, 2, 3]), marks(4, 2, 3, 4)).head.tolist() == [2, 3, 4, 0]


def test_sentences_do_not_touch_each_other():
    assert flip_edges(bank([0, 1], [2, 0]), marks(4, 2)).head.tolist() == [2, 0, 2, 0]


def test_nothing_marked_nothing_changed():
    gold = bank([2, 0, 4, 2])
    assert flip_edges(gold, marks(4)) == gold


@examples(200)
@given(trees_with_marks())
def test_flips_keep_trees_and_agree_with_the_slow_twin(drawn):
    heads, marked = drawn
    flipped = flip_edges(bank(heads), marks(len(heads), *marked))
    assert flipped.head.tolist() == flipped_slowly(heads, marked)
    assert not tree_flaws(flipped).any()


@examples(200)
@given(trees(min_size=2, max_size=9), st.data())
def test_flipping_the_turned_arc_gives_back_the_tree(heads, data):
    gold = bank(heads)
    d = data.draw(st.sampled_from([i for i, head in enumerate(heads, start=1) if head]))
    flipped = flip_edges(gold, marks(len(heads), d))
    assert flip_edges(flipped, marks(len(heads), heads[d - 1])) == gold


@examples(100)
@given(trees(min_size=2, max_size=9), st.data())
def test_neutral_edge_direction_forgives_one_flip_and_attachment_does_not(heads, data):
    gold = bank(heads)
    d = data.draw(st.sampled_from([i for i, head in enumerate(heads, start=1) if head]))
    flipped = flip_edges(gold, marks(len(heads), d))
    scores = evaluate(gold, flipped, metrics=["uas", "ned"], resamples=0)
    assert scores["ned"].value == 1
    assert scores["uas"].value == pytest.approx(1 - 2 / len(heads))


def test_enhanced_dependencies_that_no_longer_fit_go():
    line = "{}\t{}\t_\t_\t_\t_\t{}\tdep\t{}:dep\t_\n"
    text = line.format(1, "to", 2, 2) + line.format(2, "eat", 0, 0) + "\n"
    assert list(flip_edges(tg.parse(text), [True, False]).columns["deps"]) == ["_", "_"]


def test_what_cannot_be_flipped_is_refused():
    with pytest.raises(RewriteError, match="no arc to flip"):
        flip_edges(bank([2, 0]), marks(2, 2))
    with pytest.raises(RewriteError, match="needs 2 values; found 3"):
        flip_edges(bank([2, 0]), marks(3))
    with pytest.raises(TreebankError, match="flipping edges needs one complete tree"):
        flip_edges(bank([2, 1]), marks(2, 1))

"""Layouts of small trees, by hand; the laws are in `tests/properties/test_drawings.py`."""

from __future__ import annotations

from itertools import pairwise

import pytest

from treegauge.reports.text_widths import cell_width, text_width
from treegauge.reports.trees import Arc, Drawing, Tree, laid_out
from treegauge.reports.trees.layout import HIGHEST, LEVEL, arc_levels


def drawing(heads: list[int], *, label: str = "dep", form: str = "word", **how) -> Drawing:
    n = len(heads)
    arcs = tuple(Arc(head, i, label) for i, head in enumerate(heads, start=1))
    return Drawing("s", (form,) * n, ("NOUN",) * n, (Tree("gold", arcs),), **how)


@pytest.mark.parametrize(
    ("spans", "levels"),
    [
        ([], []),
        ([(1, 2)], [1]),
        ([(1, 2), (2, 3), (3, 4)], [1, 1, 1]),  # side by side
        ([(1, 4), (1, 3), (1, 2)], [3, 2, 1]),  # a fan
        ([(1, 4), (2, 3)], [2, 1]),  # one inside the other
        ([(1, 3), (2, 4)], [1, 2]),  # crossing
        ([(1, 2), (1, 2)], [1, 2]),  # a cycle of two words
    ],
)
def test_levels(spans, levels):
    assert arc_levels(spans) == levels


def test_a_stub_stands_above_all_arcs():
    side = laid_out(drawing([2, 0, 2])).sides[0]
    (stub,) = [arc for arc in side.arcs if arc.arc.is_stub]
    assert stub.left == stub.right
    assert stub.height > max(arc.height for arc in side.arcs if arc is not stub)


def test_a_long_label_moves_words_apart():
    narrow, wide = (laid_out(drawing([2, 0], label=text)) for text in ("x", "compound:preverb"))
    assert wide.words[1].x - wide.words[0].x > narrow.words[1].x - narrow.words[0].x


def test_a_hundred_arcs_from_one_word_do_not_rise_to_the_sky():
    side = laid_out(drawing([0, *[1] * 99])).sides[0]
    assert side.height < HIGHEST + 3 * LEVEL
    # And a label is near its word, where the word can be seen as well.
    assert max(abs(arc.label_x - arc.dependent_x) for arc in side.arcs) < 400


def test_a_label_makes_way_for_a_line_that_crosses_its_arc():
    # The arc from 1 to 5 has its middle where that from 3 to 7 comes down.
    arcs = (Arc(1, 5, "dep"), Arc(3, 7, "dep"))
    tree = Tree("gold", arcs)
    low, high = laid_out(Drawing("s", ("word",) * 7, ("",) * 7, (tree,))).sides[0].arcs
    assert low.arc.span == (1, 5)
    assert high.height > low.height
    left, right, _, _ = low.box
    assert not left < high.left < right


def test_words_of_a_long_sentence_keep_their_distance():
    layout = laid_out(drawing([*range(2, 81), 0]))
    apart = [b.x - a.x for a, b in pairwise(layout.words)]
    assert min(apart) > layout.words[0].width
    assert max(apart) < 3 * min(apart)


def test_right_to_left_is_the_mirror_image():
    there, back = (laid_out(drawing([3, 1, 0, 2], right_to_left=r)) for r in (False, True))
    assert back.width == there.width
    assert [w.x for w in back.words] == [there.width - w.x for w in there.words]
    assert [a.label_x for a in back.sides[0].arcs] == [
        there.width - a.label_x for a in there.sides[0].arcs
    ]
    assert [a.height for a in back.sides[0].arcs] == [a.height for a in there.sides[0].arcs]


def test_nothing_is_a_layout_too():
    layout = laid_out(drawing([]))
    assert layout.words == ()
    assert layout.sides[0].height == 0


def test_widths_of_words():
    assert text_width("日本語", 10) == pytest.approx(3 * text_width("日", 10))
    assert text_width("日", 10) > text_width("x", 10)
    assert text_width("كَتَبَ", 10) == text_width("كتب", 10)
    assert text_width("\u1112\u1161\u11ab", 10) == text_width("\u1112", 10)  # han, in pieces
    assert text_width("é", 10) == text_width("e\u0301", 10) == text_width("e", 10)
    assert text_width("", 10) == 0


def test_cells_of_words():
    words = ["abc", "日本", "e\u0301", "كَتَبَ", "\u1112\u1161\u11ab"]
    assert [cell_width(word) for word in words] == [3, 4, 1, 3, 2]

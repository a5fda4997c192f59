"""Projectivising: by hand, as laws, and against a slow twin."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.strategies import any_tree_heads, projective_heads
from tests.unit.rewrite.test_edge_flips import bank
from treegauge.properties.projectivity import nonprojective_words
from treegauge.rewrite.errors import RewriteError
from treegauge.rewrite.projectivise import projectivise
from treegauge.treebank import TreebankError, tree_flaws


def ancestors(heads: list[int], word: int) -> set[int]:
    found = {word}
    while word:
        word = heads[word - 1]
        found.add(word)
    return found


def crosses(heads: list[int], d: int) -> bool:
    h = heads[d - 1]
    between = range(min(h, d) + 1, max(h, d))
    return h > 0 and any(h not in ancestors(heads, word) for word in between)


def projectivised_slowly(heads: list[int]) -> list[int]:
    heads = list(heads)
    while wrong := [d for d in range(1, len(heads) + 1) if crosses(heads, d)]:
        d = min(wrong, key=lambda d: (abs(d - heads[d - 1]), d))
        heads[d - 1] = heads[heads[d - 1] - 1]
    return heads


def test_a_hearing_is_scheduled_on_the_issue_today():
    # 1 a, 2 hearing, 3 is, 4 scheduled, 5 on, 6 the, 7 issue, 8 today: the arcs from hearing
    # to on, and from scheduled to today, cross.
    crossing = bank([2, 3, 0, 3, 2, 7, 5, 4])
    assert projectivise(crossing).head.tolist() == [2, 3, 0, 3, 3, 7, 5, 3]


def test_the_shortest_arc_goes_first():
    # 4 -> 2 (length 2) and 5 -> 1 (length 4) cross the root 3; lifting the first suffices not.
    assert projectivise(bank([5, 4, 0, 3, 3])).head.tolist() == [3, 3, 0, 3, 3]


@examples(200)
@given(st.lists(any_tree_heads(max_size=9), min_size=1, max_size=3))
def test_trees_become_projective_as_by_the_slow_twin(sentences):
    found = projectivise(bank(*sentences))
    assert (nonprojective_words(found) == 0).all()
    assert not tree_flaws(found).any()
    expected = [head for heads in sentences for head in projectivised_slowly(heads)]
    assert found.head.tolist() == expected


@examples(100)
@given(projective_heads())
def test_projective_trees_are_left_alone(heads):
    gold = bank(heads)
    assert projectivise(gold) is gold


def test_an_arc_above_another_root_is_lifted_out():
    assert projectivise(bank([3, 0, 0])).head.tolist() == [0, 0, 0]


def test_what_is_no_tree_is_refused():
    with pytest.raises(TreebankError, match="projectivising needs one complete tree"):
        projectivise(bank([2, 1]))


def test_sentence_whose_arcs_would_be_lifted_for_hours_is_refused(monkeypatch):
    crossing = bank([2, 3, 0, 3, 2, 5])
    monkeypatch.setattr("treegauge.rewrite.projectivise._MOST_LIFTS", 6)
    assert projectivise(crossing).head.tolist() == [2, 3, 0, 3, 3, 5]
    monkeypatch.setattr("treegauge.rewrite.projectivise._MOST_LIFTS", 5)
    with pytest.raises(RewriteError, match="sentence 1 has 6 words and 1 crossing arcs"):
        projectivise(crossing)

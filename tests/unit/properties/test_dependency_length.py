"""Lengths of arcs, sentences and treebanks, by hand."""

from __future__ import annotations

from tests.unit.properties.all_orders import bank, chain, star
from treegauge.properties import arc_lengths, dependency_lengths, mean_dependency_length

JOHN = [2, 0, 2, 5, 2]  # John threw out the trash


def test_worked_example():
    both = bank(JOHN, [0], [3, 3, 0])
    assert arc_lengths(both).tolist() == [1, 0, 1, 1, 3, 0, 2, 1, 0]
    assert dependency_lengths(both).tolist() == [6, 0, 3]
    assert dependency_lengths(both, unit="span").tolist() == [10, 0, 5]
    assert mean_dependency_length(both) == 9 / 6
    assert mean_dependency_length(both, unit="span") == 15 / 6


def test_what_is_no_arc_has_no_length():
    # A root, no head, a head outside the sentence, a word on itself; a cycle still has arcs.
    odd = bank([0, -1, 7, 4], [2, 1])
    assert arc_lengths(odd).tolist() == [0, 0, 0, 0, 1, 1]
    assert arc_lengths(odd, unit="span").tolist() == [0, 0, 0, 0, 2, 2]
    assert mean_dependency_length(bank([0], [0])) is None
    assert dependency_lengths(bank()).tolist() == []


def test_long_sentences():
    n = 10_000
    assert dependency_lengths(bank(chain(n), star(n))).tolist() == [n - 1, n * (n - 1) // 2]

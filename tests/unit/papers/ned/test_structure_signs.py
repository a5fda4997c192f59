"""Which structures an algorithm builds against gold, counted by eye."""

from __future__ import annotations

from tests.unit.papers.ned.test_edge_types import TO_EATS, WANT_TO_EAT, tagged
from treegauge.papers.ned.edge_types import Edges, EdgeType
from treegauge.papers.ned.structure_signs import (
    OTHERS,
    DirectionCounts,
    direction_counts,
    structure_or_others,
)


def test_edges_are_counted_by_structure_and_direction():
    # to eat: turned in the first sentence and the same in the second; PRP VBP is as gold in both.
    # The first sentence's `eat` hangs on VBP, the second's `to`: these are no neighbours' edges
    # in gold, or not shared.
    gold = Edges(tagged(WANT_TO_EAT, WANT_TO_EAT), "p")
    induced = Edges(tagged(TO_EATS, WANT_TO_EAT), "p")
    assert direction_counts(gold, induced) == [
        DirectionCounts("infinitive", 2 / 8, as_gold=1, turned=1),
        DirectionCounts(OTHERS, 4 / 8, as_gold=2, turned=0),
    ]


def test_only_edges_between_neighbours_are_counted():
    # Of DT and NN with a word between, nothing is said, although their edge is the same.
    gold = Edges(tagged("DT:3 JJ:3 NN:0"), "p")
    assert direction_counts(gold, gold) == [
        DirectionCounts("prepositional phrase", 1 / 3, as_gold=0, turned=0),
        DirectionCounts(OTHERS, 1 / 3, as_gold=1, turned=0),
    ]


def test_flips_are_counted_by_structure():
    flips = [EdgeType("VB", "TO", "left"), EdgeType("NN", "IN", "right")]
    assert [structure_or_others(edge) for edge in flips] == ["infinitive", OTHERS]
    row = DirectionCounts("infinitive", 0.25, as_gold=1, turned=3).to_row(flips)
    assert row == {
        "structure": "infinitive",
        "token_share": 0.25,
        "as_gold": 1,
        "turned": 3,
        "flips": 1,
    }

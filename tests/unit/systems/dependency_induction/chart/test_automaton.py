from __future__ import annotations

from itertools import product

import pytest

from treegauge.systems.dependency_induction.chart.automaton import ORDERS, side_automaton


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("decision", [1, 2, 3, 4])
@pytest.mark.parametrize("child", [1, 2, 3, 4])
def test_every_side_has_one_way_with_the_right_valences(decision, child, order):
    automaton = side_automaton(decision, child, order)
    steps = list(zip(automaton.source, automaton.target, automaton.label, strict=True))
    for dependents in range(8):
        ways = []
        paths = [(0, [])]
        for _ in range(dependents):
            paths = [
                (target, [*labels, label])
                for (state, labels), (source, target, label) in product(paths, steps)
                if source == state
            ]
        ways = [(state, labels) for state, labels in paths if automaton.final[state] >= 0]
        assert len(ways) == 1
        state, labels = ways[0]
        assert automaton.final[state] == min(dependents, decision - 1)
        assert [automaton.label_decision[a] for a in labels] == [
            min(k, decision - 1) for k in range(dependents)
        ]
        from_there = range(dependents) if order == "inside_out" else range(dependents)[::-1]
        assert [automaton.label_child[a] for a in labels] == [min(k, child - 1) for k in from_there]


def test_state_0_is_never_entered():
    for decision, child, order in product(range(1, 5), range(1, 5), ORDERS):
        assert (side_automaton(decision, child, order).target > 0).all()


def test_two_valences_need_two_states():
    """Which is the valence implied by the span."""
    assert side_automaton(2, 2, "inside_out").final.size == 2
    assert side_automaton(2, 1, "outside_in").final.size == 2

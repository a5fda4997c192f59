"""Dynamic oracles against a search through everything that can be reached."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.transitions.all_trees import all_forests, is_projective
from tests.unit.transitions.every_configuration import (
    ALL_WAYS,
    every_configuration,
    least_losses,
)
from treegauge.transitions import Root, TransitionSystem, stepping as step

WAYS = [way for way in ALL_WAYS if way[0].has_dynamic_oracle]


def compare(n: int, system: TransitionSystem, root: Root, single_root: bool) -> int:
    """Compare all costs in all configurations for all gold trees; return how many moves that is."""
    found = every_configuration(n, system, root, single_root)
    one = single_root or (root is Root.NONE and system.leaves_one_tree)
    golds = [
        heads
        for heads in all_forests(n)
        if (system.covers_all_trees or is_projective(heads)) and (heads.count(0) == 1 or not one)
    ]
    least = least_losses(found, np.array(golds, np.int32))
    gold, scratch = step.new_gold(n), step.new_configuration(n)
    mask, costs = np.zeros(step.N_MOVES, np.bool_), np.zeros(step.N_MOVES, np.int32)
    compared = 0
    for tree, heads in enumerate(golds):
        step.prepare_gold(gold, np.array(heads, np.int32), int(system))
        losses = least[:, tree].tolist()
        for place, state in enumerate(found.states):
            expected = [step.ILLEGAL] * step.N_MOVES
            for move, after in found.following[place].items():
                expected[move] = losses[after] - losses[place]
            step.costs(state, gold, scratch, mask, costs)
            assert step.loss(state, gold) == losses[place], (heads, state)
            assert costs.tolist() == expected, (heads, state)
            compared += len(found.following[place])
    return compared


@pytest.mark.parametrize(("system", "root", "single_root"), WAYS)
def test_costs_are_what_a_search_finds(
    system: TransitionSystem, root: Root, single_root: bool
) -> None:
    compared = sum(compare(n, system, root, single_root) for n in (1, 2, 3))
    assert compared > 100


@pytest.mark.parametrize(
    ("system", "root"),
    [
        (TransitionSystem.ARC_STANDARD, Root.FIRST),
        (TransitionSystem.ARC_EAGER, Root.LAST),
        (TransitionSystem.ARC_HYBRID, Root.LAST),
        (TransitionSystem.COVINGTON, Root.NONE),
    ],
)
def test_costs_are_what_a_search_finds_in_sentences_of_four_words(
    system: TransitionSystem, root: Root
) -> None:
    assert compare(4, system, root, single_root=False) > 10_000


@pytest.mark.slow
@pytest.mark.parametrize(("system", "root", "single_root"), WAYS)
def test_costs_are_what_a_search_finds_in_longer_sentences(
    system: TransitionSystem, root: Root, single_root: bool
) -> None:
    compare(4 if system is TransitionSystem.COVINGTON else 5, system, root, single_root)


def test_costs_are_what_a_reader_counts() -> None:
    """He wrote her a letter: after He is attached, what may be done with wrote and her?

    With the root behind all words, wrote is alone on the stack and her in front. Right-Arc is
    gold. Shift loses wrote -> her. Left-Arc would put wrote below her, and wrote would lose its
    own head, the root, and both dependents, her and letter.
    """
    gold = step.new_gold(5)
    step.prepare_gold(gold, np.array([2, 0, 2, 5, 2], np.int32), int(TransitionSystem.ARC_EAGER))
    state, scratch = step.new_configuration(5), step.new_configuration(5)
    step.start(state, 5, int(TransitionSystem.ARC_EAGER), int(Root.LAST), True)
    for move in (step.SHIFT, step.LEFT_ARC, step.SHIFT):
        step.apply(state, move, 0)
    mask, costs = np.zeros(step.N_MOVES, np.bool_), np.zeros(step.N_MOVES, np.int32)
    step.costs(state, gold, scratch, mask, costs)
    assert costs.tolist() == [1, 3, 0, step.ILLEGAL]

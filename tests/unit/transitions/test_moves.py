"""Legal moves and what they do, against the slow twin in every configuration of short sentences."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.unit.transitions.all_trees import is_projective, is_tree
from tests.unit.transitions.every_configuration import ALL_WAYS, every_configuration, words
from tests.unit.transitions.slow_systems import SlowConfiguration
from treegauge.transitions import Root, TransitionSystem, stepping as step


def begin(n: int, system: TransitionSystem, root: Root, single_root: bool) -> NDArray[np.int32]:
    state = step.new_configuration(n)
    step.start(state, n, int(system), int(root), single_root)
    return state


def heads(state: NDArray[np.int32]) -> list[int]:
    found: list[int] = state[step.HEAD, 1 : state[step.FACTS, step.N_WORDS] + 1].tolist()
    return found


@pytest.mark.parametrize(("system", "root", "single_root"), ALL_WAYS)
def test_moves_are_those_of_the_papers(
    system: TransitionSystem, root: Root, single_root: bool
) -> None:
    n = 4 if (root, single_root) == (Root.FIRST, False) else 3
    mask = np.zeros(step.N_MOVES, np.bool_)
    waiting = [
        (begin(n, system, root, single_root), SlowConfiguration(system, root, single_root, n))
    ]
    seen = set()
    while waiting:
        state, slow = waiting.pop()
        step.legal(state, mask)
        assert {
            name for name, fine in zip(system.moves, mask, strict=False) if fine
        } == slow.legal()
        assert step.is_terminal(state) == slow.is_terminal()
        assert heads(state) == [slow.heads.get(word, step.NO_HEAD) for word in range(1, n + 1)]
        assert words(state, step.buffer_word) == tuple(slow.buffer)
        if system.spelling.startswith("covington"):
            top = slow.stack[-1] if slow.stack and slow.buffer else step.NO_WORD
            assert step.stack_word(state, 0) == top
        else:
            assert words(state, step.stack_word) == tuple(reversed(slow.stack))
        for number in np.flatnonzero(mask).tolist():
            after, slow_after = state.copy(), slow.copy()
            head, dependent = step.arc(state, number)
            step.apply(after, number, 7)
            slow_after.make(system.moves[number])
            new = slow_after.heads.items() - slow.heads.items()
            assert new == ({(dependent, head)} if dependent else set())
            assert after[step.FACTS, step.ATTACHED] == dependent
            key = repr(slow_after)
            if key not in seen:
                seen.add(key)
                waiting.append((after, slow_after))


@pytest.mark.parametrize(("system", "root", "single_root"), ALL_WAYS)
def test_every_way_ends_in_a_tree(system: TransitionSystem, root: Root, single_root: bool) -> None:
    n = 4 if root is Root.FIRST else 3
    found = every_configuration(n, system, root, single_root)
    ends = [state for state, after in zip(found.states, found.following, strict=True) if not after]
    assert ends
    built = set()
    for state in ends:
        assert step.is_terminal(state)
        step.finish(state, 1, 2)
        tree = heads(state)
        assert is_tree(tree)
        assert tree.count(0) == 1 or not single_root
        assert is_projective(tree) or system.covers_all_trees
        built.add(tuple(tree))
    assert len(built) > n  # and they are many trees


def test_children_are_kept_from_the_outside_inwards() -> None:
    """Word 4 takes 3, 2, 1 and then 5, 6, 7; the outermost two count on each side."""
    state = begin(7, TransitionSystem.ARC_STANDARD, Root.FIRST, False)
    seen = []
    for move in (*[step.SHIFT] * 4, *[step.LEFT_ARC] * 3, *[step.SHIFT, step.RIGHT_ARC] * 3):
        step.apply(state, move, 9)
        rows = (step.LEFT_CHILD, step.LEFT_CHILD_2, step.RIGHT_CHILD, step.RIGHT_CHILD_2)
        seen.append([int(state[row, 4]) for row in rows])
    assert seen[4:7] == [[3, 0, 0, 0], [2, 3, 0, 0], [1, 2, 0, 0]]
    assert seen[8::2] == [[1, 2, 5, 0], [1, 2, 6, 5], [1, 2, 7, 6]]
    assert (state[step.LEFT_VALENCY, 4], state[step.RIGHT_VALENCY, 4]) == (3, 3)
    assert state[step.LABEL, 1:8].tolist() == [9, 9, 9, -1, 9, 9, 9]


def test_children_stay_sorted_when_words_are_swapped() -> None:
    """On its way out word 2 takes 4 and, later, 3."""
    state = begin(4, TransitionSystem.SWAP_EAGER, Root.FIRST, False)
    moves = [*[step.SHIFT] * 4, step.SWAP, step.RIGHT_ARC, step.SHIFT, step.RIGHT_ARC]
    for move in moves:
        step.apply(state, move, 0)
    assert heads(state) == [-1, -1, 2, 2]
    assert (state[step.RIGHT_CHILD, 2], state[step.RIGHT_CHILD_2, 2]) == (4, 3)


def test_the_root_behind_all_words_has_its_children_on_the_left() -> None:
    state = begin(2, TransitionSystem.ARC_EAGER, Root.LAST, False)
    for move in (step.SHIFT, step.SHIFT, step.LEFT_ARC, step.LEFT_ARC):
        step.apply(state, move, 0)
    assert heads(state) == [0, 0]
    assert step.is_terminal(state)
    assert (state[step.LEFT_CHILD, 0], state[step.LEFT_CHILD_2, 0]) == (1, 2)


@pytest.mark.parametrize(
    ("single_root", "moves", "expected", "labels"),
    [
        (False, [step.SHIFT] * 3, [0, 0, 0], [5, 5, 5]),
        (True, [step.SHIFT] * 3, [0, 1, 1], [5, 6, 6]),
        (True, [step.SHIFT, step.LEFT_ARC, step.RIGHT_ARC, step.SHIFT], [2, 0, 2], [3, 3, 6]),
    ],
)
def test_words_without_a_head_get_one_at_the_end(
    single_root: bool, moves: list[int], expected: list[int], labels: list[int]
) -> None:
    state = begin(3, TransitionSystem.ARC_EAGER, Root.FIRST, single_root)
    for move in moves:
        step.apply(state, move, 3)
    assert step.is_terminal(state)
    step.finish(state, 5, 6)
    assert heads(state) == expected
    assert state[step.LABEL, 1:4].tolist() == labels


def test_covington_looks_at_words_from_right_to_left() -> None:
    state = begin(3, TransitionSystem.COVINGTON, Root.FIRST, False)
    step.apply(state, step.SHIFT, 0)
    step.apply(state, step.SHIFT, 0)
    assert words(state, step.stack_word) == (2, 1, 0)
    step.apply(state, step.NO_ARC, 0)
    assert words(state, step.stack_word) == (1, 0)
    projective = begin(3, TransitionSystem.COVINGTON_PROJECTIVE, Root.FIRST, False)
    for move in (step.RIGHT_ARC, step.SHIFT, step.RIGHT_ARC, step.SHIFT):
        step.apply(projective, move, 0)
    assert words(projective, step.stack_word) == (2, 1, 0)  # along heads

"""Every configuration that can be reached in short sentences, and what can be reached from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.transitions import Root, TransitionSystem, stepping as step

ALL_WAYS = [
    (system, root, single_root)
    for system in TransitionSystem
    for root in Root
    for single_root in (False, True)
]


@dataclass
class Configurations:
    """The configurations of a sentence of n words; ends stand before what leads to them."""

    n: int
    system: TransitionSystem
    root: Root
    states: list[NDArray[np.int32]]
    following: list[dict[int, int]]
    """For each configuration, legal moves and the places of what they lead to."""


def every_configuration(
    n: int, system: TransitionSystem, root: Root, single_root: bool
) -> Configurations:
    """Make all legal moves from the beginning; a circle of moves is an error."""
    begin = step.new_configuration(n)
    step.start(begin, n, int(system), int(root), single_root)
    found = Configurations(n, system, root, [], [])
    places: dict[Any, int | None] = {}
    mask = np.zeros(step.N_MOVES, np.bool_)

    def visit(state: NDArray[np.int32]) -> int:
        key = what_is_seen(state)
        if key in places:
            place = places[key]
            assert place is not None, f"{system.spelling} goes around in circles"
            return place
        places[key] = None
        count = step.legal(state, mask)
        moves = np.flatnonzero(mask).tolist()
        assert count == len(moves)
        following = {}
        for move in moves:
            after = state.copy()
            step.apply(after, move, 0)
            following[move] = visit(after)
        places[key] = len(found.states)
        found.states.append(state)
        found.following.append(following)
        return len(found.states) - 1

    visit(begin)
    return found


def what_is_seen(state: NDArray[np.int32]) -> tuple[Any, ...]:
    """Return stack, buffer, Covington's i and the heads: what makes two configurations equal."""
    n, facts = state[step.FACTS, step.N_WORDS], state[step.FACTS]
    covington = facts[step.SYSTEM] in (
        TransitionSystem.COVINGTON,
        TransitionSystem.COVINGTON_PROJECTIVE,
    )
    stack = () if covington else words(state, step.stack_word)
    buffer = words(state, step.buffer_word)
    return stack, buffer, int(facts[step.LEFT]), tuple(state[step.HEAD, 1 : n + 1].tolist())


def words(state: NDArray[np.int32], word_at: Any) -> tuple[int, ...]:
    """Return the words of the stack from its top, or of the buffer from its front."""
    found = []
    while (word := word_at(state, len(found))) != step.NO_WORD:
        found.append(int(word))
    return tuple(found)


def least_losses(found: Configurations, golds: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the least number of wrong heads, for each configuration and each gold tree."""
    least = np.zeros((len(found.states), len(golds)), np.int64)
    for place, (state, following) in enumerate(zip(found.states, found.following, strict=True)):
        if following:
            least[place] = np.min([least[after] for after in following.values()], axis=0)
        else:
            heads = state[step.HEAD, 1 : found.n + 1].copy()
            if found.root is Root.NONE:
                heads[heads == step.NO_HEAD] = 0
            least[place] = (golds != heads).sum(axis=1)
    return least

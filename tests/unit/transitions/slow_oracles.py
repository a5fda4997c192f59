"""The static oracles as the papers write them, with the root before all words."""

from __future__ import annotations

from collections.abc import Sequence

from tests.unit.transitions.slow_systems import SlowConfiguration
from treegauge.transitions import Root, TransitionSystem

Heads = Sequence[int]


def slow_derivation(heads: Heads, system: TransitionSystem) -> list[str] | None:
    """Return the moves to a tree, or None if they lead elsewhere."""
    slow = SlowConfiguration(system, Root.FIRST, False, len(heads))
    components = projective_components(heads) if system is TransitionSystem.SWAP_LAZY else []
    moves: list[str] = []
    while not slow.is_terminal():
        move = slow_oracle(slow, heads, components)
        if move not in slow.legal():
            return None
        slow.make(move)
        moves.append(move)
    built = [slow.heads.get(word) for word in range(1, len(heads) + 1)]
    return moves if built == list(heads) else None


def slow_oracle(slow: SlowConfiguration, heads: Heads, components: Sequence[int] = ()) -> str:
    """Return the next move; it may not be legal if the tree cannot be derived."""
    gold = dict(enumerate(heads, start=1))
    kind = slow.kind
    if kind == "eager":
        return eager_move(slow, gold)
    if kind == "covington":
        return covington_move(slow, gold)

    def is_complete(word: int) -> bool:
        return all(slow.heads.get(child) == word for child in gold if gold[child] == word)

    if kind == "hybrid":
        top = slow.stack[-1]
        if top and is_complete(top):
            if slow.buffer and gold[top] == slow.buffer[0]:
                return "left-arc"
            if gold[top] == slow.stack[-2]:
                return "right-arc"
        return "shift"
    if len(slow.stack) >= 2:
        i, j = slow.stack[-2:]
        if gold.get(i) == j and is_complete(i):
            return "left-arc"
        if gold.get(j) == i and is_complete(j):
            return "right-arc"
        if kind == "swap" and i:
            order = projective_order(heads)
            waits = components and slow.buffer and components[j] == components[slow.buffer[0]]
            if order.index(j) < order.index(i) and not waits:
                return "swap"
    return "shift"


def eager_move(slow: SlowConfiguration, gold: dict[int, int]) -> str:
    top, front = slow.stack[-1], slow.buffer[0]
    if gold.get(top) == front:
        return "left-arc"
    if gold[front] == top:
        return "right-arc"
    linked = any(gold.get(k) == front or gold[front] == k for k in range(top))
    return "reduce" if top in slow.heads and linked else "shift"


def covington_move(slow: SlowConfiguration, gold: dict[int, int]) -> str:
    if not slow.stack:
        return "shift"
    i, j = slow.stack[-1], slow.buffer[0]
    if gold.get(i) == j and i not in slow.heads:
        return "left-arc"
    if gold[j] == i and j not in slow.heads:
        return "right-arc"
    linked = any(gold.get(k) == j or gold[j] == k for k in range(i))
    return "no-arc" if linked and slow.may("no-arc") else "shift"


def projective_order(heads: Heads, word: int = 0) -> list[int]:
    """Return the words in the order of the tree: left children, the word, right children."""
    children = [child for child, head in enumerate(heads, start=1) if head == word]
    left = [w for child in children if child < word for w in projective_order(heads, child)]
    right = [w for child in children if child > word for w in projective_order(heads, child)]
    return [*left, word, *right]


def projective_components(heads: Heads) -> list[int]:
    """Return the highest word above each word by the arcs that arc-standard builds."""
    slow = SlowConfiguration(TransitionSystem.ARC_STANDARD, Root.FIRST, False, len(heads))
    while (move := slow_oracle(slow, heads)) in slow.legal():
        slow.make(move)
    return [slow.top(word) for word in range(len(heads) + 1)]

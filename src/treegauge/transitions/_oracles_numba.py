"""Kernels of static oracles: the next move towards a gold tree, from a configuration on the way.

What an oracle asks of the gold tree is computed once per sentence, into one int32 array:

    row GOLD_HEAD        heads, 0 the root; that of the root itself is -1
    row GOLD_CHILDREN    how many children each word has
    row GOLD_LEFTMOST    the leftmost child, n + 1 if there is none
    row GOLD_ORDER       the place of each word when the tree is read in order
    row GOLD_COMPONENT   the highest word of each maximal projective component; for swap-lazy only
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.kernels import kernel
from treegauge.transitions._configuration_numba import (
    ARC_EAGER,
    ARC_HYBRID,
    BUFFER,
    BUFFER_SIZE,
    COVINGTON,
    COVINGTON_PROJECTIVE,
    FACTS,
    HEAD,
    LEFT,
    NO_HEAD,
    NO_WORD,
    ROOT,
    ROOT_FIRST,
    STACK,
    STACK_SIZE,
    SWAP_EAGER,
    SWAP_LAZY,
    SYSTEM,
    n_children,
    next_left,
)
from treegauge.transitions._moves_numba import (
    LEFT_ARC,
    NO_ARC,
    REDUCE,
    RIGHT_ARC,
    SHIFT,
    SWAP,
    is_terminal,
)

GOLD_HEAD, GOLD_CHILDREN, GOLD_LEFTMOST, GOLD_ORDER, GOLD_COMPONENT = 0, 1, 2, 3, 4
_NEXT_SIBLING, _NEXT_CHILD = 5, 6
_STACK, _ATTACHED = 5, 6
GOLD_ROWS = 7
NO_MOVE = -1


def new_gold(longest: int) -> NDArray[np.int32]:
    """Return an array for the gold trees of sentences of up to so many words."""
    return np.zeros((GOLD_ROWS, longest + 1), np.int32)


@kernel
def prepare_gold(gold, heads, system):
    """Write what oracles need to know of a tree; `heads` has one entry per word, 0 the root."""
    prepare_heads(gold, heads, system)
    if system == SWAP_EAGER or system == SWAP_LAZY:
        _projective_order(gold, len(heads))
    if system == SWAP_LAZY:
        _maximal_projective_components(gold, len(heads))


@kernel
def prepare_heads(gold, heads, _system):
    """Write all rows but those that only the oracles with Swap need."""
    n = len(heads)
    for i in range(n + 1):
        gold[GOLD_CHILDREN, i] = 0
        gold[GOLD_LEFTMOST, i] = n + 1
    gold[GOLD_HEAD, 0] = NO_HEAD
    for i in range(n, 0, -1):
        head = heads[i - 1]
        gold[GOLD_HEAD, i] = head
        gold[GOLD_CHILDREN, head] += 1
        gold[GOLD_LEFTMOST, head] = i


@kernel
def _projective_order(gold, n):
    """Number the words as the tree is read: left children, the word itself, right children."""
    for i in range(n + 1):
        gold[_NEXT_CHILD, i] = 0
        gold[GOLD_ORDER, i] = -1
    for i in range(n, 0, -1):
        head = gold[GOLD_HEAD, i]
        gold[_NEXT_SIBLING, i] = gold[_NEXT_CHILD, head]
        gold[_NEXT_CHILD, head] = i
    clock = 0
    word = 0
    while word != NO_HEAD:
        child = gold[_NEXT_CHILD, word]
        if gold[GOLD_ORDER, word] < 0 and (child == 0 or child > word):
            gold[GOLD_ORDER, word] = clock
            clock += 1
        elif child != 0:
            gold[_NEXT_CHILD, word] = gold[_NEXT_SIBLING, child]
            word = child
        else:
            word = gold[GOLD_HEAD, word]


@kernel
def _maximal_projective_components(gold, n):
    """Follow the arcs that arc-standard can build up to their highest words.

    Nivre, Kuhlmann and Hall (2009): run the arc-standard oracle without Swap until the buffer is
    empty, and keep what it has built.
    """
    for i in range(n + 1):
        gold[_ATTACHED, i] = 0
        gold[GOLD_COMPONENT, i] = i
    gold[_STACK, 0] = 0
    size = 1
    for word in range(1, n + 1):
        gold[_STACK, size] = word
        size += 1
        while size >= 2:
            i = gold[_STACK, size - 2]
            j = gold[_STACK, size - 1]
            if gold[GOLD_HEAD, i] == j and gold[_ATTACHED, i] == gold[GOLD_CHILDREN, i]:
                gold[GOLD_COMPONENT, i] = j
                gold[_ATTACHED, j] += 1
                gold[_STACK, size - 2] = j
            elif gold[GOLD_HEAD, j] == i and gold[_ATTACHED, j] == gold[GOLD_CHILDREN, j]:
                gold[GOLD_COMPONENT, j] = i
                gold[_ATTACHED, i] += 1
            else:
                break
            size -= 1
    for i in range(1, n + 1):
        top = i
        while gold[GOLD_COMPONENT, top] != top:
            top = gold[GOLD_COMPONENT, top]
        at = i
        while gold[GOLD_COMPONENT, at] != top:  # no path is walked twice
            following = gold[GOLD_COMPONENT, at]
            gold[GOLD_COMPONENT, at] = top
            at = following


@kernel
def oracle(state, gold):
    """Return the next move towards the gold tree, NO_MOVE at the end or if there is none.

    For configurations that the oracle itself led to. A tree that the system cannot derive ends
    in NO_MOVE before the end, or in other heads.
    """
    if is_terminal(state):
        return NO_MOVE
    return next_move(state, gold)


@kernel
def next_move(state, gold):
    """Return the next move before the end."""
    system = state[FACTS, SYSTEM]
    if system == ARC_EAGER:
        return next_eager(state, gold)
    if system == ARC_HYBRID:
        return next_hybrid(state, gold)
    if system == COVINGTON or system == COVINGTON_PROJECTIVE:
        return next_covington(state, gold)
    return next_standard(state, gold)


@kernel
def _is_complete(state, gold, word):
    return n_children(state, word) == gold[GOLD_CHILDREN, word]


@kernel
def next_standard(state, gold):
    """Arc-standard, and with Swap: an arc as soon as its dependent has all its own."""
    system = state[FACTS, SYSTEM]
    stacked = state[FACTS, STACK_SIZE]
    waiting = state[FACTS, BUFFER_SIZE]
    if stacked >= 2:
        i = state[STACK, stacked - 2]
        j = state[STACK, stacked - 1]
        if gold[GOLD_HEAD, i] == j and _is_complete(state, gold, i):
            return LEFT_ARC
        if gold[GOLD_HEAD, j] == i and _is_complete(state, gold, j):
            return RIGHT_ARC
        swaps = system == SWAP_EAGER or system == SWAP_LAZY
        if swaps and i > 0 and j > 0 and gold[GOLD_ORDER, j] < gold[GOLD_ORDER, i]:
            front = state[BUFFER, waiting - 1] if waiting > 0 else 0
            component = gold[GOLD_COMPONENT]
            # Swap-lazy waits as long as j can grow; the root behind all words adds nothing.
            if system == SWAP_EAGER or front == 0 or component[j] != component[front]:
                return SWAP
    return SHIFT if waiting > 0 else NO_MOVE


@kernel
def _links_further_left(state, gold, i, j):
    """Return whether the gold tree links j with a word left of i."""
    if gold[GOLD_LEFTMOST, j] < i:
        return True
    head = gold[GOLD_HEAD, j]
    if head == 0:
        return state[FACTS, ROOT] == ROOT_FIRST and i > 0
    return head != NO_HEAD and head < i


@kernel
def next_eager(state, gold):
    stacked = state[FACTS, STACK_SIZE]
    front = state[BUFFER, state[FACTS, BUFFER_SIZE] - 1]
    at_root = front == 0
    if stacked > 0:
        s = state[STACK, stacked - 1]
        has_head = state[HEAD, s] != NO_HEAD
        if not has_head and gold[GOLD_HEAD, s] == front:
            return LEFT_ARC
        if gold[GOLD_HEAD, front] == s:
            return RIGHT_ARC
        if has_head and (at_root or _links_further_left(state, gold, s, front)):
            return REDUCE
    return NO_MOVE if at_root else SHIFT


@kernel
def next_hybrid(state, gold):
    stacked = state[FACTS, STACK_SIZE]
    waiting = state[FACTS, BUFFER_SIZE]
    front = state[BUFFER, waiting - 1] if waiting > 0 else NO_WORD
    if stacked > 0:
        s = state[STACK, stacked - 1]
        if s > 0 and _is_complete(state, gold, s):
            if gold[GOLD_HEAD, s] == front:
                return LEFT_ARC
            if stacked > 1 and gold[GOLD_HEAD, s] == state[STACK, stacked - 2]:
                return RIGHT_ARC
    return SHIFT if front > 0 else NO_MOVE


@kernel
def next_covington(state, gold):
    i = state[FACTS, LEFT]
    j = state[BUFFER, state[FACTS, BUFFER_SIZE] - 1]
    if i != NO_WORD:
        if state[HEAD, i] == NO_HEAD and gold[GOLD_HEAD, i] == j:
            return LEFT_ARC
        if state[HEAD, j] == NO_HEAD and gold[GOLD_HEAD, j] == i:
            return RIGHT_ARC
        if _links_further_left(state, gold, i, j) and next_left(state, i) != NO_WORD:
            return NO_ARC
    return SHIFT

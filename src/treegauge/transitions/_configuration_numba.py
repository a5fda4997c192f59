"""Kernels of configurations: one int32 array per sentence, whose rows are stack, buffer and arcs.

One array, and not an object of many, so that a copy is a copy of an array, and one configuration
made for the longest sentence serves all of them.

    rows STACK and BUFFER     words; the top of the stack and the front of the buffer stand last
    row HEAD                  the head of each word, NO_HEAD without one; the root is 0
    row LABEL                 the label of the arc from it, -1 without one
    rows LEFT_CHILD, ...      the outermost and the next child on each side, by position; 0: none
    rows .._VALENCY           children on each side
    row PLACE                 IN_BUFFER, ON_STACK or GONE; not kept up by Covington's systems
    row TOP                   the highest ancestor of each word; kept up by `COVINGTON` alone
    row FACTS                 single numbers: the system, sizes, ...

Covington's systems have no stack: j is the front of the buffer, and fact LEFT the word i left of
it that is looked at, NO_WORD when no word is left to look at.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.kernels import kernel

ARC_STANDARD, ARC_EAGER, ARC_HYBRID, SWAP_EAGER, SWAP_LAZY = 0, 1, 2, 3, 4
COVINGTON_PROJECTIVE, COVINGTON = 5, 6
ROOT_FIRST, ROOT_LAST, ROOT_NONE = 0, 1, 2

STACK, BUFFER, HEAD, LABEL = 0, 1, 2, 3
LEFT_CHILD, LEFT_CHILD_2, RIGHT_CHILD, RIGHT_CHILD_2 = 4, 5, 6, 7
LEFT_VALENCY, RIGHT_VALENCY, PLACE, TOP, FACTS = 8, 9, 10, 11, 12
ROWS = 13

SYSTEM, ROOT, SINGLE_ROOT, N_WORDS, STACK_SIZE, BUFFER_SIZE = 0, 1, 2, 3, 4, 5
LEFT, N_ROOTS, ATTACHED = 6, 7, 8
"""Places in row FACTS. ATTACHED is the word that the latest move gave a head, 0 if none."""
N_FACTS = 9

IN_BUFFER, ON_STACK, GONE = 0, 1, 2
NO_HEAD = -1
NO_WORD = -1


def new_configuration(longest: int) -> NDArray[np.int32]:
    """Return a configuration with room for sentences of up to so many words."""
    return np.zeros((ROWS, max(longest + 1, N_FACTS)), np.int32)


@kernel
def start(state, n, system, root, single_root):
    """Put a configuration at the beginning of a sentence of n words."""
    for i in range(n + 1):
        state[HEAD, i] = NO_HEAD
        state[LABEL, i] = -1
        state[LEFT_CHILD, i] = 0
        state[LEFT_CHILD_2, i] = 0
        state[RIGHT_CHILD, i] = 0
        state[RIGHT_CHILD_2, i] = 0
        state[LEFT_VALENCY, i] = 0
        state[RIGHT_VALENCY, i] = 0
        state[PLACE, i] = IN_BUFFER
        state[TOP, i] = i
    state[FACTS, SYSTEM] = system
    state[FACTS, ROOT] = root
    state[FACTS, SINGLE_ROOT] = single_root
    state[FACTS, N_WORDS] = n
    state[FACTS, STACK_SIZE] = 0
    state[FACTS, BUFFER_SIZE] = 0
    state[FACTS, LEFT] = NO_WORD
    state[FACTS, N_ROOTS] = 0
    state[FACTS, ATTACHED] = 0
    if root == ROOT_LAST:
        to_front(state, 0)
    for i in range(n, 0, -1):
        to_front(state, i)
    if root == ROOT_FIRST:
        if system == COVINGTON or system == COVINGTON_PROJECTIVE:
            state[FACTS, LEFT] = 0
        else:
            push(state, 0)


@kernel
def copy_configuration(source, target):
    """Make one configuration like another; only the sentence's own columns are copied."""
    columns = source[FACTS, N_WORDS] + 1
    if columns < N_FACTS:
        columns = N_FACTS
    for row in range(ROWS):
        for i in range(columns):
            target[row, i] = source[row, i]


@kernel
def push(state, word):
    state[STACK, state[FACTS, STACK_SIZE]] = word
    state[FACTS, STACK_SIZE] += 1
    state[PLACE, word] = ON_STACK


@kernel
def pop(state):
    state[FACTS, STACK_SIZE] -= 1
    word = state[STACK, state[FACTS, STACK_SIZE]]
    state[PLACE, word] = GONE
    return word


@kernel
def to_front(state, word):
    state[BUFFER, state[FACTS, BUFFER_SIZE]] = word
    state[FACTS, BUFFER_SIZE] += 1
    state[PLACE, word] = IN_BUFFER


@kernel
def take_front(state):
    state[FACTS, BUFFER_SIZE] -= 1
    return state[BUFFER, state[FACTS, BUFFER_SIZE]]


@kernel
def stack_word(state, k):
    """Return the k-th word of the stack from its top, 0 the top itself; NO_WORD: there is none.

    For Covington's systems, the word that is looked at and those that No-Arc would lead to.
    """
    system = state[FACTS, SYSTEM]
    if system == COVINGTON or system == COVINGTON_PROJECTIVE:
        return word_looked_at(state, k)
    return word_on_stack(state, k)


@kernel
def word_on_stack(state, k):
    size = state[FACTS, STACK_SIZE]
    return state[STACK, size - 1 - k] if k < size else NO_WORD


@kernel
def word_looked_at(state, k):
    if state[FACTS, SYSTEM] == COVINGTON:
        word = state[FACTS, LEFT] - k
        lowest = 0 if state[FACTS, ROOT] == ROOT_FIRST else 1
        return word if word >= lowest else NO_WORD
    word = state[FACTS, LEFT]
    while k > 0 and word > 0:
        word = next_left(state, word)
        k -= 1
    return word if k == 0 else NO_WORD


@kernel
def buffer_word(state, k):
    """Return the k-th word of the buffer, 0 the front; NO_WORD: there is none."""
    size = state[FACTS, BUFFER_SIZE]
    return state[BUFFER, size - 1 - k] if k < size else NO_WORD


@kernel
def next_left(state, i):
    """Return the word that No-Arc leads to from i, or NO_WORD: then there is no No-Arc.

    Without crossing arcs the next visible word is the head of i; none is behind a word without
    a head, whose arc would be crossed.
    """
    if state[FACTS, SYSTEM] == COVINGTON:
        following = i - 1
    else:
        following = state[HEAD, i]
    lowest = 0 if state[FACTS, ROOT] == ROOT_FIRST else 1
    return following if following >= lowest else NO_WORD


@kernel
def n_children(state, word):
    """Return the number of words that have been attached to a word."""
    return state[LEFT_VALENCY, word] + state[RIGHT_VALENCY, word]


@kernel
def attach(state, head, dependent, label):
    """Add an arc, and keep up what is known of children and components."""
    state[HEAD, dependent] = head
    state[LABEL, dependent] = label
    state[FACTS, ATTACHED] = dependent
    if head == 0:
        state[FACTS, N_ROOTS] += 1
    if dependent < head or (head == 0 and state[FACTS, ROOT] == ROOT_LAST):
        state[LEFT_VALENCY, head] += 1
        first = state[LEFT_CHILD, head]
        second = state[LEFT_CHILD_2, head]
        if first == 0 or dependent < first:
            state[LEFT_CHILD_2, head] = first
            state[LEFT_CHILD, head] = dependent
        elif second == 0 or dependent < second:
            state[LEFT_CHILD_2, head] = dependent
    else:
        state[RIGHT_VALENCY, head] += 1
        # 0, which says that there is none, is less than any word.
        if dependent > state[RIGHT_CHILD, head]:
            state[RIGHT_CHILD_2, head] = state[RIGHT_CHILD, head]
            state[RIGHT_CHILD, head] = dependent
        elif dependent > state[RIGHT_CHILD_2, head]:
            state[RIGHT_CHILD_2, head] = dependent
    if state[FACTS, SYSTEM] == COVINGTON:
        top = state[TOP, head]
        for i in range(1, state[FACTS, N_WORDS] + 1):
            if state[TOP, i] == dependent:
                state[TOP, i] = top

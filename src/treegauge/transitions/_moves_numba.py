"""Kernels of moves: which are legal, what they do, and when a derivation is over."""

# mypy: ignore-errors
from __future__ import annotations

from treegauge.kernels import kernel
from treegauge.transitions._configuration_numba import (
    ARC_EAGER,
    ARC_HYBRID,
    ATTACHED,
    BUFFER,
    BUFFER_SIZE,
    COVINGTON,
    COVINGTON_PROJECTIVE,
    FACTS,
    HEAD,
    LEFT,
    LEFT_CHILD,
    N_ROOTS,
    N_WORDS,
    NO_HEAD,
    NO_WORD,
    ROOT,
    ROOT_FIRST,
    ROOT_LAST,
    SINGLE_ROOT,
    STACK,
    STACK_SIZE,
    SWAP_EAGER,
    SWAP_LAZY,
    SYSTEM,
    TOP,
    attach,
    next_left,
    pop,
    push,
    take_front,
    to_front,
)

SHIFT, LEFT_ARC, RIGHT_ARC = 0, 1, 2
REDUCE = SWAP = NO_ARC = 3
N_MOVES = 4


@kernel
def is_terminal(state):
    """Return whether the derivation is over."""
    system = state[FACTS, SYSTEM]
    root = state[FACTS, ROOT]
    stacked = state[FACTS, STACK_SIZE]
    waiting = state[FACTS, BUFFER_SIZE]
    if system == COVINGTON or system == COVINGTON_PROJECTIVE:
        return waiting == 0
    if root == ROOT_LAST and (system == ARC_EAGER or system == ARC_HYBRID):
        return waiting == 1 and stacked == 0
    if system == ARC_EAGER:
        return waiting == 0
    # Only without a root can there be nothing at all: a sentence of no words.
    return waiting == 0 and stacked <= 1


@kernel
def legal(state, mask):
    """Write which of the four moves are legal, and return how many; 0 at the end only."""
    for move in range(N_MOVES):
        mask[move] = False
    if is_terminal(state):
        return 0
    allow(state, mask)
    count = 0
    for move in range(N_MOVES):
        count += mask[move]
    return count


@kernel
def allow(state, mask):
    """Write which moves are legal before the end, over a mask of none."""
    system = state[FACTS, SYSTEM]
    if system == ARC_EAGER:
        allow_eager(state, mask)
    elif system == ARC_HYBRID:
        allow_hybrid(state, mask)
    elif system == COVINGTON or system == COVINGTON_PROJECTIVE:
        allow_covington(state, mask)
    else:
        allow_standard(state, mask)


@kernel
def allow_standard(state, mask):
    """Arc-standard, and with Swap."""
    system = state[FACTS, SYSTEM]
    single = state[FACTS, SINGLE_ROOT]
    stacked = state[FACTS, STACK_SIZE]
    waiting = state[FACTS, BUFFER_SIZE]
    # One root: the root behind all words is shifted onto one tree.
    root_waits = state[FACTS, ROOT] == ROOT_LAST and waiting == 1
    mask[SHIFT] = waiting > 0 and not (single and root_waits and stacked > 1)
    if stacked >= 2:
        i = state[STACK, stacked - 2]
        j = state[STACK, stacked - 1]
        mask[LEFT_ARC] = i != 0
        # One root: the root before all words takes the last tree.
        mask[RIGHT_ARC] = j != 0 and not (single and i == 0 and (waiting > 0 or stacked > 2))
        if system == SWAP_EAGER or system == SWAP_LAZY:
            mask[SWAP] = 0 < i < j


@kernel
def allow_eager(state, mask):
    stacked = state[FACTS, STACK_SIZE]
    at_root = state[FACTS, ROOT] == ROOT_LAST and state[FACTS, BUFFER_SIZE] == 1
    has_root = state[FACTS, SINGLE_ROOT] and state[FACTS, N_ROOTS] > 0
    mask[SHIFT] = not at_root
    if stacked > 0:
        s = state[STACK, stacked - 1]
        headless = state[HEAD, s] == NO_HEAD
        mask[LEFT_ARC] = s != 0 and headless and not (at_root and has_root)
        mask[RIGHT_ARC] = not at_root and not (s == 0 and has_root)
        mask[REDUCE] = not headless
        if at_root and headless and state[FACTS, SINGLE_ROOT]:
            # The one root may be further down or have been found: then a word without a head
            # is given up, and `finish` attaches it.
            below = False
            for k in range(stacked - 1):
                below = below or state[HEAD, state[STACK, k]] == NO_HEAD
            mask[REDUCE] = has_root or below


@kernel
def allow_hybrid(state, mask):
    single = state[FACTS, SINGLE_ROOT]
    stacked = state[FACTS, STACK_SIZE]
    waiting = state[FACTS, BUFFER_SIZE]
    at_root = state[FACTS, ROOT] == ROOT_LAST and waiting == 1
    mask[SHIFT] = waiting > 0 and not at_root
    if stacked > 0:
        s = state[STACK, stacked - 1]
        mask[LEFT_ARC] = waiting > 0 and s != 0 and not (single and at_root and stacked > 1)
    if stacked > 1:
        on_root = state[STACK, stacked - 2] == 0
        mask[RIGHT_ARC] = not (single and on_root and (waiting > 0 or stacked > 2))


@kernel
def allow_covington(state, mask):
    mask[SHIFT] = True
    i = state[FACTS, LEFT]
    if i == NO_WORD:
        return
    j = state[BUFFER, state[FACTS, BUFFER_SIZE] - 1]
    has_root = state[FACTS, SINGLE_ROOT] and state[FACTS, N_ROOTS] > 0
    # Words that are linked already; without crossing arcs they are never looked at.
    linked = state[FACTS, SYSTEM] == COVINGTON and state[TOP, i] == state[TOP, j]
    mask[LEFT_ARC] = (
        i != 0 and state[HEAD, i] == NO_HEAD and not linked and not (j == 0 and has_root)
    )
    mask[RIGHT_ARC] = (
        j != 0 and state[HEAD, j] == NO_HEAD and not linked and not (i == 0 and has_root)
    )
    mask[NO_ARC] = next_left(state, i) != NO_WORD


@kernel
def arc(state, move):
    """Return the head and the dependent of the arc that a legal move adds; (-1, 0): none."""
    if move != LEFT_ARC and move != RIGHT_ARC:
        return NO_HEAD, 0
    system = state[FACTS, SYSTEM]
    stacked = state[FACTS, STACK_SIZE]
    if system == COVINGTON or system == COVINGTON_PROJECTIVE:
        left = state[FACTS, LEFT]
        right = state[BUFFER, state[FACTS, BUFFER_SIZE] - 1]
    elif system == ARC_EAGER or (system == ARC_HYBRID and move == LEFT_ARC):
        left = state[STACK, stacked - 1]
        right = state[BUFFER, state[FACTS, BUFFER_SIZE] - 1]
    else:
        left = state[STACK, stacked - 2]
        right = state[STACK, stacked - 1]
    return (right, left) if move == LEFT_ARC else (left, right)


@kernel
def apply(state, move, label):
    """Make a legal move; the label is that of its arc, if it adds one."""
    head, dependent = arc(state, move)
    state[FACTS, ATTACHED] = 0
    if dependent:
        attach(state, head, dependent, label)
    move_words(state, move)


@kernel
def move_words(state, move):
    """Do what a move does besides adding an arc."""
    system = state[FACTS, SYSTEM]
    if system == COVINGTON or system == COVINGTON_PROJECTIVE:
        look_further(state, move)
    else:
        move_on_stack(state, move)


@kernel
def move_on_stack(state, move):
    system = state[FACTS, SYSTEM]
    if move == SHIFT or (system == ARC_EAGER and move == RIGHT_ARC):
        push(state, take_front(state))
    elif system == ARC_EAGER or system == ARC_HYBRID or move == RIGHT_ARC:
        pop(state)
    else:  # Left-Arc and Swap take out the second word of the stack
        j = pop(state)
        i = pop(state)
        push(state, j)
        if move == SWAP:
            to_front(state, i)


@kernel
def look_further(state, move):
    i = state[FACTS, LEFT]
    lowest = 0 if state[FACTS, ROOT] == ROOT_FIRST else 1
    if move == SHIFT:
        j = take_front(state)
        following = j if state[FACTS, BUFFER_SIZE] > 0 else NO_WORD
    elif move == NO_ARC:
        following = next_left(state, i)
    elif state[FACTS, SYSTEM] == COVINGTON:
        following = i - 1
    elif move == LEFT_ARC:
        # On to the first word left of what hangs on j.
        while state[LEFT_CHILD, i] != 0:
            i = state[LEFT_CHILD, i]
        following = i - 1
    else:
        following = NO_WORD
    state[FACTS, LEFT] = following if following >= lowest else NO_WORD


@kernel
def finish(state, root_label, other_label):
    """Give heads to the words that have none at the end of a derivation.

    They are roots; where only one root is allowed, the first of them is, unless there is a root
    already, and the others hang on it.
    """
    n = state[FACTS, N_WORDS]
    the_root = 0
    if state[FACTS, SINGLE_ROOT]:
        for i in range(1, n + 1):
            if state[HEAD, i] == 0:
                the_root = i
    for i in range(1, n + 1):
        if state[HEAD, i] == NO_HEAD:
            attach(state, the_root, i, other_label if the_root else root_label)
            if state[FACTS, SINGLE_ROOT] and not the_root:
                the_root = i

"""What a parser needs to go word by word: kernels, to be called from its own kernels.

    state = new_configuration(longest)          one array for all sentences
    start(state, n, system, root, single_root)
    while not is_terminal(state):
        legal(state, mask)                      writes four booleans, returns how many are true
        head, dependent = arc(state, move)      the arc that a move would add; (-1, 0): none
        apply(state, move, label)               a legal move
    finish(state, root_label, other_label)      heads for words that have none
    state[HEAD, 1 : n + 1], state[LABEL, 1 : n + 1]

and to learn, with `gold = new_gold(longest)` and `prepare_gold(gold, heads, system)`:

    oracle(state, gold)                         the next move, on the way of the oracle itself
    costs(state, gold, scratch, mask, found)    the cost of each move anywhere, ILLEGAL if not legal
    loss(state, gold)                           the least number of wrong heads from here on

A kernel that calls these can be made for one system, and then nothing of the others is compiled:

    in_system(learn, TransitionSystem.ARC_EAGER)

Features ask `stack_word(state, k)` and `buffer_word(state, k)`, and the rows of the configuration
(`_configuration_numba` says what they hold). Nothing here is checked: a move that is not legal
writes outside of arrays.
"""

from __future__ import annotations

from functools import cache

from treegauge.kernel_variants import with_choices
from treegauge.kernels import kernel
from treegauge.transitions import _costs_numba, _moves_numba, _oracles_numba
from treegauge.transitions._configuration_numba import (
    ATTACHED,
    BUFFER_SIZE,
    FACTS,
    HEAD,
    LABEL,
    LEFT,
    LEFT_CHILD,
    LEFT_CHILD_2,
    LEFT_VALENCY,
    N_ROOTS,
    N_WORDS,
    NO_HEAD,
    NO_WORD,
    RIGHT_CHILD,
    RIGHT_CHILD_2,
    RIGHT_VALENCY,
    ROOT,
    ROOT_LAST,
    STACK_SIZE,
    SYSTEM,
    buffer_word,
    copy_configuration,
    new_configuration,
    stack_word,
    start,
    word_looked_at,
    word_on_stack,
)
from treegauge.transitions._costs_numba import ILLEGAL, costs, loss
from treegauge.transitions._moves_numba import (
    LEFT_ARC,
    N_MOVES,
    NO_ARC,
    REDUCE,
    RIGHT_ARC,
    SHIFT,
    SWAP,
    apply,
    arc,
    finish,
    is_terminal,
    legal,
)
from treegauge.transitions._oracles_numba import (
    GOLD_HEAD,
    NO_MOVE,
    new_gold,
    oracle,
    prepare_gold,
)
from treegauge.transitions.systems import TransitionSystem

__all__ = [
    "ATTACHED",
    "BUFFER_SIZE",
    "FACTS",
    "GOLD_HEAD",
    "HEAD",
    "ILLEGAL",
    "LABEL",
    "LEFT",
    "LEFT_ARC",
    "LEFT_CHILD",
    "LEFT_CHILD_2",
    "LEFT_VALENCY",
    "NO_ARC",
    "NO_HEAD",
    "NO_MOVE",
    "NO_WORD",
    "N_MOVES",
    "N_ROOTS",
    "N_WORDS",
    "REDUCE",
    "RIGHT_ARC",
    "RIGHT_CHILD",
    "RIGHT_CHILD_2",
    "RIGHT_VALENCY",
    "ROOT",
    "ROOT_LAST",
    "SHIFT",
    "STACK_SIZE",
    "SWAP",
    "SYSTEM",
    "apply",
    "arc",
    "buffer_word",
    "copy_configuration",
    "costs",
    "finish",
    "in_system",
    "is_terminal",
    "legal",
    "loss",
    "new_configuration",
    "new_gold",
    "oracle",
    "prepare_gold",
    "stack_word",
    "start",
]


@cache
def in_system(model: kernel, system: TransitionSystem) -> kernel:
    """Return a kernel as it is for one transition system."""
    return with_choices(model, _choices(system), system.name.lower())


def _choices(system: TransitionSystem) -> dict[kernel, kernel]:
    """Return what stands for each kernel that depends on the system."""
    moves, oracles, losses = _moves_numba, _oracles_numba, _costs_numba
    choices = {stack_word: word_on_stack, moves.move_words: moves.move_on_stack}
    if system in (TransitionSystem.COVINGTON, TransitionSystem.COVINGTON_PROJECTIVE):
        choices = {stack_word: word_looked_at, moves.move_words: moves.look_further}
        choices[moves.allow] = moves.allow_covington
        choices[oracles.next_move] = oracles.next_covington
        choices[loss] = losses.loss_covington
    elif system is TransitionSystem.ARC_EAGER:
        choices[moves.allow] = moves.allow_eager
        choices[oracles.next_move] = oracles.next_eager
        choices[loss] = losses.loss_eager
    elif system is TransitionSystem.ARC_HYBRID:
        choices[moves.allow] = moves.allow_hybrid
        choices[oracles.next_move] = oracles.next_hybrid
        choices[loss] = losses.loss_hybrid
    else:
        choices[moves.allow] = moves.allow_standard
        choices[oracles.next_move] = oracles.next_standard
        choices[loss] = losses.loss_standard
    if system not in (TransitionSystem.SWAP_EAGER, TransitionSystem.SWAP_LAZY):
        choices[prepare_gold] = oracles.prepare_heads
    return choices

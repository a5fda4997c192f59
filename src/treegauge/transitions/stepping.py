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

Features ask `stack_word(state, k)` and `buffer_word(state, k)`, and the rows of the configuration
(`_configuration_numba` says what they hold). Nothing here is checked: a move that is not legal
writes outside of arrays.
"""

from __future__ import annotations

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
    STACK_SIZE,
    SYSTEM,
    buffer_word,
    copy_configuration,
    new_configuration,
    stack_word,
    start,
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

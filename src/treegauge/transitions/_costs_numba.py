"""Kernels of dynamic oracles: what a move costs, wherever the derivation stands.

The loss of a configuration is the least number of words with another head than in the gold tree
that can be reached from it by legal moves; a move costs what the loss grows by. Heads given by
`finish` do not count, except that with `ROOT_NONE` a word without a head is a root.

    arc-eager, arc-hybrid   Goldberg and Nivre (2012, 2013): a set of arcs of a projective tree can
                            be reached if each of them can, so the losses of single arcs add up
    arc-standard            Goldberg, Sartorio and Satta (2014)
    Covington               Gómez-Rodríguez and Fernández-González (2015)

References
----------
Goldberg and Nivre (2012), A dynamic oracle for arc-eager dependency parsing. COLING.
Goldberg and Nivre (2013), Training deterministic parsers with non-deterministic oracles. TACL 1.
Goldberg, Sartorio and Satta (2014), A tabular method for dynamic oracles in transition-based
    parsing. TACL 2.
Gómez-Rodríguez and Fernández-González (2015), An efficient dynamic oracle for unrestricted
    non-projective parsing. ACL.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.transitions._configuration_numba import (
    ARC_EAGER,
    ARC_HYBRID,
    ARC_STANDARD,
    BUFFER,
    BUFFER_SIZE,
    COVINGTON,
    FACTS,
    HEAD,
    IN_BUFFER,
    LEFT,
    N_ROOTS,
    N_WORDS,
    NO_HEAD,
    ON_STACK,
    PLACE,
    ROOT,
    ROOT_FIRST,
    ROOT_LAST,
    ROOT_NONE,
    SINGLE_ROOT,
    STACK,
    STACK_SIZE,
    SYSTEM,
    TOP,
    copy_configuration,
)
from treegauge.transitions._moves_numba import N_MOVES, apply, legal
from treegauge.transitions._oracles_numba import GOLD_HEAD

ILLEGAL = -1
UNKNOWN = -2
"""The loss in systems without a dynamic oracle."""


@kernel
def costs(state, gold, scratch, mask, found):
    """Write the cost of each move, ILLEGAL for moves that are not legal; `mask` is overwritten.

    `scratch` is a second configuration, as large as the first. Projective systems need a
    projective gold tree; with a single root, one with a single root.
    """
    before = loss(state, gold)
    legal(state, mask)
    for move in range(N_MOVES):
        found[move] = ILLEGAL
        if mask[move]:
            copy_configuration(state, scratch)
            apply(scratch, move, 0)
            found[move] = loss(scratch, gold) - before


@kernel
def loss(state, gold):
    """Return how many words will have a wrong head, if all goes well from here."""
    system = state[FACTS, SYSTEM]
    if system == ARC_EAGER:
        return loss_eager(state, gold)
    if system == ARC_HYBRID:
        return loss_hybrid(state, gold)
    if system == ARC_STANDARD:
        return loss_standard(state, gold)
    if system == COVINGTON:
        return loss_covington(state, gold)
    return UNKNOWN


@kernel
def _root_is_taken(state):
    return state[FACTS, SINGLE_ROOT] and state[FACTS, N_ROOTS] > 0


@kernel
def loss_eager(state, gold):
    """Count arcs that cannot be reached: a word on the stack gets its head from the buffer."""
    lost = 0
    for word in range(1, state[FACTS, N_WORDS] + 1):
        head = gold[GOLD_HEAD, word]
        if state[HEAD, word] != NO_HEAD:
            lost += state[HEAD, word] != head
        elif state[PLACE, word] == ON_STACK:
            if head == 0:
                lost += state[FACTS, ROOT] == ROOT_FIRST or _root_is_taken(state)
            else:
                lost += state[PLACE, head] != IN_BUFFER
        elif state[PLACE, word] == IN_BUFFER:
            if head == 0:
                lost += _root_is_taken(state)
            else:
                lost += state[PLACE, head] != IN_BUFFER and state[PLACE, head] != ON_STACK
        else:  # given up for want of a second root
            lost += 1
    return lost


@kernel
def loss_hybrid(state, gold):
    """Count arcs that cannot be reached: a word on the stack hangs below it or on the buffer."""
    root = state[FACTS, ROOT]
    single = state[FACTS, SINGLE_ROOT]
    stacked = state[FACTS, STACK_SIZE]
    lost = 0
    for word in range(1, state[FACTS, N_WORDS] + 1):
        head = gold[GOLD_HEAD, word]
        if state[HEAD, word] != NO_HEAD:
            lost += state[HEAD, word] != head
        elif state[PLACE, word] == IN_BUFFER and head != 0:
            lost += state[PLACE, head] != IN_BUFFER and state[PLACE, head] != ON_STACK
    for k in range(stacked):
        word = state[STACK, k]
        head = gold[GOLD_HEAD, word]
        if word == 0 or (k > 0 and head == state[STACK, k - 1]):
            continue
        if head != 0:
            lost += state[PLACE, head] != IN_BUFFER
        elif root == ROOT_FIRST:
            lost += 1
        elif single or root == ROOT_NONE:
            # The one root is what is left in the end, the bottom of the stack.
            lost += k > 0
    return lost


@kernel
def loss_covington(state, gold):
    """Count arcs that are out of reach, and one for each circle that the others would close."""
    n = state[FACTS, N_WORDS]
    waiting = state[FACTS, BUFFER_SIZE]
    root = state[FACTS, ROOT]
    i = state[FACTS, LEFT]
    # Positions, the root's behind all words where it stands there.
    j = state[BUFFER, waiting - 1] if waiting > 0 else n + 2
    if j == 0:
        j = n + 1
    above = np.empty(n + 1, np.int32)
    above[0] = NO_HEAD
    lost = 0
    for word in range(1, n + 1):
        head = gold[GOLD_HEAD, word]
        above[word] = state[HEAD, word]
        if state[HEAD, word] != NO_HEAD:
            lost += state[HEAD, word] != head
            continue
        if head == 0 and root == ROOT_NONE:
            continue
        place = n + 1 if head == 0 and root == ROOT_LAST else head
        left, right = (word, place) if word < place else (place, word)
        if (
            right < j
            or (right == j and left > i)
            or (head == 0 and _root_is_taken(state))
            or state[TOP, head] == word
        ):
            lost += 1
        else:
            above[word] = head
    seen = np.zeros(n + 1, np.int32)
    for word in range(1, n + 1):
        at = word
        while at > 0 and seen[at] == 0:
            seen[at] = word
            at = above[at]
        lost += at > 0 and seen[at] == word
    return lost


@kernel
def loss_standard(state, gold):
    """Weigh all ways to join the trees of the stack with gold trees of the buffer, by a table.

    Whatever is done, the trees on the stack are joined from its top outwards, and what comes
    from the buffer from its front outwards; so the table goes over how many of both are joined,
    and over the word that is their head. Words of the buffer may as well be joined among
    themselves beforehand as far as gold arcs go and their dependents are at hand.
    """
    n = state[FACTS, N_WORDS]
    root = state[FACTS, ROOT]
    stacked = state[FACTS, STACK_SIZE]
    waiting = state[FACTS, BUFFER_SIZE]
    lost = 0
    for word in range(1, n + 1):
        if state[HEAD, word] != NO_HEAD:
            lost += state[HEAD, word] != gold[GOLD_HEAD, word]
    left = np.empty(n + 2, np.int64)
    n_left = 0
    if waiting > 0 and (stacked == 0 or state[STACK, stacked - 1] == 0):
        # There is nothing to do but to shift.
        waiting -= 1
        left[0] = state[BUFFER, waiting]
        n_left = 1
    for k in range(stacked - 1, -1, -1):
        left[n_left] = state[STACK, k]
        n_left += 1
    # One root before all words takes what is left when all else is joined.
    root_comes_last = bool(state[FACTS, SINGLE_ROOT]) and root == ROOT_FIRST
    if root_comes_last:
        n_left -= 1
    if n_left == 0:
        return lost
    right = np.empty(n + 2, np.int64)
    n_right = _gold_trees_of_buffer(state, gold, waiting, right, 1)
    if state[FACTS, SINGLE_ROOT] and root == ROOT_LAST and waiting > 0:
        root_comes_last = True
        n_right -= 1

    # least[j, h]: the least loss when left[: i + 1] and right[1 : j + 1] are joined under word h.
    out_of_reach = 2 * n + 2
    least = np.full((n_right + 1, n + 1), out_of_reach, np.int32)
    before = np.full((n_right + 1, n + 1), out_of_reach, np.int32)
    least[0, left[0]] = 0
    for i in range(n_left):
        if i > 0:
            least, before = before, least
            for j in range(n_right + 1):
                for head in range(n + 1):
                    least[j, head] = out_of_reach
                _join(before[j], least[j], left[i], gold, left, i, right, j)
        for j in range(1, n_right + 1):
            _join(least[j - 1], least[j], right[j], gold, left, i + 1, right, j - 1)
    best = out_of_reach
    for head in range(n + 1):
        joined = least[n_right, head]
        if head != 0 and (root_comes_last or root == ROOT_NONE):
            joined += gold[GOLD_HEAD, head] != 0
        if joined < best:
            best = joined
    return lost + best


@kernel
def _join(source, target, word, gold, left, n_left, right, n_right):
    """Join one more word with what is joined so far, as its head or as its dependent."""
    for k in range(n_left + n_right):
        head = left[k] if k < n_left else right[k - n_left + 1]
        if word != 0:
            below = source[head] + (gold[GOLD_HEAD, word] != head)
            if below < target[head]:
                target[head] = below
        if head != 0:
            above = source[head] + (gold[GOLD_HEAD, head] != word)
            if above < target[word]:
                target[word] = above


@kernel
def _gold_trees_of_buffer(state, gold, waiting, trees, first):
    """Write the heads of the gold trees that the buffer can be joined to without a loss.

    A word with a gold dependent on the stack has to wait for it, and stays by itself.
    """
    n = state[FACTS, N_WORDS]
    missing = np.zeros(n + 1, np.int32)
    for k in range(waiting):
        word = state[BUFFER, k]
        if word != 0:
            missing[gold[GOLD_HEAD, word]] += 1
    for k in range(state[FACTS, STACK_SIZE]):
        word = state[STACK, k]
        if word != 0:
            missing[gold[GOLD_HEAD, word]] += 1
    # A front that had to be shifted is on the stack.
    if waiting < state[FACTS, BUFFER_SIZE]:
        word = state[BUFFER, waiting]
        if word != 0:
            missing[gold[GOLD_HEAD, word]] += 1
    size = first
    for k in range(waiting - 1, -1, -1):
        trees[size] = state[BUFFER, k]
        size += 1
        while size - first >= 2:
            x = trees[size - 2]
            y = trees[size - 1]
            if gold[GOLD_HEAD, x] == y and missing[x] == 0:
                missing[y] -= 1
                trees[size - 2] = y
            elif gold[GOLD_HEAD, y] == x and missing[y] == 0:
                missing[x] -= 1
            else:
                break
            size -= 1
    return size - first

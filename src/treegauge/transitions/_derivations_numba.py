"""Kernels over whole treebanks: derive every tree, and build trees from moves again."""

# mypy: ignore-errors
from __future__ import annotations

from collections import namedtuple

from treegauge.kernels import kernel
from treegauge.transitions._configuration_numba import (
    HEAD,
    LABEL,
    NO_HEAD,
    ROOT_NONE,
    start,
)
from treegauge.transitions._moves_numba import N_MOVES, apply, arc, finish, is_terminal, legal
from treegauge.transitions._oracles_numba import NO_MOVE, oracle, prepare_gold

DERIVED, NOT_PROJECTIVE, SEVERAL_ROOTS, TOO_LONG = 0, 1, 2, 3


Plan = namedtuple("Plan", "system root single_root needs_one_root most_moves")

Derived = namedtuple("Derived", "moves labels begins order status")
"""What becomes of a treebank.

moves, labels : int8, int32; the moves of all sentences, and the labels of their arcs, -1: none
begins : int64; where the moves of each sentence begin
order : int32, one per word; the words in the order in which they get their heads
status : int8, one per sentence; one that is not DERIVED has no moves and words 0
"""


@kernel
def derive(head, label, offsets, plan, first_sentence, state, gold, derived):
    """Run the static oracle on sentences, up to one for whose moves there is no room.

    Returns that sentence, or the number of all; they count as done after a sentence that takes
    more than `plan.most_moves`.
    """
    moves, labels, begins, order, status = derived
    n_sentences = len(offsets) - 1
    made = begins[first_sentence]
    for s in range(first_sentence, n_sentences):
        first = offsets[s]
        n = offsets[s + 1] - first
        begins[s] = made
        heads = head[first : first + n]
        n_roots = 0
        for i in range(n):
            n_roots += heads[i] == 0
        if plan.needs_one_root and n_roots > 1:
            status[s] = SEVERAL_ROOTS
            continue
        prepare_gold(gold, heads, plan.system)
        start(state, n, plan.system, plan.root, plan.single_root)
        attached = 0
        while True:
            move = oracle(state, gold)
            if move == NO_MOVE:
                break
            if made - begins[s] == plan.most_moves:
                status[s] = TOO_LONG
                return n_sentences
            if made == len(moves):
                return s
            _, dependent = arc(state, move)
            moves[made] = move
            labels[made] = label[first + dependent - 1] if dependent else -1
            apply(state, move, labels[made])
            made += 1
            if dependent:
                order[first + attached] = dependent
                attached += 1
        right = is_terminal(state)
        for i in range(n):
            given = state[HEAD, i + 1]
            if given == NO_HEAD and plan.root == ROOT_NONE:
                given = 0
                order[first + attached] = i + 1
                attached += 1
            right = right and given == heads[i]
        if not right:
            status[s] = NOT_PROJECTIVE
            made = begins[s]
            for i in range(n):
                order[first + i] = 0
    begins[n_sentences] = made
    return n_sentences


@kernel
def rebuild(moves, labels, begins, offsets, plan, root_label, state, mask, head, label):
    """Make moves, write heads and labels, and return the first sentence with a wrong move, or -1.

    A sentence without moves gets no heads, unless it has no words.
    """
    for s in range(len(offsets) - 1):
        if begins[s] == begins[s + 1]:
            continue
        first = offsets[s]
        n = offsets[s + 1] - first
        start(state, n, plan.system, plan.root, plan.single_root)
        for k in range(begins[s], begins[s + 1]):
            legal(state, mask)
            if not (0 <= moves[k] < N_MOVES and mask[moves[k]]):
                return s
            apply(state, moves[k], labels[k])
        if not is_terminal(state):
            return s
        finish(state, root_label, root_label)
        for i in range(n):
            head[first + i] = state[HEAD, i + 1]
            label[first + i] = state[LABEL, i + 1]
    return -1

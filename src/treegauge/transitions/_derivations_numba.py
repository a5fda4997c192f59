"""Kernels over whole treebanks: derive every tree, and build trees from moves again."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.transitions._configuration_numba import (
    HEAD,
    LABEL,
    NO_HEAD,
    ROOT_NONE,
    new_configuration,
    start,
)
from treegauge.transitions._moves_numba import N_MOVES, apply, arc, finish, is_terminal, legal
from treegauge.transitions._oracles_numba import NO_MOVE, new_gold, oracle, prepare_gold

DERIVED, NOT_PROJECTIVE, SEVERAL_ROOTS, TOO_LONG = 0, 1, 2, 3


@kernel
def derive(head, label, offsets, system, root, single_root, needs_one_root, most_moves):
    """Run the static oracle on every sentence, or up to one that takes more than `most_moves`.

    Returns moves, the labels of their arcs (-1: none), where the moves of each sentence begin,
    the words in the order in which they get their heads, and what became of each sentence. A
    sentence that is not derived has no moves and words 0.
    """
    n_sentences = len(offsets) - 1
    longest = 0
    for s in range(n_sentences):
        longest = max(longest, offsets[s + 1] - offsets[s])
    state = new_configuration(longest)
    gold = new_gold(longest)
    moves = np.empty(2 * len(head) + 16, np.int8)
    labels = np.empty(len(moves), np.int32)
    begins = np.zeros(n_sentences + 1, np.int64)
    order = np.zeros(len(head), np.int32)
    status = np.zeros(n_sentences, np.int8)
    made = 0
    for s in range(n_sentences):
        first = offsets[s]
        n = offsets[s + 1] - first
        begins[s] = made
        heads = head[first : first + n]
        n_roots = 0
        for i in range(n):
            n_roots += heads[i] == 0
        if needs_one_root and n_roots > 1:
            status[s] = SEVERAL_ROOTS
            continue
        prepare_gold(gold, heads, system)
        start(state, n, system, root, single_root)
        attached = 0
        while True:
            move = oracle(state, gold)
            if move == NO_MOVE:
                break
            if made == len(moves):
                moves = _twice_as_long(moves)
                labels = _twice_as_long(labels)
            if made - begins[s] == most_moves:
                status[s] = TOO_LONG
                return moves[:0].copy(), labels[:0].copy(), begins, order, status
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
            if given == NO_HEAD and root == ROOT_NONE:
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
    return moves[:made].copy(), labels[:made].copy(), begins, order, status


@kernel
def _twice_as_long(array):
    longer = np.empty(2 * len(array), array.dtype)
    longer[: len(array)] = array
    return longer


@kernel
def rebuild(moves, labels, begins, offsets, system, root, single_root, root_label):
    """Make moves, and return heads and labels, and the first sentence with a wrong move, or -1.

    A sentence without moves gets no heads, unless it has no words.
    """
    n_sentences = len(offsets) - 1
    longest = 0
    for s in range(n_sentences):
        longest = max(longest, offsets[s + 1] - offsets[s])
    state = new_configuration(longest)
    mask = np.zeros(N_MOVES, np.bool_)
    head = np.full(offsets[n_sentences], NO_HEAD, np.int32)
    label = np.full(offsets[n_sentences], -1, np.int32)
    for s in range(n_sentences):
        if begins[s] == begins[s + 1]:
            continue
        first = offsets[s]
        n = offsets[s + 1] - first
        start(state, n, system, root, single_root)
        for k in range(begins[s], begins[s + 1]):
            legal(state, mask)
            if not (0 <= moves[k] < N_MOVES and mask[moves[k]]):
                return head, label, s
            apply(state, moves[k], labels[k])
        if not is_terminal(state):
            return head, label, s
        finish(state, root_label, root_label)
        for i in range(n):
            head[first + i] = state[HEAD, i + 1]
            label[first + i] = state[LABEL, i + 1]
    return head, label, -1

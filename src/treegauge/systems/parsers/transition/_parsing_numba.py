"""Kernels of parsing: from configuration to configuration by the best move."""

# mypy: ignore-errors
from __future__ import annotations

from collections import namedtuple

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.parsers.transition._features_numba import (
    N_NODES,
    N_VALUES,
    find_attribute_sets,
    find_keys,
    find_values,
    note_relation,
)
from treegauge.systems.parsers.transition._weights_numba import (
    best_label,
    score_labels,
    score_moves,
)
from treegauge.transitions.stepping import (
    ATTACHED,
    FACTS,
    HEAD,
    LABEL,
    LEFT_ARC,
    N_MOVES,
    apply,
    arc,
    finish,
    is_terminal,
    legal,
    new_configuration,
    start,
)

Words = namedtuple("Words", "offsets atoms feature_set begins members")
"""A treebank as kernels read it; see `EncodedWords`."""

Plan = namedtuple(
    "Plan",
    "system root single_root templates attributes for_labels not_allowed root_label other_label",
)
"""How to parse: the transition system, the templates (see `Templates`), and what labels may be.

not_allowed : float32, 2 x labels; what is added to the scores of labels of arcs from other words
    and from the root: 0, or so little that no score makes up for it
root_label, other_label : labels for words that no move gives a head
"""

View = namedtuple(
    "View",
    "state sets nodes values feature_sets keys rows mask scores label_scores labels",
)
"""Room for one configuration and what is seen of it."""


def new_view(plan: Plan, words: Words) -> View:
    """Return room for configurations of all sentences, one after the other."""
    longest = int(np.diff(words.offsets).max(initial=0))
    most = int(np.diff(words.begins).max(initial=0))
    room = int(np.where(plan.attributes == 0, 1, most).sum())
    return View(
        new_configuration(longest),
        np.zeros((2, longest + 1), np.int64),
        np.zeros(N_NODES, np.int32),
        np.zeros(N_VALUES, np.int64),
        np.zeros(2, np.int32),
        np.zeros(room, np.int64),
        np.zeros(room, np.int32),
        np.zeros(N_MOVES, np.bool_),
        np.zeros(N_MOVES, np.float32),
        np.zeros((2, plan.not_allowed.shape[1]), np.float32),
        np.zeros(N_MOVES, np.int32),
    )


@kernel
def begin(plan, view, n):
    """Put the configuration at the beginning of a sentence of n words."""
    start(view.state, n, plan.system, plan.root, plan.single_root)
    sets = view.sets
    for i in range(n + 1):
        sets[0, i] = 0
        sets[1, i] = 0


@kernel
def look(plan, words, tables, first, view):
    """Write what speaks for every legal move, and return the number of keys, and of label keys.

    `view.scores` has the score of each move with its best label, which is in `view.labels`; the
    scores of all labels are in `view.label_scores`, by side. All of it is meaningless for moves
    that are not legal; `view.mask` says which are.
    """
    state, sets, nodes, values, feature_sets, keys, rows, mask, scores, label_scores, labels = view
    legal(state, mask)
    find_values(state, sets, words.atoms, first, nodes, values)
    find_attribute_sets(nodes, words.feature_set, first, feature_sets)
    n_keys, n_label_keys = find_keys(
        values,
        plan.templates,
        plan.attributes,
        plan.for_labels,
        feature_sets,
        words.begins,
        words.members,
        keys,
    )
    score_moves(tables.slots, tables.moves, keys, n_keys, rows, scores)
    not_allowed = plan.not_allowed
    for side in range(2):
        move = LEFT_ARC + side
        if mask[move]:
            head, _ = arc(state, move)
            of_side = label_scores[side]
            from_root = 1 if head == 0 else 0
            for label in range(len(of_side)):
                of_side[label] = not_allowed[from_root, label]
            score_labels(tables.pointers, tables.labels, rows, n_label_keys, side, of_side)
            best = best_label(of_side)
            labels[move] = best
            scores[move] += of_side[best]
    return n_keys, n_label_keys


@kernel
def best_move(mask, scores):
    """Return the legal move of the highest score, of equal ones the first."""
    best = -1
    for move in range(N_MOVES):
        if mask[move] and (best < 0 or scores[move] > scores[best]):
            best = move
    return best


@kernel
def parse(plan, words, tables, view, first_sentence, last_sentence, heads, labels, ranks):
    """Parse some sentences; write heads, labels, and when each word got its head, from 1."""
    state = view.state
    for s in range(first_sentence, last_sentence):
        first = words.offsets[s]
        n = words.offsets[s + 1] - first
        begin(plan, view, n)
        for i in range(n):
            ranks[first + i] = 0
        attached = 0
        while not is_terminal(state):
            look(plan, words, tables, first, view)
            move = best_move(view.mask, view.scores)
            apply(state, move, view.labels[move])
            note_relation(state, view.sets)
            if state[FACTS, ATTACHED]:
                attached += 1
                ranks[first + state[FACTS, ATTACHED] - 1] = attached
        finish(state, plan.root_label, plan.other_label)
        for i in range(n):
            heads[first + i] = state[HEAD, i + 1]
            labels[first + i] = state[LABEL, i + 1]
            if ranks[first + i] == 0:
                attached += 1
                ranks[first + i] = attached

"""Kernels of parsing: from configuration to configuration by the best move."""

# mypy: ignore-errors
from __future__ import annotations

from collections import namedtuple

import numpy as np

from treegauge.kernels import kernel, longest_sentence
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
    side_of,
)
from treegauge.transitions.stepping import (
    ATTACHED,
    FACTS,
    HEAD,
    LABEL,
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

View = namedtuple("View", "nodes values feature_sets keys rows mask scores label_scores labels")
"""Room for what is seen of one configuration."""


@kernel
def new_view(plan, words):
    """Return room for one configuration."""
    most = 0
    for s in range(len(words.begins) - 1):
        most = max(most, words.begins[s + 1] - words.begins[s])
    room = 0
    for t in range(len(plan.templates)):
        room += 1 if plan.attributes[t] == 0 else most
    n_labels = plan.not_allowed.shape[1]
    return View(
        np.zeros(N_NODES, np.int32),
        np.zeros(N_VALUES, np.int64),
        np.zeros(2, np.int32),
        np.zeros(room, np.int64),
        np.zeros(room, np.int32),
        np.zeros(N_MOVES, np.bool_),
        np.zeros(N_MOVES, np.float32),
        np.zeros((2, n_labels), np.float32),
        np.zeros(N_MOVES, np.int32),
    )


@kernel
def look(plan, words, tables, state, sets, first, view):
    """Write what speaks for every legal move, and return the number of keys, and of label keys.

    `view.scores` has the score of each move with its best label, which is in `view.labels`; the
    scores of all labels are in `view.label_scores`, by side. All of it is meaningless for moves
    that are not legal; `view.mask` says which are.
    """
    legal(state, view.mask)
    find_values(state, sets, words.atoms, first, view.nodes, view.values)
    find_attribute_sets(view.nodes, words.feature_set, first, view.feature_sets)
    n_keys, n_label_keys = find_keys(
        view.values,
        plan.templates,
        plan.attributes,
        plan.for_labels,
        view.feature_sets,
        words.begins,
        words.members,
        view.keys,
    )
    score_moves(tables, view.keys, n_keys, view.rows, view.scores)
    for move in range(N_MOVES):
        side = side_of(move)
        if side >= 0 and view.mask[move]:
            head, _ = arc(state, move)
            scores = view.label_scores[side]
            scores[:] = plan.not_allowed[1 if head == 0 else 0]
            score_labels(tables, view.rows, n_label_keys, side, scores)
            view.labels[move] = best_label(scores)
            view.scores[move] += scores[view.labels[move]]
    return n_keys, n_label_keys


@kernel
def best_move(view):
    """Return the legal move of the highest score, of equal ones the first."""
    best = -1
    for move in range(N_MOVES):
        if view.mask[move] and (best < 0 or view.scores[move] > view.scores[best]):
            best = move
    return best


@kernel
def clear_sets(sets, n):
    for i in range(n + 1):
        sets[0, i] = 0
        sets[1, i] = 0


@kernel
def parse(plan, words, tables, first_sentence, last_sentence, heads, labels, ranks):
    """Parse some sentences; write heads, labels, and when each word got its head, from 1."""
    longest = longest_sentence(words.offsets)
    state = new_configuration(longest)
    sets = np.zeros((2, longest + 1), np.int64)
    view = new_view(plan, words)
    for s in range(first_sentence, last_sentence):
        first = words.offsets[s]
        n = words.offsets[s + 1] - first
        start(state, n, plan.system, plan.root, plan.single_root)
        clear_sets(sets, n)
        for i in range(n):
            ranks[first + i] = 0
        attached = 0
        while not is_terminal(state):
            look(plan, words, tables, state, sets, first, view)
            move = best_move(view)
            apply(state, move, view.labels[move])
            note_relation(state, sets)
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

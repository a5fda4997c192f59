"""Kernels of learning: an averaged perceptron that walks with an oracle, or with itself.

References
----------
Collins (2002), Discriminative training methods for hidden Markov models. EMNLP. Averaging.
Goldberg and Nivre (2012), A dynamic oracle for arc-eager dependency parsing. COLING. Exploration.
"""

# mypy: ignore-errors
from __future__ import annotations

from collections import namedtuple

import numpy as np

from treegauge.kernels import kernel, longest_sentence
from treegauge.systems.parsers.transition._features_numba import note_relation
from treegauge.systems.parsers.transition._parsing_numba import (
    best_move,
    clear_sets,
    look,
    new_view,
)
from treegauge.systems.parsers.transition._weights_numba import (
    change_label,
    change_move,
    make_room,
    make_rows,
    side_of,
)
from treegauge.transitions.stepping import (
    GOLD_HEAD,
    N_MOVES,
    apply,
    arc,
    costs,
    is_terminal,
    new_configuration,
    new_gold,
    oracle,
    prepare_gold,
    start,
)

Lesson = namedtuple("Lesson", "heads labels order is_dynamic exploration randomness")
"""What is learnt from in one epoch.

heads, labels : int32, one a word; trees that the transition system derives
order : int64; the sentences, in the order in which they are learnt from
is_dynamic : whether any move that costs nothing is right, or that of the static oracle alone
exploration : how often the learner goes where its own wrong moves lead
randomness : int64, one a sentence
"""


@kernel
def _chance(seed, step):
    """Return a number between 0 and 1, the same for the same numbers (splitmix64)."""
    z = seed + np.int64(step + 1) * -7046029254386353131
    z = (z ^ ((z >> 30) & 0x3FFFFFFFF)) * -4658895280553007687
    z = (z ^ ((z >> 27) & 0x1FFFFFFFFF)) * -7723592293110705685
    z = z ^ ((z >> 31) & 0x1FFFFFFFF)
    return ((z >> 11) & 0x1FFFFFFFFFFFFF) / 9007199254740992.0


@kernel
def _right_moves(lesson, state, gold, scratch, view, found, is_right):
    """Write which moves are right, and leave `view.mask` as it was."""
    if lesson.is_dynamic:
        costs(state, gold, scratch, view.mask, found)
        for move in range(N_MOVES):
            is_right[move] = found[move] == 0
    else:
        following = oracle(state, gold)
        for move in range(N_MOVES):
            is_right[move] = move == following


@kernel
def learn(plan, words, lesson, tables, sums, time):
    """Learn from every sentence once; return tables, sums, the time, and what was decided right.

    The time counts decisions. A decision is right if its move is and, if it adds an arc of the
    gold tree, the label too; on a wrong one the weights of the best right move and label go up,
    those of the decision down.
    """
    longest = longest_sentence(words.offsets)
    state = new_configuration(longest)
    scratch = new_configuration(longest)
    gold = new_gold(longest)
    sets = np.zeros((2, longest + 1), np.int64)
    view = new_view(plan, words)
    found = np.zeros(N_MOVES, np.int32)
    is_right = np.zeros(N_MOVES, np.bool_)
    n_right = 0
    begun = time
    for s in lesson.order:
        first = words.offsets[s]
        n = words.offsets[s + 1] - first
        start(state, n, plan.system, plan.root, plan.single_root)
        prepare_gold(gold, lesson.heads[first : first + n], plan.system)
        clear_sets(sets, n)
        step = 0
        while not is_terminal(state):
            time += 1
            step += 1
            n_keys, n_label_keys = look(plan, words, tables, state, sets, first, view)
            chosen = best_move(view)
            chosen_label = view.labels[chosen]
            _right_moves(lesson, state, gold, scratch, view, found, is_right)

            target = -1
            target_label = 0
            target_score = np.float32(0)
            chosen_is_right = is_right[chosen]
            for move in range(N_MOVES):
                if is_right[move]:
                    label = view.labels[move]
                    score = view.scores[move]
                    head, dependent = arc(state, move)
                    if dependent and gold[GOLD_HEAD, dependent] == head:
                        label = lesson.labels[first + dependent - 1]
                        of_side = view.label_scores[side_of(move)]
                        score += of_side[label] - of_side[view.labels[move]]
                        if move == chosen and label != chosen_label:
                            chosen_is_right = False
                    if target < 0 or score > target_score:
                        target, target_label, target_score = move, label, score
            if chosen_is_right:
                n_right += 1
                apply(state, chosen, chosen_label)
                note_relation(state, sets)
                continue

            tables, sums = make_room(tables, sums, n_keys, 2 * n_label_keys)
            make_rows(tables, sums, view.keys, view.rows, n_keys)
            if target != chosen:
                change_move(tables, sums, view.rows, n_keys, target, 1.0, time)
                change_move(tables, sums, view.rows, n_keys, chosen, -1.0, time)
            if side_of(target) >= 0:
                side = side_of(target)
                change_label(tables, sums, view.rows, n_label_keys, side, target_label, 1.0, time)
            if side_of(chosen) >= 0:
                side = side_of(chosen)
                change_label(tables, sums, view.rows, n_label_keys, side, chosen_label, -1.0, time)
            if lesson.exploration > 0 and (
                _chance(lesson.randomness[s], step) < lesson.exploration
            ):
                apply(state, chosen, chosen_label)
            else:
                apply(state, target, target_label)
            note_relation(state, sets)
    return tables, sums, time, n_right, time - begun

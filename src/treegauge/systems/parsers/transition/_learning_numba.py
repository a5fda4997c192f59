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

from treegauge.kernels import kernel
from treegauge.systems.parsers.transition._features_numba import note_relation
from treegauge.systems.parsers.transition._parsing_numba import begin, best_move, look
from treegauge.systems.parsers.transition._weights_numba import change, make_rows
from treegauge.transitions.stepping import (
    GOLD_HEAD,
    LEFT_ARC,
    N_MOVES,
    apply,
    arc,
    costs,
    is_terminal,
    oracle,
    prepare_gold,
)

SENTENCE, STEP, TIME, RIGHT = 0, 1, 2, 3
"""Places in `progress`: the sentence in the order of the lesson, decisions in it, decisions in
all, and right ones."""

Lesson = namedtuple("Lesson", "heads labels order is_dynamic exploration randomness margin")
"""What is learnt from in one epoch.

heads, labels : int32, one per word; trees that the transition system derives
order : int64; the sentences, in the order in which they are learnt from
is_dynamic : whether any move that costs nothing is right, or that of the static oracle alone
exploration : how often the learner goes where its own wrong moves lead
randomness : int64, one per sentence
margin : float32; by how much a right decision has to win per feature of a configuration
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
def costs_of_oracle(state, gold, _scratch, _mask, found):
    """Write costs as `costs` does, 0 for the move of the static oracle alone."""
    following = oracle(state, gold)
    for move in range(N_MOVES):
        found[move] = 0 if move == following else 1


@kernel
def _closest_rival(view, found, gold, target, target_label, least):
    """Return the best wrong move and label with a score above `least`; the move is -1 if none has.

    Of the right move, labels other than its own are wrong if its arc is one of the gold tree.
    """
    state, scores = view.state, view.scores
    rival, rival_label = -1, 0
    for move in range(N_MOVES):
        if view.mask[move] and found[move] != 0 and scores[move] > least:
            rival, rival_label, least = move, view.labels[move], scores[move]
    head, dependent = arc(state, target)
    if dependent and gold[GOLD_HEAD, dependent] == head:
        of_side = view.label_scores[target - LEFT_ARC]
        of_move = scores[target] - of_side[view.labels[target]]
        for label in range(len(of_side)):
            if label != target_label and of_move + of_side[label] > least:
                rival, rival_label, least = target, label, of_move + of_side[label]
    return rival, rival_label


@kernel
def learn(plan, words, lesson, tables, sums, view, gold, scratch, found, progress):
    """Learn from the sentences one after the other, and note in `progress` how far that got.

    Returns whether all is done; if not, there is no room for what may be learnt next.

    A decision is right if its move is and, if it adds an arc of the gold tree, the label too; on
    a wrong one the weights of the best right move and label go up, those of the decision down.
    So do they after a right decision that wins by less than the margin, and those of the best
    wrong one go down.
    """
    slots, keys_of_rows, used = tables.slots, tables.keys, sums.used
    state, sets, rows = view.state, view.sets, view.rows
    offsets = words.offsets
    most_keys = len(view.keys)
    while progress[SENTENCE] < len(lesson.order):
        s = lesson.order[progress[SENTENCE]]
        first = offsets[s]
        n = offsets[s + 1] - first
        if progress[STEP] == 0:
            begin(plan, view, n)
            prepare_gold(gold, lesson.heads[first : first + n], plan.system)
        while not is_terminal(state):
            if (
                used[0] + most_keys > len(keys_of_rows)
                or 2 * (used[0] + most_keys) > len(slots)
                or used[1] + 2 * most_keys > len(tables.labels)
            ):
                return False
            progress[TIME] += 1
            progress[STEP] += 1
            time = progress[TIME]
            n_keys, n_label_keys = look(plan, words, tables, first, view)
            chosen = best_move(view.mask, view.scores)
            chosen_label = view.labels[chosen]
            costs(state, gold, scratch, view.mask, found)

            target = -1
            target_label = 0
            target_score = np.float32(0)
            chosen_is_right = found[chosen] == 0
            for move in range(N_MOVES):
                if found[move] == 0:
                    label = view.labels[move]
                    score = view.scores[move]
                    head, dependent = arc(state, move)
                    if dependent and gold[GOLD_HEAD, dependent] == head:
                        label = lesson.labels[first + dependent - 1]
                        of_side = view.label_scores[move - LEFT_ARC]
                        score += of_side[label] - of_side[view.labels[move]]
                        if move == chosen and label != chosen_label:
                            chosen_is_right = False
                    if target < 0 or score > target_score:
                        target, target_label, target_score = move, label, score
            followed, followed_label = chosen, chosen_label
            if chosen_is_right:
                progress[RIGHT] += 1
            rival, rival_label = chosen, chosen_label
            if chosen_is_right:
                least = target_score - lesson.margin * np.float32(n_keys)
                rival, rival_label = _closest_rival(view, found, gold, target, target_label, least)
            if rival >= 0:
                make_rows(slots, keys_of_rows, used, view.keys, rows, n_keys)
                n_changed = n_keys if target != rival else 0
                change(tables, sums, rows, n_changed, n_label_keys, target, target_label, 1.0, time)
                change(tables, sums, rows, n_changed, n_label_keys, rival, rival_label, -1.0, time)
            if not chosen_is_right:
                explores = lesson.exploration > 0 and (
                    _chance(lesson.randomness[s], progress[STEP]) < lesson.exploration
                )
                if not explores:
                    followed, followed_label = target, target_label
            apply(state, followed, followed_label)
            note_relation(state, sets)
        progress[SENTENCE] += 1
        progress[STEP] = 0
    return True

"""A perceptron over transitions with one weight a dictionary entry, averaged the long way."""

from __future__ import annotations

from collections import Counter

import numpy as np

from treegauge.systems.parsers.transition import _features_numba as features
from treegauge.transitions import stepping

ARCS = {stepping.LEFT_ARC: 0, stepping.RIGHT_ARC: 1}


class SlowPerceptron:
    """Weights of (key, move) and (key, side, label), and the sum of all of them over time."""

    def __init__(self, plan, n_labels: int) -> None:
        self.plan = plan
        self.n_labels = n_labels
        self.moves: Counter[tuple[int, int]] = Counter()
        self.labels: Counter[tuple[int, int, int]] = Counter()
        self.move_sums: Counter[tuple[int, int]] = Counter()
        self.label_sums: Counter[tuple[int, int, int]] = Counter()
        self.time = 0

    def keys(self, words, state, sets, first) -> tuple[list[int], list[int]]:
        nodes = np.zeros(features.N_NODES, np.int32)
        values = np.zeros(features.N_VALUES, np.int64)
        of_a_and_b = np.zeros(2, np.int32)
        keys = np.zeros(1000, np.int64)
        features.find_values(state, sets, words.atoms, first, nodes, values)
        features.find_attribute_sets(nodes, words.feature_set, first, of_a_and_b)
        n, n_for_labels = features.find_keys(
            values,
            self.plan.templates,
            self.plan.attributes,
            self.plan.for_labels,
            of_a_and_b,
            words.begins,
            words.members,
            keys,
        )
        return keys[:n].tolist(), keys[:n_for_labels].tolist()

    def learn(self, words, lesson) -> None:
        """Learn from every sentence once; the learner explores always or never."""
        plan = self.plan
        for s in lesson.order:
            first, last = words.offsets[s : s + 2]
            n = int(last - first)
            gold = lesson.heads[first:last].tolist()
            state, scratch = stepping.new_configuration(n), stepping.new_configuration(n)
            prepared = stepping.new_gold(n)
            stepping.prepare_gold(prepared, lesson.heads[first:last], plan.system)
            stepping.start(state, n, plan.system, plan.root, plan.single_root)
            sets = np.zeros((2, n + 1), np.int64)
            mask = np.zeros(stepping.N_MOVES, np.bool_)
            costs = np.zeros(stepping.N_MOVES, np.int32)
            while not stepping.is_terminal(state):
                self.time += 1
                # The weights that this decision is made with count once.
                self.move_sums.update(self.moves)
                self.label_sums.update(self.labels)
                keys, label_keys = self.keys(words, state, sets, first)
                stepping.legal(state, mask)
                if lesson.is_dynamic:
                    stepping.costs(state, prepared, scratch, mask, costs)
                    right = [move for move in range(4) if costs[move] == 0]
                else:
                    right = [stepping.oracle(state, prepared)]
                scored: dict[tuple[int, int], float] = {}
                is_right: dict[tuple[int, int], bool] = {}
                for move in np.flatnonzero(mask).tolist():
                    score = sum(self.moves[key, move] for key in keys)
                    if move not in ARCS:
                        scored[move, -1] = score
                        is_right[move, -1] = move in right
                        continue
                    head, dependent = stepping.arc(state, move)
                    is_gold = gold[dependent - 1] == head
                    for label in range(self.n_labels):
                        if plan.not_allowed[int(head == 0), label] < 0:
                            continue
                        pair = move, label
                        of_label = sum(self.labels[key, ARCS[move], label] for key in label_keys)
                        scored[pair] = score + of_label
                        is_right[pair] = move in right and (
                            not is_gold or label == lesson.labels[first + dependent - 1]
                        )
                chosen = max(scored, key=scored.__getitem__)
                followed = chosen
                target = max((p for p in scored if is_right[p]), key=scored.__getitem__)
                # Other moves come first, as in the kernel: equal scores are not rare.
                wrong = [p for p in scored if p[0] not in right]
                wrong += [p for p in scored if p[0] == target[0] and not is_right[p]]
                rival = max(wrong, key=scored.__getitem__, default=chosen)
                least = scored[target] - lesson.margin * len(keys)
                if not is_right[chosen]:
                    rival, least = chosen, -np.inf
                if not is_right[rival] and scored[rival] > least:
                    for (move, label), change in ((target, 1), (rival, -1)):
                        for key in keys:
                            self.moves[key, move] += change
                        if move in ARCS:
                            for key in label_keys:
                                self.labels[key, ARCS[move], label] += change
                if not is_right[chosen]:
                    followed = chosen if lesson.exploration else target
                stepping.apply(state, *followed)
                features.note_relation(state, sets)

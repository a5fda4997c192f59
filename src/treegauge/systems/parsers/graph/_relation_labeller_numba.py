"""Kernels of the relation labeller: atoms of trees, scores of relations, and learning."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.parsers.graph._hashing_numba import finished, mixed, side_numbers

FORM, TAG = 0, 4  # places of atoms `w` and `p`; a test compares them with word_atoms.ATOMS
_MOST = 3
_FEATURE_SEED = np.uint64(0x2468ACE)


@kernel
def fill_tree_atoms(codes, starts, heads, begin):
    """Fill the columns from `begin` on with the atoms of trees, in the order of TREE_ATOMS.

    `codes` and `heads` have a row for every word and every root.
    """
    for s in range(len(starts) - 1):
        first = starts[s]
        n = starts[s + 1] - first - 1
        n_left = np.zeros(n + 1, np.int64)
        n_right = np.zeros(n + 1, np.int64)
        first_kid = np.zeros(n + 1, np.int64)
        last_kid = np.zeros(n + 1, np.int64)
        before = np.zeros(n + 1, np.int64)  # siblings
        n_before = np.zeros(n + 1, np.int64)
        after = np.zeros(n + 1, np.int64)
        for d in range(1, n + 1):
            h = heads[first + d]
            before[d] = last_kid[h]
            n_before[d] = n_left[h] + n_right[h]
            if last_kid[h]:
                after[last_kid[h]] = d
            else:
                first_kid[h] = d
            last_kid[h] = d
            if d < h:
                n_left[h] += 1
            else:
                n_right[h] += 1
        for d in range(1, n + 1):
            h = heads[first + d]
            row = codes[first + d, begin:]
            distance = abs(h - d)
            row[0] = 0 if h == 0 else (1 if d < h else 2)
            row[1] = 0 if h == 0 else min(distance, 6 if distance <= 10 else 7)
            row[2] = 0 if h == 0 else codes[first + heads[first + h], TAG]
            row[3] = _value(codes, first, before[d], TAG)
            row[4] = _value(codes, first, after[d], TAG)
            row[5] = _value(codes, first, before[d], FORM)
            row[6] = _value(codes, first, after[d], FORM)
            row[7] = _value(codes, first, first_kid[d], TAG)
            row[8] = _value(codes, first, last_kid[d], TAG)
            row[9] = _value(codes, first, first_kid[d], FORM)
            row[10] = _value(codes, first, last_kid[d], FORM)
            row[11] = min(n_left[d], _MOST) * (_MOST + 1) + min(n_right[d], _MOST)
            n_after = n_left[h] + n_right[h] - n_before[d] - 1
            row[12] = min(n_before[d], _MOST) * (_MOST + 1) + min(n_after, _MOST)


@kernel
def _value(codes, first, word, atom):
    """Return an atom of a word, or 0 where there is none."""
    return codes[first + word, atom] if word else 0


@kernel
def _arc_places(
    tags, sides, head, dependent, first, features, feature_starts, value, shift, places
):
    """Put the places of an arc's features into `places` and return their number.

    The last are those of single morphological features: of either word, alone and with the
    other's tag. Which side of its head the dependent is on belongs to all of these.
    """
    count = sides.shape[2]
    for t in range(count):
        places[t] = np.int64(finished(sides[0, head, t] + sides[1, dependent, t]) >> shift)
    side = 0 if head == 0 else (1 if dependent < head else 2)
    for k in range(2):
        word, other = (dependent, head) if k == 0 else (head, dependent)
        own = value[first + word]
        number = mixed(_FEATURE_SEED, 3 * k + side)
        for f in range(feature_starts[own], feature_starts[own + 1]):
            key = mixed(number, features[f])
            places[count] = np.int64(finished(key) >> shift)
            places[count + 1] = np.int64(finished(mixed(key, tags[first + other])) >> shift)
            count += 2
    return count


@kernel
def _most_places(feature_starts, n_templates):
    """Return how many features an arc can have."""
    most = 0
    for k in range(len(feature_starts) - 1):
        most = max(most, feature_starts[k + 1] - feature_starts[k])
    return n_templates + 4 * most


@kernel
def _best_relation(weights, places, scores):
    """Return the relation with the highest score, the first of several."""
    scores[:] = 0.0
    for p in places:
        for r in range(len(scores)):
            scores[r] += weights[p + r]
    best = 0
    for r in range(1, len(scores)):
        if scores[r] > scores[best]:
            best = r
    return best


@kernel
def label(
    codes,
    starts,
    heads,
    templates,
    features,
    feature_starts,
    value,
    weights,
    shift,
    n_relations,
    relations,
):
    """Fill the relation of every row that is a word."""
    all_places = np.empty(_most_places(feature_starts, len(templates)), np.int64)
    scores = np.empty(n_relations, np.float32)
    for s in range(len(starts) - 1):
        first = starts[s]
        n = starts[s + 1] - first - 1
        sides = np.empty((2, n + 1, len(templates)), np.uint64)
        for side in range(2):
            side_numbers(codes, first, n, templates, side, sides[side])
        for d in range(1, n + 1):
            count = _arc_places(
                codes[:, TAG],
                sides,
                heads[first + d],
                d,
                first,
                features,
                feature_starts,
                value,
                shift,
                all_places,
            )
            places = all_places[:count]
            relations[first + d] = _best_relation(weights, places, scores)


@kernel
def learn(
    codes,
    starts,
    order,
    heads,
    gold,
    templates,
    features,
    feature_starts,
    value,
    weights,
    weighted_updates,
    shift,
    n_relations,
    margin,
    step,
):
    """Label words and correct the weights after each; return right relations and the step."""
    all_places = np.empty(_most_places(feature_starts, len(templates)), np.int64)
    scores = np.empty(n_relations, np.float32)
    right = 0
    for s in order:
        first = starts[s]
        n = starts[s + 1] - first - 1
        sides = np.empty((2, n + 1, len(templates)), np.uint64)
        for side in range(2):
            side_numbers(codes, first, n, templates, side, sides[side])
        for d in range(1, n + 1):
            count = _arc_places(
                codes[:, TAG],
                sides,
                heads[first + d],
                d,
                first,
                features,
                feature_starts,
                value,
                shift,
                all_places,
            )
            places = all_places[:count]
            predicted = _best_relation(weights, places, scores)
            true = gold[first + d]
            rival = predicted
            if predicted == true:
                right += 1
                least = scores[true] - margin * np.float32(count)
                for r in range(n_relations):
                    if r != true and scores[r] > least:
                        rival, least = r, scores[r]
            if rival != true:
                for p in places:
                    weights[p + true] += 1.0
                    weighted_updates[p + true] += step
                    weights[p + rival] -= 1.0
                    weighted_updates[p + rival] -= step
            step += 1
    return right, step

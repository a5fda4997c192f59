"""Kernels of the arc model: keys of features, scores, and learning from mistakes.

A key leads to 16 weights beside each other, one line of the processor's cache: two for directions,
twelve for direction and distance, two for the root's arcs. Which of the line is the first
is again decided by the key, so that features that share a line share few weights.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.parsers._eisner_numba import best_tree as best_projective_tree
from treegauge.systems.parsers._spanning_trees_numba import best_tree as best_spanning_tree
from treegauge.systems.parsers.graph._hashing_numba import finished, mixed, side_numbers

PERCEPTRON, MIRA = 0, 1
TAG = 4  # the place of atom `p`; a test compares it with word_atoms.ATOMS
_BETWEEN_SEED = np.uint64(0x1234567)
_PAIR_SEED = np.uint64(0x89ABCDE)
_SLOT_BITS = np.uint64(24)
_15 = np.uint64(15)
_4 = np.uint64(4)


@kernel
def direction(head, dependent):
    """Return which of the 16 weights is for the arc's direction, whatever its distance."""
    if head == 0:
        return 14
    return 0 if head < dependent else 1


@kernel
def circumstance(head, dependent):
    """Return which of the 16 weights is for the arc's direction and distance."""
    if head == 0:
        return 15
    distance = abs(head - dependent)
    bucket = distance if distance <= 3 else (4 if distance <= 5 else (5 if distance <= 10 else 6))
    return 1 + bucket if head < dependent else 7 + bucket


@kernel
def place(key, which, shift):
    """Return the place in the table of weights of one of a key's 16."""
    line = (key >> shift) << _4
    return np.int64(line | (((key >> _SLOT_BITS) + np.uint64(which)) & _15))


@kernel
def most_keys(n, features_a_word, n_templates):
    """Return how many keys an arc of a sentence of n words can have."""
    return n_templates + n + features_a_word * features_a_word


@kernel
def arc_keys(
    head, dependent, sides, tags_between, n_between, first, features, feature_starts, value, keys
):
    """Put the keys of an arc's features into `keys` and return their number.

    `sides` is [side, word, template]; the last template is the one that is joined with tags
    between.
    """
    n_templates = sides.shape[2] - 1
    for t in range(n_templates):
        keys[t] = finished(sides[0, head, t] + sides[1, dependent, t])
    count = n_templates
    both = sides[0, head, n_templates] + sides[1, dependent, n_templates]
    for k in range(n_between):
        keys[count] = finished(both + mixed(_BETWEEN_SEED, tags_between[k]))
        count += 1
    of_head, of_dependent = value[first + head], value[first + dependent]
    for a in range(feature_starts[of_head], feature_starts[of_head + 1]):
        number = mixed(_PAIR_SEED, features[a])
        for b in range(feature_starts[of_dependent], feature_starts[of_dependent + 1]):
            keys[count] = finished(mixed(number, features[b]))
            count += 1
    return count


@kernel
def tags_between(codes, first, head, dependent, found):
    """Put the distinct tags strictly between two words into `found`; none for the root."""
    count = 0
    if head == 0:
        return count
    for i in range(min(head, dependent) + 1, max(head, dependent)):
        tag = codes[first + i, TAG]
        for k in range(count):
            if found[k] == tag:
                break
        else:
            found[count] = tag
            count += 1
    return count


@kernel
def score_arcs(
    codes, first, n, sides, features, feature_starts, value, weights, shift, found, keys, scores
):
    """Fill scores[head, dependent] of a sentence of n words whose root is row `first`."""
    for head in range(n + 1):
        for step in (-1, 1):
            n_between = 0
            dependent = head + step
            while 1 <= dependent <= n:
                if head > 0 and abs(dependent - head) > 1:
                    tag = codes[first + dependent - step, TAG]
                    for k in range(n_between):
                        if found[k] == tag:
                            break
                    else:
                        found[n_between] = tag
                        n_between += 1
                count = arc_keys(
                    head,
                    dependent,
                    sides,
                    found,
                    n_between,
                    first,
                    features,
                    feature_starts,
                    value,
                    keys,
                )
                which = circumstance(head, dependent)
                total = 0.0
                for k in range(count):
                    total += (
                        weights[place(keys[k], direction(head, dependent), shift)]
                        + weights[place(keys[k], which, shift)]
                    )
                scores[head, dependent] = total
                dependent += step


@kernel
def _longest(starts):
    longest = 0
    for s in range(len(starts) - 1):
        longest = max(longest, starts[s + 1] - starts[s] - 1)
    return longest


@kernel
def _most_features(feature_starts):
    most = 0
    for k in range(len(feature_starts) - 1):
        most = max(most, feature_starts[k + 1] - feature_starts[k])
    return most


@kernel
def sentence_scores(codes, first, n, templates, features, feature_starts, value, weights, shift):
    """Return the matrix of arc scores of one sentence."""
    sides = np.empty((2, n + 1, len(templates)), np.uint64)
    keys = np.empty(most_keys(n, _most_features(feature_starts), len(templates)), np.uint64)
    found = np.empty(n + 1, np.int32)
    scores = np.zeros((n + 1, n + 1))
    for side in range(2):
        side_numbers(codes, first, n, templates, side, sides[side])
    score_arcs(
        codes, first, n, sides, features, feature_starts, value, weights, shift, found, keys, scores
    )
    return scores


@kernel
def decode(scores, is_projective, single_root):
    """Return the best tree's heads."""
    if is_projective:
        return best_projective_tree(scores, single_root)
    return best_spanning_tree(scores, single_root)


@kernel
def parse(
    codes,
    starts,
    first_sentence,
    last_sentence,
    templates,
    features,
    feature_starts,
    value,
    weights,
    shift,
    is_projective,
    single_root,
    heads,
):
    """Fill the heads of sentences first..last; `heads` has a place for every row of `codes`."""
    for s in range(first_sentence, last_sentence):
        first = starts[s]
        n = starts[s + 1] - first - 1
        scores = sentence_scores(
            codes, first, n, templates, features, feature_starts, value, weights, shift
        )
        best = decode(scores, is_projective, single_root)
        for i in range(n):
            heads[first + 1 + i] = best[i]


@kernel
def learn(
    codes,
    starts,
    order,
    gold,
    templates,
    features,
    feature_starts,
    value,
    weights,
    weighted_updates,
    difference,
    shift,
    is_projective,
    single_root,
    learner,
    aggressiveness,
    step,
):
    """Parse sentences in an order and correct the weights after each; return right heads.

    Averages are lazy: an update d at step t adds d to the weights and t d to
    `weighted_updates`; after T steps the average of all weights is w - (sum of t d) / T.

    `difference` is all zeros between sentences; it counts features of the gold tree less
    those of the predicted one.
    """
    longest = _longest(starts)
    most = most_keys(longest, _most_features(feature_starts), len(templates))
    all_sides = np.empty((2, longest + 1, len(templates)), np.uint64)
    keys = np.empty(most, np.uint64)
    found = np.empty(longest + 1, np.int32)
    touched = np.empty(4 * most * max(longest, 1), np.int64)
    amounts = np.empty(len(touched))
    right = 0
    for s in order:
        first = starts[s]
        n = starts[s + 1] - first - 1
        sides = all_sides[:, : n + 1]
        for side in range(2):
            side_numbers(codes, first, n, templates, side, sides[side])
        scores = np.zeros((n + 1, n + 1))
        score_arcs(
            codes,
            first,
            n,
            sides,
            features,
            feature_starts,
            value,
            weights,
            shift,
            found,
            keys,
            scores,
        )
        if learner == MIRA:
            # Every wrong arc looks better by its cost, so that right ones win by a margin.
            for dependent in range(1, n + 1):
                for head in range(n + 1):
                    if head != gold[first + dependent]:
                        scores[head, dependent] += 1.0
        heads = decode(scores, is_projective, single_root)
        violation = 0.0
        n_touched = 0
        for dependent in range(1, n + 1):
            predicted, true = heads[dependent - 1], gold[first + dependent]
            if predicted == true:
                right += 1
                continue
            violation += scores[predicted, dependent] - scores[true, dependent]
            for head, sign in ((true, 1), (predicted, -1)):
                n_between = tags_between(codes, first, head, dependent, found)
                count = arc_keys(
                    head,
                    dependent,
                    sides,
                    found,
                    n_between,
                    first,
                    features,
                    feature_starts,
                    value,
                    keys,
                )
                which = circumstance(head, dependent)
                for k in range(count):
                    for slot in (direction(head, dependent), which):
                        p = place(keys[k], slot, shift)
                        difference[p] += sign
                        touched[n_touched] = p
                        n_touched += 1
        distinct = 0
        norm = 0.0
        for k in range(n_touched):
            p = touched[k]
            if difference[p] != 0:
                touched[distinct] = p
                amounts[distinct] = difference[p]
                norm += np.float64(difference[p]) ** 2
                difference[p] = 0
                distinct += 1
        if distinct:
            rate = 1.0
            if learner == MIRA:
                # Gold trees outside the search space (several roots) may win after all.
                rate = min(aggressiveness, max(0.0, violation) / norm)
            for k in range(distinct):
                change = rate * amounts[k]
                weights[touched[k]] += change
                weighted_updates[touched[k]] += step * change
        step += 1
    return right, step

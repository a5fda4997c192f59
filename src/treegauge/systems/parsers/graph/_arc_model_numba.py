"""Kernels of the arc model: keys of features, scores, and learning from mistakes."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.parsers._eisner_numba import best_tree as best_projective_tree
from treegauge.systems.parsers._siblings_numba import (
    best_tree as best_tree_with_siblings,
    inner_siblings,
)
from treegauge.systems.parsers._spanning_trees_numba import best_tree as best_spanning_tree
from treegauge.systems.parsers.graph._hashing_numba import finished, mixed, side_numbers
from treegauge.systems.parsers.graph._sibling_model_numba import (
    score_siblings,
    sibling_keys,
    sibling_sides,
    sibling_slots,
)
from treegauge.systems.parsers.graph._weight_places_numba import circumstance, direction, place

PERCEPTRON, MIRA = 0, 1
TAG = 4  # the place of atom `p`; a test compares it with word_atoms.ATOMS
_BETWEEN_SEED = np.uint64(0x1234567)
_PAIR_SEED = np.uint64(0x89ABCDE)
_AFTER = 1 << 30  # added to the tags after a root word, to tell them from those before it


@kernel
def most_keys(n, features_a_word, n_templates):
    """Return how many keys an arc of a sentence of n words can have."""
    return n_templates + 2 * n + features_a_word * features_a_word


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
def _with(tag, found, count):
    """Put a tag into `found` if it is not there yet; return how many are."""
    for k in range(count):
        if found[k] == tag:
            return count
    found[count] = tag
    return count + 1


@kernel
def tags_between(codes, first, n, head, dependent, root_tags, found):
    """Put the distinct tags strictly between two words into `found` and return their number.

    With `root_tags`, those of the root are the tags of all words before and after the dependent,
    apart; else there are none.
    """
    count = 0
    if head == 0:
        if not root_tags:
            return count
        for i in range(1, dependent):
            count = _with(codes[first + i, TAG], found, count)
        for i in range(dependent + 1, n + 1):
            count = _with(codes[first + i, TAG] + _AFTER, found, count)
        return count
    for i in range(min(head, dependent) + 1, max(head, dependent)):
        count = _with(codes[first + i, TAG], found, count)
    return count


@kernel
def score_arcs(
    codes,
    first,
    n,
    sides,
    root_tags,
    features,
    feature_starts,
    value,
    weights,
    shift,
    found,
    keys,
    scores,
):
    """Fill scores[head, dependent] of a sentence of n words whose root is row `first`."""
    for head in range(n + 1):
        for step in (-1, 1):
            n_between = 0
            dependent = head + step
            while 1 <= dependent <= n:
                if head == 0:
                    n_between = tags_between(codes, first, n, head, dependent, root_tags, found)
                elif abs(dependent - head) > 1:
                    n_between = _with(codes[first + dependent - step, TAG], found, n_between)
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
def sentence_scores(
    codes, first, n, templates, root_tags, features, feature_starts, value, weights, shift
):
    """Return the matrix of arc scores of one sentence."""
    sides = np.empty((2, n + 1, len(templates)), np.uint64)
    keys = np.empty(most_keys(n, _most_features(feature_starts), len(templates)), np.uint64)
    found = np.empty(2 * n, np.int32)
    scores = np.zeros((n + 1, n + 1))
    for side in range(2):
        side_numbers(codes, first, n, templates, side, sides[side])
    score_arcs(
        codes,
        first,
        n,
        sides,
        root_tags,
        features,
        feature_starts,
        value,
        weights,
        shift,
        found,
        keys,
        scores,
    )
    return scores


@kernel
def decode(scores, siblings, is_projective, single_root):
    """Return the best tree's heads; `siblings` is empty where they have no scores."""
    if len(siblings):
        return best_tree_with_siblings(scores, siblings, single_root)
    if is_projective:
        return best_projective_tree(scores, single_root)
    return best_spanning_tree(scores, single_root)


@kernel
def sibling_scores(codes, first, n, templates, n_pairs, weights, shift):
    """Return the scores of siblings of one sentence, empty if they have no templates."""
    if len(templates) == 0:
        return np.empty((0, 0, 0), np.float32)
    scores = np.empty((n + 1, n + 1, n + 1), np.float32)
    sides = sibling_sides(codes, first, n, templates)
    score_siblings(n, sides, n_pairs, weights, shift, scores)
    return scores


@kernel
def parse(
    codes,
    starts,
    first_sentence,
    last_sentence,
    templates,
    sibling_templates,
    n_pairs,
    root_tags,
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
            codes, first, n, templates, root_tags, features, feature_starts, value, weights, shift
        )
        siblings = sibling_scores(codes, first, n, sibling_templates, n_pairs, weights, shift)
        best = decode(scores, siblings, is_projective, single_root)
        for i in range(n):
            heads[first + 1 + i] = best[i]


@kernel
def _count(keys, n_keys, slots, sign, shift, difference, touched, n_touched):
    """Add the sign to the difference at all places of some keys; return the places so far."""
    for k in range(n_keys):
        for slot in slots:
            p = place(keys[k], slot, shift)
            difference[p] += sign
            touched[n_touched] = p
            n_touched += 1
    return n_touched


@kernel
def learn(
    codes,
    starts,
    order,
    gold,
    templates,
    sibling_templates,
    n_pairs,
    root_tags,
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
    keys = np.empty(most + len(sibling_templates), np.uint64)
    found = np.empty(2 * longest, np.int32)
    touched = np.empty(4 * len(keys) * max(longest, 1), np.int64)
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
            root_tags,
            features,
            feature_starts,
            value,
            weights,
            shift,
            found,
            keys,
            scores,
        )
        siblings = sibling_scores(codes, first, n, sibling_templates, n_pairs, weights, shift)
        if learner == MIRA:
            # Every wrong arc looks better by its cost, so that right ones win by a margin.
            for dependent in range(1, n + 1):
                for head in range(n + 1):
                    if head != gold[first + dependent]:
                        scores[head, dependent] += 1.0
        heads = decode(scores, siblings, is_projective, single_root)
        violation = 0.0
        n_touched = 0
        for dependent in range(1, n + 1):
            predicted, true = heads[dependent - 1], gold[first + dependent]
            if predicted == true:
                right += 1
                continue
            violation += scores[predicted, dependent] - scores[true, dependent]
            for head, sign in ((true, 1), (predicted, -1)):
                n_between = tags_between(codes, first, n, head, dependent, root_tags, found)
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
                slots = (direction(head, dependent), circumstance(head, dependent))
                n_touched = _count(keys, count, slots, sign, shift, difference, touched, n_touched)
        if len(sibling_templates):
            trees = np.zeros((2, n + 1), np.int32)
            trees[0, 1:] = gold[first + 1 : first + n + 1]
            trees[1, 1:] = heads
            inner = np.stack((inner_siblings(trees[0]), inner_siblings(trees[1])))
            sibling_numbers = sibling_sides(codes, first, n, sibling_templates)
            for dependent in range(1, n + 1):
                if (
                    trees[0, dependent] == trees[1, dependent]
                    and inner[0, dependent] == inner[1, dependent]
                ):
                    continue
                for tree, sign in ((0, 1), (1, -1)):
                    head, sibling = trees[tree, dependent], inner[tree, dependent]
                    violation -= sign * siblings[head, dependent, sibling]
                    count = sibling_keys(head, dependent, sibling, sibling_numbers, keys)
                    slots = sibling_slots(head, dependent, sibling)
                    n_touched = _count(
                        keys, count, slots, sign, shift, difference, touched, n_touched
                    )
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

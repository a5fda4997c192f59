"""Kernels: features of arcs between tags, a log-linear choice of heads, and its learning.

Features are places in a table of weights, by hashing. Tags are universal tags by their codes; the
code after the last one is the edge of the sentence.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.dependency_induction.universal_weights import CODE, TAGS

MOST_FEATURES = 24 + len(TAGS)
"""Of one arc: what stands between is one feature per tag."""
_EDGE = len(TAGS)
_VERB, _CONJUNCTION = CODE["VERB"], CODE["CCONJ"]
_NOUN, _NAME = CODE["NOUN"], CODE["PROPN"]
_LEAST_GAIN = 1e-4
"""Smaller gradients are not worth a look at the table."""


@kernel
def place_of(kind, a, b, c, d, mask):
    """Return the place of a feature in the table."""
    mixed = np.uint64(kind) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ np.uint64(a)) * np.uint64(0xFF51AFD7ED558CCD)
    mixed ^= mixed >> np.uint64(29)
    mixed = (mixed ^ np.uint64(b)) * np.uint64(0xC4CEB9FE1A85EC53)
    mixed ^= mixed >> np.uint64(31)
    mixed = (mixed ^ np.uint64(c)) * np.uint64(0xFF51AFD7ED558CCD)
    mixed ^= mixed >> np.uint64(29)
    mixed = (mixed ^ np.uint64(d)) * np.uint64(0xC4CEB9FE1A85EC53)
    mixed ^= mixed >> np.uint64(32)
    return np.int64(mixed & np.uint64(mask))


@kernel
def root_features(begin, n, d, tags, is_marked, verb_kind, mask, places, row):
    """Write the features of a word as root; return how many."""
    tag = tags[begin + d]
    before = tags[begin + d - 1] if d > 0 else _EDGE
    behind = tags[begin + d + 1] if d < n - 1 else _EDGE
    verbs_before, verbs_behind, nouns_before = 0, 0, 0
    for k in range(n):
        other = tags[begin + k]
        if other == _VERB:
            verbs_before += k < d
            verbs_behind += k > d
        elif (other == _NOUN or other == _NAME) and k < d:
            nouns_before += 1
    verbs_before, verbs_behind = min(verbs_before, 2), min(verbs_behind, 2)
    has_verb = 1 if verbs_before + verbs_behind > 0 else 0
    place = 1 if d == 0 else (2 if d == n - 1 else 0)
    marked = is_marked[begin + d]
    places[row, 0] = place_of(101, tag, 0, 0, 0, mask)
    places[row, 1] = place_of(102, tag, verb_kind[begin + d], 0, 0, mask)
    places[row, 2] = place_of(103, tag, marked, has_verb, 0, mask)
    places[row, 3] = place_of(104, tag, verbs_before, verbs_behind, 0, mask)
    places[row, 4] = place_of(105, tag, before, behind, 0, mask)
    places[row, 5] = place_of(106, tag, min(nouns_before, 2), has_verb, marked, mask)
    places[row, 6] = place_of(107, tag, min(n, 6), 0, 0, mask)
    places[row, 7] = place_of(108, tag, place, 0, 0, mask)
    places[row, 8] = place_of(109, tag, before, 0, 0, mask)
    places[row, 9] = place_of(110, tag, behind, 0, 0, mask)
    return 10


@kernel
def arc_features(
    begin, n, h, d, tags, is_marked, is_boundary, verb_kind, order, mask, places, row
):  # fmt: skip
    """Write the features of an arc between two words; return how many."""
    head, tag = tags[begin + h], tags[begin + d]
    pair = head * (_EDGE + 1) + tag
    side = 0 if h < d else 1
    lo, hi = min(h, d), max(h, d)
    length = hi - lo
    reach = length if length <= 4 else (5 if length <= 6 else (6 if length <= 10 else 7))
    verbs, same_as_head, same_as_tag, conjunction, marks, seen = 0, 0, 0, 0, 0, 0
    n_features = 22
    for k in range(lo + 1, hi):
        other = tags[begin + k]
        verbs += other == _VERB
        same_as_head += other == head
        same_as_tag += other == tag
        conjunction |= other == _CONJUNCTION
        if not (seen >> other) & 1:
            seen |= 1 << other
            places[row, n_features] = place_of(25, pair, other, side, 0, mask)
            n_features += 1
    for k in range(lo + 1, hi + 1):
        marks += is_boundary[begin + k]
    verbs, marks = min(verbs, 2), min(marks, 2)
    same_as_head, same_as_tag = min(same_as_head, 2), min(same_as_tag, 2)
    usual = order[tags[begin + lo], tags[begin + hi]]
    left = tags[begin + h - 1] if h > 0 else _EDGE
    right = tags[begin + h + 1] if h < n - 1 else _EDGE
    before = tags[begin + d - 1] if d > 0 else _EDGE
    behind = tags[begin + d + 1] if d < n - 1 else _EDGE
    inner, outer = (right, left) if side == 0 else (left, right)
    inner_tag, outer_tag = (before, behind) if side == 0 else (behind, before)
    places[row, 0] = place_of(1, pair, 0, 0, 0, mask)
    places[row, 1] = place_of(2, pair, side, 0, 0, mask)
    places[row, 2] = place_of(3, pair, usual, 0, 0, mask)
    places[row, 3] = place_of(4, pair, reach, 0, 0, mask)
    places[row, 4] = place_of(5, pair, reach, side, 0, mask)
    places[row, 5] = place_of(6, reach, verbs, marks, 0, mask)
    places[row, 6] = place_of(7, pair, verbs, 0, 0, mask)
    places[row, 7] = place_of(8, pair, marks, 0, 0, mask)
    places[row, 8] = place_of(9, tag, before, behind, side, mask)
    places[row, 9] = place_of(10, pair, before, side, 0, mask)
    places[row, 10] = place_of(11, pair, behind, side, 0, mask)
    places[row, 11] = place_of(12, pair, left, side, 0, mask)
    places[row, 12] = place_of(13, pair, right, side, 0, mask)
    places[row, 13] = place_of(14, pair, inner, inner_tag, side, mask)
    places[row, 14] = place_of(15, pair, outer, outer_tag, side, mask)
    places[row, 15] = place_of(16, pair, same_as_head, same_as_tag, 0, mask)
    places[row, 16] = place_of(17, pair, is_marked[begin + h], is_marked[begin + d], side, mask)
    places[row, 17] = place_of(18, pair, side, conjunction, min(reach, 3), mask)
    places[row, 18] = place_of(19, pair, verb_kind[begin + h], verb_kind[begin + d], 0, mask)
    places[row, 19] = place_of(20, pair, same_as_head, side, 0, mask)
    places[row, 20] = place_of(21, pair, side, same_as_tag, 0, mask)
    places[row, 21] = place_of(22, pair, usual, min(reach, 2), 0, mask)
    return n_features


@kernel
def learn_head_choice(
    chosen, offsets, heads, language, tags, is_marked, is_boundary, verb_kind, orders, rate,
    weights, squares,
):  # fmt: skip
    """Go through sentences once, AdaGrad after every word; return the log-likelihood."""
    longest = 0
    for s in chosen:
        longest = max(longest, offsets[s + 1] - offsets[s])
    places = np.zeros((longest + 1, MOST_FEATURES), np.int64)
    sizes = np.zeros(longest + 1, np.int64)
    scores = np.zeros(longest + 1)
    mask = len(weights) - 1
    likelihood = 0.0
    for s in chosen:
        begin = offsets[s]
        n = offsets[s + 1] - begin
        order = orders[language[s]]
        for d in range(n):
            most = -np.inf
            for h in range(n + 1):
                if h == d + 1:
                    continue
                if h == 0:
                    sizes[h] = root_features(
                        begin, n, d, tags, is_marked, verb_kind, mask, places, h
                    )
                else:
                    sizes[h] = arc_features(
                        begin, n, h - 1, d, tags, is_marked, is_boundary, verb_kind, order, mask,
                        places, h,
                    )  # fmt: skip
                scores[h] = 0.0
                for k in range(sizes[h]):
                    scores[h] += weights[places[h, k]]
                most = max(most, scores[h])
            total = 0.0
            for h in range(n + 1):
                if h != d + 1:
                    total += np.exp(scores[h] - most)
            log_total = most + np.log(total)
            gold = heads[begin + d]
            likelihood += scores[gold] - log_total
            for h in range(n + 1):
                if h == d + 1:
                    continue
                gain = (1.0 if h == gold else 0.0) - np.exp(scores[h] - log_total)
                if abs(gain) < _LEAST_GAIN:
                    continue
                for k in range(sizes[h]):
                    at = places[h, k]
                    squares[at] += gain * gain
                    weights[at] += rate * gain / np.sqrt(squares[at] + 1.0)
    return likelihood


@kernel
def write_head_choice(
    offsets, tags, is_marked, is_boundary, verb_kind, order, weights, log_probabilities
):  # fmt: skip
    """Write log P(head | word) of every arc, packed as [n + 1, n] a sentence."""
    places = np.zeros((1, MOST_FEATURES), np.int64)
    mask = len(weights) - 1
    cell = 0
    for s in range(len(offsets) - 1):
        begin = offsets[s]
        n = offsets[s + 1] - begin
        for d in range(n):
            most = -np.inf
            for h in range(n + 1):
                if h == d + 1:
                    continue
                if h == 0:
                    size = root_features(begin, n, d, tags, is_marked, verb_kind, mask, places, 0)
                else:
                    size = arc_features(
                        begin, n, h - 1, d, tags, is_marked, is_boundary, verb_kind, order, mask,
                        places, 0,
                    )  # fmt: skip
                score = 0.0
                for k in range(size):
                    score += weights[places[0, k]]
                log_probabilities[cell + h * n + d] = score
                most = max(most, score)
            total = 0.0
            for h in range(n + 1):
                if h != d + 1:
                    total += np.exp(log_probabilities[cell + h * n + d] - most)
            for h in range(n + 1):
                at = cell + h * n + d
                if h == d + 1:
                    log_probabilities[at] = -np.inf
                else:
                    log_probabilities[at] -= most + np.log(total)
        cell += n * (n + 1)

"""Kernels of the perceptron tagger: features as places in one table of weights.

A feature is hashed to a place of the table; the weights of its tags lie there one behind the
other. Features of a word alone are hashed once for every distinct word (`word_places`), by the
part that the word plays: the word itself, or one of its neighbours. What depends on more than
one word, or on tags, is hashed on the way.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel

_FACTOR = np.int64(-7046029254386353131)
_LOW_HALF = np.int64((1 << 32) - 1)

N_SUFFIXES = 5
N_PREFIXES = 4
# Columns of `word_places`: which features a word has as itself, and as a neighbour.
N_OWN = 4 + N_SUFFIXES + N_PREFIXES
N_BEFORE = 3
N_AFTER = 3
N_FAR = 1
BEFORE = N_OWN
AFTER = BEFORE + N_BEFORE
FAR_BEFORE = AFTER + N_AFTER
FAR_AFTER = FAR_BEFORE + N_FAR
N_PLACES = FAR_AFTER + N_FAR
N_MIXED = 8


@kernel
def _mixed(a, b):
    """Hash a hash and a number."""
    value = (a ^ (b + 1)) * _FACTOR
    value ^= (value >> 32) & _LOW_HALF
    value *= _FACTOR
    return value ^ ((value >> 29) & _LOW_HALF)


@kernel
def _place(template, value, mask):
    return _mixed(_mixed(np.int64(template), value), np.int64(77)) & mask


@kernel
def _hash_of(characters, first, last):
    value = np.int64(last - first)
    for i in range(first, last):
        value = _mixed(value, np.int64(characters[i]))
    return value


@kernel
def hash_words(exact, exact_starts, plain, plain_starts, shapes, mask, places, words):
    """Write the places of the features of every word, and the hash of the word itself.

    `exact` are the characters of words as they stand, `plain` in lower case with all digits
    alike. The last row is that of the boundary of a sentence.
    """
    n = len(words) - 1
    for i in range(n + 1):
        if i == n:
            whole = np.int64(-1)
            plain_whole = np.int64(-1)
            shape = np.int64(-1)
            first = last = 0
        else:
            whole = _hash_of(exact, exact_starts[i], exact_starts[i + 1])
            first = plain_starts[i]
            last = plain_starts[i + 1]
            plain_whole = _hash_of(plain, first, last)
            shape = shapes[i]
        words[i] = plain_whole
        length = last - first
        suffix3 = _hash_of(plain, last - min(3, length), last)
        places[i, 0] = _place(0, np.int64(0), mask)
        places[i, 1] = _place(1, whole, mask)
        places[i, 2] = _place(2, plain_whole, mask)
        places[i, 3] = _place(3, shape, mask)
        for k in range(N_SUFFIXES):
            ending = _hash_of(plain, last - min(k + 1, length), last)
            places[i, 4 + k] = _place(10 + k, ending, mask)
        for k in range(N_PREFIXES):
            begin = _hash_of(plain, first, first + min(k + 1, length))
            places[i, 4 + N_SUFFIXES + k] = _place(20 + k, begin, mask)
        places[i, BEFORE] = _place(30, plain_whole, mask)
        places[i, BEFORE + 1] = _place(31, suffix3, mask)
        places[i, BEFORE + 2] = _place(32, shape, mask)
        places[i, AFTER] = _place(40, plain_whole, mask)
        places[i, AFTER + 1] = _place(41, suffix3, mask)
        places[i, AFTER + 2] = _place(42, shape, mask)
        places[i, FAR_BEFORE] = _place(50, plain_whole, mask)
        places[i, FAR_AFTER] = _place(51, plain_whole, mask)


@kernel
def _mixed_places(before, here, after, tag1, tag2, words, n_tags, mask, out):
    """Write the places of what depends on more than one word, or on tags."""
    one = np.int64(tag1)
    two = np.int64(tag2) * (n_tags + 1) + one
    out[0] = _place(60, one, mask)
    out[1] = _place(61, np.int64(tag2), mask)
    out[2] = _place(62, two, mask)
    out[3] = _place(63, _mixed(words[here], one), mask)
    out[4] = _place(64, _mixed(words[after], one), mask)
    out[5] = _place(65, _mixed(words[before], words[here]), mask)
    out[6] = _place(66, _mixed(words[here], words[after]), mask)
    out[7] = _place(67, _mixed(words[here], two), mask)


@kernel
def _add(weights, place, scores):
    for tag in range(len(scores)):
        scores[tag] += weights[place + tag]


@kernel
def _best(scores):
    best = 0
    for tag in range(1, len(scores)):
        if scores[tag] > scores[best]:
            best = tag
    return best


@kernel
def learn(order, offsets, types, gold, fixed, places, words, mask, weights, sums, clock):
    """Go through the sentences once; return the clock and the number of mistakes.

    Tags before a word are the tagger's own. `sums` holds the weights times the clock when they
    changed, so that the average over all steps is `weights - sums / clock`.
    """
    n_tags = len(weights) - mask - 1
    boundary = len(words) - 1
    active = np.empty(N_PLACES + N_MIXED, np.int64)
    scores = np.empty(n_tags)
    mistakes = 0
    for sentence in order:
        begin = offsets[sentence]
        end = offsets[sentence + 1]
        tag1 = n_tags
        tag2 = n_tags
        for i in range(begin, end):
            here = types[i]
            answer = fixed[here]
            if answer < 0:
                before = types[i - 1] if i > begin else boundary
                after = types[i + 1] if i + 1 < end else boundary
                far_before = types[i - 2] if i > begin + 1 else boundary
                far_after = types[i + 2] if i + 2 < end else boundary
                for k in range(N_OWN):
                    active[k] = places[here, k]
                for k in range(BEFORE, AFTER):
                    active[k] = places[before, k]
                for k in range(AFTER, FAR_BEFORE):
                    active[k] = places[after, k]
                active[FAR_BEFORE] = places[far_before, FAR_BEFORE]
                active[FAR_AFTER] = places[far_after, FAR_AFTER]
                _mixed_places(
                    before, here, after, tag1, tag2, words, n_tags, mask, active[N_PLACES:]
                )
                scores[:] = 0.0
                for k in range(len(active)):
                    _add(weights, active[k], scores)
                answer = _best(scores)
                clock += 1
                if answer != gold[i]:
                    mistakes += 1
                    for k in range(len(active)):
                        weights[active[k] + gold[i]] += 1.0
                        sums[active[k] + gold[i]] += clock
                        weights[active[k] + answer] -= 1.0
                        sums[active[k] + answer] -= clock
            tag2 = tag1
            tag1 = answer
    return clock, mistakes


@kernel
def tag(offsets, types, fixed, places, words, mask, weights, out):
    """Write the best tag of every word, from left to right."""
    n_tags = len(weights) - mask - 1
    boundary = len(words) - 1
    n = len(words)
    # What a word says about its own tag and those of its neighbours, summed once.
    own = np.zeros((n, n_tags))
    as_before = np.zeros((n, n_tags))
    as_after = np.zeros((n, n_tags))
    for i in range(n):
        for k in range(N_OWN):
            _add(weights, places[i, k], own[i])
        for k in range(BEFORE, AFTER):
            _add(weights, places[i, k], as_before[i])
        for k in range(AFTER, FAR_BEFORE):
            _add(weights, places[i, k], as_after[i])
    active = np.empty(N_MIXED, np.int64)
    scores = np.empty(n_tags)
    for sentence in range(len(offsets) - 1):
        begin = offsets[sentence]
        end = offsets[sentence + 1]
        tag1 = n_tags
        tag2 = n_tags
        for i in range(begin, end):
            here = types[i]
            answer = fixed[here]
            if answer < 0:
                before = types[i - 1] if i > begin else boundary
                after = types[i + 1] if i + 1 < end else boundary
                far_before = types[i - 2] if i > begin + 1 else boundary
                far_after = types[i + 2] if i + 2 < end else boundary
                for t in range(n_tags):
                    scores[t] = own[here, t] + as_before[before, t] + as_after[after, t]
                _add(weights, places[far_before, FAR_BEFORE], scores)
                _add(weights, places[far_after, FAR_AFTER], scores)
                _mixed_places(before, here, after, tag1, tag2, words, n_tags, mask, active)
                for k in range(N_MIXED):
                    _add(weights, active[k], scores)
                answer = _best(scores)
            out[i] = answer
            tag2 = tag1
            tag1 = answer

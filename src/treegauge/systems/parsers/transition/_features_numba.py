"""Kernels of features: what a configuration looks like, as a flat array of hashed keys.

Values are taken out of the configuration first, one for each kind of atom of each word around the
next arc; a key is a hash of a template's number and the values that it joins.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.transitions import TransitionSystem
from treegauge.transitions.stepping import (
    ATTACHED,
    FACTS,
    HEAD,
    LABEL,
    LEFT_CHILD,
    LEFT_VALENCY,
    N_WORDS,
    NO_WORD,
    RIGHT_CHILD,
    RIGHT_VALENCY,
    ROOT,
    ROOT_LAST,
    SYSTEM,
    buffer_word,
    stack_word,
)

NONE, ROOT_ATOM, UNKNOWN = 0, 1, 2
"""Atoms that all vocabularies have: no word, the artificial root, never seen."""
N_SPECIAL = 3

KINDS = ("w", "m", "p", "x", "f", "s", "r")
FORM, LEMMA, TAG, XPOS, MORPHOLOGY, SUFFIX, RELATION = 0, 1, 2, 3, 4, 5, 6
N_COLUMNS = 6
"""Kinds that are the same in every configuration; the last one, the relation, is not."""
N_KINDS = 7

# fmt: off
NODES = (
    "a", "b", "b1", "b2", "b3", "a1", "ah", "ah2", "al", "al2", "ar", "ar2",
    "bh", "bl", "bl2", "br", "br2", "a1l", "a1r", "a>", "b<",
)
(
    _A, _B, _B1, _B2, _B3, _A1, _AH, _AH2, _AL, _AL2, _AR, _AR2,
    _BH, _BL, _BL2, _BR, _BR2, _A1L, _A1R, _AFTER_A, _BEFORE_B,
) = range(21)
NUMBERS = ("d", "a.vl", "a.vr", "a.tl", "a.tr", "b.vl", "b.vr", "b.tl", "b.tr")
# fmt: on
N_NODES = 21
_NUMBERS = N_NODES * N_KINDS
N_VALUES = _NUMBERS + 9

ATTRIBUTES_OF_A, ATTRIBUTES_OF_B = 1, 2
WIDTH = 4
"""Atoms that a template joins, at most."""

_MULTIPLIER = -7046029254386353131  # 2^64 divided by the golden ratio, odd
_FINISHER = -4658895280553007687  # of splitmix64 (Steele, Lea and Flood 2014)


_ARC_STANDARD = int(TransitionSystem.ARC_STANDARD)
_SWAP_EAGER = int(TransitionSystem.SWAP_EAGER)
_SWAP_LAZY = int(TransitionSystem.SWAP_LAZY)


@kernel
def note_relation(state, sets):
    """Add the arc of the latest move, if any, to the sets of relations on both sides of words."""
    dependent = state[FACTS, ATTACHED]
    if dependent:
        head = state[HEAD, dependent]
        is_left = dependent < head or (head == 0 and state[FACTS, ROOT] == ROOT_LAST)
        # More than 63 relations share bits.
        sets[0 if is_left else 1, head] |= np.int64(1) << np.int64(state[LABEL, dependent] % 63)


@kernel
def _child(state, row, word):
    """Return a child, NO_WORD if there is none."""
    if word == NO_WORD or state[row, word] == 0:
        return NO_WORD
    return state[row, word]


@kernel
def find_nodes(state, nodes):
    """Write the words around the next arc: positions, 0 the root, NO_WORD where there is none."""
    system = state[FACTS, SYSTEM]
    if system == _ARC_STANDARD or system == _SWAP_EAGER or system == _SWAP_LAZY:
        a, b, a1 = stack_word(state, 1), stack_word(state, 0), stack_word(state, 2)
        behind = 0
    else:
        a, b, a1 = stack_word(state, 0), buffer_word(state, 0), stack_word(state, 1)
        behind = 1
    nodes[_A], nodes[_B], nodes[_A1] = a, b, a1
    nodes[_B1] = buffer_word(state, behind)
    nodes[_B2] = buffer_word(state, behind + 1)
    nodes[_B3] = buffer_word(state, behind + 2)
    above = state[HEAD, a] if a != NO_WORD else NO_WORD
    nodes[_AH] = above
    nodes[_AH2] = state[HEAD, above] if above != NO_WORD else NO_WORD
    nodes[_BH] = state[HEAD, b] if b != NO_WORD else NO_WORD
    for k in range(4):
        nodes[_AL + k] = _child(state, LEFT_CHILD + k, a)
        nodes[_BL + k] = _child(state, LEFT_CHILD + k, b)
    nodes[_A1L] = _child(state, LEFT_CHILD, a1)
    nodes[_A1R] = _child(state, RIGHT_CHILD, a1)
    n = state[FACTS, N_WORDS]
    nodes[_AFTER_A] = a + 1 if a != NO_WORD and a < n else NO_WORD
    last = n if b == 0 and state[FACTS, ROOT] == ROOT_LAST else b - 1
    nodes[_BEFORE_B] = last if b != NO_WORD and last > 0 else NO_WORD


@kernel
def find_values(state, sets, atoms, first, nodes, values):
    """Write all values that templates can join.

    Parameters
    ----------
    sets : int64 array, 2 x words
        What `note_relation` has written.
    atoms : int32 array, words of the treebank + 2 x N_COLUMNS
        What is known of words; the last two rows are those of the root and of no word.
    first : int
        Where the sentence begins.
    """
    find_nodes(state, nodes)
    at = 0
    for k in range(N_NODES):
        word = nodes[k]
        if word == NO_WORD:
            row = len(atoms) - 1
        elif word == 0:
            row = len(atoms) - 2
        else:
            row = first + word - 1
        for kind in range(N_COLUMNS):
            values[at + kind] = atoms[row, kind]
        if word == NO_WORD:
            values[at + RELATION] = NONE
        elif word == 0:
            values[at + RELATION] = ROOT_ATOM
        else:  # UNKNOWN: no relation yet
            values[at + RELATION] = state[LABEL, word] + N_SPECIAL
        at += N_KINDS
    a, b = nodes[_A], nodes[_B]
    if b == 0 and state[FACTS, ROOT] == ROOT_LAST:
        b = state[FACTS, N_WORDS] + 1
    # The distance in six steps, 0 if one of them is missing.
    apart = abs(b - a)
    if a == NO_WORD or b == NO_WORD:
        apart = 0
    elif apart >= 5:
        apart = 5 if apart < 10 else 6
    values[at] = apart
    at += 1
    for k in range(2):
        word = nodes[k]
        if word == NO_WORD:
            for i in range(4):
                values[at + i] = 0
        else:
            values[at] = state[LEFT_VALENCY, word]
            values[at + 1] = state[RIGHT_VALENCY, word]
            values[at + 2] = sets[0, word]
            values[at + 3] = sets[1, word]
        at += 4


@kernel
def find_attribute_sets(nodes, set_of_word, first, feature_sets):
    """Write which sets of attributes a and b have; set 0 is empty."""
    for k in range(2):
        word = nodes[k]
        feature_sets[k] = set_of_word[first + word - 1] if word > 0 else 0


@kernel
def _joined(key, value):
    key = (key ^ value) * _MULTIPLIER
    return key ^ (key >> 29)


@kernel
def _finished(key):
    """Spread what is known over all bits: the low ones find a slot, the high ones check it."""
    key = key * _FINISHER
    return key ^ (key >> 32)


@kernel
def find_keys(values, templates, attributes, for_labels, feature_sets, begins, members, keys):
    """Write the keys of a configuration; return how many there are, and how many for labels.

    Parameters
    ----------
    templates, attributes, for_labels
        See `Templates`.
    feature_sets : int32 array of two
        Which sets of attributes a and b have.
    begins, members : int32 arrays
        The attributes of set s are `members[begins[s]:begins[s + 1]]`.
    """
    found = 0
    found_for_labels = 0
    for t in range(len(templates)):
        key = _joined(np.int64(0), np.int64(t + 1))
        for i in range(WIDTH):
            if templates[t, i] < 0:
                break
            key = _joined(key, values[templates[t, i]])
        if attributes[t] == 0:
            keys[found] = _finished(key)
            found += 1
        else:
            chosen = feature_sets[attributes[t] - 1]
            for m in range(begins[chosen], begins[chosen + 1]):
                keys[found] = _finished(_joined(key, np.int64(members[m])))
                found += 1
        if t < for_labels:
            found_for_labels = found
    return found, found_for_labels

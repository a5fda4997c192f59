"""Elementary trees as numbered nodes, each written once, and the trees of a derivation.

A node is (non-terminal, choice, left, right); children are nodes, `CUT` where another fragment
begins, `NONE` where there is no child. An attachment of three children is written as two nodes
(`nonterminals.REST`): its first child, and the rest. A fragment is its root node. `fragments` is a
`fragments.Fragments`.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import inlined_kernel, kernel
from treegauge.systems.dependency_induction.tree_substitution._restaurants_numba import (
    CUT_EVENT,
    STAY_EVENT,
    add_event,
    base_share,
    event_probability,
    own_share,
    remove_event,
    seat,
    unseat,
)
from treegauge.systems.dependency_induction.tree_substitution.nonterminals import (
    ATTACH,
    GO,
    KINDS,
    REST,
    SIDE,
    STOP,
)

CUT = -1
NONE = -2
_ODD = 6364136223846793005


@inlined_kernel
def _slot(fragments, nonterminal, choice, left, right):
    """Return where a node is, or should be, in the table of all nodes."""
    mixed = (nonterminal * _ODD + choice) * _ODD
    mixed ^= mixed >> 31
    mixed = (mixed + left) * _ODD
    mixed ^= mixed >> 29
    mixed = (mixed + right) * _ODD
    mixed ^= mixed >> 32
    mask = len(fragments.slots) - 1
    at = mixed & mask
    while True:
        node = fragments.slots[at]
        if node < 0 or (
            fragments.left[node] == left
            and fragments.right[node] == right
            and fragments.nonterminal[node] == nonterminal
            and fragments.choice[node] == choice
        ):
            return at
        at = (at + 1) & mask


@inlined_kernel
def find_node(fragments, nonterminal, choice, left, right):
    """Return the number of a node, negative if there is none."""
    return fragments.slots[_slot(fragments, nonterminal, choice, left, right)]


@inlined_kernel
def make_node(fragments, nonterminal, choice, left, right):
    """Return the number of a node, a new one if need be."""
    at = _slot(fragments, nonterminal, choice, left, right)
    node = fragments.slots[at]
    if node >= 0:
        return node
    node = fragments.n_used[0]
    fragments.n_used[0] = node + 1
    fragments.slots[at] = node
    fragments.known[nonterminal, choice] += 1
    fragments.nonterminal[node] = nonterminal
    fragments.choice[node] = choice
    fragments.left[node] = left
    fragments.right[node] = right
    rules = 1
    if nonterminal > 0 and (nonterminal - 1) % KINDS >= REST:
        rules = 0
    if left >= 0:
        rules += fragments.rules[left]
    if right >= 0:
        rules += fragments.rules[right]
    fragments.rules[node] = rules
    return node


@kernel
def keep_used(fragments, customers, tables, sizes):
    """Give new numbers to the nodes of fragments that have customers; forget all others."""
    count = fragments.n_used[0]
    is_used = np.zeros(count, np.bool_)
    number = np.empty(count + 2, np.int64)
    number[count] = NONE  # which negative numbers lead to
    number[count + 1] = CUT
    for node in range(count - 1, -1, -1):  # children have smaller numbers
        if customers[node] > 0:
            is_used[node] = True
        if is_used[node]:
            if fragments.left[node] >= 0:
                is_used[fragments.left[node]] = True
            if fragments.right[node] >= 0:
                is_used[fragments.right[node]] = True
    for slot in range(len(fragments.slots)):
        fragments.slots[slot] = -1
    for nonterminal in range(fragments.known.shape[0]):
        for choice in range(fragments.known.shape[1]):
            fragments.known[nonterminal, choice] = 0
    kept = 0
    for node in range(count):
        if is_used[node]:
            left, right = number[fragments.left[node]], number[fragments.right[node]]
            nonterminal, choice = fragments.nonterminal[node], fragments.choice[node]
            seats_here = customers[node], tables[node], sizes[node]
            customers[node], tables[node], sizes[node] = 0, 0, -1
            customers[kept], tables[kept], sizes[kept] = seats_here
            number[node] = kept
            fragments.n_used[0] = kept
            make_node(fragments, nonterminal, choice, left, right)
            kept += 1
    fragments.n_used[0] = kept


# ---------------------------------------------------------------------- their probability


@inlined_kernel
def _child_nonterminal(nonterminal, choice, is_left):
    """Return the non-terminal of a child; negative for the rest of an attachment."""
    if nonterminal == 0:
        return 1 + KINDS * choice + (0 if is_left else SIDE)
    head, kind = (nonterminal - 1) // KINDS, (nonterminal - 1) % KINDS
    if kind >= REST:
        side = kind - REST
        if is_left:
            return 1 + KINDS * choice + (1 - side) * SIDE
        return 1 + KINDS * head + side * SIDE + 1
    side = kind // SIDE
    if kind % SIDE == ATTACH:
        return 1 + KINDS * choice + side * SIDE if is_left else -1
    return 1 + KINDS * head + side * SIDE + ATTACH


@inlined_kernel
def list_events(fragments, node, events):
    """Write the rules and cuts of a fragment as (non-terminal, code) rows; return how many."""
    n = 0
    waiting = np.empty(2 * fragments.rules[node] + 2, np.int64)
    waiting[0] = node
    size = 1
    while size > 0:
        size -= 1
        here = waiting[size]
        nonterminal, choice = fragments.nonterminal[here], fragments.choice[here]
        if nonterminal == 0 or (nonterminal - 1) % KINDS < REST:
            events[n, 0] = nonterminal
            events[n, 1] = choice
            n += 1
        for is_left in (True, False):
            child = fragments.left[here] if is_left else fragments.right[here]
            if child == NONE:
                continue
            below = _child_nonterminal(nonterminal, choice, is_left)
            if below >= 0:
                events[n, 0] = below
                events[n, 1] = CUT_EVENT if child == CUT else STAY_EVENT
                n += 1
            if child >= 0:
                waiting[size] = child
                size += 1
    return n


@inlined_kernel
def _base_probability(seats, n_tags, events, n):
    found = 1.0
    for k in range(n):
        found *= event_probability(seats, n_tags, events[k, 0], events[k, 1])
    return found


@inlined_kernel
def fragment_probability(seats, fragments, n_tags, first_fragment, node, events, with_fragments):
    """Return the predictive probability of a fragment, and that of the base."""
    n = list_events(fragments, node, events)
    nonterminal = fragments.nonterminal[node]
    if not with_fragments:
        base = event_probability(seats, n_tags, nonterminal, events[0, 1])
        return base, base
    base = _base_probability(seats, n_tags, events, n)
    own = own_share(seats, first_fragment + node, nonterminal)
    return own + base_share(seats, nonterminal) * base, base


@inlined_kernel
def add_fragment(
    seats, fragments, n_tags, first_fragment, node, events, with_fragments, chance, journal
):
    """Seat a fragment; return the logarithm of its weight in the acceptance ratio.

    Its table is chosen with the base probability of frozen counts, while a fragment that uses
    a rule twice changes the counts on the way; the difference is added to the weight, so that
    the ratio is exact.
    """
    probability, base = fragment_probability(
        seats, fragments, n_tags, first_fragment, node, events, with_fragments
    )
    nonterminal = fragments.nonterminal[node]
    if not with_fragments:
        return add_event(seats, n_tags, nonterminal, events[0, 1], chance, journal)
    weight = np.log(probability)
    if seat(seats, first_fragment + node, nonterminal, base, chance, journal):
        weight -= np.log(base)
        for k in range(list_events(fragments, node, events)):
            weight += add_event(seats, n_tags, events[k, 0], events[k, 1], chance, journal)
    return weight


@inlined_kernel
def remove_fragment(
    seats, fragments, n_tags, first_fragment, node, events, with_fragments, chance, journal
):
    """Take a fragment away; return the weight with which it would be added again."""
    n = list_events(fragments, node, events)
    nonterminal = fragments.nonterminal[node]
    if not with_fragments:
        return remove_event(seats, n_tags, nonterminal, events[0, 1], chance, journal)
    vanished = unseat(seats, first_fragment + node, nonterminal, chance, journal)
    weight = 0.0
    if vanished:
        for k in range(n - 1, -1, -1):
            weight += remove_event(seats, n_tags, events[k, 0], events[k, 1], chance, journal)
    probability, base = fragment_probability(
        seats, fragments, n_tags, first_fragment, node, events, True
    )
    if vanished:
        weight -= np.log(base)
    return weight + np.log(probability)


# ---------------------------------------------------------------------- of a derivation


@inlined_kernel
def _by_depth(heads, n):
    """Return words such that dependents come before their heads."""
    depth = np.zeros(n, np.int64)
    for word in range(n):
        above = heads[word]
        while above >= 0:
            depth[word] += 1
            above = heads[above]
    order = np.empty(n, np.int64)
    at = 0
    for level in range(n - 1, -1, -1):
        for word in range(n):
            if depth[word] == level:
                order[at] = word
                at += 1
    return order


@inlined_kernel
def _ended(node, is_cut, roots, count):
    """Return what a parent has as its child; where it is cut, the node is a fragment."""
    if is_cut:
        roots[count[0]] = node
        count[0] += 1
        return CUT
    return node


@kernel
def list_fragments(fragments, tags, heads, cuts, n, roots):
    """Write the fragments of a derivation; return how many.

    `heads` are places counted from 0, -1 for the root. `cuts[word]` says whether fragments begin
    at its left and right side, at the node that attaches it, and at the rest of that side.
    """
    count = np.zeros(1, np.int64)
    sides = np.empty((2, n), np.int64)
    root = 0
    for head in _by_depth(heads, n):
        if heads[head] < 0:
            root = head
        for side in range(2):
            step = -1 if side == 0 else 1
            left_to_do = 0
            word = head + step
            while 0 <= word < n:
                left_to_do += heads[word] == head
                word += step
            first = 1 + KINDS * tags[head] + side * SIDE
            node = make_node(fragments, first + (left_to_do > 0), STOP, NONE, NONE)
            word = head + step
            while left_to_do > 0:  # from the innermost dependent outwards
                if heads[word] == head:
                    left_to_do -= 1
                    rest = _ended(node, cuts[word, 3], roots, count)
                    rest_kind = 1 + KINDS * tags[head] + REST + side
                    rest = make_node(fragments, rest_kind, tags[word], sides[1 - side, word], rest)
                    node = make_node(fragments, first + ATTACH, tags[word], sides[side, word], rest)
                    node = _ended(node, cuts[word, 2], roots, count)
                    node = make_node(fragments, first + (left_to_do > 0), GO, node, NONE)
                word += step
            sides[side, head] = _ended(node, cuts[head, side], roots, count)
    roots[count[0]] = make_node(fragments, 0, tags[root], sides[0, root], sides[1, root])
    return count[0] + 1

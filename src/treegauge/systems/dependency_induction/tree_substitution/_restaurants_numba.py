"""Customers come and go: table-accurate Pitman-Yor restaurants in flat arrays.

Of each dish the histogram of table sizes is kept, as a linked list of (size, number of tables)
(Blunsom et al. 2009, "A note on the implementation of hierarchical Dirichlet processes").
Whatever happens is written to a journal, so that it can be taken back.

`seats` is a `restaurants.Seats`, `chance` a pair of uniform numbers and a place among them,
`journal` a pair of rows and their number.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import inlined_kernel, kernel
from treegauge.systems.dependency_induction.tree_substitution.nonterminals import (
    ATTACH,
    KINDS,
    REST,
    SIDE,
)

CUT_EVENT = -1
STAY_EVENT = -2
"""In place of the choice of a rule: whether a fragment ends at a node."""


@inlined_kernel
def draw(chance):
    """Return the next uniform number."""
    numbers, place = chance
    place[0] += 1
    return numbers[place[0] - 1]


@inlined_kernel
def _add_tables(seats, dish, size, number):
    """Change how many tables of a size a dish has."""
    before = -1
    at = seats.dish_sizes[dish]
    while at >= 0 and seats.size_value[at] != size:
        before = at
        at = seats.size_next[at]
    if at < 0:
        at = seats.spare[0]
        seats.spare[0] = seats.size_next[at]
        seats.spare[1] -= 1
        seats.size_value[at] = size
        seats.size_tables[at] = 0
        seats.size_next[at] = seats.dish_sizes[dish]
        seats.dish_sizes[dish] = at
        before = -1
    seats.size_tables[at] += number
    if seats.size_tables[at] == 0:
        if before < 0:
            seats.dish_sizes[dish] = seats.size_next[at]
        else:
            seats.size_next[before] = seats.size_next[at]
        seats.size_next[at] = seats.spare[0]
        seats.spare[0] = at
        seats.spare[1] += 1


@inlined_kernel
def move_table(seats, dish, restaurant, before, after):
    """Let a table of a dish grow or shrink, appear or vanish."""
    opened = 0
    if before > 0:
        _add_tables(seats, dish, before, -1)
        opened -= 1
    if after > 0:
        _add_tables(seats, dish, after, 1)
        opened += 1
    seats.dish_customers[dish] += after - before
    seats.customers[restaurant] += after - before
    seats.dish_tables[dish] += opened
    seats.tables[restaurant] += opened


@inlined_kernel
def write_down(journal, dish, restaurant, before, after):
    """Add a line to the journal."""
    rows, length = journal
    at = length[0]
    rows[at, 0] = dish
    rows[at, 1] = restaurant
    rows[at, 2] = before
    rows[at, 3] = after
    length[0] = at + 1


@kernel
def take_back(seats, journal):
    """Undo everything in the journal, last things first."""
    rows, length = journal
    for at in range(length[0] - 1, -1, -1):
        if rows[at, 0] < 0:
            _count_cut(seats, rows[at, 1], rows[at, 2], -rows[at, 3])
        else:
            move_table(seats, rows[at, 0], rows[at, 1], rows[at, 3], rows[at, 2])
    length[0] = 0


@inlined_kernel
def own_share(seats, dish, restaurant):
    """Return the probability that the next customer joins a table of this dish."""
    taken = seats.discount[restaurant] * seats.dish_tables[dish]
    return (seats.dish_customers[dish] - taken) / (
        seats.customers[restaurant] + seats.concentration[restaurant]
    )


@inlined_kernel
def base_share(seats, restaurant):
    """Return the probability that the next customer opens a table."""
    b = seats.concentration[restaurant]
    return (seats.discount[restaurant] * seats.tables[restaurant] + b) / (
        seats.customers[restaurant] + b
    )


@inlined_kernel
def seat(seats, dish, restaurant, base, chance, journal):
    """Seat a customer whose dish has probability `base` below; return whether a table opens."""
    own = own_share(seats, dish, restaurant)
    mass = draw(chance) * (own + base_share(seats, restaurant) * base)
    size = 0
    if mass < own and seats.dish_tables[dish] > 0:
        discount = seats.discount[restaurant]
        mass *= seats.customers[restaurant] + seats.concentration[restaurant]
        at = seats.dish_sizes[dish]
        while at >= 0:
            size = seats.size_value[at]
            mass -= seats.size_tables[at] * (size - discount)
            if mass < 0:
                break
            at = seats.size_next[at]
    move_table(seats, dish, restaurant, size, size + 1)
    write_down(journal, dish, restaurant, size, size + 1)
    return size == 0


@inlined_kernel
def unseat(seats, dish, restaurant, chance, journal):
    """Let any customer of a dish go, each as likely; return whether the table vanishes."""
    mass = draw(chance) * seats.dish_customers[dish]
    at = seats.dish_sizes[dish]
    size = 0
    while at >= 0:
        size = seats.size_value[at]
        mass -= seats.size_tables[at] * size
        if mass < 0:
            break
        at = seats.size_next[at]
    move_table(seats, dish, restaurant, size, size - 1)
    write_down(journal, dish, restaurant, size, size - 1)
    return size == 1


# ---------------------------------------------------------------------- rules and cuts


@inlined_kernel
def _is_attachment(nonterminal):
    kind = (nonterminal - 1) % KINDS
    return nonterminal > 0 and kind < REST and kind % SIDE == ATTACH


@inlined_kernel
def _dependent_place(n_tags, nonterminal, choice):
    """Return dish and restaurant of a dependent on level 3."""
    n_nonterminals = 1 + KINDS * n_tags
    side = ((nonterminal - 1) % KINDS) // SIDE
    dish = n_nonterminals * max(n_tags, 2) + side * n_tags + choice
    return dish, 2 * n_nonterminals + side


@inlined_kernel
def _rule_base(seats, n_tags, nonterminal, choice):
    if _is_attachment(nonterminal):
        dish, restaurant = _dependent_place(n_tags, nonterminal, choice)
        return own_share(seats, dish, restaurant) + base_share(seats, restaurant) / n_tags
    return 1.0 / n_tags if nonterminal == 0 else 0.5


@inlined_kernel
def rule_probability(seats, n_tags, nonterminal, choice):
    """Return the probability of a rule: stop or go, a dependent, a root."""
    dish = nonterminal * max(n_tags, 2) + choice
    restaurant = 1 + KINDS * n_tags + nonterminal
    base = _rule_base(seats, n_tags, nonterminal, choice)
    return own_share(seats, dish, restaurant) + base_share(seats, restaurant) * base


@inlined_kernel
def _count_cut(seats, nonterminal, is_cut, change):
    if is_cut:
        seats.cuts[nonterminal] += change
    else:
        seats.stays[nonterminal] += change


@inlined_kernel
def cut_probability(seats, nonterminal):
    """Return the probability that a fragment ends at a node: uniform prior, integrated out."""
    cuts, stays = seats.cuts[nonterminal], seats.stays[nonterminal]
    return (cuts + 1.0) / (cuts + stays + 2.0)


@inlined_kernel
def event_probability(seats, n_tags, nonterminal, code):
    """Return the probability of a rule, or of a cut or none."""
    if code == CUT_EVENT:
        return cut_probability(seats, nonterminal)
    if code == STAY_EVENT:
        return 1.0 - cut_probability(seats, nonterminal)
    return rule_probability(seats, n_tags, nonterminal, code)


@inlined_kernel
def add_event(seats, n_tags, nonterminal, code, chance, journal):
    """Add a rule or a cut; return the logarithm of its probability before."""
    found = np.log(event_probability(seats, n_tags, nonterminal, code))
    if code < 0:
        is_cut = 1 if code == CUT_EVENT else 0
        _count_cut(seats, nonterminal, is_cut, 1)
        write_down(journal, -1, nonterminal, is_cut, 1)
        return found
    dish = nonterminal * max(n_tags, 2) + code
    restaurant = 1 + KINDS * n_tags + nonterminal
    base = _rule_base(seats, n_tags, nonterminal, code)
    if seat(seats, dish, restaurant, base, chance, journal) and _is_attachment(nonterminal):
        dish, restaurant = _dependent_place(n_tags, nonterminal, code)
        seat(seats, dish, restaurant, 1.0 / n_tags, chance, journal)
    return found


@inlined_kernel
def remove_event(seats, n_tags, nonterminal, code, chance, journal):
    """Remove a rule or a cut; return the logarithm of its probability afterwards."""
    if code < 0:
        is_cut = 1 if code == CUT_EVENT else 0
        _count_cut(seats, nonterminal, is_cut, -1)
        write_down(journal, -1, nonterminal, is_cut, -1)
    else:
        dish = nonterminal * max(n_tags, 2) + code
        restaurant = 1 + KINDS * n_tags + nonterminal
        vanished = unseat(seats, dish, restaurant, chance, journal)
        if vanished and _is_attachment(nonterminal):
            dish, restaurant = _dependent_place(n_tags, nonterminal, code)
            unseat(seats, dish, restaurant, chance, journal)
    return np.log(event_probability(seats, n_tags, nonterminal, code))


@kernel
def table_sizes(seats, n_dishes, found):
    """Write (dish, size, tables) rows; return how many."""
    n = 0
    for dish in range(n_dishes):
        at = seats.dish_sizes[dish]
        while at >= 0:
            found[n, 0] = dish
            found[n, 1] = seats.size_value[at]
            found[n, 2] = seats.size_tables[at]
            n += 1
            at = seats.size_next[at]
    return n

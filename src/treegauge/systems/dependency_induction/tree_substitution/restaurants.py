"""Who sits where: Pitman-Yor processes over fragments, rules and dependents.

    e | c        ~ PYP(a_c, b_c, P_E(. | c))        fragments with root c             level 1
    P_E(e | c)   = cuts and no cuts of its nodes x its rules
    rule | c     ~ PYP(a'_c, b'_c, P_0(. | c))      stop or go, dependent, root       level 2
    P_0          = 1/2; 1/tags for the root; for dependents a third process that
                   forgets the head, with base 1/tags                                 level 3

Discounts a (uniform) and concentrations b (Gamma(1, 1)) are shared by the non-terminals of a
kind, and drawn by slice sampling. Whether a fragment ends at a node of non-terminal c has a
uniform prior for each c, which is integrated out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln

from treegauge.systems.dependency_induction.tree_substitution._restaurants_numba import (
    table_sizes,
)
from treegauge.systems.dependency_induction.tree_substitution.nonterminals import (
    ATTACH,
    KINDS,
    REST,
    SIDE,
    Layout,
)
from treegauge.systems.tag_induction.pitman_yor import SeatingHistogram, Strength

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

N_GROUPS = 16
"""Restaurants that share discount and concentration: S and six kinds on two levels, two sides."""
FIRST_STRENGTH = Strength(0.5, 1.0)


class Seats(NamedTuple):
    """All restaurants in flat arrays; see `_restaurants_numba.py`."""

    customers: Ints
    """By restaurant."""
    tables: Ints
    discount: Floats
    concentration: Floats
    dish_customers: Ints
    """By dish."""
    dish_tables: Ints
    dish_sizes: Ints
    """The first entry of each dish in the lists of table sizes; -1 for none."""
    size_value: Ints
    size_tables: Ints
    size_next: Ints
    spare: Ints
    """The first entry that is not used, and how many there are."""
    cuts: Ints
    """By non-terminal: nodes where fragments end, as the base draws them."""
    stays: Ints


def empty_seats(layout: Layout, *, nodes: int, sizes: int) -> Seats:
    """Return restaurants without customers, with room for so many nodes and table sizes."""
    restaurants, dishes = layout.n_restaurants, layout.first_fragment + nodes
    chain = np.arange(1, sizes + 1, dtype=np.int64)
    chain[-1] = -1
    return Seats(
        np.zeros(restaurants, np.int64),
        np.zeros(restaurants, np.int64),
        np.full(restaurants, FIRST_STRENGTH.discount),
        np.full(restaurants, FIRST_STRENGTH.concentration),
        np.zeros(dishes, np.int64),
        np.zeros(dishes, np.int64),
        np.full(dishes, -1, np.int64),
        np.zeros(sizes, np.int64),
        np.zeros(sizes, np.int64),
        chain,
        np.array([0, sizes], np.int64),
        np.zeros(layout.n_nonterminals, np.int64),
        np.zeros(layout.n_nonterminals, np.int64),
    )


def with_room(seats: Seats, layout: Layout, *, nodes: int, sizes: int) -> Seats:
    """Return the same seats with room for more nodes and table sizes."""
    larger = empty_seats(layout, nodes=nodes, sizes=sizes)
    for new, old in zip(larger, seats, strict=True):
        if new is not larger.spare:
            new[: old.size] = old
    # The new entries of lists come before the old ones that are not used.
    first_new = seats.size_value.size
    if sizes > first_new:
        larger.size_next[-1] = seats.spare[0]
        larger.spare[:] = first_new, seats.spare[1] + sizes - first_new
    else:
        larger.spare[:] = seats.spare
    return larger


def groups(layout: Layout) -> Ints:
    """Return the group of each restaurant; -1 for those that nobody uses."""
    kinds = np.arange(layout.n_nonterminals) - 1
    kind = np.where(kinds < 0, 0, kinds % KINDS + 1)
    kind[kind > REST] = -1
    rules = np.where(kind < 0, -1, kind + REST + 1)
    return np.concatenate([kind, rules, [N_GROUPS - 2, N_GROUPS - 1]]).astype(np.int64)


class Seating:
    """Seats as counts: their probability, and new strengths.

    Parameters
    ----------
    seats : Seats
        As they are now.
    layout : Layout
        Of the tags.
    nonterminals : int array
        Of each fragment, its restaurant on level 1.
    """

    def __init__(self, seats: Seats, layout: Layout, nonterminals: Ints) -> None:
        self.seats, self.layout = seats, layout
        self.group_of = groups(layout)
        n_dishes = layout.first_fragment + nonterminals.size
        found = np.empty((seats.size_value.size, 3), np.int64)
        rows = found[: table_sizes(seats, n_dishes, found)]
        restaurant = np.empty(n_dishes, np.int64)
        n, width = layout.n_nonterminals, layout.width
        restaurant[: n * width] = n + np.repeat(np.arange(n), width)
        restaurant[n * width : layout.first_fragment] = 2 * n + np.repeat([0, 1], layout.n_tags)
        restaurant[layout.first_fragment :] = nonterminals
        table_group = self.group_of[restaurant[rows[:, 0]]]
        self.histograms = [
            self._histogram(rows[table_group == g], self.group_of == g) for g in range(N_GROUPS)
        ]

    def _histogram(self, rows: Ints, here: NDArray[np.bool_]) -> SeatingHistogram:
        customers, tables = self.seats.customers[here], self.seats.tables[here]
        counted = SeatingHistogram.of(np.zeros(0, np.int64), tables, customers)
        sizes, place = np.unique(rows[:, 1], return_inverse=True)
        often = np.bincount(place.reshape(-1), weights=rows[:, 2], minlength=sizes.size)
        return SeatingHistogram((sizes, often.astype(np.int64)), counted.tables, counted.customers)

    def strength(self, group: int) -> Strength:
        """Return what restaurants of a group share."""
        first = int(np.flatnonzero(self.group_of == group)[0])
        return Strength(float(self.seats.discount[first]), float(self.seats.concentration[first]))

    def log_joint(self) -> float:
        """Return the log probability of all derivations and seats."""
        seats, layout = self.seats, self.layout
        total = sum(h.log_probability(self.strength(g)) for g, h in enumerate(self.histograms))
        n, n_tags = layout.n_nonterminals, layout.n_tags
        rules = seats.tables[n : 2 * n]
        decisions = np.zeros(n, bool)
        kinds = (np.arange(1, n) - 1) % KINDS
        decisions[1:] = (kinds < REST) & (kinds % SIDE != ATTACH)
        total -= float(np.log(2)) * int(rules[decisions].sum())
        total -= float(np.log(n_tags)) * int(rules[0] + seats.tables[2 * n :].sum())
        return total + float(betaln(seats.cuts + 1, seats.stays + 1).sum())

    def resample(self, generator: np.random.Generator) -> None:
        """Draw discounts and concentrations anew, in place."""
        for group, histogram in enumerate(self.histograms):
            strength = histogram.resampled(self.strength(group), generator)
            here = self.group_of == group
            self.seats.discount[here] = strength.discount
            self.seats.concentration[here] = strength.concentration

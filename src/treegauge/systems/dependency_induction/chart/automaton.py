"""How one side of a head grows: valence as a small automaton.

Dependents on one side are taken closest first. The weight of the k-th closest of D is
`go[v] * attach[u]` with decision valence `v = min(k, Vd - 1)` and child valence
`u = min(k, Vc - 1)` (`inside_out`: Headden et al. 2009) or `u = min(D - 1 - k, Vc - 1)`
(`outside_in`: as toolkits count that read rules top-down); the side ends with
`stop[min(D, Vd - 1)]`. Both orders, and any number of valences, are finite automata over the
dependents of one side; so the charts know states and transitions only, and DMV, EVG and E-DMV
are one algorithm.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

ChildValenceOrder = Literal["inside_out", "outside_in"]

ORDERS: tuple[ChildValenceOrder, ...] = ("inside_out", "outside_in")


@dataclass(frozen=True, eq=False)
class SideAutomaton:
    """States of one side of a head and the transitions between them.

    A tree has exactly one way through the automaton: nothing is counted twice.
    """

    source: NDArray[np.int64]
    """State before a dependent, by transition; 0 is "no dependent yet", and is never entered."""
    target: NDArray[np.int64]
    """State behind it."""
    label: NDArray[np.int64]
    """Which pair of decision and child valence weighs it."""
    final: NDArray[np.int64]
    """Decision valence of the stop, by state; -1 where the side cannot end."""
    label_decision: NDArray[np.int64]
    """Decision valence, by label."""
    label_child: NDArray[np.int64]
    """Child valence, by label."""

    @property
    def kernel_arguments(self) -> tuple[NDArray[np.int64], ...]:
        """What charts need."""
        return self.source, self.target, self.label, self.final


@cache
def side_automaton(decision: int, child: int, order: ChildValenceOrder) -> SideAutomaton:
    """Return the automaton for numbers of decision and child valences.

    Examples
    --------
    >>> dmv = side_automaton(2, 1, "inside_out")
    >>> dmv.source.tolist(), dmv.target.tolist(), dmv.final.tolist()
    ([0, 1], [1, 1], [0, 1])
    """
    # A state is the number of dependents so far (saturated) and the child valence of the last
    # of them, where that says what may follow.
    most = max(decision - 1, 1 if order == "outside_in" else child - 1, 1)
    start = (0, -1)
    states = [start]
    transitions: list[tuple[int, int, tuple[int, int]]] = []
    done = 0
    while done < len(states):
        count, last = states[done]
        if order == "inside_out":
            followers = [(-1, min(count, child - 1))]
        elif count == 0:
            followers = [(u, u) for u in range(child)]
        else:
            # Counted from outside, valences fall to 0; only the largest is taken repeatedly.
            allowed = [last] if last == child - 1 else []
            allowed += [last - 1] if last > 0 else []
            followers = [(u, u) for u in allowed]
        for remembered, valence in followers:
            reached = (min(count + 1, most), remembered)
            if reached not in states:
                states.append(reached)
            weight = (min(count, decision - 1), valence)
            transitions.append((done, states.index(reached), weight))
        done += 1
    labels = sorted({weight for _, _, weight in transitions})
    final = [min(count, decision - 1) if count == 0 or last <= 0 else -1 for count, last in states]
    return SideAutomaton(
        source=np.array([source for source, _, _ in transitions]),
        target=np.array([target for _, target, _ in transitions]),
        label=np.array([labels.index(weight) for _, _, weight in transitions]),
        final=np.array(final),
        label_decision=np.array([decision_valence for decision_valence, _ in labels]),
        label_child=np.array([child_valence for _, child_valence in labels]),
    )

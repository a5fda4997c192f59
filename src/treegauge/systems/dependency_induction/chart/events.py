"""The events of a valence grammar: how often they happened, and how much they weigh.

A tree is made of four kinds of events. The root takes a tag (`root`). Each side of each word
goes on (`go`) to take a dependent with some tag (`attach`) until it stops (`stop`). See
`automaton.py` for valences; direction 0 is left, 1 is right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.systems.dependency_induction.chart.automaton import (
    ORDERS,
    ChildValenceOrder,
    SideAutomaton,
    side_automaton,
)
from treegauge.systems.dependency_induction.chart.errors import ChartError
from treegauge.wording import unknown_name

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class EventTables:
    """A number for every event."""

    root: Floats
    """[tag]"""
    stop: Floats
    """[head, direction, decision valence]"""
    go: Floats
    """[head, direction, decision valence]"""
    attach: Floats
    """[head, direction, child valence, dependent]"""
    child_valence_order: ChildValenceOrder = "inside_out"
    """From which end child valences are counted."""

    def __post_init__(self) -> None:
        for name in ("root", "stop", "go", "attach"):
            array = np.ascontiguousarray(getattr(self, name), np.float64)
            object.__setattr__(self, name, array)
        tags = self.root.size
        shapes = [self.root.shape, self.stop.shape, self.go.shape, self.attach.shape]
        fits = (
            self.root.ndim == 1
            and self.stop.ndim == 3
            and self.attach.ndim == 4
            and self.stop.shape == self.go.shape == (tags, 2, self.stop.shape[2])
            and self.attach.shape == (tags, 2, self.attach.shape[2], tags)
            and self.stop.shape[2] > 0
            and self.attach.shape[2] > 0
        )
        if not fits:
            raise ChartError(
                "tables must have shapes [T], [T, 2, Vd], [T, 2, Vd], [T, 2, Vc, T] for T tags; "
                f"found {', '.join(map(str, shapes))}"
            )
        if self.child_valence_order not in ORDERS:
            raise ChartError(
                unknown_name("order of child valences", self.child_valence_order, ORDERS)
            )
        for name in ("root", "stop", "go", "attach"):
            array = getattr(self, name)
            if not np.isfinite(array).all() or (array < 0).any():
                raise ChartError(f"the table {name!r} has numbers that are negative or not finite")

    @property
    def n_tags(self) -> int:
        """Number of tags, T."""
        return self.root.size

    @property
    def decision_valences(self) -> int:
        """Number of decision valences, Vd."""
        return int(self.stop.shape[2])

    @property
    def child_valences(self) -> int:
        """Number of child valences, Vc."""
        return int(self.attach.shape[2])

    @cached_property
    def automaton(self) -> SideAutomaton:
        """How one side of a head grows."""
        return side_automaton(self.decision_valences, self.child_valences, self.child_valence_order)

    def arrays(self) -> dict[str, Floats]:
        """Return the four tables by name, as `numpy.savez` takes them."""
        return {name: getattr(self, name) for name in ("root", "stop", "go", "attach")}

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, Any], child_valence_order: ChildValenceOrder = "inside_out"
    ) -> Self:
        """Return the tables that `arrays` gave, from an open npz file for example."""
        missing = {"root", "stop", "go", "attach"} - set(arrays)
        if missing:
            raise ChartError(f"no table {', '.join(sorted(missing))} among the arrays")
        tables = {name: arrays[name] for name in ("root", "stop", "go", "attach")}
        return cls(**tables, child_valence_order=child_valence_order)

    def require_like(self, other: EventTables) -> None:
        """Raise unless shapes and order of child valences are the same."""
        mine = (self.stop.shape, self.attach.shape, self.child_valence_order)
        theirs = (other.stop.shape, other.attach.shape, other.child_valence_order)
        if mine != theirs:
            raise ChartError(f"tables of different models: {mine} and {theirs}")


class Counts(EventTables):
    """How often events happened, or are expected to; counts add up.

    Examples
    --------
    >>> counts = Counts.zeros(2)
    >>> (counts + counts).attach.shape
    (2, 2, 1, 2)
    """

    @classmethod
    def zeros(
        cls,
        n_tags: int,
        decision_valences: int = 2,
        child_valences: int = 1,
        child_valence_order: ChildValenceOrder = "inside_out",
    ) -> Counts:
        """Return counts of nothing."""
        return cls(
            np.zeros(n_tags),
            np.zeros((n_tags, 2, decision_valences)),
            np.zeros((n_tags, 2, decision_valences)),
            np.zeros((n_tags, 2, child_valences, n_tags)),
            child_valence_order,
        )

    @classmethod
    def zeros_like(cls, tables: EventTables) -> Counts:
        """Return counts of nothing, for the model of other tables."""
        order = tables.child_valence_order
        return cls.zeros(tables.n_tags, tables.decision_valences, tables.child_valences, order)

    def __add__(self, other: Counts) -> Counts:
        self.require_like(other)
        return Counts(
            self.root + other.root,
            self.stop + other.stop,
            self.go + other.go,
            self.attach + other.attach,
            self.child_valence_order,
        )

    def __mul__(self, factor: float) -> Counts:
        return Counts(
            self.root * factor,
            self.stop * factor,
            self.go * factor,
            self.attach * factor,
            self.child_valence_order,
        )

    __rmul__ = __mul__


@dataclass(frozen=True, eq=False)
class Grammar(EventTables):
    """Weights of events: probabilities, or any other weights that are not negative.

    `stop` and `go` are two weights, which need not sum to 1.

    Examples
    --------
    >>> dmv = Grammar.uniform(3)
    >>> dmv.attach[0, 0, 0].tolist() == [1 / 3] * 3, dmv.stop[0, 1, 0].item()
    (True, 0.5)
    >>> dmv.power(2.0).weights.stop[0, 1, 0].item()
    0.25
    """

    exponent: float = 1.0
    """Charts use all weights to this power. Kept apart, since powers may be too small for a
    float where their logarithms are not."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, array in self.arrays().items():
            # A grammar is shared between threads, and its logarithms are kept.
            view = array.view()
            view.flags.writeable = False
            object.__setattr__(self, name, view)

    @classmethod
    def uniform(
        cls,
        n_tags: int,
        decision_valences: int = 2,
        child_valences: int = 1,
        child_valence_order: ChildValenceOrder = "inside_out",
    ) -> Grammar:
        """Return the grammar in which all that is possible is equally likely."""
        return cls(
            np.full(n_tags, 1 / n_tags),
            np.full((n_tags, 2, decision_valences), 0.5),
            np.full((n_tags, 2, decision_valences), 0.5),
            np.full((n_tags, 2, child_valences, n_tags), 1 / n_tags),
            child_valence_order,
        )

    @classmethod
    def random(
        cls,
        random: np.random.Generator,
        n_tags: int,
        decision_valences: int = 2,
        child_valences: int = 1,
        child_valence_order: ChildValenceOrder = "inside_out",
        *,
        concentration: float = 1.0,
    ) -> Grammar:
        """Return a grammar whose distributions are drawn from symmetric Dirichlet priors."""

        def rows(*shape: int) -> Floats:
            drawn: Floats = random.dirichlet(np.full(shape[-1], concentration), shape[:-1])
            return drawn

        decisions = rows(n_tags, 2, decision_valences, 2)
        return cls(
            rows(n_tags),
            decisions[..., 0],
            decisions[..., 1],
            rows(n_tags, 2, child_valences, n_tags),
            child_valence_order,
        )

    def power(self, exponent: float) -> Grammar:
        """Return the grammar with all weights to a power (stop and go each by itself).

        For `1 / (1 - sigma)`, posteriors are those of unambiguity regularisation (Tu and
        Honavar 2012).
        """
        if not 0 < exponent < np.inf:
            raise ChartError(f"the exponent must be a positive number; found {exponent}")
        return replace(self, exponent=self.exponent * exponent)

    @property
    def weights(self) -> Grammar:
        """The same grammar with the exponent carried out."""
        if self.exponent == 1:
            return self
        powers = {name: array**self.exponent for name, array in self.arrays().items()}
        return Grammar.from_arrays(powers, self.child_valence_order)

    def weighted(self, by_tags: ArrayLike) -> Grammar:
        """Return the grammar with arcs multiplied by weights that depend on tags alone.

        The cheap way to constrain arcs: `exp(y)` on the arcs that a rule likes, 0 or 1e-12 on
        those it bars. Counts under it are posteriors of the weighted model.

        Parameters
        ----------
        by_tags : float array, [T + 1, T]
            Weight of dependents (columns) by head: row 0 for the root, row h + 1 for tag h.
        """
        table = np.asarray(by_tags, np.float64)
        if table.shape != (self.n_tags + 1, self.n_tags):
            raise ChartError(
                f"weights by tags must have the shape {(self.n_tags + 1, self.n_tags)}, "
                f"the root's in row 0; found {table.shape}"
            )
        # The power is taken of the grammar, not of these weights.
        base = self.weights
        attach = base.attach * table[1:, None, None, :]
        return replace(base, root=base.root * table[0], attach=attach)

    @cached_property
    def logs(self) -> dict[str, Floats]:
        """Logarithms of the four tables, the exponent carried out."""
        with np.errstate(divide="ignore"):
            return {name: np.log(array) * self.exponent for name, array in self.arrays().items()}

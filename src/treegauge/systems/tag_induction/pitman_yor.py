"""Pitman-Yor processes in which every dish of a restaurant is served at one table.

How customers sit is not known and is seldom sampled well. Here a restaurant has one table for
every dish that anybody eats, as few as there can be, so that a parent sees a dish once for each
child that has it: counts as Kneser and Ney (1995) have them, to which Teh (2006) relates them.
The probability of all customers and tables of a restaurant with discount a and concentration b,
n customers at K tables, n_k of them with dish k, is then

    prod_{m<K} (b + a m) / prod_{m<n} (b + m)  x  prod_{k: n_k>0} prod_{m=1}^{n_k - 1} (m - a)

times what the parent says of the K dishes. It depends on nothing but counts: customers come and
go in any order, and what a customer adds can be looked up in three tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from treegauge.systems.tag_induction.slice_sampling import slice_sample

_LARGEST_DISCOUNT = 1 - 1e-6
_SMALLEST_CONCENTRATION = 1e-6


class Strength(NamedTuple):
    """The parameters that restaurants of one kind share."""

    discount: float
    concentration: float


class SeatingLogs(NamedTuple):
    """Logarithms of all that a customer can add to the probability of a seating."""

    stay: NDArray[np.float64]
    """[n]: of the n customers at a table, `log prod_{0<m<n} (m - a)`."""
    open: NDArray[np.float64]
    """[K]: of opening all K tables of a restaurant, `log prod_{m<K} (b + a m)`."""
    enter: NDArray[np.float64]
    """[n]: of all customers of a restaurant, `log prod_{m<n} (b + m)`."""


def seating_logs(strength: Strength, most_customers: int, most_tables: int) -> SeatingLogs:
    """Tabulate up to so many customers and tables of a restaurant.

    >>> logs = seating_logs(Strength(0.5, 1.0), 3, 2)
    >>> np.exp(logs.stay).round(2).tolist(), np.exp(logs.open).round(2).tolist()
    ([1.0, 1.0, 0.5, 0.75], [1.0, 1.0, 1.5])
    >>> np.exp(logs.enter).round(2).tolist()
    [1.0, 1.0, 2.0, 6.0]
    """
    a, b = strength
    customers = np.arange(most_customers + 1)
    stay = gammaln(np.maximum(customers, 1) - a) - gammaln(1 - a)
    opened = np.append(0.0, np.cumsum(np.log(b + a * np.arange(most_tables))))
    return SeatingLogs(stay, opened, gammaln(b + customers) - gammaln(b))


@dataclass(frozen=True)
class SeatingHistogram:
    """How many dishes and restaurants of a kind have so many customers and tables."""

    dishes: tuple[NDArray[np.int64], NDArray[np.int64]]
    tables: tuple[NDArray[np.int64], NDArray[np.int64]]
    customers: tuple[NDArray[np.int64], NDArray[np.int64]]

    @classmethod
    def of(
        cls, dishes: NDArray[Any], tables: NDArray[Any], customers: NDArray[Any]
    ) -> SeatingHistogram:
        """Count the values of counts of any shape."""
        return cls(*(_values(counts) for counts in (dishes, tables, customers)))

    def log_probability(self, strength: Strength) -> float:
        """Return the log probability of all seatings, apart from what parents say of dishes.

        >>> seats = SeatingHistogram.of(np.array([2, 1, 0]), np.array([2]), np.array([3]))
        >>> float(np.exp(seats.log_probability(Strength(0.5, 1.0))).round(6))  # 1/1 .5/2 1.5/3
        0.125
        """
        a, b = strength
        n, often = self.dishes
        total = float(often @ (gammaln(n - a) - gammaln(1 - a)))
        n, often = self.customers
        total -= float(often @ (gammaln(b + n) - gammaln(b)))
        n, often = self.tables
        if len(n):
            opened = np.append(0.0, np.cumsum(np.log(b + a * np.arange(n[-1]))))
            total += float(often @ opened[n])
        return total

    def resampled(self, strength: Strength, generator: np.random.Generator) -> Strength:
        """Draw both parameters anew, the discount uniform and the concentration Gamma(1, 1)."""
        a, b = strength
        a = slice_sample(
            lambda x: self.log_probability(Strength(x, b)),
            a,
            generator,
            within=(0.0, _LARGEST_DISCOUNT),
            width=0.2,
        )

        # The concentration is drawn on the logarithmic scale, which adds its Jacobian.
        def of_log(log_b: float) -> float:
            b = float(np.exp(log_b))
            return self.log_probability(Strength(a, b)) - b + log_b

        log_b = slice_sample(
            of_log,
            float(np.log(b)),
            generator,
            within=(float(np.log(_SMALLEST_CONCENTRATION)), 50.0),
            width=1.0,
        )
        return Strength(a, float(np.exp(log_b)))


def _values(counts: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the positive values among counts, in order, and how often each occurs."""
    values, often = np.unique(counts[counts > 0], return_counts=True)
    return values.astype(np.int64), often.astype(np.int64)

"""The model of Bisk and Hockenmaier (2012): a derivation is written from its root, step by step.

A node of category P first chooses what it is, p(kind | P): a word, one daughter, or two with the
head on the left or on the right. A word is p(tag | P); otherwise p(head | P, kind), and with two
daughters p(sister | P, kind, head) (their section on the model).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Factor:
    """One of the three choices of a step, for all events."""

    outcome: Ints
    """By event: the number of its outcome, which stands in one row."""
    row: Ints
    """By outcome: the number of its row."""
    n_rows: int


@dataclass(frozen=True, eq=False)
class Factors:
    """How events are made of choices: kind, head (or tag), sister."""

    of: tuple[Factor, ...]

    @classmethod
    def of_events(cls, events: Ints) -> Factors:
        """Return the choices of events, which are rows of parent, kind, head, sister."""
        factors = []
        row = np.unique(events[:, :1], axis=0, return_inverse=True)[1].reshape(-1)
        for width in (2, 3, 4):
            outcome = np.unique(events[:, :width], axis=0, return_inverse=True)[1].reshape(-1)
            row_of = np.zeros(int(outcome.max(initial=-1)) + 1, np.int64)
            row_of[outcome] = row
            n_rows = int(row.max(initial=-1)) + 1
            factors.append(Factor(outcome.astype(np.int64), row_of, n_rows))
            row = outcome
        return cls(tuple(factors))

    def tables(self, counts: Floats, smoothing: float = 0.0) -> tuple[Floats, ...]:
        """Return the probabilities of all outcomes of every factor, from counts of events.

        A row that was never seen has zeros.
        """
        tables = []
        for factor in self.of:
            table = np.bincount(factor.outcome, counts, len(factor.row)) + smoothing
            total = np.bincount(factor.row, table, factor.n_rows)[factor.row]
            tables.append(np.divide(table, total, out=np.zeros_like(table), where=total > 0))
        return tuple(tables)

    def uniform(self) -> tuple[Floats, ...]:
        """Return tables in which all outcomes of a row are equally likely."""
        return tuple(
            1.0 / np.bincount(factor.row, minlength=factor.n_rows)[factor.row] for factor in self.of
        )

    def log_weights(self, tables: tuple[Floats, ...], floor: float = 0.0) -> Floats:
        """Return the log-probability of every event; no choice is rarer than `floor`."""
        weights = np.zeros(len(self.of[0].outcome))
        with np.errstate(divide="ignore"):
            for factor, table in zip(self.of, tables, strict=True):
                weights += np.log(np.maximum(table, floor))[factor.outcome]
        return weights

    def log_prior(self, tables: tuple[Floats, ...], smoothing: float) -> float:
        """Return what the Dirichlet prior that smoothing stands for adds to the objective."""
        if not smoothing:
            return 0.0
        return smoothing * float(sum(np.log(table).sum() for table in tables))

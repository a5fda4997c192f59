"""Grammars whose distributions are log-linear: related events share features.

Each distribution is a softmax of scores, and a score is the sum of the weights of the event's
features. A feature is an event seen with less detail: the same child of any noun, any
function word on the left. Weights are kept small by kappa * |w|².

References
----------
Berg-Kirkpatrick, Bouchard-Côté, DeNero and Klein (2010), Painless unsupervised learning with
features. NAACL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize

from treegauge.systems.dependency_induction.chart import Counts, Grammar

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LogLinearTable:
    """Distributions over the last axis of a table, with features of its cells."""

    shape: tuple[int, ...]
    design: sparse.csr_array
    """[cells, features]: 1 where a cell has a feature."""

    @classmethod
    def of(cls, shape: tuple[int, ...], templates: Sequence[tuple[Ints, ...]]) -> LogLinearTable:
        """Return the table with a feature for every combination of values in each template.

        Parameters
        ----------
        shape : tuple of int
            Of the table.
        templates : list of tuples of int arrays
            Each array has a value for every cell of the table, or broadcasts to it.
        """
        cells = int(np.prod(shape))
        columns, features = [], 0
        for template in templates:
            values = [np.broadcast_to(part, shape).ravel() for part in template]
            _, column = np.unique(np.stack(values), axis=1, return_inverse=True)
            columns.append(column.reshape(-1) + features)
            features = int(columns[-1].max()) + 1
        chosen = np.stack(columns, axis=1).ravel()
        begins = np.arange(cells + 1) * len(templates)
        ones = np.ones(chosen.size)
        return cls(shape, sparse.csr_array((ones, chosen, begins), (cells, features)))

    @property
    def n_features(self) -> int:
        """Number of features."""
        return int(self.design.shape[1])

    def log_probabilities(self, weights: Floats) -> Floats:
        """Return the logarithms of all probabilities."""
        scores = (self.design @ weights).reshape(self.shape)
        scores -= scores.max(axis=-1, keepdims=True)
        logs: Floats = scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))
        return logs

    def gradient(self, counts: Floats, logs: Floats) -> Floats:
        """Return the derivative of (counts · log probabilities) by the weights."""
        excess = counts - counts.sum(axis=-1, keepdims=True) * np.exp(logs)
        by_feature: Floats = self.design.T @ excess.ravel()
        return by_feature

    def fitted(self, counts: Floats, weights: Floats, *, kappa: float, steps: int) -> Floats:
        """Return the weights of the largest (counts · log probabilities) - kappa |w|².

        The result is never worse than the weights that are given. The problem is small and
        convex: Newton steps by conjugate gradients need a tenth of the steps of L-BFGS, and
        no linear algebra whose threads would wait for each other.
        """
        totals = counts.sum(axis=-1, keepdims=True)
        at, logs = weights, self.log_probabilities(weights)

        def move(weights: Floats) -> None:
            # Curvature is asked for along many directions at one place.
            nonlocal at, logs
            if not np.array_equal(weights, at):
                at, logs = weights.copy(), self.log_probabilities(weights)

        def loss(weights: Floats) -> tuple[float, Floats]:
            move(weights)
            value = float((counts * logs).sum()) - kappa * float(weights @ weights)
            return -value, 2 * kappa * weights - self.gradient(counts, logs)

        def curvature(weights: Floats, along: Floats) -> Floats:
            move(weights)
            shares = np.exp(logs)
            scores = (self.design @ along).reshape(self.shape)
            centred = scores - (shares * scores).sum(axis=-1, keepdims=True)
            product: Floats = self.design.T @ (totals * shares * centred).ravel()
            return product + 2 * kappa * along

        optimum = minimize(
            loss,
            weights,
            jac=True,
            hessp=curvature,
            method="trust-ncg",
            options={"maxiter": steps, "gtol": 1e-7 * max(1.0, float(totals.sum()))},
        )
        best: Floats = optimum.x
        return best


@dataclass(frozen=True, eq=False)
class LogLinearModel:
    """Features of the roots, decisions and children of a DMV."""

    root: LogLinearTable
    decisions: LogLinearTable
    """[head, direction, valence, stop or go]"""
    attach: LogLinearTable

    @classmethod
    def of(
        cls,
        coarse: Sequence[int],
        *,
        decision_valences: int = 2,
        child_valences: int = 1,
        shared: bool = True,
    ) -> LogLinearModel:
        """Return the model of tags, of each of which the coarse class is given.

        Without `shared` features, every event has its own alone.

        Examples
        --------
        >>> model = LogLinearModel.of([0, 0, 1])  # two nouns, a verb
        >>> model.root.n_features  # three tags, two classes
        5
        >>> LogLinearModel.of([0, 0, 1], shared=False).attach.n_features
        18
        """
        classes = np.asarray(coarse, np.int64)
        n = classes.size
        (tag,) = np.indices((n,))
        roots = [(tag,), (classes,)]
        h, side, valence, decision = np.indices((n, 2, decision_valences, 2))
        head = classes[h]
        decisions = [
            (h, side, valence, decision),
            (h, valence, decision),
            (h, side, decision),
            (head, side, valence, decision),
            (head, valence, decision),
            (head, side, decision),
            (side, valence, decision),
        ]
        shape = (n, 2, child_valences, n)
        h, side, valence, c = np.indices(shape)
        head, child = classes[h], classes[c]
        children = [
            (h, side, valence, c),
            (head, side, c),
            (h, side, child),
            (head, side, child),
            (side, c),
            (head, child),
        ]
        if child_valences > 1:
            children.append((h, side, c))
        return cls(
            LogLinearTable.of((n,), roots if shared else roots[:1]),
            LogLinearTable.of((n, 2, decision_valences, 2), decisions if shared else decisions[:1]),
            LogLinearTable.of(shape, children if shared else children[:1]),
        )

    @property
    def tables(self) -> tuple[LogLinearTable, LogLinearTable, LogLinearTable]:
        """The three kinds of distributions."""
        return self.root, self.decisions, self.attach

    @property
    def n_features(self) -> int:
        """Number of features of all kinds."""
        return sum(table.n_features for table in self.tables)

    def split(self, weights: Floats) -> list[Floats]:
        """Return the weights of each kind of features."""
        sizes = [table.n_features for table in self.tables]
        return np.split(weights, np.cumsum(sizes)[:-1])

    def grammar(self, weights: Floats) -> LogLinearGrammar:
        """Return the grammar of feature weights."""
        root, decisions, attach = (
            np.exp(table.log_probabilities(part))
            for table, part in zip(self.tables, self.split(weights), strict=True)
        )
        return LogLinearGrammar(
            root, decisions[..., 0], decisions[..., 1], attach, feature_weights=weights
        )

    def gradient(self, counts: Counts, weights: Floats) -> Floats:
        """Return the derivative of the expected log-probability of events by the weights.

        For counts that are expected under these weights, it is that of the log-likelihood.
        """
        parts = zip(self.tables, _by_table(counts), self.split(weights), strict=True)
        return np.concatenate(
            [table.gradient(events, table.log_probabilities(w)) for table, events, w in parts]
        )

    def fitted(self, counts: Counts, weights: Floats, *, kappa: float, steps: int) -> Floats:
        """Return the weights that fit counts best, for each kind of distributions by itself."""
        parts = zip(self.tables, _by_table(counts), self.split(weights), strict=True)
        return np.concatenate(
            [table.fitted(events, w, kappa=kappa, steps=steps) for table, events, w in parts]
        )


@dataclass(frozen=True, eq=False)
class LogLinearGrammar(Grammar):
    """A grammar, and the feature weights that it comes from."""

    feature_weights: Floats | None = None


def _by_table(counts: Counts) -> tuple[Floats, Floats, Floats]:
    return counts.root, np.stack([counts.stop, counts.go], axis=-1), counts.attach

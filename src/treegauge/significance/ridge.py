"""Ridge regression on standardised columns, with rows that may weigh differently."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ridge:
    """What a ridge regression has learnt.

    Attributes
    ----------
    mean, spread : float array
        Of every column; infinite spread where a column never changes, so that it says nothing.
    weights : float array
        Of the standardised columns.
    intercept : float
        The mean of what is predicted.
    """

    mean: Floats
    spread: Floats
    weights: Floats
    intercept: float

    @classmethod
    def fit(
        cls, x: Floats, y: Floats, penalty: float, *, row_weights: Floats | None = None
    ) -> Ridge:
        """Return the weights that minimise squared errors and the penalty.

        Examples
        --------
        >>> x, y = np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 3.0, 5.0])
        >>> Ridge.fit(x, y, penalty=0.0).predict(np.array([[3.0]])).round(6).tolist()
        [7.0]
        """

        def mean_of(values: Floats) -> Floats:
            if row_weights is None:
                return np.asarray(values.mean(axis=0))
            return np.asarray((row_weights / row_weights.sum()) @ values)

        mean, intercept = mean_of(x), float(mean_of(y))
        spread = np.sqrt(mean_of((x - mean) ** 2))
        # Rounding must not make a column loud that never changes.
        spread = np.where(spread > 1e-12, spread, np.inf)
        z = (x - mean) / spread
        weighted = z if row_weights is None else z * row_weights[:, None]
        gram = weighted.T @ z + penalty * np.eye(x.shape[1])
        weights: Floats = np.linalg.solve(gram, weighted.T @ (y - intercept)).astype(np.float64)
        return cls(mean, spread, weights, intercept)

    def predict(self, x: Floats) -> Floats:
        """Return predictions for rows."""
        return np.asarray(self.intercept + (x - self.mean) / self.spread @ self.weights)

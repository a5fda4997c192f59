"""Exchange clustering: types move between classes as long as the class bigram model gains.

With counts `N(a, b)` of class a followed by class b, and their sums over rows and columns, the
log-likelihood of the class bigram model is, but for what no clustering can change,

    F = sum_ab h(N(a,b)) - sum_a h(N1(a)) - sum_b h(N2(b))      h(x) = x log x

A boundary stands between sentences, in a class of its own that no type may enter. To find the
best class of a type it is taken out of the counts, and putting it into each class is scored:
this costs O(d C) for d classes beside it. What falls on the diagonal, its self bigrams among
it, is counted once.

References
----------
Kneser and Ney (1993); Martin et al. (1998); Och (1999) for threshold accepting.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.tag_induction._exchange_numba import (
    best_move,
    count_classes,
    objective,
    put,
    sample_losses,
    sweep,
)
from treegauge.systems.tag_induction.bigrams import Bigrams
from treegauge.systems.tag_induction.scaled_entropy import scaled_entropy

_SAMPLES = 1000
"""Moves that are tried to find the first threshold."""


class Tables(NamedTuple):
    """What kernels work on; the last class is that of the boundary, which is the last type."""

    classes: NDArray[np.int32]
    follows: NDArray[np.int64]
    """[a, b]: how often class b comes after class a."""
    precedes: NDArray[np.int64]
    """The same, transposed: rows are read faster than columns."""
    right_total: NDArray[np.int64]
    left_total: NDArray[np.int64]
    after: NDArray[np.int64]
    """The classes behind the type that is looked at, and before it."""
    before: NDArray[np.int64]
    gain: NDArray[np.int64]
    """What putting it into each class gains, in fixed point."""
    table: NDArray[np.int64]
    """h(x) in fixed point."""
    scale: float


class Exchange:
    """Types in classes, and moves between these.

    Parameters
    ----------
    bigrams : Bigrams
        Neighbours of types; the last type is the boundary.
    classes : array of int
        The class of every type but the boundary.
    n_classes : int
        The number of classes, empty ones included.
    """

    def __init__(self, bigrams: Bigrams, classes: NDArray[np.int32], n_classes: int) -> None:
        entropy = scaled_entropy(2 * max(bigrams.total, 1))
        size = n_classes + 1
        self.bigrams = bigrams
        self.tables = Tables(
            classes=np.append(classes, n_classes).astype(np.int32),
            follows=np.zeros((size, size), np.int64),
            precedes=np.zeros((size, size), np.int64),
            right_total=np.zeros(size, np.int64),
            left_total=np.zeros(size, np.int64),
            after=np.zeros(size, np.int64),
            before=np.zeros(size, np.int64),
            gain=np.zeros(n_classes, np.int64),
            table=entropy.table,
            scale=entropy.scale,
        )
        count_classes(self.tables, bigrams)

    @property
    def classes(self) -> NDArray[np.int32]:
        """The class of every type but the boundary."""
        return self.tables.classes[:-1]

    def objective(self) -> float:
        """Return F in bits, from scratch."""
        return float(objective(self.tables)) / self.tables.scale

    def gains(self, kind: int) -> NDArray[np.float64]:
        """Return what moving a type into each class would gain, in bits."""
        _, _, itself = best_move(self.tables, kind, self.bigrams)
        put(self.tables, int(self.classes[kind]), itself, 1)
        gain = self.tables.gain
        return np.asarray((gain - gain[self.classes[kind]]) / self.tables.scale)

    def climb(
        self, max_sweeps: int, on_sweep: Callable[[float], None] = lambda _gained: None
    ) -> bool:
        """Move types to better classes until none is better; return whether that was reached."""
        for _ in range(max_sweeps):
            moves, gained = sweep(self.tables, self.bigrams, 0.0, 0.0)
            on_sweep(gained / self.tables.scale)
            if not moves:
                return True
        return False

    def accept_by_threshold(
        self,
        sweeps: int,
        quantile: float,
        generator: np.random.Generator,
        on_sweep: Callable[[float], None] = lambda _gained: None,
    ) -> None:
        """Move types to their best other classes, even at a loss below a falling threshold.

        It begins at a quantile of what random moves lose, and is zero after so many sweeps.
        """
        n_types = len(self.classes)
        threshold = self._first_threshold(quantile, generator)
        step = threshold / max(sweeps * n_types, 1)
        for i in range(sweeps):
            _, gained = sweep(self.tables, self.bigrams, threshold - i * n_types * step, step)
            on_sweep(gained / self.tables.scale)

    def _first_threshold(self, quantile: float, generator: np.random.Generator) -> float:
        """Return a quantile of what moves of random types to random classes lose, if anything."""
        types = generator.integers(0, len(self.classes), _SAMPLES)
        targets = generator.integers(0, len(self.tables.gain), _SAMPLES)
        losses = np.empty(_SAMPLES, np.int64)
        sample_losses(self.tables, self.bigrams, types, targets, losses)
        losses = losses[losses > 0]
        return float(np.quantile(losses, quantile)) if len(losses) else 0.0

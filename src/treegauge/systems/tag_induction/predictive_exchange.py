"""Word classes by exchange on a model that predicts a class from the word beside it.

With counts `N(v, c)` of word v followed by class c, the log-likelihood is, but for what no
clustering can change,

    G = sum_vc h(N(v,c)) - sum_c h(N(c))      h(x) = x log x

A move of a type changes cells of the words before it and nothing else. The same is done from the
other side, with the words behind it, and the sum of both is what types are moved by (BIRA); now
and then a sweep counts the other side alone.

A word with few different neighbours has no row of counts: they are counted when they are asked
for, so that memory grows with the text and not with types times classes.

References
----------
Uszkoreit and Brants (2008); Dehdari et al. (2016), whose weights and schedule these are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import setting
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress
from treegauge.systems.tag_induction._predictive_exchange_numba import fill, objective, sweep
from treegauge.systems.tag_induction.bigrams import Bigrams, Neighbours
from treegauge.systems.tag_induction.encoded_text import CountedText
from treegauge.systems.tag_induction.frequent_type_inducer import (
    FrequentTypeInducer,
    FrequentTypeSettings,
)
from treegauge.systems.tag_induction.scaled_entropy import ScaledEntropy, scaled_entropy

_SPARSE = 2
"""A context word has a row if its neighbours times this are as many as there are classes."""
_COARSE_CLASSES = 4
_COARSE_SWEEPS = 3
_COARSE_FROM = 15
"""The first sweeps know few classes only, if more than this are wanted."""
_ANCHORED_SWEEPS = 2
"""Sweeps in which the most frequent types stay where they are."""
_REVERSED_EVERY = 4
"""Every so many sweeps only the backward side counts; never in the last one."""


class Side(NamedTuple):
    """One direction of the model: context words, and the types whose classes they predict."""

    contexts_starts: NDArray[np.int64]
    contexts: NDArray[np.int32]
    """The types beside every context word."""
    contexts_count: NDArray[np.int64]
    members_starts: NDArray[np.int64]
    members: NDArray[np.int32]
    """The context words beside every type."""
    members_count: NDArray[np.int64]
    row_of: NDArray[np.int32]
    """The row of a context word, -1 if its classes are counted when needed."""
    rows: NDArray[np.int32]
    class_total: NDArray[np.int64]
    gain: NDArray[np.int64]
    scratch: NDArray[np.int64]
    table: NDArray[np.int64]
    scale: float


class PredictiveClasses:
    """Types in classes, and sweeps of exchange.

    Parameters
    ----------
    bigrams : Bigrams
        Neighbours of types; the last type is the boundary, which has no class.
    classes : array of int
        The class of every type but the boundary.
    n_classes : int
        The number of classes, empty ones included.
    """

    def __init__(self, bigrams: Bigrams, classes: NDArray[np.int32], n_classes: int) -> None:
        b = bigrams
        entropy = scaled_entropy(2 * max(b.total, 1))
        right = (b.right_starts, b.right, b.right_count)
        left = (b.left_starts, b.left, b.left_count)
        self.classes = classes
        self.n_classes = n_classes
        self.forward = _side(right, left, n_classes, entropy)
        self.backward = _side(left, right, n_classes, entropy)
        fill(self.forward, classes)
        fill(self.backward, classes)

    def objective(self, weight: float) -> float:
        """Return the weighted objective of both sides in bits, from scratch."""
        sides = objective(self.forward, self.classes), objective(self.backward, self.classes)
        return float(weight * sides[0] + (1 - weight) * sides[1]) / self.forward.scale

    def sweep(
        self, weight: float, *, first: int = 0, n_open: int | None = None
    ) -> tuple[int, float]:
        """Move types to better classes; return the number of moves, and what they gained.

        Types before `first` stay; only the first `n_open` classes are there at all.
        """
        moves, gained = sweep(
            self.forward, self.backward, self.classes, first, n_open or self.n_classes, weight
        )
        return int(moves), float(gained)


def _side(
    contexts: Neighbours, members: Neighbours, n_classes: int, entropy: ScaledEntropy
) -> Side:
    has_row = np.diff(contexts[0]) * _SPARSE >= n_classes
    return Side(
        *contexts,
        *members,
        row_of=np.where(has_row, np.cumsum(has_row) - 1, -1).astype(np.int32),
        rows=np.zeros((int(has_row.sum()), n_classes), np.int32),
        class_total=np.zeros(n_classes, np.int64),
        gain=np.zeros(n_classes, np.int64),
        scratch=np.zeros(n_classes, np.int64),
        table=entropy.table,
        scale=entropy.scale,
    )


@dataclass(frozen=True)
class PredictiveExchangeSettings(FrequentTypeSettings):
    """What can be chosen about predictive exchange."""

    sweeps: int = setting(15, "largest number of sweeps over all types", minimum=1)
    weight: float = setting(
        0.55, "weight of the words before; the words after get the rest", minimum=0, maximum=1
    )


class PredictiveExchange(FrequentTypeInducer):
    """Exchange on a model that predicts classes from words, from both sides.

    Attributes
    ----------
    history : list of float
        The objective of both sides, in bits, at first and after every sweep.
    has_converged : bool
        Whether the last sweep moved nothing.
    """

    name = "predictive-exchange"
    settings_type = PredictiveExchangeSettings
    seconds_per_word = 3e-6

    history: list[float]
    has_converged: bool

    def _cluster(self, text: CountedText, on_progress: OnProgress) -> NDArray[np.int32]:
        n_types = text.n_types
        n_classes = min(self.settings.classes, n_types)
        is_coarse = n_classes > _COARSE_FROM
        begin = np.arange(n_types) % (_COARSE_CLASSES if is_coarse else n_classes)
        model = PredictiveClasses(text.bigrams_with_boundary(), begin.astype(np.int32), n_classes)
        weight, sweeps = self.settings.weight, self.settings.sweeps
        self.history = [model.objective(weight)]
        self.has_converged = False
        for i in range(sweeps):
            is_reversed = (i + 1) % _REVERSED_EVERY == 0 and i + 1 < sweeps
            moves, _ = model.sweep(
                0.0 if is_reversed else weight,
                first=min(n_classes, n_types - 1) if i < _ANCHORED_SWEEPS else 0,
                n_open=_COARSE_CLASSES if is_coarse and i < _COARSE_SWEEPS else None,
            )
            self.history.append(model.objective(weight))
            on_progress((i + 1) / sweeps, f"sweep {i + 1}: {self.history[-1]:.1f}")
            if not moves and i >= _COARSE_SWEEPS and not is_reversed:
                self.has_converged = True
                break
        return model.classes

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = super()._state()
        return arrays, facts | {"history": self.history, "has_converged": self.has_converged}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        super()._restore(arrays, facts)
        saved = SavedState(arrays, facts)
        self.history = saved.series("history")
        self.has_converged = saved.truth("has_converged")

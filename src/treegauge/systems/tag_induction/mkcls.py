"""Word classes by exchange on the class bigram model, as Och's mkcls finds them.

Every type begins in some class; sweeps over the types, by frequency, move each one to the class
with the greatest likelihood. Threshold accepting also moves types at a small loss, which gets
smaller until it is none; hill climbing never does so. The best of several starts is kept.

Och's program begins at random and lowers the threshold in 20 sweeps
(`init=random threshold_sweeps=20`); beginning with the most frequent types in classes of their
own and taking more time ends at a better likelihood.

References
----------
Och (1999); Kneser and Ney (1993).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import setting
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress
from treegauge.systems.tag_induction.encoded_text import CountedText
from treegauge.systems.tag_induction.exchange import Exchange
from treegauge.systems.tag_induction.frequent_type_inducer import (
    FrequentTypeInducer,
    FrequentTypeSettings,
)


@dataclass(frozen=True)
class MkclsSettings(FrequentTypeSettings):
    """What can be chosen about exchange clustering."""

    optimiser: Literal["threshold", "climb"] = setting(
        "threshold", "threshold accepting, or hill climbing only"
    )
    init: Literal["frequency", "random"] = setting(
        "frequency",
        "initial classes; frequency: one class per most frequent type, and one for all others",
    )
    threshold_sweeps: int = setting(
        60, "number of sweeps in which the threshold falls to zero", minimum=1
    )
    threshold_quantile: float = setting(
        0.7,
        "quantile of the losses of random moves that is the first threshold",
        minimum=0,
        maximum=1,
    )
    starts: int = setting(
        1, "number of starts, all but the first at random; the best is kept", minimum=1
    )
    sweeps: int = setting(100, "largest number of sweeps of hill climbing", minimum=1)


class Mkcls(FrequentTypeInducer):
    """Exchange clustering on the class bigram model.

    Attributes
    ----------
    perplexity : float
        Of the text under the class bigram model, boundaries included.
    history : list of float
        The objective, in bits, after every sweep of the best start.
    has_converged : bool
        Whether no single move would have gained anything at the end.
    """

    name = "mkcls"
    settings_type = MkclsSettings
    is_deterministic = False
    seconds_per_word = 7e-6

    perplexity: float
    history: list[float]
    has_converged: bool

    def _cluster(self, text: CountedText, on_progress: OnProgress) -> NDArray[np.int32]:
        n_types = text.n_types
        n_classes = min(self.settings.classes, n_types)
        bigrams = text.bigrams_with_boundary()
        generators = np.random.default_rng(self.seed).spawn(self.settings.starts)
        uses_threshold = self.settings.optimiser == "threshold"
        # Hill climbing takes a dozen sweeps, and a few after the threshold is gone.
        expected = 15 + self.settings.threshold_sweeps * uses_threshold
        best: Exchange | None = None
        for start, generator in enumerate(generators):
            exchange = Exchange(
                bigrams, self._begin(start, n_types, n_classes, generator), n_classes
            )
            history = [exchange.objective()]

            def tell(gained: float, history: list[float] = history, start: int = start) -> None:
                history.append(history[-1] + gained)
                share = min((len(history) - 1) / expected, 1)
                on_progress(
                    (start + share) / len(generators),
                    f"start {start + 1}, sweep {len(history) - 1}: {history[-1]:.1f}",
                )

            if uses_threshold:
                exchange.accept_by_threshold(
                    self.settings.threshold_sweeps,
                    self.settings.threshold_quantile,
                    generator,
                    tell,
                )
            has_converged = exchange.climb(self.settings.sweeps, tell)
            if best is None or history[-1] > self.history[-1]:
                best, self.history, self.has_converged = exchange, history, has_converged
        assert best is not None
        # Words are drawn from their classes in proportion to how often they follow anything.
        count = np.bincount(bigrams.right, weights=bigrams.right_count)
        own = float(count @ np.log2(np.maximum(count, 1)))
        self.perplexity = float(2 ** (-(self.history[-1] + own) / max(bigrams.total, 1)))
        return best.classes

    def _begin(
        self, start: int, n_types: int, n_classes: int, generator: np.random.Generator
    ) -> NDArray[np.int32]:
        if self.settings.init == "frequency" and start == 0:
            return np.minimum(np.arange(n_types), n_classes - 1).astype(np.int32)
        return generator.integers(0, n_classes, n_types).astype(np.int32)

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = super()._state()
        return arrays, facts | {
            "perplexity": self.perplexity,
            "history": self.history,
            "has_converged": self.has_converged,
        }

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        super()._restore(arrays, facts)
        saved = SavedState(arrays, facts)
        self.perplexity = saved.number("perplexity")
        self.history = saved.series("history")
        self.has_converged = saved.truth("has_converged")

"""The dependency model with valence, with stop probabilities from reducibility.

A head has no dependents on a side if what stands there cannot be left out. For a tag h and a side,

    q(h, side) = 1 - k · (occurrences of h with something reducible directly there) / occurrences

where k brings the mean to that of the first E-step. In the M-step, stops of sides that have no
dependent yet get w / (1 - w) times as many events of q as there are occurrences, so that

    stop = (1 - w) stop of EM + w q.

References
----------
Mareček and Straka (2013), Stop-probability estimates computed on a large corpus improve
unsupervised dependency parsing. ACL.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from treegauge.properties import Reducibility
from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.chart import Counts, Grammar, TagCorpus, estimate
from treegauge.systems.dependency_induction.grammar_inducer import GrammarInducer, GrammarSettings
from treegauge.systems.dependency_induction.reducible_text import (
    ReducibleTextSettings,
    count_on_raw_text,
)
from treegauge.systems.raw_texts import seconds_of_files
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress
from treegauge.treebank import Treebank, without_punctuation

_LEAST = 0.01
"""Of the probability to stop and to go on that reducibility may give."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ReducibilityStopSettings(GrammarSettings, ReducibleTextSettings):
    """How much reducibility says about stopping."""

    weight: float = setting(
        0.5, "weight of reducibility in stop probabilities", minimum=0.0, maximum=0.999
    )


class ReducibilityStop(GrammarInducer):
    """EM of the dependency model with valence; a side stops where nothing can be left out."""

    name = "reducibility-stop"
    settings_type: ClassVar[type[Settings]] = ReducibilityStopSettings

    stops: Floats
    """[tags, sides]: how likely a side has no dependent, by reducibility."""
    _events: Floats

    def expected_seconds(self, treebank: Treebank) -> float:
        """Guess how long learning takes, with the reading of raw texts."""
        return super().expected_seconds(treebank) + seconds_of_files(self.settings.raw)

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        self._words = without_punctuation(treebank)
        try:
            super()._fit(treebank, on_progress)
        finally:
            del self._words

    def _learn(
        self, corpus: TagCorpus, random: np.random.Generator, on_progress: OnProgress
    ) -> Grammar:
        short = corpus.up_to(self.settings.max_length)
        found = count_on_raw_text(
            self.name, self.settings, self._words, self.inventory, lambda _share, _line: None
        )
        grammar = self.initial(short, random)
        first, _ = self._expectations(grammar, short)
        stopped, went = first.counts.stop[:, :, 0], first.counts.go[:, :, 0]
        self.stops = stop_estimates(found, self.inventory.tags, stopped, went)
        # The sides of a tag in the text are as many whatever the trees are.
        weight = self.settings.weight / (1 - self.settings.weight)
        self._events = weight * (stopped + went)
        return self.expectation_maximisation(grammar, short, on_progress)

    def _estimate(self, counts: Counts, previous: Grammar) -> Grammar:
        stop, go = counts.stop.copy(), counts.go.copy()
        stop[:, :, 0] += self._events * self.stops
        go[:, :, 0] += self._events * (1 - self.stops)
        added = Counts(counts.root, stop, go, counts.attach, counts.child_valence_order)
        return estimate(added, smoothing=self.settings.smoothing, previous=previous)

    def _log_prior(self, grammar: Grammar) -> float:
        """Return what smoothing and the added events say of a grammar."""
        stopped = xlogy(self._events * self.stops, grammar.stop[:, :, 0])
        went = xlogy(self._events * (1 - self.stops), grammar.go[:, :, 0])
        return super()._log_prior(grammar) + float(stopped.sum() + went.sum())

    def describe_grammar(self, top: int = 20) -> str:
        """Return the grammar in words, and what reducibility says of stopping."""
        lines = ["", "how likely a side has no dependent, by reducibility      left    right"]
        for tag, (left, right) in zip(self.inventory.tags[:top], self.stops, strict=False):
            lines.append(f"  {tag:<50} {left:>8.2f} {right:>8.2f}")
        return super().describe_grammar(top) + "\n".join(lines) + "\n"

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = super()._state()
        return {**arrays, "stops": self.stops}, facts

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        super()._restore(arrays, facts)
        saved = SavedState(arrays, facts)
        self.stops = saved.numbers("stops", (len(self.inventory.tags), 2), least=0, most=1)


def stop_estimates(
    found: Reducibility, tags: tuple[str, ...], stopped: Floats, went: Floats
) -> Floats:
    """Return how likely each side of each tag has no dependent, [tags, sides].

    Parameters
    ----------
    found : Reducibility
        Where things can be left out beside words of a tag.
    tags : tuple of str
        The order of what is returned; a tag that reducibility has not seen gets the mean.
    stopped, went : arrays, [tags, sides]
        Expected decisions of sides without a dependent; the mean of stops is taken from them.
    """
    mean = float(went.sum() / max(1e-12, went.sum() + stopped.sum()))
    place = {tag: k for k, tag in enumerate(found.tags)}
    rows = np.array([place.get(tag, -1) for tag in tags])
    occurrences = np.append(found.occurrences, 0)[rows].astype(np.float64)
    beside = np.vstack([found.with_reducible_neighbours, [0, 0]])[rows]
    seen = occurrences > 0
    share = beside / np.maximum(occurrences, 1)[:, None]
    words = (stopped + went).sum(axis=1)
    usual = np.average(share[seen], axis=0, weights=words[seen]).mean() if words[seen].any() else 0
    if usual == 0:
        return np.full(share.shape, 1 - mean)
    going = np.where(seen[:, None], share * (mean / usual), mean)
    clipped: Floats = np.clip(1 - going, _LEAST, 1 - _LEAST)
    return clipped

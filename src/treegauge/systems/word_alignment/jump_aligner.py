"""A hidden Markov model of alignment: a link depends on how far it jumps from the one before.

Vogel, Ney and Tillmann (1996), with empty words that keep the position (Och and Ney 2003):

    P(a_j = i | a_{j-1} = p) = (1 - p0) c(i - p) / sum over k of c(k - p),   P(a_j empty) = p0

Translations begin with those of the diagonal aligner. The usual estimate of c, relative
frequencies of jumps, forgets that sentences end; here the expected log-likelihood, which is concave
in log c, is climbed instead, so that the likelihood never falls.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from treegauge.systems.word_alignment._jump_numba import expect, jump_gain, posteriors
from treegauge.systems.word_alignment.bitext import Bitext
from treegauge.systems.word_alignment.diagonal_aligner import DiagonalAligner
from treegauge.systems.word_alignment.translation_table import TranslationTable, sentence

REACH = 7
"""Longer jumps are alike."""
_BOUND = 20.0
_STEPS = 20


@dataclass
class JumpAligner:
    """Which target word comes from which source word, neighbours staying together.

    Parameters
    ----------
    iterations : int
        Of EM, after as many of the diagonal aligner.
    null : float
        The probability that a target word comes from no source word.

    Attributes
    ----------
    table : TranslationTable
        P(target word | source word).
    jumps : float array
        log c of jumps of -7 to 7 words; -7 and 7 stand for longer ones too.
    history : list of float
        The log-likelihood before every iteration, and at the end.
    """

    iterations: int = 5
    null: float = 0.08
    table: TranslationTable = field(init=False)
    jumps: NDArray[np.float64] = field(default_factory=lambda: np.zeros(2 * REACH + 1))
    history: list[float] = field(default_factory=list)

    def fit(self, bitext: Bitext) -> JumpAligner:
        """Learn translations and jumps."""
        self.table = DiagonalAligner(self.iterations, self.null).fit(bitext).table
        self.jumps = np.zeros(2 * REACH + 1)
        self.history = []
        for _ in range(self.iterations):
            counts, jumps, departures = self._expectations(bitext)
            self.table = self.table.estimated(counts)
            self.jumps = climbed(self.jumps, jumps, departures)
        self._expectations(bitext)
        return self

    def _expectations(self, bitext: Bitext) -> tuple[NDArray[np.float64], ...]:
        counts = np.zeros(len(self.table.columns))
        jumps, departures = self._nothing_yet(int(bitext.source.lengths.max()))
        likelihood = expect(
            bitext.source.words.codes,
            bitext.source.offsets,
            bitext.target.words.codes,
            bitext.target.offsets,
            self.table.row_starts,
            self.table.columns,
            self.table.chances,
            self.null,
            np.exp(self.jumps),
            counts,
            jumps,
            departures,
        )
        self.history.append(float(likelihood))
        return counts, jumps, departures

    def _nothing_yet(self, longest: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return np.zeros(len(self.jumps)), np.zeros((longest + 1, longest))

    def posteriors(self, bitext: Bitext, pair: int) -> NDArray[np.float64]:
        """Return p(i ~ j) as `[source words + 1, target words]`; the last row is "no word"."""
        source, target = sentence(bitext.source, pair), sentence(bitext.target, pair)
        chances = np.empty((len(source) + 1, len(target)))
        posteriors(
            source,
            target,
            self.table.row_starts,
            self.table.columns,
            self.table.chances,
            self.null,
            np.exp(self.jumps),
            np.empty(chances.shape, np.int64),
            chances,
            *self._nothing_yet(len(source)),
        )
        return chances


def climbed(
    logs: NDArray[np.float64], jumps: NDArray[np.float64], departures: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return log c of a larger expected log-likelihood, never of a smaller one."""

    def loss(at: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        slope = np.empty(len(at))
        value = float(jump_gain(at, jumps, departures, slope))
        return -value, -slope

    optimum = minimize(
        loss,
        logs,
        jac=True,
        method="L-BFGS-B",
        bounds=[(-_BOUND, _BOUND)] * len(logs),
        options={"maxiter": _STEPS},
    )
    better: NDArray[np.float64] = optimum.x
    return better if optimum.fun <= loss(logs)[0] else logs

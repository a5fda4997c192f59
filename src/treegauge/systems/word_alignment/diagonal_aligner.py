"""IBM model 1 whose links like the diagonal: the model of fast_align.

    P(a_j = empty) = p0,   P(a_j = i) = (1 - p0) exp(-lambda |i/n - j/m|) / Z,   P(f_j | e_{a_j})

Translations and the tension lambda are learnt by EM. Where fast_align takes gradient steps for
lambda, weighing every word alike, here the expected log-likelihood, which is concave in lambda, is
maximised exactly, within the same bounds; so the likelihood never falls.

References
----------
Brown, Della Pietra, Della Pietra and Mercer (1993), The mathematics of statistical machine
translation. Computational Linguistics 19(2).
Dyer, Chahuneau and Smith (2013), A simple, fast, and effective reparameterization of IBM model 2.
NAACL.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from treegauge.systems.word_alignment._diagonal_numba import (
    expect,
    expected_distance,
    posteriors,
)
from treegauge.systems.word_alignment.bitext import Bitext
from treegauge.systems.word_alignment.translation_table import TranslationTable, sentence

TENSION = 4.0
"""Where lambda begins (Dyer et al. 2013, section 2)."""
LEAST, MOST = 0.1, 14.0
"""Between which it stays, as in fast_align."""


@dataclass
class DiagonalAligner:
    """Which target word comes from which source word, learnt from a parallel text.

    Parameters
    ----------
    iterations : int
        Of EM.
    null : float
        The probability that a target word comes from no source word.

    Attributes
    ----------
    table : TranslationTable
        P(target word | source word).
    tension : float
        lambda; 0 would be IBM model 1.
    history : list of float
        The log-likelihood before every iteration, and at the end.

    Examples
    --------
    >>> pairs = [("the dog", "der Hund"), ("the cat", "die Katze"), ("a dog", "ein Hund")]
    >>> bitext = Bitext.of((a.split(), b.split()) for a, b in pairs)
    >>> aligner = DiagonalAligner().fit(bitext)
    >>> aligner.posteriors(bitext, 0)[1].argmax()  # dog
    np.int64(1)
    """

    iterations: int = 5
    null: float = 0.08
    tension: float = TENSION
    history: list[float] = field(default_factory=list)

    def fit(self, bitext: Bitext) -> DiagonalAligner:
        """Learn translations and tension."""
        self.table = TranslationTable.even(bitext)
        shapes = _Shapes.of(bitext)
        self.history = []
        for _ in range(self.iterations):
            counts, linked, distance = self._expectations(bitext, shapes)
            self.table = self.table.estimated(counts)
            self.tension = shapes.best_tension(linked, distance)
        self._expectations(bitext, shapes)
        return self

    def _expectations(
        self, bitext: Bitext, shapes: _Shapes
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
        counts = np.zeros(len(self.table.columns))
        linked = np.zeros(int(shapes.m.sum()))
        likelihood, distance = expect(
            bitext.source.words.codes,
            bitext.source.offsets,
            bitext.target.words.codes,
            bitext.target.offsets,
            self.table.row_starts,
            self.table.columns,
            self.table.chances,
            self.tension,
            self.null,
            shapes.starts[shapes.of_pair],
            counts,
            linked,
        )
        self.history.append(float(likelihood))
        return counts, linked, float(distance)

    def posteriors(self, bitext: Bitext, pair: int) -> NDArray[np.float64]:
        """Return p(i ~ j) as `[source words + 1, target words]`; the last row is "no word"."""
        source, target = sentence(bitext.source, pair), sentence(bitext.target, pair)
        chances = np.empty((len(source) + 1, len(target)))
        places = np.empty(chances.shape, np.int64)
        posteriors(
            source,
            target,
            self.table.row_starts,
            self.table.columns,
            self.table.chances,
            self.tension,
            self.null,
            places,
            chances,
        )
        return chances


@dataclass(frozen=True)
class _Shapes:
    """Lengths of pairs: the prior of a link depends on nothing else."""

    n: NDArray[np.int64]
    m: NDArray[np.int64]
    starts: NDArray[np.int64]
    of_pair: NDArray[np.int64]

    @classmethod
    def of(cls, bitext: Bitext) -> _Shapes:
        lengths = np.stack([bitext.source.lengths, bitext.target.lengths])
        (n, m), of_pair = np.unique(lengths, axis=1, return_inverse=True)
        return cls(n, m, np.cumsum(m) - m, of_pair.reshape(-1))

    def best_tension(self, linked: NDArray[np.float64], distance: float) -> float:
        """Return the lambda whose prior expects the distance that was found."""

        def excess(tension: float) -> float:
            return float(expected_distance(self.n, self.m, self.starts, linked, tension)) - distance

        # The derivative of the expected log-likelihood, which falls as lambda grows.
        if excess(LEAST) <= 0:
            return LEAST
        if excess(MOST) >= 0:
            return MOST
        return float(brentq(excess, LEAST, MOST, xtol=1e-6))

"""Links between words: two directions learnt, and made one.

Where both directions see a link it is trusted (`intersection`: few links, good ones);
`grow-diag-final` adds neighbours that one of them sees, then words that would have no link
(Och and Ney 2003; Koehn, Och and Marcu 2003). A link weighs the mean of its two posteriors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.word_alignment._symmetrisation_numba import best_links, grow
from treegauge.systems.word_alignment.bitext import Bitext
from treegauge.systems.word_alignment.diagonal_aligner import DiagonalAligner
from treegauge.systems.word_alignment.jump_aligner import JumpAligner

Symmetrisation = Literal["intersection", "grow-diag-final"]
AlignerName = Literal["diagonal", "hmm"]
ALIGNERS: dict[AlignerName, type[DiagonalAligner | JumpAligner]] = {
    "diagonal": DiagonalAligner,
    "hmm": JumpAligner,
}


@dataclass(frozen=True)
class Links:
    """Links of a parallel text, by the places of words in the whole text."""

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    weight: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.source)


def align(
    bitext: Bitext,
    *,
    aligner: AlignerName = "diagonal",
    iterations: int = 5,
    null: float = 0.08,
    symmetrisation: Symmetrisation = "intersection",
    on_progress: Callable[[float, str], None] = lambda _share, _line: None,
) -> Links:
    """Align the words of a parallel text.

    >>> pairs = [("the dog", "der Hund"), ("the cat", "die Katze"), ("a dog", "ein Hund")]
    >>> links = align(Bitext.of((a.split(), b.split()) for a, b in pairs))
    >>> sorted(zip(links.source.tolist(), links.target.tolist()))
    [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]
    """
    back = bitext.reversed
    forward = ALIGNERS[aligner](iterations, null).fit(bitext)
    on_progress(0.4, f"aligned: log-likelihood {forward.history[-1]:.1f}")
    backward = ALIGNERS[aligner](iterations, null).fit(back)
    on_progress(0.8, f"aligned backwards: log-likelihood {backward.history[-1]:.1f}")
    links_of_pairs = []
    for pair in range(len(bitext)):
        one = forward.posteriors(bitext, pair)
        other = backward.posteriors(back, pair)
        source, target = np.nonzero(symmetrised(one, other, symmetrisation))
        weight = (one[source, target] + other[target, source]) / 2
        source += bitext.source.offsets[pair]
        target += bitext.target.offsets[pair]
        links_of_pairs.append((source, target, weight))
    source, target, weight = map(np.concatenate, zip(*links_of_pairs, strict=True))
    return Links(source, target, weight)


def symmetrised(
    forward: NDArray[np.float64], backward: NDArray[np.float64], how: Symmetrisation
) -> NDArray[np.bool_]:
    """Return the links of a pair of sentences, `[source words, target words]`.

    Parameters
    ----------
    forward : float array, [source words + 1, target words]
        Posteriors of the source word of every target word; the last row is no word.
    backward : float array, [target words + 1, source words]
        The same the other way round.
    """
    n, m = backward.shape[1], forward.shape[1]
    one = np.zeros((n, m), np.bool_)
    other = np.zeros((m, n), np.bool_)
    best_links(forward, one)
    best_links(backward, other)
    if how == "intersection":
        both: NDArray[np.bool_] = one & other.T
        return both
    return grow_diag_final(one, other.T.copy())


def grow_diag_final(forward: NDArray[np.bool_], backward: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return grow-diag-final of two alignments, both `[source words, target words]`.

    >>> one = np.eye(3, dtype=bool)
    >>> other = one.copy()
    >>> other[2, 2] = False
    >>> grow_diag_final(one, other).astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    """
    links = np.zeros(forward.shape, np.bool_)
    grow(forward, backward, links)
    return links

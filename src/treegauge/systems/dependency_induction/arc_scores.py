"""What is known of arcs before anything is learnt, as weights that multiply them.

A score is the logarithm of a weight. With h the head and d the dependent,

    s(0, d) = root of d
    s(h, d) = pairs[h, d] + sides[d, side of h] - distance · ln|h - d|
              - what stands between costs - boundaries between cost
              + coordination, if d is a conjunct of h + name, if h opens the name that d is in

A gap between two words is a boundary where punctuation stood: that is text, not structure.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction import _arc_scores_numba as kernels
from treegauge.treebank import Treebank

MOST_WEIGHT = 100.0
"""No logarithm of a weight is larger; exp(100) is 1e43."""

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ArcScores:
    """Scores of all arcs of a text without punctuation.

    Attributes
    ----------
    offsets : int64 array
        Where sentences begin, and the end.
    root : float array, one per word
        The score of being the root.
    kind : int32 array, one per word
        The row and the column of a word in `pairs`.
    pairs : float array of kinds x kinds
        Scores by head and dependent.
    sides : float array of kinds x 2
        Scores by the kind of the dependent, for a head on its left and on its right.
    distance : float
        Costs of distance: its logarithm times this.
    over : float array, one per word
        What an arc costs that spans the word.
    gap : float array, one per word
        What an arc costs that spans the gap before the word.
    is_conjunction : bool array, one per word
        Words that announce a conjunct.
    coordination : float
        The score of an arc to the right, to a word of the same kind, with a conjunction among
        the three words before that word.
    run : int32 array, one per word
        Names of several words: the number of the name, 0 for other words. Distance costs nothing
        inside a name, from left to right.
    name : float
        The score of an arc from the first word of a name to another.
    """

    offsets: NDArray[np.int64]
    root: Floats
    kind: Codes
    pairs: Floats
    sides: Floats
    distance: float = 0.0
    over: Floats = field(default_factory=lambda: np.zeros(0))
    gap: Floats = field(default_factory=lambda: np.zeros(0))
    is_conjunction: Flags = field(default_factory=lambda: np.zeros(0, np.bool_))
    coordination: float = 0.0
    run: Codes = field(default_factory=lambda: np.zeros(0, np.int32))
    name: float = 0.0

    def weights(self) -> Floats:
        """Return exp(score) of every arc, packed as `TagCorpus` packs arcs."""
        lengths = np.diff(self.offsets)
        packed = np.empty(int((lengths * (lengths + 1)).sum()))
        words = self.kind.size
        kernels.write_arc_weights(
            self.offsets,
            self.root,
            self.kind,
            self.pairs,
            self.sides,
            self.distance,
            _or_zeros(self.over, words, np.float64),
            _or_zeros(self.gap, words, np.float64),
            _or_zeros(self.is_conjunction, words, np.bool_),
            self.coordination,
            _or_zeros(self.run, words, np.int32),
            self.name,
            packed,
        )
        return packed


def _or_zeros(values: NDArray[np.generic], words: int, kind: type) -> NDArray[np.generic]:
    return values if values.size else np.zeros(words, kind)


def boundaries(words: Treebank) -> NDArray[np.bool_]:
    """Return which words had punctuation right before them, in their sentence.

    >>> import treegauge as tg
    >>> from treegauge.treebank import without_punctuation
    >>> text = tg.parse("yes/INTJ ,/PUNCT I/PRON do/VERB\\n", format="slashed")
    >>> boundaries(without_punctuation(text)).tolist()
    [False, True, False]
    """
    position = words.original_positions.astype(np.int64)
    before = np.concatenate([[0], position[:-1]])
    before[words.offsets[:-1][words.lengths > 0]] = 0
    return position > before + 1

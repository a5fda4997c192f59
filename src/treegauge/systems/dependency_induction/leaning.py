"""On which side of function words their heads stand, told by bare text.

Three signs, each positive where heads stand to the right, as in languages with prepositions, and
negative where they stand to the left. Only the sum counts: each sign misleads somewhere.

edges        Which function words stand at the begin of stretches of words, and which at the end:
             what leans on the next word cannot stand last. Every type has one opinion, as loud as
             it is frequent; else auxiliaries at the end of all sentences outshout prepositions.
information  A function word between two open words tells more of the one that it belongs to: the
             mutual information of function words and the ending of the next word, in bits, minus
             that of the word before.
predicates   Where heads come last, sentences end in predicates, and their endings are few: the
             entropy of endings of words that end sentences minus that of words that begin them,
             in bits, divided by four.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction.frequent_words import LEFT, RIGHT, BareText
from treegauge.systems.dependency_induction.open_word_classes import Codes, Endings

_WEIGHT_OF_PREDICATES = 0.25
_EDGES_OF_ALL = 10.0
"""How many edges the side of all function words counts for, against those of a word itself."""


@dataclass(frozen=True)
class Leaning:
    """The three signs."""

    edges: float
    information: float
    predicates: float

    @classmethod
    def of(cls, text: BareText, function: Codes) -> Leaning:
        """Read the signs of a text whose function words are numbered, with -1 for open words."""
        vocabulary = text.form.vocabulary
        is_open = function < 0
        open_types = np.unique(text.form.codes[is_open])
        endings = Endings.of(vocabulary.take(open_types.astype(np.int32)))
        ending = endings.numbers(vocabulary)[text.form.codes]
        return cls(
            _edges(text, function),
            _information(text, function, ending),
            _WEIGHT_OF_PREDICATES * _predicates(text, is_open, ending),
        )

    @property
    def side(self) -> int:
        """Where function words have their heads."""
        return RIGHT if self.edges + self.information + self.predicates > 0 else LEFT


def edge_counts(text: BareText, function: Codes) -> tuple[Codes, Codes]:
    """Return how often every function word begins and ends stretches of several words."""
    several = (function >= 0) & ~(text.begins & text.ends)
    n = int(function.max(initial=-1)) + 1
    begin = np.bincount(function[several & text.begins], minlength=n)
    end = np.bincount(function[several & text.ends], minlength=n)
    return begin.astype(np.int32), end.astype(np.int32)


def own_sides(text: BareText, function: Codes, side: int) -> NDArray[np.float64]:
    """Return how much every function word leans to the right, from -1 to 1.

    A word that is seldom at edges leans as all of them do.
    """
    begin, end = edge_counts(text, function)
    sides: NDArray[np.float64] = (begin - end + _EDGES_OF_ALL * side) / (
        begin + end + _EDGES_OF_ALL
    )
    return sides


def _edges(text: BareText, function: Codes) -> float:
    """Return how much more often function words begin stretches than end them, by type."""
    begin, end = edge_counts(text, function)
    opinion = (begin - end) / np.maximum(begin + end, 1)
    counts = np.bincount(function[function >= 0], minlength=begin.size)
    return float(opinion @ counts / max(counts.sum(), 1))


def _information(text: BareText, function: Codes, ending: Codes) -> float:
    """Return the information about the next word minus that about the word before."""
    is_open = function < 0
    inner = np.flatnonzero(~is_open & ~text.begins & ~text.ends)
    inner = inner[is_open[inner - 1] & is_open[np.minimum(inner + 1, text.n_words - 1)]]
    if not inner.size:
        return 0.0
    return mutual_information(function[inner], ending[inner + 1]) - mutual_information(
        function[inner], ending[inner - 1]
    )


def _predicates(text: BareText, is_open: NDArray[np.bool_], ending: Codes) -> float:
    """Return the entropy of endings at ends of sentences minus that at their begins."""
    has_words = np.diff(text.offsets) > 0
    first, last = text.offsets[:-1][has_words], text.offsets[1:][has_words] - 1
    return entropy(ending[last[is_open[last]]]) - entropy(ending[first[is_open[first]]])


def entropy(codes: NDArray[np.integer]) -> float:
    """Return the entropy of codes in bits; 0 for none.

    >>> entropy(np.array([1, 1, 2, 2]))
    1.0
    """
    if not codes.size:
        return 0.0
    counts = np.bincount(codes)
    share = counts[counts > 0] / codes.size
    return float(-(share @ np.log2(share)))


def mutual_information(one: NDArray[np.integer], other: NDArray[np.integer]) -> float:
    """Return what codes tell about each other, in bits.

    >>> mutual_information(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]))
    1.0
    >>> mutual_information(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    0.0
    """
    together = one.astype(np.int64) * (int(other.max()) + 1) + other
    _, pairs = np.unique(together, return_inverse=True)
    return entropy(one) + entropy(other) - entropy(pairs)

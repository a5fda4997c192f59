"""A few classes for the open words of a text: a mixture of types, by EM.

Given its class, a type draws its left neighbours, its right neighbours, its shapes (capital
letters, digits) and its ending. A neighbour is a function word, any open word, or a boundary: the
edge of the sentence, or punctuation. For a type that occurs n times, all of these but the ending
count 1/sqrt(n) each, so that they weigh sqrt(n) in all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from treegauge.systems.dependency_induction.frequent_words import BareText

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]

ITERATIONS = 60
STARTS = 5
_START = 0.5
"""Parameter of the Dirichlet distribution from which first responsibilities are drawn."""
_PRIOR, _LEAST = 1.0, 1e-6
"""How often a class has seen the features of the text before, and every feature besides."""
_LONGEST_ENDING = 3
_FEWEST_TYPES, _SHARE_OF_TYPES = 3, 0.002
"""How many open types share an ending, at least: so many, and this share of them."""
NO_ENDING = 0


def neighbours(text: BareText, function: Codes, n_function: int) -> tuple[Codes, Codes]:
    """Return the left and right neighbour of every word.

    `function` numbers function words and is -1 for open words. A neighbour is such a number,
    `n_function` for an open word, or `n_function` + 1 for a boundary.
    """
    itself = np.where(function >= 0, function, n_function).astype(np.int32)
    boundary = n_function + 1
    left = np.where(text.begins, boundary, np.append(boundary, itself)[: itself.size])
    right = np.where(text.ends, boundary, np.append(itself, boundary)[1:][: itself.size])
    return left.astype(np.int32), right.astype(np.int32)


@dataclass(frozen=True)
class Endings:
    """Endings that many open types share."""

    endings: tuple[str, ...]

    @classmethod
    def of(cls, types: Iterable[str]) -> Endings:
        """Count endings of types, each type once."""
        types = list(types)
        counts = Counter(ending for form in types for ending in _endings(form))
        fewest = max(_FEWEST_TYPES, _SHARE_OF_TYPES * len(types))
        return cls(tuple(sorted(ending for ending, n in counts.items() if n >= fewest)))

    def numbers(self, types: Iterable[str]) -> Codes:
        """Return the longest known ending of every type: a number from 1, or 0 for none.

        >>> Endings(("g", "ng")).numbers(["sing", "ring", "sang", "ng", "he"]).tolist()
        [2, 2, 2, 0, 0]
        """
        known = {ending: number for number, ending in enumerate(self.endings, start=1)}
        found = (
            next((known[ending] for ending in _endings(form) if ending in known), NO_ENDING)
            for form in types
        )
        return np.fromiter(found, np.int32)


def _endings(form: str) -> Iterator[str]:
    """Give endings of a word, the longest first; two characters are left before them."""
    for length in range(min(_LONGEST_ENDING, len(form) - 2), 0, -1):
        yield form[-length:]


@dataclass(frozen=True, eq=False)
class TypeFeatures:
    """What is known of open types: a row of weights per type."""

    table: sparse.csr_array
    kinds: tuple[slice, ...]
    """Columns of every kind of feature, such as left neighbours; endings come last."""

    @classmethod
    def of(
        cls,
        types: Codes,
        n_types: int,
        seen: Sequence[tuple[Codes, int]],
        endings: tuple[Codes, int],
    ) -> TypeFeatures:
        """Count what words of every type are seen with.

        Parameters
        ----------
        types : int array
            The type of every open word.
        n_types : int
            The number of types.
        seen : sequence of an int array and a number
            For every kind of feature, the feature of every open word, -1 for none, and the number
            of features.
        endings : int array and number
            The ending of every type, and the number of endings.
        """
        weight = 1 / np.sqrt(np.bincount(types, minlength=n_types)[types])
        ending, n_endings = endings
        ends = np.cumsum([0, *(n for _, n in seen), n_endings]).tolist()
        every = np.arange(n_types, dtype=np.int32)
        rows: list[Codes] = [every]
        columns: list[Codes] = [ending + ends[-2]]
        values: list[Floats] = [np.ones(n_types)]
        for begin, (codes, _) in zip(ends, seen, strict=False):
            known = codes >= 0
            rows.append(types[known])
            columns.append(codes[known] + begin)
            values.append(weight[known])
        places = (np.concatenate(rows), np.concatenate(columns))
        table = sparse.csr_array((np.concatenate(values), places), shape=(n_types, ends[-1]))
        table.sum_duplicates()
        return cls(table, tuple(slice(begin, end) for begin, end in pairwise(ends)))


@dataclass(frozen=True, eq=False)
class ClassMixture:
    """What classes are like; logarithms."""

    log_prior: Floats
    """[class]."""
    log_features: Floats
    """[feature, class]."""

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return int(self.log_prior.size)

    def most_probable(self, table: sparse.csr_array) -> Codes:
        """Return the class of every row of features."""
        scores = table @ self.log_features + self.log_prior
        return np.asarray(scores.argmax(axis=1), np.int32)

    def reordered(self, order: NDArray[np.intp]) -> ClassMixture:
        """Return the classes in another order."""
        return ClassMixture(self.log_prior[order], self.log_features[:, order])


def learn_mixture(
    features: TypeFeatures, n_classes: int, random: np.random.Generator
) -> ClassMixture:
    """Return the most likely of several mixtures, each by EM from random responsibilities."""
    table = features.table
    n_types, width = table.shape
    back = sparse.csr_array(table.T)
    prior = _prior_counts(features)
    # All starts side by side: [type, start and class].
    shape = (n_types, STARTS, n_classes)
    share = random.dirichlet(np.full(n_classes, _START), (STARTS, n_types))
    share = np.ascontiguousarray(share.transpose(1, 0, 2))
    for _ in range(ITERATIONS):
        types = share.sum(axis=0)
        log_prior = np.log((types + 1) / (n_types + n_classes))
        counts = back @ share.reshape(n_types, -1) + prior[:, None]
        for kind in features.kinds:
            counts[kind] /= counts[kind].sum(axis=0)
        log_features = np.log(counts)
        scores = (table @ log_features).reshape(shape) + log_prior
        most = scores.max(axis=2, keepdims=True)
        share = np.exp(scores - most)
        total = share.sum(axis=2, keepdims=True)
        share /= total
    best = int((np.log(total) + most).sum(axis=(0, 2)).argmax())
    by_start = log_features.reshape(width, STARTS, n_classes)
    return ClassMixture(log_prior[best], np.ascontiguousarray(by_start[:, best]))


def _prior_counts(features: TypeFeatures) -> Floats:
    """Return what every class has seen before: the features of the text."""
    totals = np.asarray(features.table.sum(axis=0), np.float64)
    for kind in features.kinds:
        totals[kind] *= _PRIOR / max(totals[kind].sum(), _LEAST)
    return totals + _LEAST


def predicate_class(
    classes: Codes, sentence: NDArray[np.int64], n_classes: int, n_sentences: int, fewest: float
) -> int:
    """Return the class that sentences have more often than chance would give it to them.

    Chance deals open words out to sentences: a sentence of o open words has a class that makes up
    the share q of open words with probability 1 - (1 - q)^o. Classes are candidates that make up
    the share `fewest`; all of them where none does.

    Parameters
    ----------
    classes, sentence : int array
        The class and the sentence of every open word.
    """
    tokens = np.bincount(classes, minlength=n_classes)
    share = tokens / max(tokens.sum(), 1)
    has = np.unique(sentence * n_classes + classes)
    coverage = np.bincount(has % n_classes, minlength=n_classes) / n_sentences
    lengths, times = np.unique(np.bincount(sentence, minlength=n_sentences), return_counts=True)
    chance = 1 - (1 - share[:, None]) ** lengths
    expected = chance @ times / n_sentences
    candidates = share >= fewest
    if not candidates.any():
        candidates = tokens > 0
    ratio = np.divide(coverage, expected, out=np.zeros(n_classes), where=expected > 0)
    return int(np.where(candidates, ratio, -1).argmax())

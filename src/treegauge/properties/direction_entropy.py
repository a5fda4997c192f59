"""On which side of their heads dependents stand, and how freely.

Conventions
-----------
An arc's kind is its relation, the tag of its head and the tag of its dependent. Its direction is
left if the dependent stands before the head: the head is final. The arc to a root is none, nor is
one to a head outside the sentence. Entropy is H(direction | kind), with
[the estimators](two_way_entropy.py) of a choice between two.

References
----------
Liu (2010), Dependency direction as a means of word-order typology. Lingua 120.
Gulordava and Merlo (2016), equation 1. doi:10.1162/tacl_a_00103
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treegauge.properties.numbering import number_by_first_use
from treegauge.properties.relations import Relations, relation_column, tags_or_coarser
from treegauge.properties.two_way_entropy import (
    Estimator,
    LogBase,
    size_matched_entropy,
    two_way_entropy,
)
from treegauge.treebank import Treebank

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True)
class DirectionCounts:
    """How often arcs of every kind go to the left and to the right.

    Attributes
    ----------
    kinds : list of (relation, tag of the head, tag of the dependent)
        The kinds that occur.
    left, right : int arrays, [kinds]
        Arcs whose dependent precedes or follows the head.
    kind_of_word : int array, [words]
        The kind of the arc to every word; -1 if there is none.
    is_left : bool array, [words]
        Whether the word precedes its head.
    offsets : int array
        Where the sentences of these words begin.

    Examples
    --------
    >>> import treegauge as tg
    >>> counts = tg.WordOrder(tg.toy_treebank(tokens=1000)).directions
    >>> counts.arcs == int(counts.left.sum() + counts.right.sum())
    True
    >>> round(counts.entropy(), 3)
    0.098
    >>> mean, deviation = counts.size_matched_entropy(100)
    >>> mean < counts.entropy()
    True
    >>> int(counts.by_sentence().sum()) == counts.arcs
    True
    """

    kinds: list[tuple[str, str, str]]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    kind_of_word: NDArray[np.int64]
    is_left: NDArray[np.bool_]
    offsets: NDArray[np.int64]

    @property
    def arcs(self) -> int:
        """The number of arcs."""
        return int(self.left.sum() + self.right.sum())

    def entropy(
        self, *, base: LogBase = "2", estimator: Estimator = "plugin", seed: int = 0
    ) -> float | None:
        """Return the entropy of directions, given the kind of arc.

        Parameters
        ----------
        base : "2" or "e"
            The base of the logarithm.
        estimator : str
            `plugin`, `miller-madow`, `chao-shen`, `jackknife` or `bootstrap`.
        seed : int
            The random seed of estimators that draw samples.

        Returns
        -------
        float or None
            None if there are no arcs.
        """
        return two_way_entropy(self.left, self.right, base=base, estimator=estimator, seed=seed)

    def size_matched_entropy(
        self, arcs: int, *, base: LogBase = "2", samples: int = 100, seed: int = 0
    ) -> tuple[float, float]:
        """Return the entropy in samples of a given number of arcs.

        Parameters
        ----------
        arcs : int
            The number of arcs in a sample.
        base : "2" or "e"
            The base of the logarithm.
        samples : int
            The number of samples.
        seed : int
            The random seed.

        Returns
        -------
        (float, float)
            Mean and standard deviation.
        """
        return size_matched_entropy(
            self.left, self.right, arcs, base=base, samples=samples, seed=seed
        )

    def by_sentence(self) -> csr_array:
        """Return the counts of every sentence.

        The entropy of a resample is that of summed rows, so intervals need nothing else.

        Returns
        -------
        sparse array, [sentences, 2 * kinds]
            Columns are kinds to the left, then kinds to the right.
        """
        from scipy.sparse import csr_array

        words = np.flatnonzero(self.kind_of_word >= 0)
        column = self.kind_of_word[words] + len(self.left) * ~self.is_left[words]
        sentence = np.searchsorted(self.offsets, words, side="right") - 1
        shape = (len(self.offsets) - 1, 2 * len(self.left))
        return csr_array((np.ones(len(words)), (sentence, column)), shape=shape)


def direction_counts(
    treebank: Treebank, *, relations: Relations = "full", tags: str = "u"
) -> DirectionCounts:
    """Count directions by kind of arc.

    Parameters
    ----------
    relations : {'full', 'universal'}
        Relations with their subtypes, or without.
    tags : str
        The short name of a tag column. For `u`, coarse tags where there are no universal ones.

    Examples
    --------
    >>> import treegauge as tg
    >>> columns = {"form": tg.Column.from_strings(["wild", "birds", "gone"]),
    ...            "upos": tg.Column.from_strings(["ADJ", "NOUN", "ADJ"]),
    ...            "deprel": tg.Column.from_strings(["amod", "root", "amod"])}
    >>> counts = direction_counts(tg.Treebank(columns, [2, 0, 2], offsets=[0, 3]))
    >>> counts.kinds, counts.left.tolist(), counts.right.tolist(), counts.entropy()
    ([('amod', 'NOUN', 'ADJ')], [1], [1], 1.0)
    """
    relation = relation_column(treebank, relations)
    tag = tags_or_coarser(treebank, tags)
    first = np.repeat(treebank.offsets[:-1], treebank.lengths)
    length = np.repeat(treebank.lengths, treebank.lengths)
    words = np.flatnonzero((treebank.head > 0) & (treebank.head <= length))
    heads = first[words] + treebank.head[words] - 1
    words, heads = words[words != heads], heads[words != heads]  # a word on itself has no side
    n_tags = max(len(tag.vocabulary), 1)
    packed = (
        relation.codes[words].astype(np.int64) * n_tags + tag.codes[heads]
    ) * n_tags + tag.codes[words]
    packed_kinds, kind = number_by_first_use(packed)
    is_left = np.zeros(treebank.n_words, np.bool_)
    is_left[words] = words < heads
    kind_of_word = np.full(treebank.n_words, -1)
    kind_of_word[words] = kind
    both = np.bincount(2 * kind + (words > heads), minlength=2 * len(packed_kinds))
    relation_names, tag_names = relation.vocabulary.strings, tag.vocabulary.strings
    names = [
        (
            relation_names[number // (n_tags * n_tags)],
            tag_names[number // n_tags % n_tags],
            tag_names[number % n_tags],
        )
        for number in packed_kinds.tolist()
    ]
    return DirectionCounts(names, both[0::2], both[1::2], kind_of_word, is_left, treebank.offsets)


@dataclass(frozen=True)
class HeadFinality:
    """How many arcs of a relation have the dependent before the head.

    Attributes
    ----------
    relation : str
        The relation.
    arcs : int
        The number of its arcs.
    head_final : int
        The number of arcs whose dependent precedes the head.

    Examples
    --------
    >>> HeadFinality("nsubj", 200, 150).share
    0.75
    """

    relation: str
    arcs: int
    head_final: int

    @property
    def share(self) -> float:
        """The share of arcs whose dependent precedes the head, in 0..1."""
        return self.head_final / self.arcs


def head_finality(counts: DirectionCounts) -> list[HeadFinality]:
    """Return the share of head-final arcs for every relation, the most frequent relation first."""
    sums: dict[str, list[int]] = {}
    for (relation, _, _), left, right in zip(
        counts.kinds, counts.left.tolist(), counts.right.tolist(), strict=True
    ):
        both = sums.setdefault(relation, [0, 0])
        both[0] += left + right
        both[1] += left
    ordered = sorted(sums.items(), key=lambda item: (-item[1][0], item[0]))
    return [HeadFinality(relation, arcs, left) for relation, (arcs, left) in ordered]

"""Tag sequences, ready for charts: identical ones once, in shards that never change.

Conventions
-----------
Everything that is given or returned for words or sentences is in the order of the corpus.
Inside, sentences are distinct tag sequences with multiplicities, sorted into shards; in a
shard, by length. Shards depend on the corpus alone, never on threads: their results are added
in their order, and so every sum has the same last bit on every number of threads.

Arcs of a sentence of n words are packed as [n + 1, n]: row 0 for the root as head, row h for
word h (counted from 1), a column for each dependent; the cells of a word with itself are
ignored. Sentence `s` has the cells `arc_offsets[s]:arc_offsets[s + 1]`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.systems.dependency_induction.chart._inside_outside_numba import LANES
from treegauge.systems.dependency_induction.chart.errors import ChartError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Codes = NDArray[np.int32]

SHARD_COST = 2**18
"""Sum of n³ that is worth a task of its own, about a millisecond."""
MOST_SHARDS = 64
MOST_ARCS = 2**22
"""Whose numbers are held at once, of sentences one after the other."""
MOST_CELLS = 2**21
"""Of the counts of all shards together, by pairs of tags; fewer shards for many tags."""


def portions(offsets: Ints, most_arcs: int = MOST_ARCS) -> Iterator[tuple[int, int]]:
    """Give begins and ends of runs of sentences whose arcs can be held at once.

    >>> list(portions(np.array([0, 2, 4, 9, 10]), most_arcs=12))
    [(0, 2), (2, 3), (3, 4)]
    """
    arcs = np.cumsum(np.diff(offsets) * (np.diff(offsets) + 1))
    begin = 0
    while begin < arcs.size:
        before = int(arcs[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(arcs, before + most_arcs, side="right")))
        yield begin, end
        begin = end


@dataclass(frozen=True, eq=False)
class Shard:
    """Some distinct sentences of a corpus, by length: what one worker needs, plain arrays."""

    tags: Codes
    """Tags of all words."""
    offsets: Ints
    """Where sentences begin, and the end."""
    multiplicity: Floats
    """How often each sentence occurs."""

    @cached_property
    def arc_offsets(self) -> Ints:
        """Where packed arcs of sentences begin, and the end."""
        return _arc_offsets(self.offsets)


class TagCorpus:
    """Sentences as sequences of tags.

    Parameters
    ----------
    tags : int array, [words]
        Codes of the tags of all words, 0 to `n_tags` - 1.
    offsets : int array, [sentences + 1]
        Where sentences begin, as in `Treebank.offsets`. Sentences without words are kept, and
        contribute nothing.
    n_tags : int
        Tags there are, also those that do not occur.
    deduplicate : bool
        Whether identical sentences share one chart. Not for weights of arcs that differ
        between sentences of the same tags.

    Examples
    --------
    >>> corpus = TagCorpus([0, 1, 2, 1, 2, 0, 1, 2], [0, 3, 5, 8], n_tags=3)
    >>> corpus
    TagCorpus(3 sentences, 2 distinct, 8 words, 3 tags)
    >>> corpus.up_to(2)
    TagCorpus(1 sentences, 1 distinct, 2 words, 3 tags)
    """

    def __init__(
        self, tags: ArrayLike, offsets: ArrayLike, n_tags: int, *, deduplicate: bool = True
    ) -> None:
        # Copies, since a kernel is compiled anew for arrays that are read-only.
        self.tags: Codes = np.array(tags, np.int32)
        self.offsets: Ints = np.array(offsets, np.int64)
        self.n_tags = n_tags
        self.deduplicate = deduplicate
        if (
            self.offsets.ndim != 1
            or self.offsets.size == 0
            or self.offsets[0] != 0
            or self.offsets[-1] != self.tags.size
            or (np.diff(self.offsets) < 0).any()
        ):
            raise ChartError(
                f"offsets must rise from 0 to the number of words, {self.tags.size}; "
                f"found {np.array2string(self.offsets, threshold=6)}"
            )
        if self.tags.size and not 0 <= self.tags.min() <= self.tags.max() < n_tags:
            raise ChartError(
                f"tags must be codes from 0 to {n_tags - 1}; "
                f"found {self.tags.min()} to {self.tags.max()}"
            )
        self._arrange()

    def _arrange(self) -> None:
        """Find distinct sentences and deal them out to shards."""
        lengths = self.lengths
        groups = []  # of one length: first sentence of each distinct one, multiplicities
        distinct_of = np.full(self.n_sentences, -1, np.int64)
        n_distinct = 0
        for n in np.unique(lengths[lengths > 0]).tolist():
            here = np.flatnonzero(lengths == n)
            if self.deduplicate:
                rows = self.tags[self.offsets[here][:, None] + np.arange(n)]
                _, first, inverse, times = np.unique(
                    rows, axis=0, return_index=True, return_inverse=True, return_counts=True
                )
                # In order of first occurrence, not of codes: that is how users number tags.
                order = np.argsort(first)
                rank = np.empty_like(order)
                rank[order] = np.arange(order.size)
                groups.append((n, here[first[order]], times[order]))
                distinct_of[here] = n_distinct + rank[inverse.reshape(-1)]
                n_distinct += order.size
            else:
                groups.append((n, here, np.ones(here.size, np.int64)))
                distinct_of[here] = n_distinct + np.arange(here.size)
                n_distinct += here.size
        cost = sum(first.size * n**3 for n, first, _ in groups)
        most = max(2, min(MOST_SHARDS, MOST_CELLS // max(1, self.n_tags) ** 2))
        n_shards = max(1, min(most, -(-cost // SHARD_COST)))
        # Charts are filled for LANES sentences of one length at once: these stay together.
        shard_of = np.empty(n_distinct, np.int64)
        begin = batches = 0
        for _, first, _ in groups:
            batch = batches + np.arange(first.size) // LANES
            shard_of[begin : begin + first.size] = batch % n_shards
            begin += first.size
            batches = int(batch[-1]) + 1
        order = np.argsort(shard_of, kind="stable")
        # One place more, which -1 leads to.
        place = np.full(order.size + 1, -1)
        place[order] = np.arange(order.size)
        empty = np.zeros(0, np.int64)
        self.representative: Ints = np.concatenate([empty, *(g[1] for g in groups)])[order]
        """The first sentence of each distinct one."""
        times = np.concatenate([empty, *(g[2] for g in groups)])[order]
        self.multiplicity: Floats = times.astype(np.float64)
        """How often each distinct sentence occurs."""
        self.distinct_of: Ints = place[distinct_of]
        """The distinct sentence of each sentence; -1 for those without words."""
        counts = np.bincount(shard_of, minlength=n_shards)
        self._shard_limits: Ints = np.concatenate([[0], np.cumsum(counts)])

    def __repr__(self) -> str:
        return (
            f"TagCorpus({self.n_sentences} sentences, {self.n_distinct} distinct, "
            f"{self.tags.size} words, {self.n_tags} tags)"
        )

    @property
    def n_sentences(self) -> int:
        """Number of sentences, also of those without words."""
        return self.offsets.size - 1

    @property
    def n_distinct(self) -> int:
        """Number of distinct sentences that have words."""
        return int(self.representative.size)

    @property
    def n_words(self) -> int:
        """Number of words."""
        return int(self.tags.size)

    @cached_property
    def lengths(self) -> Ints:
        """Words of each sentence."""
        return np.diff(self.offsets)

    @cached_property
    def shards(self) -> tuple[Shard, ...]:
        """The distinct sentences, dealt out."""
        shards = []
        for begin, end in zip(self._shard_limits[:-1], self._shard_limits[1:], strict=True):
            sentences = self.representative[begin:end]
            lengths = self.lengths[sentences]
            offsets = np.concatenate([[0], np.cumsum(lengths)])
            words = _ranges(self.offsets[sentences], lengths)
            shards.append(Shard(self.tags[words], offsets, self.multiplicity[begin:end]))
        return tuple(shards)

    @cached_property
    def arc_offsets(self) -> Ints:
        """Where the packed arcs of each sentence begin, and the end."""
        return _arc_offsets(self.offsets)

    def arc_matrix(self, packed: NDArray[Any], sentence: int) -> NDArray[Any]:
        """Return the view [n + 1, n] of a sentence's packed arcs."""
        n = int(self.lengths[sentence])
        begin, end = self.arc_offsets[sentence], self.arc_offsets[sentence + 1]
        return packed[begin:end].reshape(n + 1, n)

    def select(self, sentences: ArrayLike) -> TagCorpus:
        """Return the corpus of some sentences, given as numbers or as a mask."""
        chosen = np.asarray(sentences)
        if chosen.dtype == bool:
            chosen = np.flatnonzero(chosen)
        lengths = self.lengths[chosen]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        words = _ranges(self.offsets[chosen], lengths)
        return TagCorpus(self.tags[words], offsets, self.n_tags, deduplicate=self.deduplicate)

    def up_to(self, words: int) -> TagCorpus:
        """Return the corpus of the sentences of 1 to so many words."""
        return self.select((self.lengths > 0) & (self.lengths <= words))

    def distance_weights(self, by_distance: ArrayLike, *, root: float = 1.0) -> Floats:
        """Return packed weights of arcs by the distance between head and dependent.

        Parameters
        ----------
        by_distance : float array
            Weight of an arc between words that are k apart at `by_distance[k]`; 0 is not used.
        root : float
            Weight of the root's arcs.
        """
        table = np.array(by_distance, np.float64)
        longest = int(self.lengths.max(initial=0))
        if table.size < longest:
            raise ChartError(
                f"sentences have up to {longest} words; by_distance ends at {table.size - 1}"
            )
        packed = np.empty(self.arc_offsets[-1])
        for n in np.unique(self.lengths).tolist():
            matrix = np.full((n + 1, n), float(root))
            matrix[1:] = table[np.abs(np.arange(n)[:, None] - np.arange(n))]
            begins = self.arc_offsets[:-1][self.lengths == n]
            packed[begins[:, None] + np.arange((n + 1) * n)] = matrix.ravel()
        return packed

    # ------------------------------------------------------------ to shards and back

    def arcs_to_shards(self, packed: ArrayLike) -> list[Floats]:
        """Return packed arcs of each shard's sentences; of identical ones, those of the first."""
        arcs = np.asarray(packed, np.float64)
        if arcs.shape != (self.arc_offsets[-1],):
            raise ChartError(
                f"packed arcs of this corpus have {self.arc_offsets[-1]} cells, (n + 1) n a "
                f"sentence; found an array of shape {arcs.shape}"
            )
        given = []
        for begin, end in zip(self._shard_limits[:-1], self._shard_limits[1:], strict=True):
            chosen = self.representative[begin:end]
            given.append(arcs[_ranges(self.arc_offsets[chosen], np.diff(self.arc_offsets)[chosen])])
        return given

    def words_from_shards(self, parts: list[NDArray[Any]]) -> NDArray[Any]:
        """Return values of all words from those of the shards' words."""
        return self._spread(parts, self.lengths)

    def arcs_from_shards(self, parts: list[NDArray[Any]]) -> NDArray[Any]:
        """Return packed arcs of all sentences from those of the shards' sentences."""
        return self._spread(parts, np.diff(self.arc_offsets))

    def sentences_from_shards(self, parts: list[NDArray[Any]]) -> NDArray[Any]:
        """Return values of all sentences from the shards'; 0 for sentences without words."""
        values = np.concatenate([*parts, np.zeros(1)])
        return values[self.distinct_of]

    def _spread(self, parts: list[NDArray[Any]], sizes: Ints) -> NDArray[Any]:
        values = np.concatenate(parts)
        begins = np.concatenate([[0], np.cumsum(sizes[self.representative])])
        return values[_ranges(begins[self.distinct_of], sizes)]

    @cached_property
    def members(self) -> list[tuple[Ints, Ints]]:
        """For each shard, offsets by distinct sentence and the sentences that are like it."""
        order = np.argsort(self.distinct_of, kind="stable")
        order = order[self.distinct_of[order] >= 0]
        limits = np.concatenate([[0], np.cumsum(self.multiplicity).astype(np.int64)])
        members = []
        for begin, end in zip(self._shard_limits[:-1], self._shard_limits[1:], strict=True):
            offsets = limits[begin : end + 1]
            members.append((offsets - offsets[0], order[offsets[0] : offsets[-1]]))
        return members


def _arc_offsets(offsets: Ints) -> Ints:
    lengths = np.diff(offsets)
    return np.concatenate([[0], np.cumsum(lengths * (lengths + 1))])


def _ranges(begins: Ints, sizes: Ints) -> Ints:
    """Return begins[0], begins[0] + 1, … for sizes[0] numbers, then the next range."""
    before = np.cumsum(sizes) - sizes
    ranges: Ints = np.repeat(begins - before, sizes) + np.arange(int(sizes.sum()))
    return ranges

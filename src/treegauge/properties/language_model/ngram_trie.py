"""All n-grams up to some order, as a tree of arrays.

The children of an n-gram are its continuations; a link leads from every n-gram to the one without
its first word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.properties.language_model import (
    _ngram_trie_numba as kernels,
    _sorted_windows_numba as window_kernels,
)
from treegauge.shards import sorted_places

UNKNOWN, BEGIN, END = 0, kernels.BEGIN, kernels.END
"""The codes of the three words that no text has: an unknown one, the beginning, the end."""

SPECIAL_WORDS = ("<unk>", "<s>", "</s>")
"""What they are called in ARPA files, by code."""

_PORTION = 1 << 16


@dataclass(frozen=True, eq=False)
class NgramTrie:
    """N-grams of all orders; whatever part of an n-gram is here, too.

    Nodes are numbered by order, and inside an order by their words from first to last, so that
    the children of a node follow each other. Node 0 is the empty n-gram, node 1 + w is word w.
    """

    word: NDArray[np.int32]
    """The last word of every n-gram; -1 for the empty one."""
    link: NDArray[np.int32]
    """The n-gram without its first word."""
    first_child: NDArray[np.int32]
    """For every n-gram below the highest order; the children end where those of the next begin."""
    level_starts: NDArray[np.int64]
    """The first node of order 0, of order 1, …, and the number of nodes."""

    @property
    def order(self) -> int:
        """The words of the longest n-grams."""
        return len(self.level_starts) - 2

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of n-grams of every order from 1 on."""
        return tuple(np.diff(self.level_starts)[1:].tolist())

    @property
    def n_contexts(self) -> int:
        """The number of n-grams that can have continuations, the empty one among them."""
        return len(self.first_child) - 1

    def level(self, order: int) -> slice:
        """Return where the n-grams of an order are."""
        return slice(int(self.level_starts[order]), int(self.level_starts[order + 1]))

    @classmethod
    def of_text(
        cls, words: NDArray[np.int32], offsets: NDArray[np.int64], *, order: int, n_types: int
    ) -> tuple[NgramTrie, NDArray[np.int32]]:
        """Return the n-grams of a text, and how often each occurs.

        Parameters
        ----------
        words, offsets
            The text: codes, and where sentences begin.
        order
            How many words the longest n-grams have.
        n_types
            Codes are below this; each of them gets a node.
        """
        text = kernels.lay_out(words, offsets, order - 1)
        places = sorted_places(text, order, n_types)
        shared, lengths, sizes = kernels.compare_windows(text, places, order)
        sizes[:2] = 1, n_types
        level_starts = np.concatenate([[0], np.cumsum(sizes)])
        word, link, first_child, count = kernels.fill_trie(
            text, places, shared, lengths, level_starts, n_types
        )
        return cls(word, link, first_child, level_starts), count

    @classmethod
    def of_windows(
        cls,
        windows: Iterable[tuple[NDArray[np.int32], NDArray[np.int64]]],
        *,
        order: int,
        n_types: int,
    ) -> tuple[NgramTrie, NDArray[np.int32]]:
        """Return the n-grams of a text by its counted windows, and how often each occurs.

        Parameters
        ----------
        windows
            Parts with a row for every different window, in sorted order, and their counts; no
            first word is in two parts. They are read twice.
        order
            How many words a row has.
        n_types
            Codes are below this; each of them gets a node.
        """
        sizes = np.zeros(order + 1, np.int64)
        for rows, _ in windows:
            window_kernels.count_levels(rows, sizes)
        sizes[:2] = 1, n_types
        level_starts = np.concatenate([[0], np.cumsum(sizes)])
        n_nodes, n_contexts = int(level_starts[-1]), int(level_starts[order])
        word = np.empty(n_nodes, np.int32)
        word[: 1 + n_types] = np.arange(-1, n_types)
        first_child = np.empty(n_contexts + 1, np.int32)
        first_child[0] = 1
        count = np.zeros(n_nodes, np.int32)
        free, seen = level_starts.copy(), 0
        for rows, counts in windows:
            seen = window_kernels.fill_levels(rows, counts, free, seen, word, first_child, count)
        if order > 1:
            first_child[1 + seen : 1 + n_types] = free[2]
        first_child[n_contexts] = n_nodes
        link = np.zeros(n_nodes, np.int32)
        window_kernels.link_suffixes(word, first_child, level_starts, link)
        return cls(word, link, first_child, level_starts), count

    def keep(self, kept: NDArray[np.bool_]) -> NgramTrie:
        """Return the trie of some n-grams, which must be with each of them all its parts."""
        new_node = np.zeros(len(kept) + 1, np.int64)
        np.cumsum(kept, out=new_node[1:])
        contexts = kept[: self.n_contexts]
        children = np.append(self.first_child[:-1][contexts], self.first_child[-1])
        return NgramTrie(
            self.word[kept],
            new_node[self.link[kept]].astype(np.int32),
            new_node[children].astype(np.int32),
            new_node[self.level_starts],
        )

    def parents(self, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the n-grams without their last words."""
        # The last of all nodes whose children begin here or before: those without children
        # begin where the next ones do.
        parents: NDArray[np.int64] = np.searchsorted(self.first_child[:-1], nodes, "right") - 1
        return parents

    def ngrams(self, order: int) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32]]]:
        """Give nodes of an order and their words (a row for each), a portion at a time."""
        level = self.level(order)
        for first in range(level.start, level.stop, _PORTION):
            nodes = np.arange(first, min(first + _PORTION, level.stop))
            words = np.empty((len(nodes), order), np.int32)
            ancestors = nodes
            for k in range(order - 1, -1, -1):
                words[:, k] = self.word[ancestors]
                ancestors = self.parents(ancestors)
            yield nodes, words

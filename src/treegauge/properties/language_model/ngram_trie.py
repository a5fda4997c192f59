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
    """N-grams of all orders. All parts of an n-gram are n-grams of the trie, too.

    Nodes are numbered by order, and within an order by their words from first to last. So the
    children of a node follow each other. Node 0 is the empty n-gram, node 1 + w is word w.

    Attributes
    ----------
    word : int array, [nodes]
        The last word of every n-gram; -1 for the empty one.
    link : int array, [nodes]
        The node of the n-gram without its first word.
    first_child : int array, [contexts + 1]
        The first child of every n-gram below the highest order. Its children end where those of
        the next n-gram begin.
    level_starts : int array, [orders + 2]
        The first node of order 0, of order 1, …, and the number of nodes.

    Examples
    --------
    >>> words, offsets = np.array([3, 4, 3], np.int32), np.array([0, 3])
    >>> trie, count = NgramTrie.of_text(words, offsets, order=2, n_types=5)
    >>> trie.order, trie.sizes
    (2, (5, 4))
    >>> nodes, bigrams = next(trie.ngrams(2))
    >>> bigrams.tolist(), count[trie.level(2)].tolist()
    ([[1, 3], [3, 2], [3, 4], [4, 3]], [1, 1, 1, 1])
    >>> trie.parents(nodes).tolist()
    [2, 4, 4, 5]
    >>> trie.keep(np.arange(len(trie.word)) < nodes[-1]).sizes
    (5, 3)
    """

    word: NDArray[np.int32]
    link: NDArray[np.int32]
    first_child: NDArray[np.int32]
    level_starts: NDArray[np.int64]

    @property
    def order(self) -> int:
        """The number of words in the longest n-grams."""
        return len(self.level_starts) - 2

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of n-grams of every order from 1 on."""
        return tuple(np.diff(self.level_starts)[1:].tolist())

    @property
    def n_contexts(self) -> int:
        """The number of n-grams that can have continuations, with the empty one."""
        return len(self.first_child) - 1

    def level(self, order: int) -> slice:
        """Return where the nodes of an order are.

        Parameters
        ----------
        order : int
            The number of words.

        Returns
        -------
        slice
            The nodes.
        """
        return slice(int(self.level_starts[order]), int(self.level_starts[order + 1]))

    @classmethod
    def of_text(
        cls, words: NDArray[np.int32], offsets: NDArray[np.int64], *, order: int, n_types: int
    ) -> tuple[NgramTrie, NDArray[np.int32]]:
        """Return the n-grams of a text, and how often each occurs.

        Parameters
        ----------
        words, offsets : int array
            The text: codes, and where sentences begin.
        order : int
            The number of words in the longest n-grams.
        n_types : int
            Codes are below this. Each of them gets a node.

        Returns
        -------
        (NgramTrie, int array)
            The trie, and the count of every node.
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
        """Return the n-grams of a text from its counted windows, and how often each occurs.

        Parameters
        ----------
        windows : iterable of (int array, int array)
            Parts with a row per distinct window, in sorted order, and the counts of the windows. No
            first word is in two parts. The parts are read twice.
        order : int
            The number of words in a row.
        n_types : int
            Codes are below this. Each of them gets a node.

        Returns
        -------
        (NgramTrie, int array)
            The trie, and the count of every node.

        Examples
        --------
        >>> windows = [(np.array([[0, 1], [1, 0]], np.int32), np.array([2, 1]))]
        >>> trie, count = NgramTrie.of_windows(windows, order=2, n_types=2)
        >>> trie.sizes, count[trie.level(2)].tolist()
        ((2, 2), [2, 1])
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
        """Return a trie of some of the n-grams.

        Parameters
        ----------
        kept : bool array, [nodes]
            The n-grams to keep, with all parts of each of them.

        Returns
        -------
        NgramTrie
            The new trie.
        """
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
        """Return n-grams without their last words.

        Parameters
        ----------
        nodes : int array
            Nodes of n-grams.

        Returns
        -------
        int array
            The nodes of the shorter n-grams.
        """
        # The last of all nodes whose children begin here or before: those without children
        # begin where the next ones do.
        parents: NDArray[np.int64] = np.searchsorted(self.first_child[:-1], nodes, "right") - 1
        return parents

    def ngrams(self, order: int) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32]]]:
        """Give the n-grams of an order, portion by portion.

        Parameters
        ----------
        order : int
            The number of words.

        Yields
        ------
        (int array, int array)
            Nodes, and a row of words for each of them.
        """
        level = self.level(order)
        for first in range(level.start, level.stop, _PORTION):
            nodes = np.arange(first, min(first + _PORTION, level.stop))
            words = np.empty((len(nodes), order), np.int32)
            ancestors = nodes
            for k in range(order - 1, -1, -1):
                words[:, k] = self.word[ancestors]
                ancestors = self.parents(ancestors)
            yield nodes, words

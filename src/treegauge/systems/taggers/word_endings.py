"""The last characters of words, and the tree of all endings that some words have.

Characters are Unicode code points, not bytes: an ending of three characters is as long in Greek
as in English. What is done here is done once for every distinct word, level by level in NumPy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

_CHARACTER_BITS = 21
"""Enough for every code point."""


def last_characters(words: Sequence[str], length: int) -> NDArray[np.int64]:
    """Return the code points of every word from the last one back, -1 where it is over.

    >>> last_characters(["ab", "c"], 2).tolist()
    [[98, 97], [99, -1]]
    """
    endings = [word[-length:] if length else "" for word in words]
    lengths = np.array([len(ending) for ending in endings], np.int64)
    characters = np.frombuffer("".join(endings).encode("utf-32-le"), np.uint32)
    behind_last = np.cumsum(lengths)
    codes = np.full((len(endings), length), -1, np.int64)
    for depth in range(length):
        has = lengths > depth
        codes[has, depth] = characters[behind_last[has] - 1 - depth]
    return codes


def capital_flags(words: Iterable[str]) -> NDArray[np.int64]:
    """Return 1 for every word that begins with a capital, 0 for others.

    >>> capital_flags(["Åse", "ser", "1A"]).tolist()
    [1, 0, 0]
    """
    return np.array([word[:1].isupper() for word in words], np.int64)


@dataclass(frozen=True)
class EndingTree:
    """All endings of some words, with a root for every group of them.

    Nodes are numbered level by level, the roots first; node `n_roots + i` continues the node
    `keys[i] >> 21` by the character in the low bits. So `keys` ascends, and looking a child up
    is a binary search.
    """

    keys: NDArray[np.int64]
    n_roots: int

    @classmethod
    def of(
        cls, characters: NDArray[np.int64], roots: NDArray[np.int64], n_roots: int
    ) -> tuple[EndingTree, NDArray[np.int64]]:
        """Grow the tree; return it and the nodes of every word, from its root on.

        The table of nodes has a row for every word and -1 where the word is over.
        """
        levels = [np.zeros(0, np.int64)]
        n_words, length = characters.shape
        path = np.full((n_words, length + 1), -1, np.int64)
        path[:, 0] = roots
        n_nodes = n_roots
        for depth in range(length):
            going_on = np.flatnonzero(characters[:, depth] >= 0)
            wanted = _keys(path[going_on, depth], characters[going_on, depth])
            level, place = np.unique(wanted, return_inverse=True)
            path[going_on, depth + 1] = n_nodes + place
            n_nodes += len(level)
            levels.append(level)
        return cls(np.concatenate(levels), n_roots), path

    def __len__(self) -> int:
        return self.n_roots + len(self.keys)

    @cached_property
    def parents(self) -> NDArray[np.int64]:
        """The node before every node, -1 for roots."""
        return np.concatenate([np.full(self.n_roots, -1), self.keys >> _CHARACTER_BITS])

    def levels(self) -> Iterator[slice]:
        """Give the nodes of every level below the roots: they are numbered level by level."""
        first, last = 0, self.n_roots
        while last < len(self):
            behind = np.searchsorted(self.keys, np.int64(last) << _CHARACTER_BITS)
            first, last = last, self.n_roots + int(behind)
            yield slice(first, last)

    @cached_property
    def root_of(self) -> NDArray[np.int64]:
        """The root above every node."""
        roots = np.arange(len(self))
        for level in self.levels():
            roots[level] = roots[self.parents[level]]
        return roots

    def walk(self, characters: NDArray[np.int64], roots: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the nodes of every word from its root on, -1 behind the longest known ending."""
        n_words, length = characters.shape
        path = np.full((n_words, length + 1), -1, np.int64)
        path[:, 0] = roots
        walking = np.arange(n_words)
        for depth in range(length):
            walking = walking[characters[walking, depth] >= 0]
            wanted = _keys(path[walking, depth], characters[walking, depth])
            place = np.searchsorted(self.keys, wanted)
            inside = place < len(self.keys)
            walking, wanted, place = walking[inside], wanted[inside], place[inside]
            same = self.keys[place] == wanted
            walking = walking[same]
            path[walking, depth + 1] = self.n_roots + place[same]
        return path


def _keys(nodes: NDArray[np.int64], characters: NDArray[np.int64]) -> NDArray[np.int64]:
    return (nodes << _CHARACTER_BITS) | characters


@dataclass(frozen=True)
class NodeCounts:
    """How often words with an ending had a tag; those of node `i` are a slice."""

    starts: NDArray[np.int64]
    tags: NDArray[np.int32]
    counts: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        path: NDArray[np.int64],
        words: NDArray[np.int64],
        tags: NDArray[np.int32],
        counts: NDArray[np.int64],
        *,
        n_nodes: int,
        n_tags: int,
    ) -> NodeCounts:
        """Sum the tags of words over all nodes that the words pass.

        Parameters
        ----------
        path : array
            The nodes of every word.
        words, tags, counts : arrays
            How often a word (a row of `path`) had a tag.
        """
        nodes = path[words]
        passed = nodes >= 0
        keys = (nodes * n_tags + tags[:, None])[passed]
        times = np.broadcast_to(counts[:, None], nodes.shape)[passed]
        pairs, place = np.unique(keys, return_inverse=True)
        per_node = np.bincount(pairs // n_tags, minlength=n_nodes)
        return cls(
            np.concatenate([[0], np.cumsum(per_node)]),
            (pairs % n_tags).astype(np.int32),
            np.bincount(place, weights=times, minlength=len(pairs)).astype(np.int64),
        )

    @property
    def node_of_pair(self) -> NDArray[np.int64]:
        """The node that every tag and count belongs to."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @cached_property
    def totals(self) -> NDArray[np.int64]:
        """How many words had every ending."""
        return np.diff(np.concatenate([[0], np.cumsum(self.counts)])[self.starts])

    @property
    def entropies(self) -> NDArray[np.float64]:
        """Bits of the tags of every node."""
        node = self.node_of_pair
        share = self.counts / self.totals[node]
        bits = share * np.log2(share)
        return -np.bincount(node, weights=bits, minlength=len(self.totals)).astype(np.float64)

    def summed(self, nodes: NDArray[np.bool_], n_tags: int) -> NDArray[np.float64]:
        """Return the counts of all tags, summed over some nodes."""
        here = nodes[self.node_of_pair]
        counts = np.bincount(self.tags[here], weights=self.counts[here], minlength=n_tags)
        return counts.astype(np.float64)

"""Types of edges: two tags, which of them is the head, and on which side the other stands.

The structures that have no generally agreed head are those of Schwartz et al. (2011, section
4): coordinations, prepositional phrases, verb groups, infinitives, sequences of proper nouns.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.rewrite.debatable import STRUCTURES, structure_of_tags
from treegauge.treebank import Column, Treebank, tag_column

Direction = Literal["left", "right"]


@dataclass(frozen=True, order=True)
class EdgeType:
    """A head's tag, a dependent's tag, and the side of the head the dependent stands on."""

    head: str
    dependent: str
    direction: Direction

    def __str__(self) -> str:
        """Return the edge in the order of the words: `TO → VB`, `DT ← NN`."""
        arrow = "→" if self.direction == "right" else "←"
        return f" {arrow} ".join(self.in_order)

    @property
    def in_order(self) -> tuple[str, str]:
        """Its tags in the order of the words."""
        if self.direction == "right":
            return self.head, self.dependent
        return self.dependent, self.head

    @property
    def turned(self) -> EdgeType:
        """The same two words with the other one as the head."""
        return EdgeType(self.dependent, self.head, opposite(self.direction))

    @property
    def structure(self) -> str:
        """The problematic structure that it belongs to, or `other` with its tags in order.

        >>> EdgeType("TO", "VB", "right").structure, EdgeType("NN", "JJ", "left").structure
        ('infinitive', 'other: JJ NN')
        """
        left, right = self.in_order
        return structure_of_tags(left, right) or f"other: {left} {right}"

    @property
    def is_problematic(self) -> bool:
        """Whether people disagree about its head."""
        return self.structure in STRUCTURES


def opposite(direction: Direction) -> Direction:
    """Return the other side."""
    return "left" if direction == "right" else "right"


class Edges:
    """The edges of a treebank by type.

    Parameters
    ----------
    words : Treebank
        Trees; without punctuation, if adjacent words are those that are left without it.
    tags : str
        The tag column: u, u12, c, p, p:2.
    """

    def __init__(self, words: Treebank, tags: str) -> None:
        self.words = words
        self.tags: Column = tag_column(words, tags).column
        first = np.repeat(words.offsets[:-1], words.lengths)
        self.head: NDArray[np.int64] = np.where(words.head > 0, first + words.head - 1, -1)
        """The head of every word as an index of a word, -1 for roots."""

    def of_type(self, *types: EdgeType, longest: int | None = None) -> NDArray[np.bool_]:
        """Return which words are dependents in edges of some types, perhaps short ones only."""
        is_of_type = np.zeros(self.words.n_words, np.bool_)
        dependent = np.flatnonzero(self.head >= 0)
        head = self.head[dependent]
        for edge in types:
            matches = (
                (self.tags.codes[head] == self.tags.vocabulary.code(edge.head))
                & (self.tags.codes[dependent] == self.tags.vocabulary.code(edge.dependent))
                & ((dependent > head) == (edge.direction == "right"))
            )
            if longest is not None:
                matches &= np.abs(dependent - head) <= longest
            is_of_type[dependent[matches]] = True
        return is_of_type

    def share(self, *types: EdgeType) -> float:
        """Return the share of words whose edge is of one of the types, in either direction."""
        either = [*types, *(edge.turned for edge in types)]
        return float(self.of_type(*either).mean()) if self.words.n_words else 0.0

    def types(self) -> list[EdgeType]:
        """Return the types of all edges, most frequent first."""
        return [edge for edge, _ in self._counted(np.flatnonzero(self.head >= 0))]

    def turned_in(self, induced: Edges) -> list[tuple[EdgeType, int]]:
        """Return the types of edges between neighbours that another treebank turns around.

        Both have the edge, and differ in its direction. The types are these edges' own, with
        their numbers, most frequent first.
        """
        dependent, head = self._neighbours()
        return self._counted(dependent[induced.head[head] == dependent])

    def shared_with(self, induced: Edges) -> list[tuple[EdgeType, int]]:
        """Return the types of edges between neighbours that another treebank has as they are."""
        dependent, head = self._neighbours()
        return self._counted(dependent[induced.head[dependent] == head])

    def _neighbours(self) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
        """Return dependents next to their heads, and these heads."""
        dependent = np.flatnonzero(self.head >= 0)
        head = self.head[dependent]
        is_next = np.abs(dependent - head) == 1
        return dependent[is_next], head[is_next]

    def share_against(self, wanted: EdgeType) -> float:
        """Return, of all neighbours with two tags, the share with an edge against the wanted one.

        0 where there are no such neighbours.
        """
        left_tag, right_tag = wanted.in_order
        n = self.words.n_words
        is_last = np.zeros(n, np.bool_)
        is_last[self.words.offsets[1:][self.words.lengths > 0] - 1] = True
        code = self.tags.vocabulary.code
        left = np.flatnonzero((self.tags.codes == code(left_tag)) & ~is_last)
        left = left[self.tags.codes[left + 1] == code(right_tag)]
        if not left.size:
            return 0.0
        if wanted.direction == "right":
            return float((self.head[left] == left + 1).mean())
        return float((self.head[left + 1] == left).mean())

    def _counted(self, dependents: NDArray[np.intp]) -> list[tuple[EdgeType, int]]:
        heads = self.head[dependents]
        codes = self.tags.codes
        times = Counter(
            zip(
                codes[heads].tolist(),
                codes[dependents].tolist(),
                (dependents > heads).tolist(),
                strict=True,
            )
        )
        name = self.tags.vocabulary
        counts = [
            (EdgeType(name[head], name[dependent], "right" if is_right else "left"), n)
            for (head, dependent, is_right), n in times.items()
        ]
        return sorted(counts, key=lambda pair: (-pair[1], pair[0]))

"""How a sentence was put together from its words: categories, and the rules between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class DerivationNode:
    """A category over some words, counted from 0 without the end; a word has no daughters."""

    category: str
    begin: int
    end: int
    rule: str = ""
    """How the rule is written that made it of its daughters."""
    daughters: tuple[DerivationNode, ...] = ()

    def __iter__(self) -> Iterator[DerivationNode]:
        """Give the node and everything below it, daughters first."""
        for daughter in self.daughters:
            yield from daughter
        yield self

    @property
    def height(self) -> int:
        """How many rules are between it and the lowest of its words."""
        return 1 + max(daughter.height for daughter in self.daughters) if self.daughters else 0


@dataclass(frozen=True)
class Derivation:
    """The derivation of a sentence.

    Attributes
    ----------
    root : DerivationNode
        The node of the whole sentence.

    Examples
    --------
    >>> bird, sings = DerivationNode("N", 0, 1), DerivationNode("S\\\\N", 1, 2)
    >>> print(Derivation(DerivationNode("S", 0, 2, "<", (bird, sings))))
    (S < N S\\N)
    """

    root: DerivationNode

    @property
    def words(self) -> tuple[DerivationNode, ...]:
        """The nodes of the words, from left to right."""
        return tuple(node for node in self.root if not node.daughters)

    def __str__(self) -> str:
        return _in_brackets(self.root)


def _in_brackets(node: DerivationNode) -> str:
    if not node.daughters:
        return node.category
    below = " ".join(map(_in_brackets, node.daughters))
    return f"({node.category} {node.rule} {below})"

"""How the children of one phrase depend on each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from treegauge.formats.brackets import Phrase
from treegauge.rewrite.head_rules.labelling import Labelling


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A small dependency tree over the children of a phrase, without crossing arcs.

    Attributes
    ----------
    head : int
        The child whose head word is the head word of the phrase.
    governor : tuple of int
        For every child the one that it hangs on; the head has itself.
    roles : mapping from child to str
        The relations that the arrangement itself decides, those of coordination.
    stands_for : mapping from child to child
        For a conjunction that is a head, the conjunct that relations to and from it are told by.
    """

    head: int
    governor: tuple[int, ...]
    roles: Mapping[int, str] = field(default_factory=dict)
    stands_for: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def star(cls, head: int, size: int) -> Arrangement:
        """Hang everything on the head."""
        return cls(head, (head,) * size)


class Scheme(Protocol):
    """A way to choose heads."""

    labelling: Labelling
    """How fine the relations are."""

    def prepare(self, root: Phrase) -> Phrase:
        """Return the tree that heads are chosen in; its words are the same."""
        ...

    def arrange(self, phrase: Phrase) -> Arrangement:
        """Say how the children of a phrase depend on each other."""
        ...


class StarScheme:
    """A scheme that has a head for every phrase, and hangs everything else on it."""

    labelling = Labelling()

    def prepare(self, root: Phrase) -> Phrase:
        """Return the tree as it is."""
        return root

    def arrange(self, phrase: Phrase) -> Arrangement:
        """Hang everything on the head."""
        labels = tuple([child.label for child in phrase.children])
        return Arrangement.star(self.head(phrase.label, labels), len(labels))

    def head(self, label: str, children: tuple[str, ...]) -> int:
        """Return which child heads a phrase, by the labels of phrase and children."""
        raise NotImplementedError

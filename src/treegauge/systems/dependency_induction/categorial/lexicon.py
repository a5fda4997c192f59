"""Which categories a tag may have: seeds, and rounds that make categories from neighbours.

Bisk and Hockenmaier (2012) know of nouns, verbs and conjunctions and of nothing else. In every
round a word may take its neighbour as an argument or modify it, so that categories grow by one
argument a round. The restrictions are those of their released program.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from treegauge.systems.dependency_induction.categorial.categories import (
    BACKWARD,
    CONJ,
    FORWARD,
    Category,
    N,
    S,
)

Lexicon = Mapping[int, tuple[Category, ...]]
"""The categories of every tag, by its code, in the order in which they were found."""


@dataclass(frozen=True)
class Neighbours:
    """Two adjacent tags somewhere in the text."""

    left: int
    right: int
    is_initial: bool
    """Whether the left one begins a sentence."""


@dataclass(frozen=True)
class Restrictions:
    """What a category may look like."""

    max_arity: int = 3
    max_modifier_arity: int = 2
    complex_arguments: bool = False

    def allows_modifier(self, of: Category) -> bool:
        """Say whether there may be modifiers of a category: of atoms and of modifiers.

        >>> from treegauge.systems.dependency_induction.categorial.categories import N, S
        >>> [Restrictions().allows_modifier(c) for c in (N, S.taking("/", N))]
        [True, False]
        """
        return (
            of != CONJ and of.arity < self.max_modifier_arity and (of.is_atomic or of.is_modifier)
        )

    def allows_argument(self, base: Category, argument: Category) -> bool:
        """Say whether a category may take a further argument; nouns take none."""
        if CONJ in (base, argument) or base == N or base.arity >= self.max_arity:
            return False
        if base == argument and (base.is_atomic or base.is_modifier):
            return False
        if base.contains_modifier and base.arity >= self.max_modifier_arity:
            return False
        return argument.is_atomic or self._allows_complex(base, argument)

    def allows_left_argument(self, base: Category, argument: Category) -> bool:
        """Say the same of an argument to the left, which some functors to the right bar."""
        if base.slash == FORWARD and base.argument is not None:
            if base.is_modifier and base.argument == argument:
                return False
            if not base.is_modifier and base.argument.is_atomic and argument.is_atomic:
                return False
        return self.allows_argument(base, argument)

    def _allows_complex(self, base: Category, argument: Category) -> bool:
        return (
            self.complex_arguments
            and argument.result == S
            and argument.argument == N
            and base.argument is not None
            and base.argument.is_atomic
        )


def induced_once(
    lexicon: Lexicon,
    pairs: Iterable[Neighbours],
    conjunctions: frozenset[int],
    restrictions: Restrictions,
    only_modify: frozenset[int] = frozenset(),
) -> dict[int, tuple[Category, ...]]:
    """Return the lexicon after one more round; what is new in a round begets nothing in it.

    Tags of `only_modify` take no arguments.
    """
    grown: dict[int, dict[Category, None]] = {
        tag: dict.fromkeys(categories) for tag, categories in lexicon.items()
    }
    for pair in pairs:
        if pair.right in conjunctions or (pair.left in conjunctions and not pair.is_initial):
            continue
        left, right = lexicon.get(pair.left, ()), lexicon.get(pair.right, ())
        for argument in right:
            new = [
                base.taking(FORWARD, argument)
                for base in (() if pair.left in only_modify else left)
                if restrictions.allows_argument(base, argument)
            ]
            if restrictions.allows_modifier(argument):
                new.append(argument.modifier(FORWARD))
            grown.setdefault(pair.left, {}).update(dict.fromkeys(new))
        for argument in left:
            new = [
                base.taking(BACKWARD, argument)
                for base in (() if pair.right in only_modify else right)
                if restrictions.allows_left_argument(base, argument)
            ]
            if restrictions.allows_modifier(argument):
                new.append(argument.modifier(BACKWARD))
            grown.setdefault(pair.right, {}).update(dict.fromkeys(new))
    return {tag: tuple(categories) for tag, categories in sorted(grown.items()) if categories}

"""Categories: atoms, and functors that say what they take, from which side, and what they give.

`(S\\N)/N` takes a noun from the right, then one from the left, and gives a sentence. A functor
whose argument is what it gives, such as `N/N`, is a modifier: what it takes stays the head.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

Slash = Literal["/", "\\"]
FORWARD: Slash = "/"
"""The argument stands to the right of the functor."""
BACKWARD: Slash = "\\"
"""The argument stands to the left of the functor."""


@dataclass(frozen=True)
class Category:
    """An atom, or a result with the argument that leads to it.

    Attributes
    ----------
    atom : str
        The name of an atom; empty for a functor.
    is_conjunct : bool
        Whether it is the second half of a coordination, `X[conj]`.
    """

    atom: str = ""
    result: Category | None = None
    slash: Slash | None = None
    argument: Category | None = None
    is_conjunct: bool = False

    def __str__(self) -> str:
        mark = "[conj]" if self.is_conjunct else ""
        if self.result is None or self.argument is None:
            return self.atom + mark
        name = f"{_in_brackets(self.result)}{self.slash}{_in_brackets(self.argument)}"
        return f"({name}){mark}" if mark else name

    def __repr__(self) -> str:
        return str(self)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.atom, self.result, self.slash, self.argument, self.is_conjunct))

    @property
    def is_atomic(self) -> bool:
        """Whether it takes nothing."""
        return self.result is None

    @cached_property
    def arity(self) -> int:
        """How many arguments it takes, one after the other.

        >>> parse_category("(S/S)/(S/S)").arity
        2
        """
        return 0 if self.result is None else 1 + self.result.arity

    @property
    def is_modifier(self) -> bool:
        """Whether it gives what it takes."""
        return self.result is not None and self.result == self.argument

    @cached_property
    def contains_modifier(self) -> bool:
        """Whether it is a modifier, or gives one when it has its arguments."""
        return self.is_modifier or (self.result is not None and self.result.contains_modifier)

    @property
    def is_raised(self) -> bool:
        """Whether it is an argument in disguise, T/(T\\X) or T\\(T/X)."""
        inner = self.argument
        return (
            inner is not None
            and inner.result is not None
            and inner.result == self.result
            and inner.slash != self.slash
        )

    def taking(self, slash: Slash, argument: Category) -> Category:
        """Return the functor that gives this category for an argument."""
        return Category(result=self, slash=slash, argument=argument)

    def modifier(self, slash: Slash) -> Category:
        """Return the functor that takes this category and gives it back."""
        return self.taking(slash, self)

    def conjunct(self) -> Category:
        """Return the second half of a coordination of this category."""
        return replace(self, is_conjunct=True)


N = Category("N")
S = Category("S")
CONJ = Category("conj")
TOP = Category("TOP")
"""What a sentence is."""


def _in_brackets(category: Category) -> str:
    return str(category) if category.is_atomic or category.is_conjunct else f"({category})"


def parse_category(text: str) -> Category:
    """Return the category that a text writes; slashes without brackets group to the left.

    >>> parse_category("S\\\\N/N"), parse_category("(N/N)[conj]")
    ((S\\N)/N, (N/N)[conj])
    """
    category, rest = _parsed(text)
    if rest:
        raise ValueError(f"{text!r} is no category: {rest!r} is left over")
    return category


def _parsed(text: str) -> tuple[Category, str]:
    """Return the category that a text begins with, and what follows it."""
    category, text = _operand(text)
    while text[:1] in (FORWARD, BACKWARD) and text:
        slash = FORWARD if text[0] == FORWARD else BACKWARD
        argument, text = _operand(text[1:])
        category = category.taking(slash, argument)
    return category, text


def _operand(text: str) -> tuple[Category, str]:
    if text.startswith("("):
        category, text = _parsed(text[1:])
        if not text.startswith(")"):
            raise ValueError("a bracket of a category is not closed")
        text = text[1:]
    else:
        name = next((atom for atom in ("conj", "TOP", "N", "S") if text.startswith(atom)), None)
        if name is None:
            raise ValueError(f"{text!r} does not begin with a category")
        category, text = Category(name), text[len(name) :]
    if text.startswith("[conj]"):
        return category.conjunct(), text[len("[conj]") :]
    return category, text

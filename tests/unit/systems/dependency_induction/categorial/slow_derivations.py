"""Slow twins of the charts: all derivations one by one, without a normal form, and what they mean.

The meaning of a derivation is a term: words are constants, functors are applied to their
arguments. Derivations with the same term, reduced as far as it goes, mean the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from treegauge.systems.dependency_induction.categorial.categories import Category, N

Term = Any
"""("word", i), ("variable", binder), ("applied", f, a) or ("function", body), by de Bruijn."""


@dataclass(frozen=True)
class Tree:
    """A derivation: a category, the rule that made it, its daughters, and its meaning."""

    category: Category
    rule: str
    daughters: tuple[Tree, ...]
    term: Term
    tag: int = -1


def all_derivations(
    words: Sequence[int],
    lexicon: dict[int, tuple[Category, ...]],
    raisings: Sequence[Category] = (),
    begin: int = 0,
) -> list[Tree]:
    """Return every derivation of words, to any category."""
    found: list[Tree] = []
    if len(words) == 1:
        found += [
            Tree(category, "word", (), ("word", begin), words[0])
            for category in lexicon.get(words[0], ())
        ]
    for k in range(1, len(words)):
        lefts = all_derivations(words[:k], lexicon, raisings, begin)
        rights = all_derivations(words[k:], lexicon, raisings, begin + k)
        found += [tree for a in lefts for b in rights for tree in _combined(a, b)]
    raised = [
        Tree(category, "raised", (tree,), ("function", ("applied", ("variable", 0), tree.term)))
        for tree in found
        if tree.category == N
        for category in raisings
    ]
    return found + raised


def _combined(a: Tree, b: Tree) -> Iterator[Tree]:
    yield from _by_functor(a, b, a, b, "/")
    yield from _by_functor(b, a, a, b, "\\")


def _by_functor(functor: Tree, other: Tree, a: Tree, b: Tree, slash: str) -> Iterator[Tree]:
    f, y = functor.category, other.category
    if f.slash != slash:
        return
    if f.argument == y:
        yield Tree(f.result, "applied", (a, b), reduced(("applied", functor.term, other.term)))
    is_primary = f.result == f.argument or is_raised(f)
    if is_primary and y.result is not None and f.argument == y.result:
        result = f.result.taking(y.slash, y.argument)
        if is_raised(f) and result.result == result.argument:
            return
        inner = ("applied", _shifted(other.term, 1), ("variable", 0))
        term = ("function", ("applied", _shifted(functor.term, 1), inner))
        yield Tree(result, "composed", (a, b), reduced(term))


def is_raised(category: Category) -> bool:
    """Say whether a category is T/(T\\N) or T\\(T/N)."""
    inner = category.argument
    return inner is not None and inner.argument == N and inner.result == category.result


# ---------------------------------------------------------------------- terms


def _shifted(term: Term, by: int, depth: int = 0) -> Term:
    kind = term[0]
    if kind == "variable":
        return ("variable", term[1] + by) if term[1] >= depth else term
    if kind == "applied":
        return ("applied", _shifted(term[1], by, depth), _shifted(term[2], by, depth))
    if kind == "function":
        return ("function", _shifted(term[1], by, depth + 1))
    return term


def _replaced(term: Term, value: Term, depth: int = 0) -> Term:
    kind = term[0]
    if kind == "variable":
        if term[1] == depth:
            return _shifted(value, depth)
        return ("variable", term[1] - 1) if term[1] > depth else term
    if kind == "applied":
        return ("applied", _replaced(term[1], value, depth), _replaced(term[2], value, depth))
    if kind == "function":
        return ("function", _replaced(term[1], value, depth + 1))
    return term


def _occurs(term: Term, depth: int) -> bool:
    kind = term[0]
    if kind == "variable":
        return bool(term[1] == depth)
    if kind == "applied":
        return _occurs(term[1], depth) or _occurs(term[2], depth)
    return kind == "function" and _occurs(term[1], depth + 1)


def reduced(term: Term) -> Term:
    """Return the normal form of a term; functions that only pass their argument on vanish."""
    kind = term[0]
    if kind == "applied":
        f, a = reduced(term[1]), reduced(term[2])
        return reduced(_replaced(f[1], a)) if f[0] == "function" else ("applied", f, a)
    if kind == "function":
        body = reduced(term[1])
        if body[0] == "applied" and body[2] == ("variable", 0) and not _occurs(body[1], 0):
            return _shifted(body[1], -1)
        return ("function", body)
    return term

"""Items of a chart, the rules that combine them, and the events that a model counts.

Conventions
-----------
A chart item is a category with what its history forbids. Hockenmaier and Bisk (2010) keep one
derivation of those that mean the same: the output of a composition is never the primary functor
of a rule in the same direction (their constraints 1 and 2), a type-raised category is no functor
of an application (5), and a coordination is not type-raised (6). With compositions of one argument
the constraints 3 and 4 never apply. So an item is `FREE`, or `COMPOSED` towards its own slash, or
a `COORDINATED` noun, or `RAISED`; further histories would make the same items twice.

An event is a step of a derivation from its parent: (parent, kind, head daughter, sister), where
the kind says that a word is written, that there is one daughter, or on which side the head is.
Categories are numbers here; `TOP` is one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction.categorial.categories import (
    BACKWARD,
    CONJ,
    FORWARD,
    TOP,
    Category,
    N,
    S,
)
from treegauge.systems.dependency_induction.categorial.lexicon import Lexicon

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

ROOTS = (S, N)
"""What a sentence is."""
PARTIAL_ROOTS = (S.taking(FORWARD, N), S.taking(BACKWARD, N))
"""What a sentence may be besides, in the released program: a clause that lacks a noun."""
RAISED = (
    S.taking(FORWARD, S.taking(BACKWARD, N)),
    S.taking(BACKWARD, S.taking(FORWARD, N)),
)
"""What nouns are raised to, if the category inside is one of the lexicon."""


class History(IntEnum):
    """What the rule that made an item forbids."""

    FREE = 0
    COMPOSED = 1
    COORDINATED = 2
    RAISED = 3


class Combinator(IntEnum):
    """What a rule does; the values index `SYMBOLS`."""

    FORWARD_APPLICATION = 0
    BACKWARD_APPLICATION = 1
    FORWARD_COMPOSITION = 2
    BACKWARD_COMPOSITION = 3
    CONJUNCTION = 4
    COORDINATION = 5
    FORWARD_RAISING = 6
    BACKWARD_RAISING = 7


SYMBOLS = (">", "<", ">B", "<B", "&>", "&", ">T", "<T")
"""How derivations write combinators."""


class Kind(IntEnum):
    """What a step of a derivation is."""

    WORD = 0
    UNARY = 1
    LEFT = 2
    RIGHT = 3


@dataclass(frozen=True)
class Item:
    """A category in a chart."""

    category: Category
    history: History = History.FREE


@dataclass(frozen=True)
class Binary:
    """Two items that become one."""

    left: Item
    right: Item
    result: Item
    combinator: Combinator
    head_is_left: bool
    takes_argument: bool
    """Whether the head is a functor that takes the other one as its argument."""


def combined(left: Item, right: Item, *, composition: bool = True) -> Iterator[Binary]:
    """Give everything that two neighbours can become."""
    a, b = left.category, right.category
    if a == CONJ:
        if b != CONJ and not b.is_conjunct:
            yield Binary(left, right, Item(b.conjunct()), Combinator.CONJUNCTION, False, False)
        return
    if b.is_conjunct:
        if a.conjunct() == b:
            history = History.COORDINATED if a == N else History.FREE
            history = History.RAISED if a.is_raised else history
            yield Binary(left, right, Item(a, history), Combinator.COORDINATION, True, False)
        return
    if b == CONJ or a.is_conjunct:
        return
    if a.slash == FORWARD and left.history != History.COMPOSED:
        yield from _forward(left, right, composition)
    if b.slash == BACKWARD and right.history != History.COMPOSED:
        yield from _backward(left, right, composition)


def _forward(left: Item, right: Item, composition: bool) -> Iterator[Binary]:
    made = _applied(left, right.category, composition)
    if made is not None:
        result, is_composed = made
        names = Combinator.FORWARD_APPLICATION, Combinator.FORWARD_COMPOSITION
        heads, takes = _roles(left.category)
        yield Binary(left, right, result, names[is_composed], heads, takes)


def _backward(left: Item, right: Item, composition: bool) -> Iterator[Binary]:
    made = _applied(right, left.category, composition)
    if made is not None:
        result, is_composed = made
        names = Combinator.BACKWARD_APPLICATION, Combinator.BACKWARD_COMPOSITION
        heads, takes = _roles(right.category)
        yield Binary(left, right, result, names[is_composed], not heads, takes)


def _applied(item: Item, other: Category, composition: bool) -> tuple[Item, bool] | None:
    """Return what a functor makes of its neighbour, and whether that is a composition."""
    functor = item.category
    assert functor.result is not None
    if functor.argument == other:
        is_barred = item.history == History.RAISED
        return None if is_barred else (Item(functor.result), False)
    if not composition or other.slash is None or other.argument is None:
        return None
    # Only modifiers and type-raised categories compose (the released program).
    if functor.argument != other.result or not (functor.is_modifier or functor.is_raised):
        return None
    result = functor.result.taking(other.slash, other.argument)
    # What (S\N)/S and its subject make looks like the modifier S/S, and takes a clause.
    if functor.is_raised and result.is_modifier:
        return None
    history = History.COMPOSED if other.slash == functor.slash else History.FREE
    return Item(result, history), True


def _roles(functor: Category) -> tuple[bool, bool]:
    """Return whether a functor heads what it takes, and whether one takes the other."""
    # A raised noun only seems to be the functor: what it takes is what takes it.
    return not functor.is_modifier and not functor.is_raised, not functor.is_modifier


def raised(item: Item, raisings: Iterable[Category]) -> Iterator[tuple[Item, Combinator]]:
    """Give what an item is type-raised to."""
    if item.category == N and item.history != History.COORDINATED:
        for category in raisings:
            is_forward = category.slash == FORWARD
            combinator = Combinator.FORWARD_RAISING if is_forward else Combinator.BACKWARD_RAISING
            yield Item(category, History.RAISED), combinator


def raisings_of(lexicon: Lexicon) -> tuple[Category, ...]:
    """Return what nouns are raised to: only over what some word is."""
    known = {category for categories in lexicon.values() for category in categories}
    return tuple(category for category in RAISED if category.argument in known)


class ChartRules(NamedTuple):
    """What charts need of a grammar, as flat arrays that kernels take.

    Rules are grouped by their left item, type-raisings by what is raised, words by their tag;
    `…_starts` has where each group begins. Every one has an event, or -1 if it is impossible.
    """

    rule_starts: Ints
    rule_left: Ints
    rule_right: Ints
    rule_result: Ints
    rule_event: Ints
    unary_starts: Ints
    unary_below: Ints
    unary_result: Ints
    unary_event: Ints
    word_starts: Ints
    word_item: Ints
    word_event: Ints
    root_event: Ints
    """By item: the event of its being a sentence; -1 if it is none."""
    is_clause: Bools
    """By item: whether it is what a sentence with a verb may be."""
    is_verb: Bools
    """By tag."""


@dataclass(frozen=True, eq=False)
class CategorialGrammar:
    """All items that the words of a lexicon can become, and how.

    An event is a row of `events`: parent, kind, head (a tag for words), sister (-1 for none).
    """

    lexicon: Lexicon
    categories: tuple[Category, ...]
    items: tuple[Item, ...]
    rules: ChartRules
    combinators: Ints
    """By rule."""
    head_is_left: Bools
    takes_argument: Bools
    raising_combinators: Ints
    events: Ints

    @property
    def n_events(self) -> int:
        """How many steps there are."""
        return len(self.events)


def grammar_of(
    lexicon: Lexicon,
    is_verb: Sequence[bool],
    *,
    composition: bool = True,
    type_raising: bool = True,
    partial_roots: bool = False,
) -> CategorialGrammar:
    """Return everything that the words of a lexicon can become; `is_verb` is by tag."""
    roots = (*ROOTS, *PARTIAL_ROOTS) if partial_roots else ROOTS
    raisings = raisings_of(lexicon) if type_raising else ()
    entries = [(tag, category) for tag in sorted(lexicon) for category in lexicon[tag]]
    seeds = [Item(category) for _, category in entries]
    items, binaries = _closure(seeds, raisings, composition=composition)
    numbering = _Numbering()
    number = {item: i for i, item in enumerate(items)}
    binaries.sort(key=lambda rule: (number[rule.left], number[rule.right], number[rule.result]))
    lefts = [number[rule.left] for rule in binaries]
    unaries = [
        (number[item], number[result], numbering.unary(result, item), combinator)
        for item in items
        for result, combinator in raised(item, raisings)
    ]
    top = Item(TOP)
    rules = ChartRules(
        rule_starts=_starts(lefts, len(items)),
        rule_left=_ints(lefts),
        rule_right=_ints(number[rule.right] for rule in binaries),
        rule_result=_ints(number[rule.result] for rule in binaries),
        rule_event=_ints(numbering.binary(rule) for rule in binaries),
        unary_starts=_starts([row[0] for row in unaries], len(items)),
        unary_below=_ints(row[0] for row in unaries),
        unary_result=_ints(row[1] for row in unaries),
        unary_event=_ints(row[2] for row in unaries),
        word_starts=_starts([tag for tag, _ in entries], len(is_verb)),
        word_item=_ints(number[Item(category)] for _, category in entries),
        word_event=_ints(numbering.word(category, tag) for tag, category in entries),
        root_event=_ints(
            numbering.unary(top, item) if item.category in roots else -1 for item in items
        ),
        is_clause=np.array([item.category in roots and item.category != N for item in items]),
        is_verb=np.array(is_verb, np.bool_),
    )
    return CategorialGrammar(
        lexicon=lexicon,
        categories=tuple(numbering.categories),
        items=tuple(items),
        rules=rules,
        combinators=_ints(rule.combinator for rule in binaries),
        head_is_left=np.array([rule.head_is_left for rule in binaries], np.bool_),
        takes_argument=np.array([rule.takes_argument for rule in binaries], np.bool_),
        raising_combinators=_ints(row[3] for row in unaries),
        events=np.array(list(numbering.events), np.int64).reshape(-1, 4),
    )


class _Numbering:
    """Numbers for categories and events, in the order in which they are asked for."""

    def __init__(self) -> None:
        self.categories: dict[Category, int] = {TOP: 0}
        self.events: dict[tuple[int, int, int, int], int] = {}

    def category(self, category: Category) -> int:
        return self.categories.setdefault(category, len(self.categories))

    def unary(self, parent: Item, head: Item) -> int:
        return self._event(
            self.category(parent.category), Kind.UNARY, self.category(head.category), -1
        )

    def word(self, category: Category, tag: int) -> int:
        return self._event(self.category(category), Kind.WORD, tag, -1)

    def binary(self, rule: Binary) -> int:
        head, sister = (rule.left, rule.right) if rule.head_is_left else (rule.right, rule.left)
        return self._event(
            self.category(rule.result.category),
            Kind.LEFT if rule.head_is_left else Kind.RIGHT,
            self.category(head.category),
            self.category(sister.category),
        )

    def _event(self, parent: int, kind: Kind, head: int, sister: int) -> int:
        return self.events.setdefault((parent, int(kind), head, sister), len(self.events))


def _closure(
    seeds: Iterable[Item], raisings: Iterable[Category], *, composition: bool
) -> tuple[list[Item], list[Binary]]:
    """Return all items that can be made of some, and all rules between them."""
    items: dict[Item, None] = dict.fromkeys(seeds)
    rules: list[Binary] = []
    done: list[Item] = []
    waiting = list(items)
    while waiting:
        new = waiting.pop()
        done.append(new)
        found = [result for result, _ in raised(new, raisings)]
        for other in done:
            pairs = [(new, other)] if other is new else [(new, other), (other, new)]
            for left, right in pairs:
                here = list(combined(left, right, composition=composition))
                rules += here
                found += [rule.result for rule in here]
        for item in found:
            if item not in items:
                items[item] = None
                waiting.append(item)
    return list(items), rules


def _ints(values: Iterable[int]) -> Ints:
    return np.array(list(values), np.int64)


def _starts(groups: list[int], n: int) -> Ints:
    """Return where each of n groups begins, for members that are sorted by group."""
    return np.searchsorted(np.array(groups, np.int64), np.arange(n + 1)).astype(np.int64)

"""Joint draws from the prior keep their distribution under the sampler's sweeps.

Strengths, derivations, seats and with them the tags are drawn forward, by the story that the
model tells, in plain Python. Then the sampler sweeps with the tags given (Geweke 2004; Cook,
Gelman and Rubin 2006). Whatever is measured must have the same mean before and after.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.unit.systems.dependency_induction.tree_substitution.slow_derivations import (
    SlowModel,
    is_symbol,
    rules_of,
)
from treegauge.systems.dependency_induction.chart import TagCorpus
from treegauge.systems.dependency_induction.tree_substitution._fragments_numba import make_node
from treegauge.systems.dependency_induction.tree_substitution._restaurants_numba import move_table
from treegauge.systems.dependency_induction.tree_substitution.restaurants import N_GROUPS, groups
from treegauge.systems.dependency_induction.tree_substitution.sampler import (
    Sampler,
    SamplerSettings,
)

LONGEST, MAX_RULES, N_TAGS = 4, 6, 2
KINDS = [(side, kind) for side in "LR" for kind in ("first", "later", "attach")]


class TooLargeError(Exception):
    """Of a sentence or a fragment that the model has not."""


class Forward(SlowModel):
    """Draws sentences one after the other, seats included."""

    def __init__(self, random: np.random.Generator, *, fragments: bool) -> None:
        super().__init__(N_TAGS, fragments=fragments)
        self.random = random
        self.strengths = [(random.random(), random.gamma(1.0)) for _ in range(N_GROUPS)]
        self.tags: list[int] = []
        self.heads: list[int] = []
        self.marks: list[list[int]] = []

    def group(self, place: Any) -> int:
        if place[0] == "dependents":
            return N_GROUPS - 2 + "LR".index(place[1])
        level = 0 if place[0] == "fragments" else 7
        return level + (0 if place[1] == ("S",) else 1 + KINDS.index(place[1][:2]))

    def sit(self, place: Any, base: Any) -> Any:
        """Return the dish of a new customer; `base` draws it where a table opens."""
        a, b = self.strengths[self.group(place)]
        tables = self.tables.setdefault(place, [])
        mass = self.random.random() * (sum(size for _, size in tables) + b)
        for table in tables:
            mass -= table[1] - a
            if mass < 0:
                table[1] += 1
                return table[0]
        table = [None, 1]
        tables.append(table)
        table[0] = base()
        return table[0]

    def choice(self, symbol: Any) -> Any:
        def below() -> Any:
            if symbol == ("S",):
                return int(self.random.integers(N_TAGS))
            if symbol[1] != "attach":
                return ("stop", "go")[self.random.integers(2)]
            place = ("dependents", symbol[0])
            return self.sit(place, lambda: int(self.random.integers(N_TAGS)))

        return self.sit(("rules", symbol), below)

    def children(self, symbol: Any, choice: Any) -> tuple[Any, ...]:
        if symbol == ("S",):
            return (("L", "first", choice), ("R", "first", choice))
        side, kind, tag = symbol
        if kind == "attach":
            other = "R" if side == "L" else "L"
            return ((side, "first", choice), (other, "first", choice), (side, "later", tag))
        return ((side, "attach", tag),) if choice == "go" else ()

    def new_fragment(self, symbol: Any, depth: int = 0) -> Any:
        if depth > 12:
            raise TooLargeError
        choice = self.choice(symbol)
        below = []
        for child in self.children(symbol, choice):
            is_cut = not self.with_fragments
            if self.with_fragments:
                is_cut = bool(self.random.random() < self.cut(child, True))
                self.cuts[child, is_cut] += 1
            below.append(child if is_cut else self.new_fragment(child, depth + 1))
        return (symbol, choice, tuple(below))

    def fragment(self, symbol: Any) -> Any:
        if not self.with_fragments:
            return self.new_fragment(symbol)
        found = self.sit(("fragments", symbol), lambda: self.new_fragment(symbol))
        if sum(1 for _ in rules_of(found)) > MAX_RULES:
            raise TooLargeError
        return found

    # A word is [tag, words on its left, words on its right, cuts]; a dependent comes with its own.

    def sentence(self) -> None:
        _, tag, (left, right) = self.fragment(("S",))
        self.words = 0
        root = self.word(tag, {"L": left, "R": right})
        root[3][2:] = [1, 1]
        begin = len(self.tags)
        order: list[Any] = []
        self._in_order(root, order)
        place = {id(word): k for k, word in enumerate(order)}
        for word in order:
            self.tags.append(word[0])
            self.marks.append(word[3])
            self.heads.append(0)
        for word in order:
            for dependent in word[1] + word[2]:
                self.heads[begin + place[id(dependent)]] = place[id(word)] + 1

    def word(self, tag: int, sides: dict[str, Any]) -> list[Any]:
        self.words += 1
        if self.words > LONGEST:
            raise TooLargeError
        found: list[Any] = [tag, [], [], [0, 0, 0, 0]]
        for k, side in enumerate("LR"):
            found[3][k] = int(is_symbol(sides[side]))
            found[1 + k] = self.dependents(self.begun(sides[side]))
        return found

    def begun(self, child: Any) -> Any:
        return self.fragment(child) if is_symbol(child) else child

    def dependents(self, decision: Any) -> list[Any]:
        """Return the dependents of a side, the outermost first."""
        (side, _, _), choice, children = decision
        if choice == "stop":
            return []
        attachment = self.begun(children[0])
        _, tag, (outer, inner, last) = attachment
        other = "R" if side == "L" else "L"
        word = self.word(tag, {side: outer, other: inner})
        word[3][2:] = [int(is_symbol(children[0])), int(is_symbol(last))]
        return [word, *self.dependents(self.begun(last))]

    def _in_order(self, word: list[Any], order: list[Any]) -> None:
        for dependent in word[1]:
            self._in_order(dependent, order)
        order.append(word)
        for dependent in reversed(word[2]):
            self._in_order(dependent, order)


def forward(random: np.random.Generator, sentences: int, *, fragments: bool) -> tuple[Forward, Any]:
    """Draw until all sentences are short enough."""
    while True:
        model = Forward(random, fragments=fragments)
        offsets = [0]
        try:
            for _ in range(sentences):
                model.sentence()
                offsets.append(len(model.tags))
        except TooLargeError:
            continue
        return model, TagCorpus(model.tags, offsets, N_TAGS)


def sampler_at(model: Forward, corpus: TagCorpus, random: np.random.Generator) -> Sampler:
    """Return a sampler in the state of a forward draw, seats and strengths included."""
    sampler = Sampler(
        corpus,
        np.array(model.heads, np.int32),
        random,
        settings=SamplerSettings(model.with_fragments, MAX_RULES),
    )
    sampler.remove(np.arange(corpus.n_sentences))
    sampler.cuts[:] = model.marks
    layout, seats, nodes = sampler.layout, sampler.seats, sampler.fragments
    of_group = groups(layout)
    for group, (a, b) in enumerate(model.strengths):
        seats.discount[of_group == group] = a
        seats.concentration[of_group == group] = b

    def number(symbol: Any) -> int:
        if symbol == ("S",):
            return 0
        return layout.nonterminal(symbol[2], KINDS.index(symbol[:2]))

    def code(choice: Any) -> int:
        return {"stop": 0, "go": 1}.get(choice, choice)

    def node(fragment: Any) -> int:
        if is_symbol(fragment):
            return -1
        symbol, choice, children = fragment
        below = [node(child) for child in children]
        if symbol != ("S",) and symbol[1] == "attach":
            rest = layout.nonterminal(symbol[2], 6 + "LR".index(symbol[0]))
            below = [below[0], make_node(nodes, rest, choice, below[1], below[2])]
        below += [-2] * (2 - len(below))
        return make_node(nodes, number(symbol), code(choice), *below)

    for place, tables in model.tables.items():
        for dish, size in tables:
            if place[0] == "dependents":
                side = "LR".index(place[1])
                at = layout.first_dependent + side * N_TAGS + dish
                restaurant = 2 * layout.n_nonterminals + side
            elif place[0] == "rules":
                at = number(place[1]) * layout.width + code(dish)
                restaurant = layout.n_nonterminals + number(place[1])
            else:
                at = layout.first_fragment + node(dish)
                restaurant = number(place[1])
            move_table(seats, at, restaurant, 0, size)
    for (symbol, is_cut), times in model.cuts.items():
        (seats.cuts if is_cut else seats.stays)[number(symbol)] = times
    return sampler


def measured(sampler: Sampler) -> list[float]:
    """Return what must keep its mean."""
    n, seats = sampler.layout.n_nonterminals, sampler.seats
    of_group = groups(sampler.layout)
    first = [int(np.flatnonzero(of_group == g)[0]) for g in range(N_GROUPS)]
    heads = sampler.heads
    place = np.arange(heads.size) - np.repeat(sampler.offsets[:-1], np.diff(sampler.offsets))
    return [
        float(seats.customers[:n].sum()),
        float(seats.tables[:n].sum()),
        float(seats.tables[n : 2 * n].sum()),
        float(seats.tables[2 * n :].sum()),
        float(seats.cuts.sum()),
        float(((heads >= 0) & (heads < place)).sum()),
        float((place[heads == -1] == 0).sum()),
        float((seats.discount[first] ** 2).mean()),
        float(np.exp(-seats.concentration[first]).mean()),
        float(seats.discount[first[1]]),
        float(seats.tables[:n] @ seats.discount[:n]),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("fragments", [True, False])
def test_sweeps_keep_the_joint_distribution(fragments) -> None:
    random = np.random.default_rng(5)
    differences = []
    moved = 0
    for _ in range(800):
        model, corpus = forward(random, 3, fragments=fragments)
        sampler = sampler_at(model, corpus, random)
        before, heads = measured(sampler), sampler.heads.copy()
        for _ in range(3):
            sampler.sweep()
            sampler.resample_strengths()
        differences.append(np.array(measured(sampler)) - before)
        moved += (heads != sampler.heads).any()
    assert moved > 50
    means, spread = np.mean(differences, axis=0), np.std(differences, axis=0)
    scores = means / np.where(spread > 0, spread, 1) * np.sqrt(len(differences))
    assert np.abs(scores).max() < 4, scores.round(1)

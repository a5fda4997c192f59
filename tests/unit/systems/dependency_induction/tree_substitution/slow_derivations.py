"""Derivations by their definition: every tree, every set of cuts, fragments as nested tuples.

A symbol is ("S",), (side, kind, tag) with side "L" or "R" and kind "first" (no dependent yet),
"later" or "attach". A fragment is (symbol, choice, children); a child is a fragment, or a symbol
where another fragment begins.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

from tests.unit.systems.projective_trees import all_projective_trees

Fragment = tuple[Any, Any, tuple[Any, ...]]


def all_derivations(n: int) -> Iterator[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]]:
    """Give heads (from 0, -1 for the root) and cuts of every derivation of n words."""
    for heads in all_projective_trees(n):
        places = tuple(head - 1 for head in heads)
        root = places.index(-1)
        free = [(w, k) for w in range(n) for k in range(4) if w != root or k < 2]
        for bits in product((0, 1), repeat=len(free)):
            cuts = [[1] * 4 for _ in range(n)]
            for (word, k), bit in zip(free, bits, strict=True):
                cuts[word][k] = bit
            yield places, tuple(map(tuple, cuts))


def fragments_of(tags, heads, cuts) -> list[Fragment]:
    """Return the fragments of a derivation, in no particular order."""
    found: list[Fragment] = []

    def ended(fragment: Fragment, is_cut: int) -> Any:
        if not is_cut:
            return fragment
        found.append(fragment)
        return fragment[0]

    def dependents(head: int, side: str) -> list[int]:
        """Return the dependents on a side, the outermost first."""
        own = [w for w, h in enumerate(heads) if h == head]
        return [w for w in own if w < head] if side == "L" else [w for w in own if w > head][::-1]

    def decision(head: int, side: str, words: list[int], kind: str) -> Fragment:
        symbol = (side, kind, tags[head])
        if not words:
            return (symbol, "stop", ())
        word, *rest = words
        other = "R" if side == "L" else "L"
        outer = ended(first(word, side), cuts[word]["LR".index(side)])
        inner = ended(first(word, other), cuts[word]["LR".index(other)])
        last = ended(decision(head, side, rest, "later"), cuts[word][3])
        attach = ((side, "attach", tags[head]), tags[word], (outer, inner, last))
        return (symbol, "go", (ended(attach, cuts[word][2]),))

    def first(head: int, side: str) -> Fragment:
        return decision(head, side, dependents(head, side), "first")

    root = heads.index(-1)
    sides = tuple(ended(first(root, side), cuts[root][k]) for k, side in enumerate("LR"))
    found.append((("S",), tags[root], sides))
    return found


def is_symbol(child: Any) -> bool:
    return isinstance(child[0], str)


def rules_of(fragment: Fragment) -> Iterator[tuple[Any, Any]]:
    """Give the rules of a fragment."""
    yield fragment[:2]
    for child in fragment[2]:
        if not is_symbol(child):
            yield from rules_of(child)


def cuts_of(fragment: Fragment) -> Iterator[tuple[Any, bool]]:
    """Give, for each node below the root, its symbol and whether the fragment ends there."""
    for child in fragment[2]:
        if is_symbol(child):
            yield child, True
        else:
            yield child[0], False
            yield from cuts_of(child)


class SlowModel:
    """Restaurants as lists of (dish, size) tables; probabilities by the definition."""

    def __init__(self, n_tags: int, discount=0.5, concentration=1.0, *, fragments=True) -> None:
        self.n_tags, self.with_fragments = n_tags, fragments
        self.a, self.b = discount, concentration
        self.tables: dict[Any, list[list[Any]]] = {}
        self.cuts: Counter[Any] = Counter()

    def strength(self, _place: Any) -> tuple[float, float]:
        return self.a, self.b

    def predictive(self, place: Any, dish: Any, base: float) -> float:
        tables = self.tables.get(place, [])
        n = sum(size for _, size in tables)
        own = sum(size - self.a for name, size in tables if name == dish)
        return (own + (self.a * len(tables) + self.b) * base) / (n + self.b)

    def rule_base(self, symbol: Any, choice: Any) -> float:
        if symbol == ("S",):
            return 1 / self.n_tags
        if symbol[1] != "attach":
            return 0.5
        return self.predictive(("dependents", symbol[0]), choice, 1 / self.n_tags)

    def rule(self, symbol: Any, choice: Any) -> float:
        return self.predictive(("rules", symbol), choice, self.rule_base(symbol, choice))

    def cut(self, symbol: Any, is_cut: bool) -> float:
        yes, no = self.cuts[symbol, True], self.cuts[symbol, False]
        return ((yes if is_cut else no) + 1) / (yes + no + 2)

    def base(self, fragment: Fragment) -> float:
        found = math.prod(self.rule(*rule) for rule in rules_of(fragment))
        return found * math.prod(self.cut(*cut) for cut in cuts_of(fragment))

    def fragment(self, fragment: Fragment) -> float:
        if not self.with_fragments:
            return self.rule(*fragment[:2])
        return self.predictive(("fragments", fragment[0]), fragment, self.base(fragment))

    # ------------------------------------------------------------------ sums over seats

    def probability(self, fragments: list[Fragment]) -> float:
        """Return the probability of fragments one after the other, summed over all seats."""
        tasks = [("fragments", f) if self.with_fragments else ("rule", f[:2]) for f in fragments]
        return self._all_seats(tasks)

    def _all_seats(self, tasks: list[Any]) -> float:
        if not tasks:
            return 1.0
        (kind, what), *rest = tasks
        if kind == "cut":
            found = self.cut(*what)
            self.cuts[what] += 1
            found *= self._all_seats(rest)
            self.cuts[what] -= 1
            return found
        if kind == "fragments":
            place, dish = ("fragments", what[0]), what
            below = [("rule", rule) for rule in rules_of(what)]
            below += [("cut", cut) for cut in cuts_of(what)]
        elif kind == "rule":
            place, dish = ("rules", what[0]), what[1]
            below = [("base", what)]
        else:
            place, dish = ("dependents", what[0][0]), what[1]
            below = []
        if kind == "base" and (what[0] == ("S",) or what[0][1] != "attach"):
            return self.rule_base(*what) * self._all_seats(rest)
        factor = 1 / self.n_tags if kind == "base" else 1.0
        tables = self.tables.setdefault(place, [])
        n = sum(size for _, size in tables)
        total = 0.0
        for table in list(tables):
            if table[0] == dish:
                share = (table[1] - self.a) / (n + self.b)
                table[1] += 1
                total += share * self._all_seats(rest)
                table[1] -= 1
        share = (self.a * len(tables) + self.b) / (n + self.b) * factor
        tables.append([dish, 1])
        total += share * self._all_seats([*below, *rest])
        tables.pop()
        return total


def model_of(sampler: Any) -> SlowModel:
    """Return the seats of a sampler as lists of tables; strengths must be the same everywhere."""
    layout, seats, nodes = sampler.layout, sampler.seats, sampler.fragments
    model = SlowModel(
        layout.n_tags,
        float(seats.discount[0]),
        float(seats.concentration[0]),
        fragments=sampler.settings.with_fragments,
    )

    def symbol(nonterminal: int) -> Any:
        if nonterminal == 0:
            return ("S",)
        tag, kind = divmod(nonterminal - 1, 8)
        return ("LR"[kind // 3], ("first", "later", "attach")[kind % 3], tag)

    def choice(name: Any, code: int) -> Any:
        return ("stop", "go")[code] if name[1:2] in (("first",), ("later",)) else code

    def child(node: int, name: Any) -> Any:
        return name if node == -1 else fragment(node)

    def fragment(node: int) -> Fragment:
        name, code = symbol(int(nodes.nonterminal[node])), int(nodes.choice[node])
        left, right = int(nodes.left[node]), int(nodes.right[node])
        if name == ("S",):
            children = (child(left, ("L", "first", code)), child(right, ("R", "first", code)))
        elif name[1] == "attach":
            side, other = name[0], "R" if name[0] == "L" else "L"
            inner, last = int(nodes.left[right]), int(nodes.right[right])
            children = (
                child(left, (side, "first", code)),
                child(inner, (other, "first", code)),
                child(last, (side, "later", name[2])),
            )
        else:
            children = (child(left, (name[0], "attach", name[2])),) if code else ()
        return (name, choice(name, code), children)

    def tables(dish: int) -> list[int]:
        sizes, at = [], int(seats.dish_sizes[dish])
        while at >= 0:
            sizes += [int(seats.size_value[at])] * int(seats.size_tables[at])
            at = int(seats.size_next[at])
        return sizes

    for nonterminal in range(layout.n_nonterminals):
        if nonterminal and (nonterminal - 1) % 8 >= 6:
            continue
        name = symbol(nonterminal)
        model.cuts[name, True] = int(seats.cuts[nonterminal])
        model.cuts[name, False] = int(seats.stays[nonterminal])
        rows = model.tables.setdefault(("rules", name), [])
        for code in range(layout.width):
            for size in tables(nonterminal * layout.width + code):
                rows.append([choice(name, code), size])
    for side in range(2):
        rows = model.tables.setdefault(("dependents", "LR"[side]), [])
        for tag in range(layout.n_tags):
            for size in tables(layout.first_dependent + side * layout.n_tags + tag):
                rows.append([tag, size])
    for node in range(int(nodes.n_used[0])):
        for size in tables(layout.first_fragment + node):
            known = fragment(node)
            model.tables.setdefault(("fragments", known[0]), []).append([known, size])
    return model

"""Fragments as little trees, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from treegauge.systems.dependency_induction.tree_substitution.frozen import FrozenSample, Ints
from treegauge.systems.dependency_induction.tree_substitution.nonterminals import (
    ATTACH,
    GO,
    KIND_NAMES,
    KINDS,
    SIDE,
)

_GOES_ON = "…"
LEGEND = (
    "L[x], R[x]: a side of x without dependents so far, L'[x], R'[x]: with some; "
    f"{_GOES_ON}: another fragment continues here"
)

Tree = tuple[str, tuple["Tree", ...]]


def most_used(
    samples: Sequence[FrozenSample], tags: Sequence[str], top: int
) -> list[tuple[float, Tree]]:
    """Return the fragments of two rules or more that are used most, and how often on average."""
    often: Counter[Tree] = Counter()
    for sample in samples:
        for tree, customers in _trees(sample.nodes, tags):
            often[tree] += customers
    ranked = sorted(often.items(), key=lambda item: (-item[1], item[0]))
    return [(times / len(samples), tree) for tree, times in ranked[:top]]


def fragments_in_words(samples: Sequence[FrozenSample], tags: Sequence[str], top: int) -> str:
    """Return the most used fragments, drawn, after how often a sample has each."""
    lines = [f"most used fragments, with uses in a sample ({LEGEND})"]
    for times, tree in most_used(samples, tags, top):
        first, *others = drawn(tree)
        lines.append(f"  {times:9,.1f}  {first}")
        lines += [f"  {'':9}  {line}" for line in others]
    if len(lines) == 1:
        lines.append("  none has more than one rule")
    return "\n".join(lines)


def drawn(tree: Tree) -> list[str]:
    """Return a tree as lines.

    >>> stop = ("L[D] stop", ())
    >>> print("\\n".join(drawn(("L[N]", (("D <- N", (stop, ("R[D] …", ()))),)))))
    L[N]
    └─ D <- N
       ├─ L[D] stop
       └─ R[D] …
    """
    label, children = tree
    lines = [label]
    for k, child in enumerate(children):
        is_last = k == len(children) - 1
        first, *others = drawn(child)
        lines.append(f"{'└─' if is_last else '├─'} {first}")
        lines += [f"{'  ' if is_last else '│ '} {line}" for line in others]
    return lines


def _trees(nodes: Ints, tags: Sequence[str]) -> Iterator[tuple[Tree, int]]:
    """Give the fragments of two rules or more, and their customers."""
    rows = nodes.tolist()
    for number, (nonterminal, choice, left, right, customers, _) in enumerate(rows):
        is_one_rule = _is_one_rule(rows, nonterminal, choice, left, right)
        if customers > 0 and not is_one_rule:
            yield _tree(rows, number, tags), customers


def _is_one_rule(
    rows: list[list[int]], nonterminal: int, choice: int, left: int, right: int
) -> bool:
    del choice
    if nonterminal > 0 and (nonterminal - 1) % KINDS % SIDE == ATTACH:
        return left < 0 and rows[right][2] < 0 and rows[right][3] < 0
    return left < 0 and right < 0


def _symbol(nonterminal: int, tags: Sequence[str]) -> str:
    if nonterminal == 0:
        return "S"
    tag, kind = divmod(nonterminal - 1, KINDS)
    return f"{KIND_NAMES[kind]}[{tags[tag]}]"


def _tree(rows: list[list[int]], number: int, tags: Sequence[str]) -> Tree:
    nonterminal, choice, left, right, *_ = rows[number]
    if nonterminal == 0:
        first = 1 + KINDS * choice
        sides = _children(rows, tags, ((left, first), (right, first + SIDE)))
        return f"S: {tags[choice]}", sides
    tag, kind = divmod(nonterminal - 1, KINDS)
    side = kind // SIDE
    if kind % SIDE == ATTACH:
        inner, last = rows[right][2:4]
        of_word = 1 + KINDS * choice
        children = _children(
            rows,
            tags,
            (
                (left, of_word + side * SIDE),
                (inner, of_word + (1 - side) * SIDE),
                (last, 1 + KINDS * tag + side * SIDE + 1),
            ),
        )
        arrow = f"{tags[choice]} <- {tags[tag]}" if side == 0 else f"{tags[tag]} -> {tags[choice]}"
        return arrow, children
    if choice == GO:
        attachment = nonterminal - kind % SIDE + ATTACH
        return _symbol(nonterminal, tags), _children(rows, tags, ((left, attachment),))
    return f"{_symbol(nonterminal, tags)} stop", ()


def _children(
    rows: list[list[int]], tags: Sequence[str], wanted: Iterable[tuple[int, int]]
) -> tuple[Tree, ...]:
    return tuple(
        _tree(rows, child, tags) if child >= 0 else (f"{_symbol(symbol, tags)} {_GOES_ON}", ())
        for child, symbol in wanted
    )

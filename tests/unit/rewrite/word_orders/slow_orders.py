"""Slow twins of the orders, straight from their descriptions; words are numbers from 1."""

from __future__ import annotations


def children(heads: list[int], head: int) -> list[int]:
    return [d for d in range(1, len(heads) + 1) if heads[d - 1] == head]


def size(heads: list[int], word: int) -> int:
    return 1 + sum(size(heads, d) for d in children(heads, word))


def roots_in_order(heads: list[int], order) -> list[int]:
    return [word for root in children(heads, 0) for word in order(root)]


def right(heads: list[int]) -> list[int]:
    def block(word: int) -> list[int]:
        below = sorted(children(heads, word), key=lambda d: (size(heads, d), d))
        return [word] + [w for d in below for w in block(d)]

    return roots_in_order(heads, block)


def optdl(heads: list[int], *, plain: bool = False, root_first: str = "L") -> list[int]:
    def block(word: int, side: str) -> list[int]:
        current = "R" if side == "R" and not plain else "L"
        if side == "root" and not plain:
            current = root_first
        sides: dict[str, list[int]] = {"L": [], "R": []}
        for d in sorted(children(heads, word), key=lambda d: (-size(heads, d), d)):
            sides[current].append(d)
            current = "R" if current == "L" else "L"
        # On either side equal sizes read as in the sentence.
        left = sorted(sides["L"], key=lambda d: (-size(heads, d), d))
        behind = sorted(sides["R"], key=lambda d: (size(heads, d), d))
        before = [w for d in left for w in block(d, "L")]
        return [*before, word, *(w for d in behind for w in block(d, "R"))]

    return roots_in_order(heads, lambda root: block(root, "root"))


def projectivise(heads: list[int]) -> list[int]:
    def block(word: int) -> list[int]:
        parts = sorted([word, *children(heads, word)])
        return [w for part in parts for w in ([word] if part == word else block(part))]

    return roots_in_order(heads, block)


def consistent(heads: list[int], goes_left: list[bool]) -> list[int]:
    def block(word: int) -> list[int]:
        below = children(heads, word)
        before = [w for d in below if goes_left[d - 1] for w in block(d)]
        behind = [w for d in below if not goes_left[d - 1] for w in block(d)]
        return [*before, word, *behind]

    return roots_in_order(heads, block)


def length(heads: list[int], order: list[int]) -> int:
    place = {word: i for i, word in enumerate(order)}
    return sum(abs(place[d] - place[h]) for d, h in enumerate(heads, start=1) if h)

"""All projective trees of short sentences, found by looking at every vector of heads."""

from __future__ import annotations

from functools import cache
from itertools import product


@cache
def all_projective_trees(n: int) -> tuple[tuple[int, ...], ...]:
    """Return every projective tree of n words with one root (spec 0.2); for n up to 6."""
    return tuple(h for h in product(range(n + 1), repeat=n) if is_projective_tree(h))


def is_projective_tree(heads: tuple[int, ...]) -> bool:
    """Return whether heads are a tree with one root and no crossing, by the definition."""
    n = len(heads)
    if heads.count(0) != 1 or not all(0 <= head <= n for head in heads):
        return False
    above = [_ancestors(heads, word) for word in range(1, n + 1)]
    return all(0 in ancestors for ancestors in above) and all(
        head in above[between - 1]
        for word, head in enumerate(heads, start=1)
        if head
        for between in range(min(word, head) + 1, max(word, head))
    )


def _ancestors(heads: tuple[int, ...], word: int) -> list[int]:
    path: list[int] = []
    while word and heads[word - 1] not in path:
        word = heads[word - 1]
        path.append(word)
    return path

"""S1, S2 and UDP once more: plain Python, a sentence at a time, sets and sorting."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

TIE = 1e-12

Rules = Callable[[int, int], bool]


def ranks(links: np.ndarray, restart: Sequence[float], damping: float) -> np.ndarray:
    """Iterate on the dense matrix of a walk with restarts, to the same tolerance."""
    shares = np.array(restart, float) / sum(restart)
    rows = [row / row.sum() if row.any() else shares for row in np.array(links, float)]
    walk = damping * np.array(rows) + (1 - damping) * shares
    rank = shares
    while True:
        fresh = rank @ walk
        if np.abs(fresh - rank).sum() < 1e-8:
            return fresh
        rank = fresh


def descending(rank: np.ndarray) -> list[int]:
    left = list(range(len(rank)))
    order = []
    while left:
        best = max(rank[i] for i in left)
        order.append(next(i for i in left if rank[i] >= best - TIE))
        left.remove(order[-1])
    return order


def s1_links(
    forms: list[str], verbs: set[int], function_words: set[str], reach: int = 2, affix: int = 3
) -> np.ndarray:
    n = len(forms)
    links = np.zeros((n, n))
    for u in range(n):
        for v in range(n):
            if u != v:
                links[u, v] = (
                    (abs(u - v) <= reach and forms[u] != forms[v])
                    + (abs(u - v) == 1 and forms[v] in function_words)
                    + (forms[u][-affix:] != forms[v][-affix:])
                    + (forms[u][:affix] != forms[v][:affix])
                    + (v in verbs)
                )
    return links


def s1_order(forms: list[str], verbs: set[int], function_words: set[str]) -> list[int]:
    return descending(ranks(s1_links(forms, verbs, function_words), [1] * len(forms), 0.85))


def s1_tree(order: list[int], allowed: Rules | None = None) -> list[int]:
    heads = [0] * len(order)
    for i, word in enumerate(order):
        placed = order[:i]
        preferred = [h for h in placed if allowed and allowed(h, word)] or placed
        if preferred:
            heads[word] = 1 + min(preferred, key=lambda h: (abs(h - word), order.index(h)))
    return heads


def s2_tree(
    tags: list[str], allowed: Rules, *, nearest: bool, right: bool, order: list[int] | None = None
) -> list[int]:
    n = len(tags)
    root = 0
    for kinds in (["VERB"], ["NOUN", "PROPN"]):
        if set(kinds) & set(tags):
            root = min(tags.index(kind) for kind in kinds if kind in tags)
            break
    head: dict[int, int] = {}

    def is_above(ancestor: int, word: int) -> bool:
        return word == ancestor or (word in head and is_above(ancestor, head[word]))

    for word in range(n) if order is None else order:
        if word == root:
            continue
        free = [h for h in range(n) if not is_above(word, h)]
        if order is not None:
            free = [h for h in free if h == root or h in head]
        choice = [h for h in free if allowed(h, word)] or (free if nearest else [root])
        head[word] = min(choice, key=lambda h: (abs(h - word), -h if right else h))
    return [head[i] + 1 if i in head else 0 for i in range(n)]


def udp_tree(tags: list[str], allowed: Rules, side: dict[str, int]) -> list[int]:
    n = len(tags)
    content = [i for i in range(n) if tags[i] in ("ADJ", "NOUN", "PROPN", "VERB")]
    if not content:
        return [0] + [1] * (n - 1)
    restart = [1] * n
    restart[tags.index("VERB") if "VERB" in tags else content[0]] = 5
    links = np.array([[h != d and allowed(h, d) for h in range(n)] for d in range(n)], float)
    order = descending(ranks(links, restart, 0.95))
    heads = [0] * n
    placed: list[int] = []
    for word in sorted(order, key=lambda i: i not in content):
        wanted = 0 if word in content else side.get(tags[word], 0)
        fits = [h for h in placed if allowed(h, word) and (h - word) * wanted >= 0]
        if placed:
            nearest = min(fits or placed, key=lambda h: (abs(h - word), order.index(h)))
            heads[word] = nearest + 1
        if word in content:
            placed.append(word)
    return heads

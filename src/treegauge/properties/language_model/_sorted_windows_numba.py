"""Kernels that make a trie of sorted, counted windows; see `_ngram_trie_numba.py` for windows."""

# mypy: ignore-errors
from __future__ import annotations

from treegauge.kernels import kernel
from treegauge.properties.language_model._ngram_trie_numba import END, find_child


@kernel
def _compare(rows, r):
    """Return how many words a window shares with the one before it, and how many it has."""
    order = rows.shape[1]
    length = 1
    while length < order and rows[r, length - 1] != END:
        length += 1
    common = 0
    if r:
        while common < length and rows[r, common] == rows[r - 1, common]:
            common += 1
    return common, length


@kernel
def count_levels(rows, sizes):
    """Add the n-grams of every order from 2 on to sizes."""
    for r in range(len(rows)):
        common, length = _compare(rows, r)
        for k in range(max(common, 1) + 1, length + 1):
            sizes[k] += 1


@kernel
def fill_levels(rows, counts, free, seen, word, first_child, count):
    """Write the n-grams of further windows into a trie; return the types with children so far.

    `free` has the next free node of every order. No first word is in two calls.
    """
    order = rows.shape[1]
    current = free.copy()
    for r in range(len(rows)):
        common, length = _compare(rows, r)
        if common == 0:
            current[1] = 1 + rows[r, 0]
            if order > 1:
                while seen <= rows[r, 0]:
                    first_child[1 + seen] = free[2]
                    seen += 1
        for k in range(max(common, 1) + 1, length + 1):
            node = free[k]
            free[k] += 1
            current[k] = node
            word[node] = rows[r, k - 1]
            if k < order:
                first_child[node] = free[k + 1]
        for k in range(1, length + 1):
            count[current[k]] += counts[r]
    return seen


@kernel
def link_suffixes(word, first_child, level_starts, link):
    """Link every n-gram to the one without its first word, which is always there."""
    order = len(level_starts) - 2
    for k in range(1, order):
        for parent in range(level_starts[k], level_starts[k + 1]):
            suffix = link[parent] if k > 1 else 0
            for node in range(first_child[parent], first_child[parent + 1]):
                if k == 1:
                    link[node] = 1 + word[node]
                else:
                    link[node] = find_child(word, first_child, suffix, word[node])

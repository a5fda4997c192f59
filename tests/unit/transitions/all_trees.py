"""All trees and forests of short sentences, found by looking at every vector of heads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product

import numpy as np

from treegauge.treebank import Column, Treebank, TreeFlaw, tree_flaws


def bank(sentences: Iterable[Sequence[int]], *, labels: Sequence[str] = ()) -> Treebank:
    """Return a treebank of sentences that are given by their heads, and maybe their relations."""
    drawn = [list(heads) for heads in sentences]
    flat = [head for heads in drawn for head in heads]
    columns = {"form": Column.constant("w", len(flat))}
    if labels:
        columns["deprel"] = Column.from_strings(list(labels))
    return Treebank(
        columns,
        np.array(flat, np.int32),
        offsets=np.concatenate([[0], np.cumsum([len(heads) for heads in drawn])]).astype(int),
    )


@cache
def all_forests(n: int) -> tuple[tuple[int, ...], ...]:
    """Return the heads of every forest of n words, (n + 1) ** (n - 1) of them."""
    every = np.array(list(product(range(n + 1), repeat=n)), np.int32)
    columns = {"form": Column.constant("w", every.size)}
    flaws = tree_flaws(Treebank(columns, every.ravel(), offsets=np.arange(len(every) + 1) * n))
    kept = every[(flaws | TreeFlaw.SEVERAL_ROOTS) == TreeFlaw.SEVERAL_ROOTS]
    return tuple(tuple(heads) for heads in kept.tolist())


def is_projective(heads: Sequence[int]) -> bool:
    """Return whether every head dominates all words between it and its dependents."""
    return all(
        head in ancestors(heads, between)
        for word, head in enumerate(heads, start=1)
        if head
        for between in range(min(word, head) + 1, max(word, head))
    )


def is_tree(heads: Sequence[int]) -> bool:
    """Return whether every word hangs on the root, directly or not."""
    return all(0 in ancestors(heads, word) for word in range(1, len(heads) + 1))


def ancestors(heads: Sequence[int], word: int) -> list[int]:
    """Return the words above a word, up to the root or around a circle."""
    path: list[int] = []
    while word > 0 and heads[word - 1] not in path:
        word = heads[word - 1]
        path.append(word)
    return path

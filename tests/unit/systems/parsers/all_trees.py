"""All trees of short sentences, and what follows from looking at every one of them."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

Tree = tuple[int, ...]


@cache
def all_trees(n: int, *, projective: bool, single_root: bool) -> tuple[Tree, ...]:
    """Return every tree of n words, by looking at every vector of heads; for n up to 5."""
    return tuple(
        heads
        for heads in product(range(n + 1), repeat=n)
        if is_tree(heads)
        and (not single_root or heads.count(0) == 1)
        and (not projective or is_projective(heads))
    )


def is_tree(heads: Tree) -> bool:
    """Return whether every word reaches the root."""
    for word in range(1, len(heads) + 1):
        seen = set()
        while word:
            if word in seen:
                return False
            seen.add(word)
            word = heads[word - 1]
    return True


def is_projective(heads: Tree) -> bool:
    """Return whether no two arcs cross, those of the root (at 0) included."""
    arcs = [tuple(sorted(arc)) for arc in enumerate(heads, start=1)]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


def score(scores: NDArray[np.float64], heads: Tree) -> float:
    """Return the sum of the arcs' scores."""
    return float(sum(scores[head, word] for word, head in enumerate(heads, start=1)))


def _all_scores(scores: NDArray[np.float64], trees: tuple[Tree, ...]) -> NDArray[np.float64]:
    total: NDArray[np.float64] = scores[np.array(trees), np.arange(1, len(scores))].sum(axis=1)
    return total


def best_score(scores: NDArray[np.float64], *, projective: bool, single_root: bool) -> float:
    """Return the score of the best tree, -inf when there is none."""
    trees = all_trees(len(scores) - 1, projective=projective, single_root=single_root)
    return float(_all_scores(scores, trees).max())


def marginals(
    scores: NDArray[np.float64], *, projective: bool, single_root: bool
) -> tuple[float, NDArray[np.float64]]:
    """Return log Z and arc posteriors, by summing over all trees."""
    trees = all_trees(len(scores) - 1, projective=projective, single_root=single_root)
    log_weights = _all_scores(scores, trees)
    top = log_weights.max()
    weights = np.exp(log_weights - top)
    posterior = np.zeros_like(scores)
    for word, heads in enumerate(np.array(trees).T, start=1):
        np.add.at(posterior[:, word], heads, weights / weights.sum())
    return float(top + np.log(weights.sum())), posterior

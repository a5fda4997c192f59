"""One tree from the arcs of several systems: the tree that has most of their votes.

A system votes for the arcs of its tree, or gives every arc its posterior: then the sum of a tree's
arcs is the number of heads that the systems expect to be right in it (minimum risk).

References
----------
Sagae and Lavie (2006), Parser combination by reparsing. NAACL (votes, maximum spanning tree).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction.chart import TagCorpus, decode_arcs
from treegauge.systems.parsers.spanning_trees import best_spanning_tree

Floats = NDArray[np.float64]

_SHARPNESS = 8.0
"""How much a system that agrees less with the others counts for less."""


def votes_for_arcs(heads: NDArray[np.int32], offsets: NDArray[np.int64]) -> Floats:
    """Return 1 for the arcs of trees and 0 for others, packed as `TagCorpus` packs arcs.

    >>> votes_for_arcs(np.array([2, 0], np.int32), np.array([0, 2])).reshape(3, 2).tolist()
    [[0.0, 1.0], [0.0, 0.0], [1.0, 0.0]]
    """
    lengths = np.diff(offsets)
    cells = lengths * (lengths + 1)
    begin = np.repeat(np.cumsum(cells) - cells, lengths)
    n = np.repeat(lengths, lengths)
    place = np.arange(heads.size) - np.repeat(offsets[:-1], lengths)
    arcs = np.zeros(int(cells.sum()))
    arcs[begin + heads * n + place] = 1.0
    return arcs


def trees_of_most_votes(
    arcs: Floats, offsets: NDArray[np.int64], *, projective: bool, single_root: bool = True
) -> NDArray[np.int32]:
    """Return the trees whose arcs have most votes together.

    Parameters
    ----------
    arcs : float array
        Votes for every arc, packed as `TagCorpus` packs arcs.
    offsets : int64 array
        Where sentences begin, and the end.
    projective : bool
        Whether arcs may not cross; such a tree always has one root.
    single_root : bool
        Whether a tree with crossing arcs has exactly one root word.

    Examples
    --------
    >>> offsets = np.array([0, 3])
    >>> arcs = sum(votes_for_arcs(np.array(heads, np.int32), offsets)
    ...            for heads in ([2, 0, 2], [2, 0, 1], [0, 1, 2]))
    >>> trees_of_most_votes(arcs, offsets, projective=True).tolist()
    [2, 0, 2]
    """
    if projective:
        words = np.zeros(int(offsets[-1]), np.int32)
        return decode_arcs(arcs, TagCorpus(words, offsets, 1, deduplicate=False)).heads
    heads = np.zeros(int(offsets[-1]), np.int32)
    cell = 0
    for begin, end in pairwise(offsets.tolist()):
        n = end - begin
        scores = np.zeros((n + 1, n + 1))
        scores[:, 1:] = arcs[cell : cell + n * (n + 1)].reshape(n + 1, n)
        heads[begin:end] = best_spanning_tree(scores, single_root)
        cell += n * (n + 1)
    return heads


def agreement_weights(trees: NDArray[np.int32]) -> Floats:
    """Return weights of systems: exp(8 (a - largest a)), a their mean agreement with the others.

    Agreement of two systems is the share of words that they give the same head.

    >>> heads = np.array([[2, 0, 2, 3], [2, 0, 2, 3], [0, 1, 2, 3]], np.int32)
    >>> agreement_weights(heads).round(3).tolist()
    [1.0, 1.0, 0.135]
    """
    n = len(trees)
    if n < 2 or not trees.shape[1]:
        return np.ones(n)
    same = np.array([[(one == other).mean() for other in trees] for one in trees])
    agreement = (same.sum(axis=1) - 1) / (n - 1)
    weights: Floats = np.exp(_SHARPNESS * (agreement - agreement.max()))
    return weights

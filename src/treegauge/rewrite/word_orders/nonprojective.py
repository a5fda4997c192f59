"""Word orders with more crossing arcs.

Subtrees are taken out of the subtree they belong to and put somewhere near by, in one sentence
after the other at random, until a share of all arcs is not projective. The trees stay, and, if
wanted, the length of their dependencies as well, so that nothing else is varied.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.properties.projectivity import nonprojective_words
from treegauge.rewrite.errors import RewriteError
from treegauge.rewrite.word_orders import _nonprojective_numba as kernels
from treegauge.treebank import Treebank

_PATIENCE = 25
"""Rounds without a single move after which there is no hope."""


def nonprojective_order(
    treebank: Treebank,
    in_tree: NDArray[np.int64],
    share: float,
    *,
    random: np.random.Generator,
    length_tolerance: float | None = None,
) -> NDArray[np.int64]:
    """Return the words in an order in which at least a share of the arcs is not projective.

    Sentences keep the order they have but for the subtrees that move. A treebank that has the share
    already stays as it is.

    Parameters
    ----------
    in_tree : int array, [sentences]
        Words of every sentence that belong to its tree; the rest stays at the end.
    share : float
        Of all arcs, in 0..1.
    length_tolerance : float, optional
        How far the dependency length of a sentence may move, as a share of it.

    Raises
    ------
    RewriteError
        If no such order was found.
    """
    head, offsets = treebank.head, treebank.offsets
    words = np.arange(treebank.n_words)
    place = np.arange(treebank.n_words) - np.repeat(offsets[:-1], treebank.lengths)
    belongs = place < np.repeat(in_tree, treebank.lengths)
    arcs = int((belongs & (head > 0)).sum())
    wanted = int(np.ceil(round(share * arcs, 9)))
    reached = int((belongs & (nonprojective_words(treebank) == 1)).sum())
    distance = np.where(belongs & (head > 0), np.abs(head - place - 1), 0)
    sums = np.concatenate([[0], np.cumsum(distance)])
    first_length = np.diff(sums[offsets])
    patience = _PATIENCE
    while reached < wanted and patience:
        turns = random.permutation(treebank.n_sentences)
        gained = kernels.make_crossing(
            head,
            offsets,
            in_tree,
            words,
            turns,
            random.random((len(turns), 2 * kernels.TRIES)),
            wanted - reached,
            -1.0 if length_tolerance is None else length_tolerance,
            first_length,
        )
        reached += gained
        patience = _PATIENCE if gained else patience - 1
    if reached < wanted:
        raise RewriteError(
            f"no order found with {share:.1%} of the arcs not projective; the best has "
            f"{reached / arcs:.1%}\n  ask for less"
            + ("" if length_tolerance is None else ", or allow lengths to change more")
        )
    return words

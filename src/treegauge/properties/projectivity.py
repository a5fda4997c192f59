"""Projectivity: whether subtrees stand together.

An arc from a head to a dependent is projective if the head dominates every word between
the two; a tree is projective if all its arcs are. The arc to the artificial root counts as
none: nothing could make it non-projective.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.properties._projectivity_numba import nonprojective_arcs as _count_arcs
from treegauge.treebank import NOT_ANNOTATED, Treebank, TreeFlaw, tree_flaws


def nonprojective_arcs(treebank: Treebank) -> NDArray[np.int64]:
    """Return the number of non-projective arcs of every sentence; -1 where there is no tree.

    Several roots are allowed; a cycle, a missing head or one outside the sentence is not.

    Examples
    --------
    >>> import treegauge as tg
    >>> heads = [3, 4, 0, 3]  # the arc from 4 to 2 spans word 3, which 4 does not dominate
    >>> lines = [f"{i}\\tw\\t_\\t_\\t_\\t_\\t{h}\\t_\\t_\\t_" for i, h in enumerate(heads, 1)]
    >>> nonprojective_arcs(tg.parse("\\n".join(lines) + "\\n\\n")).tolist()
    [1]
    """
    is_tree = (tree_flaws(treebank) & ~np.uint8(TreeFlaw.SEVERAL_ROOTS)) == 0
    is_tree[treebank.sentence_of_word[treebank.head == NOT_ANNOTATED]] = False
    counts: NDArray[np.int64] = _count_arcs(treebank.head, treebank.offsets, is_tree)
    return counts

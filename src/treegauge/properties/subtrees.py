"""Subtrees: how many words hang below a word, itself included.

The kernels `find_subtrees`, `sort_children_by_key`, `sort_children_by_size` and `subtree_room` are
here for kernels of other rooms.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.properties import _subtrees_numba as kernels
from treegauge.treebank import Treebank, require_trees

find_subtrees = kernels.find_subtrees
sort_children_by_key = kernels.sort_children_by_key
sort_children_by_size = kernels.sort_children_by_size
subtree_room = kernels.subtree_room


def subtree_sizes(treebank: Treebank) -> NDArray[np.int64]:
    """Return the number of words of every word's subtree.

    Raises
    ------
    TreebankError
        If a sentence is no tree; several roots are allowed.

    Examples
    --------
    >>> import treegauge as tg
    >>> words = tg.Column.from_strings(["John", "threw", "out", "the", "trash"])
    >>> subtree_sizes(tg.Treebank({"form": words}, [2, 0, 2, 5, 2], offsets=[0, 5])).tolist()
    [1, 5, 1, 1, 2]
    """
    require_trees(treebank, purpose="a subtree's size", single_root=False)
    sizes: NDArray[np.int64] = kernels.subtree_sizes(treebank.head, treebank.offsets)
    return sizes

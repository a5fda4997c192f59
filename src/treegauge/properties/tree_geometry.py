"""Shapes of trees: gap degree, edge degree, branching factor, height.

Conventions
-----------
The blocks of a subtree are the stretches of neighbouring words that it consists of; its gap degree
is one less, and a tree's the largest of its subtrees'. The edge degree of an arc is the number of
trees that lie between its ends and do not belong to its head; a tree's is the largest of its arcs'.
Both are 0 exactly for projective trees. The branching factor is the mean number of children over
words that have any; over all words it would be (n - 1) / n for every tree.

References
----------
Kuhlmann and Nivre (2006), Mildly non-projective dependency structures. COLING/ACL.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.properties._tree_geometry_numba import geometry
from treegauge.treebank import Treebank, require_trees


@dataclass(frozen=True)
class TreeGeometry:
    """The shape of every tree.

    Attributes
    ----------
    gap_degree, edge_degree : int arrays, [sentences]
        How far from projective; 0 if it is.
    heads : int array, [sentences]
        Words that have children.
    most_children : int array, [sentences]
        Of any word.
    height : int array, [sentences]
        Words from a root to the lowest word, both counted.
    branching_factor : float array, [sentences]
        Mean number of children of a head; NaN for a sentence without arcs.
    """

    gap_degree: NDArray[np.int32]
    edge_degree: NDArray[np.int32]
    heads: NDArray[np.int32]
    most_children: NDArray[np.int32]
    height: NDArray[np.int32]
    branching_factor: NDArray[np.float64]


def tree_geometry(treebank: Treebank) -> TreeGeometry:
    """Return the shape of every tree; several roots are allowed.

    Raises
    ------
    TreebankError
        If a sentence is no tree.

    Examples
    --------
    >>> import treegauge as tg
    >>> words = tg.Column.from_strings(["a", "hearing", "is", "scheduled", "on", "it", "today"])
    >>> hearing = tg.Treebank({"form": words}, [2, 3, 0, 3, 2, 5, 4], offsets=[0, 7])
    >>> shape = tree_geometry(hearing)  # `on it` is apart from `a hearing`
    >>> shape.gap_degree.tolist(), shape.edge_degree.tolist(), shape.branching_factor.tolist()
    ([1], [1], [1.5])
    """
    require_trees(treebank, purpose="the shape of trees", single_root=False)
    gaps, edges, heads, children, height = geometry(treebank.head, treebank.offsets)
    sums = np.concatenate([[0], np.cumsum(treebank.head > 0)])
    arcs = np.diff(sums[treebank.offsets])
    factor = np.full(treebank.n_sentences, np.nan)
    np.divide(arcs, heads, out=factor, where=heads > 0)
    return TreeGeometry(gaps, edges, heads, children, height, factor)

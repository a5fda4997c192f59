"""How short the dependencies of a tree can be, and how long those of a branching order are.

Conventions
-----------
Lengths are distances, |i - j|; `in_unit` gives them as spans. Every function needs one complete
tree per sentence and works from the sizes of subtrees, without an order; `rewrite.word_orders`
makes the orders.

References
----------
Gildea and Temperley (2010), Do grammars minimize dependency length? Cognitive Science 34.
Alemany-Puig, Esteban and Ferrer-i-Cancho (2022), Minimum projective linearizations of trees in
linear time. Information Processing Letters 174. arXiv:2102.03277. (The planar optimum is the
projective one of the tree hung up at a centroid.)
Gulordava and Merlo (2016), section 3. doi:10.1162/tacl_a_00103
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.properties import _optimal_lengths_numba as kernels
from treegauge.properties.dependency_length import LengthUnit
from treegauge.treebank import Treebank, require_trees

Alternation = Literal["exact", "plain"]
Constraint = Literal["projective", "planar", "unconstrained"]


def optimal_lengths(
    treebank: Treebank,
    *,
    constraint: Literal["projective", "planar"] = "projective",
    alternation: Alternation = "exact",
) -> NDArray[np.int64]:
    """Return the smallest dependency length that each tree can have.

    Children alternate between the sides of their head, the largest outermost. In distance,

        sum over heads v of  k_v + sum over i of  s_i * w_i,

    where s_0 >= s_1 >= ... are the sizes of the k_v children's subtrees, and w_i is i // 2 for the
    root and (i + 1) // 2 for every other head: of two sides, the one that faces the head's own head
    costs one arc more.

    Parameters
    ----------
    constraint : {'projective', 'planar'}
        Whether the root may be covered by an arc (planar).
    alternation : {'exact', 'plain'}
        `plain` begins on the left under every head, wherever the head's own head stands. It is
        what the paper's words say, and not optimal. Projective orders only.

    Raises
    ------
    TreebankError
        If a sentence is not one complete tree.

    Examples
    --------
    >>> import treegauge as tg
    >>> words = tg.Column.from_strings("abcde")
    >>> tree = tg.Treebank({"form": words}, [2, 3, 0, 3, 4], offsets=[0, 5])
    >>> optimal_lengths(tree).tolist(), optimal_lengths(tree, alternation="plain").tolist()
    ([4], [5])
    """
    require_trees(treebank, purpose="the optimal dependency length")
    head = treebank.head
    if constraint == "planar":
        head = kernels.root_at_centroids(head, treebank.offsets)
    which = kernels.EXACT if alternation == "exact" else kernels.PLAIN
    lengths: NDArray[np.int64] = kernels.lengths_of_order(head, treebank.offsets, which)
    return lengths


def branching_lengths(treebank: Treebank) -> NDArray[np.int64]:
    """Return the dependency length of each tree with all children on one side of their heads.

    The same for the left-branching and the right-branching order, shortest child first.

    Examples
    --------
    >>> import treegauge as tg
    >>> words = tg.Column.from_strings("abc")
    >>> branching_lengths(tg.Treebank({"form": words}, [2, 0, 2], offsets=[0, 3])).tolist()
    [3]
    """
    require_trees(treebank, purpose="the length of a branching order")
    lengths: NDArray[np.int64] = kernels.lengths_of_order(
        treebank.head, treebank.offsets, kernels.BRANCHING
    )
    return lengths


def in_unit(lengths: NDArray[np.int64], treebank: Treebank, unit: LengthUnit) -> NDArray[np.int64]:
    """Return lengths of trees, given as distances, in a unit: a span has one word more an arc."""
    if unit == "distance":
        return lengths
    return lengths + np.maximum(treebank.lengths - 1, 0)

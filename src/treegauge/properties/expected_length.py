"""How long dependencies would be if words stood in a random order: closed forms, no sampling.

Conventions
-----------
Lengths are distances. All orders of a kind are equally likely: all (`unconstrained`), those in
which no arcs cross (`planar`), those in which every subtree stands together (`projective`).

References
----------
Ferrer-i-Cancho (2004), Euclidean distance between syntactically linked words. Physical Review E 70.
Alemany-Puig and Ferrer-i-Cancho (2022), Linear-time calculation of the expected sum of edge
lengths in random projective linearizations of trees. Computational Linguistics 48.
Alemany-Puig and Ferrer-i-Cancho (2022), The expected sum of edge lengths in planar linearizations
of trees. arXiv:2207.05564
Ferrer-i-Cancho, Gómez-Rodríguez, Esteban and Alemany-Puig (2022), Optimality of syntactic
dependency distances. Physical Review E 105. (The score Omega.)
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.properties._expected_lengths_numba import sums_over_branches
from treegauge.properties.dependency_length import dependency_lengths
from treegauge.properties.optimal_orders import Constraint, optimal_lengths
from treegauge.treebank import Treebank, require_trees


def expected_lengths(
    treebank: Treebank, *, constraint: Constraint = "projective"
) -> NDArray[np.float64]:
    """Return the mean dependency length of every tree over all orders of a kind.

    With n words, sizes s(v), numbers of children k(v), degrees deg(v) and branches b(v, u), the
    words on u's side of the arc between v and u:

        unconstrained   (n² - 1) / 3
        projective      (sum over v of s(v) (2 k(v) + 1)  -  1) / 6
        planar          ((n - 1)(3 n² + 2 n - 2) - sum over v of (2 deg(v) - 1)
                        sum over u of b(v, u)²) / (6 n)

    Raises
    ------
    TreebankError
        If a sentence is not one complete tree.

    Examples
    --------
    >>> import treegauge as tg
    >>> words = tg.Column.from_strings("abc")
    >>> star = tg.Treebank({"form": words}, [2, 0, 2], offsets=[0, 3])
    >>> expected_lengths(star).tolist()  # head in the middle: 2, at an end (two of three): 3
    [2.6666666666666665]
    """
    require_trees(treebank, purpose="the expected dependency length")
    n = treebank.lengths
    if constraint == "unconstrained":
        return np.where(n > 0, n * n - 1, 0) / 3
    of_children, of_branches = sums_over_branches(treebank.head, treebank.offsets)
    if constraint == "projective":
        projective: NDArray[np.float64] = np.where(n > 0, of_children - 1, 0) / 6
        return projective
    planar: NDArray[np.float64] = ((n - 1) * (3 * n * n + 2 * n - 2) - of_branches) / np.maximum(
        6 * n, 1
    )
    return np.where(n > 0, planar, 0.0)


def omega_scores(
    treebank: Treebank, *, constraint: Literal["projective", "planar"] = "projective"
) -> NDArray[np.float64]:
    """Return how near every sentence is to its optimum: (E[D] - D) / (E[D] - D_min).

    1 is optimal, 0 no better than a random order, below 0 is worse; NaN where a random order is
    optimal, as for two words. Optimum and expectation are taken over orders of one kind; an order
    that is not of that kind can have a score above 1.
    """
    expected = expected_lengths(treebank, constraint=constraint)
    room = expected - optimal_lengths(treebank, constraint=constraint)
    defined = room > 0  # exact: an expectation that is a whole number is one without rounding
    scores = np.full(treebank.n_sentences, np.nan)
    scores[defined] = (expected - dependency_lengths(treebank))[defined] / room[defined]
    return scores

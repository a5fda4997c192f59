"""Projectivity: whether subtrees stand together.

An arc from a head to a dependent is projective if the head dominates every word between
the two; a tree is projective if all its arcs are. The arc to the artificial root counts as
none: nothing could make it non-projective.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.properties import _projectivity_numba as kernels
from treegauge.treebank import Treebank


def nonprojective_words(treebank: Treebank) -> NDArray[np.int8]:
    """Return for every word 1 if its arc is not projective and 0 if it is; -1: no tree.

    Several roots are allowed; a cycle, a missing head or one outside the sentence is not, and
    leaves no word of the sentence with an answer.

    Examples
    --------
    >>> import treegauge as tg
    >>> heads = [3, 4, 0, 3]  # the arc from 4 to 2 spans word 3, which 4 does not dominate
    >>> lines = [f"{i}\\tw\\t_\\t_\\t_\\t_\\t{h}\\t_\\t_\\t_" for i, h in enumerate(heads, 1)]
    >>> nonprojective_words(tg.parse("\\n".join(lines) + "\\n\\n")).tolist()
    [0, 1, 0, 0]
    """
    words = np.full(treebank.n_words, -1, np.int8)
    kernels.mark_nonprojective_words(treebank.head, treebank.offsets, words)
    return words


def nonprojective_arcs(treebank: Treebank) -> NDArray[np.int64]:
    """Return the number of non-projective arcs of every sentence; -1 where there is no tree.

    See Also
    --------
    nonprojective_words : Says which arcs, and what a tree is.
    """
    words = nonprojective_words(treebank)
    sentence, n = treebank.sentence_of_word, treebank.n_sentences
    counts = np.bincount(sentence[words == 1], minlength=n).astype(np.int64)
    counts[sentence[words == -1]] = -1
    return counts

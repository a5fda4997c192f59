"""Edge flips: the same structure under another head.

An arc from h to d is turned around, and what h hung on gets d instead: the structure of the
two words stays where it was in the sentence, and only its inside changes. This is what neutral
edge direction (NED) forgives.

References
----------
Schwartz, Abend, Reichart and Rappoport (2011), Neutralizing linguistically problematic
annotations in unsupervised dependency parsing evaluation. ACL. (Section 3.)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from treegauge.rewrite._edge_flips_numba import flip_marked
from treegauge.rewrite.errors import RewriteError
from treegauge.treebank import Column, Treebank, require_trees


def flip_edges(treebank: Treebank, dependents: ArrayLike) -> Treebank:
    """Return the treebank with the arcs to some words turned around.

    For an arc from h to d: d gets the head and the relation of h, and h hangs on d with the
    relation that d had. Flipping the arc to h afterwards gives back the tree. A chain is
    turned around as a whole; of several dependents of one word, the last becomes its head and
    hangs on the one before. A flip can make arcs cross; `projectivise` mends that. Enhanced
    dependencies (DEPS), which would no longer fit, are left out.

    Parameters
    ----------
    treebank : Treebank
        Complete trees, one or several roots per sentence.
    dependents : bool array, [words]
        The words d; roots, on which there is no arc, cannot be among them.

    Raises
    ------
    RewriteError
        If a root is marked, or the mask does not fit.
    TreebankError
        If a sentence is no tree.

    Examples
    --------
    >>> import treegauge as tg
    >>> from treegauge.treebank import Column
    >>> words = Column.from_strings(["I", "want", "to", "eat"])
    >>> gold = tg.Treebank({"form": words}, [2, 0, 4, 2], offsets=[0, 4])
    >>> flip_edges(gold, [False, False, True, False]).head.tolist()  # to now heads eat
    [2, 0, 2, 3]
    """
    marked = np.asarray(dependents, np.bool_)
    if marked.shape != (treebank.n_words,):
        raise RewriteError(
            f"a mask over words needs {treebank.n_words:,} values; found {marked.size:,}"
        )
    require_trees(treebank, purpose="flipping edges", single_root=False)
    if (treebank.head[marked] == 0).any():
        raise RewriteError("a root has no head: there is no arc to flip")
    head, relation = treebank.head.copy(), treebank.deprel.codes.copy()
    flip_marked(head, relation, treebank.offsets, marked)
    columns = {"deprel": Column(relation, treebank.deprel.vocabulary)}
    if marked.any() and treebank.columns["deps"].is_annotated:
        columns["deps"] = Column.constant("_", treebank.n_words)
    return treebank.replace(columns=columns, head=head)

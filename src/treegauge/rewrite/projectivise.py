"""Projective trees from trees with crossing arcs: lift arcs until none crosses.

References
----------
Nivre and Nilsson (2005), Pseudo-projective dependency parsing. ACL. Their lifts, shortest arc
first, without the labels that would lead back.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.properties.projectivity import nonprojective_arcs, nonprojective_words
from treegauge.rewrite.errors import RewriteError
from treegauge.treebank import Column, Treebank, require_trees

_LOOKS_A_MINUTE = 150_000_000
"""Words that are looked at in a minute, about."""
_MOST_LIFTS = 2 * _LOOKS_A_MINUTE
"""Crossing arcs times words that are worth waiting for."""


def projectivise(treebank: Treebank) -> Treebank:
    """Return the treebank with projective trees; trees that are projective stay as they are.

    As long as a sentence has an arc that is not projective, the shortest of them (the leftmost
    of several) is lifted: its dependent moves up to the head of its head. Relations stay.
    Enhanced dependencies (DEPS), which would no longer fit, are left out if a head changes.

    Parameters
    ----------
    treebank : Treebank
        Complete trees. In a sentence with several roots, an arc above another root has to be
        lifted out of the tree, and makes one root more.

    Raises
    ------
    TreebankError
        If a sentence is no tree.

    Examples
    --------
    >>> import treegauge as tg
    >>> from treegauge.treebank import Column
    >>> words = Column.from_strings(["a", "hearing", "is", "scheduled", "on", "it"])
    >>> crossing = tg.Treebank({"form": words}, [2, 3, 0, 3, 2, 5], offsets=[0, 6])
    >>> projectivise(crossing).head.tolist()  # on, below hearing, now hangs on is
    [2, 3, 0, 3, 3, 5]
    """
    require_trees(treebank, purpose="projectivising", single_root=False)
    _require_time(treebank)
    first = np.repeat(treebank.offsets[:-1], treebank.lengths)
    head = treebank.head.copy()
    left, words = treebank, np.arange(treebank.n_words)
    while len(chosen := _shortest_crossing(left)):
        lifted = words[chosen]
        head[lifted] = head[first[lifted] + head[lifted] - 1]
        # Only sentences that had a crossing arc can have another one.
        unfinished = np.unique(treebank.sentence_of_word[lifted])
        words = np.flatnonzero(np.isin(treebank.sentence_of_word, unfinished))
        left = treebank.take(unfinished).replace(head=head[words])
    if np.array_equal(head, treebank.head):
        return treebank
    columns = {}
    if treebank.columns["deps"].is_annotated:
        columns["deps"] = Column.constant("_", treebank.n_words)
    return treebank.replace(columns=columns, head=head)


def _require_time(treebank: Treebank) -> None:
    """Refuse a sentence whose arcs could not be lifted in minutes: every lift looks at all words.

    The limit is the same on every machine, so that results are.
    """
    crossing = nonprojective_arcs(treebank)
    words = np.flatnonzero(crossing * treebank.lengths > _MOST_LIFTS)
    if len(words):
        where = int(words[0])
        n, arcs = int(treebank.lengths[where]), int(crossing[where])
        raise RewriteError(
            f"sentence {where + 1} has {n:,} words and {arcs:,} crossing arcs; to lift them would "
            f"take more than {n * arcs / _LOOKS_A_MINUTE:,.0f} minutes\n"
            "  leave it out, or split it"
        )


def _shortest_crossing(treebank: Treebank) -> NDArray[np.intp]:
    """Return, of each sentence that has any, the dependent of the shortest crossing arc."""
    words = np.flatnonzero(nonprojective_words(treebank) == 1)
    sentence = treebank.sentence_of_word[words]
    position = words - treebank.offsets[sentence] + 1
    length = np.abs(position - treebank.head[words])
    order = np.lexsort((position, length, sentence))
    _, begins = np.unique(sentence[order], return_index=True)
    chosen: NDArray[np.intp] = words[order[begins]]
    return chosen

"""The branching baselines: every word hangs on a neighbour.

The PASCAL challenge's numbers say which is which: right-branching scores 58.8 on Arabic, where
heads come first, and left-branching 5.2 (Gelling et al. 2012, table 3). Other papers use the
names the other way round, or say LHEAD and RHEAD; never compare by name only.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.system import DependencyInducer, OnProgress
from treegauge.treebank import Treebank


class _Branching(DependencyInducer):
    learns = False
    seconds_per_word = 1e-7


class LeftBranching(_Branching):
    """Every word depends on the next one; the last word is the root.

    >>> import treegauge as tg
    >>> birds = tg.parse("small/ADJ birds/NOUN sing/VERB ./PUNCT\\n", format="slashed")
    >>> LeftBranching().annotate(birds).head.tolist()
    [2, 3, 0, 3]
    """

    name = "left-branching"

    def _heads(self, words: Treebank, _on_progress: OnProgress) -> NDArray[np.int32]:
        heads = _positions(words) + 1
        heads[words.offsets[1:][words.lengths > 0] - 1] = 0
        return heads


class RightBranching(_Branching):
    """Every word depends on the one before it; the first word is the root.

    >>> import treegauge as tg
    >>> birds = tg.parse("small/ADJ birds/NOUN sing/VERB ./PUNCT\\n", format="slashed")
    >>> RightBranching().annotate(birds).head.tolist()
    [0, 1, 2, 1]
    """

    name = "right-branching"

    def _heads(self, words: Treebank, _on_progress: OnProgress) -> NDArray[np.int32]:
        return _positions(words) - 1


def _positions(words: Treebank) -> NDArray[np.int32]:
    """Return where every word stands in its sentence, from 1, removed words not counted."""
    first = np.repeat(words.offsets[:-1], words.lengths)
    return np.asarray(np.arange(words.n_words) - first + 1, np.int32)

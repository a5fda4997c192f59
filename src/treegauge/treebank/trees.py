"""Is it a tree? What every sentence's heads amount to."""

from __future__ import annotations

import enum
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from treegauge.kernels import threads
from treegauge.treebank import _trees_numba as kernels
from treegauge.treebank.errors import TreebankError
from treegauge.treebank.treebank import NOT_ANNOTATED, Treebank


class TreeFlaw(enum.IntFlag):
    """What can be wrong with the heads of a sentence."""

    OUTSIDE = kernels.OUTSIDE
    """A head that is no position in the sentence."""
    NO_ROOT = kernels.NO_ROOT
    """No word with head 0."""
    SEVERAL_ROOTS = kernels.SEVERAL_ROOTS
    """More than one word with head 0."""
    CYCLE = kernels.CYCLE
    """A word that is its own ancestor."""
    PARTLY_ANNOTATED = kernels.PARTLY_ANNOTATED
    """Some words with a head and some without."""


def tree_flaws(treebank: Treebank) -> NDArray[np.uint8]:
    """Return the `TreeFlaw` bits of every sentence; 0 where nothing is wrong.

    A sentence without any annotated head has no flaw: it has no tree.
    """
    flaws = np.zeros(treebank.n_sentences, np.uint8)
    room = int(treebank.lengths.max(initial=0)) + 1

    def look_at(first: int, last: int) -> None:
        offsets, own = treebank.offsets[first : last + 1], flaws[first:last]
        kernels.tree_flaws(treebank.head, offsets, np.empty(room, np.int64), own)

    n_parts = min(threads(), treebank.n_words // _WORTH_A_THREAD + 1)
    bounds = np.linspace(0, treebank.n_sentences, n_parts + 1).astype(int).tolist()
    if n_parts == 1:
        look_at(*bounds)
    else:
        look_at(0, 0)  # here, and not in two threads at once, the kernel is loaded
        with ThreadPoolExecutor(n_parts) as pool:
            list(pool.map(look_at, bounds[:-1], bounds[1:]))
    return flaws


_WORTH_A_THREAD = 100_000
"""So many words take a millisecond."""


def words_on_cycles(treebank: Treebank) -> NDArray[np.bool_]:
    """Return which words are their own ancestors; words that hang below a cycle are not.

    >>> from treegauge.treebank import Column, Treebank
    >>> words = {"form": Column.from_strings(["a", "b", "c"])}
    >>> words_on_cycles(Treebank(words, offsets=[0, 3], head=[2, 1, 2])).tolist()
    [True, True, False]
    """
    is_on_cycle = np.zeros(treebank.n_words, np.bool_)
    if not (tree_flaws(treebank) & TreeFlaw.CYCLE).any():
        return is_on_cycle
    outside = treebank.n_words
    first = np.repeat(treebank.offsets[:-1], treebank.lengths)
    is_inside = (treebank.head >= 1) & (
        treebank.head <= np.repeat(treebank.lengths, treebank.lengths)
    )
    ancestor = np.append(np.where(is_inside, first + treebank.head - 1, outside), outside)
    # As many steps up as the longest sentence has words end outside, or on a cycle.
    for _ in range(int(treebank.lengths.max()).bit_length()):
        ancestor = ancestor[ancestor]
    is_on_cycle[ancestor[ancestor != outside]] = True
    return is_on_cycle


def require_trees(treebank: Treebank, *, purpose: str, single_root: bool = True) -> None:
    """Raise, naming the sentences, unless every sentence is one complete tree.

    For algorithms that cannot work with anything else; several roots pass if
    `single_root` is false.
    """
    flaws = tree_flaws(treebank)
    if not single_root:
        flaws = flaws & ~np.uint8(TreeFlaw.SEVERAL_ROOTS)
    bad = flaws != 0
    bad[treebank.sentence_of_word[treebank.head == NOT_ANNOTATED]] = True
    if not bad.any():
        return
    where = np.flatnonzero(bad)
    named = ", ".join(treebank.sentence_ids[s] or f"number {s + 1}" for s in where[:5])
    more = f" and {len(where) - 5:,} more" if len(where) > 5 else ""
    raise TreebankError(
        f"{purpose} needs one complete tree per sentence; {len(where):,} of "
        f"{treebank.n_sentences:,} are not: {named}{more}\n"
        "  see them with `treegauge validate --strict`, and leave them out or mend them"
    )

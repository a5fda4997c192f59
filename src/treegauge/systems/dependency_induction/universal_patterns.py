"""What universal tags of neighbours say of a word: adpositions, names, main verbs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction.universal_weights import CODE

Codes = NDArray[np.int32]
Flags = NDArray[np.bool_]
Offsets = NDArray[np.int64]

MARKABLE = ("NOUN", "PROPN", "PRON", "NUM", "ADJ", "VERB")
"""Tags of words that are told apart by whether they have an adposition."""
_MARK_REACH = 5
_ENDS_SEARCH = ("NOUN", "PROPN", "VERB", "PRON", "X", "SYM", "INTJ", "CCONJ", "SCONJ")
"""What no adposition of the word can stand before."""


def has_adposition(tags: Codes, offsets: Offsets, *, before: bool) -> Flags:
    """Return which words have an adposition: somewhere before them, or right behind them.

    >>> tags = np.array([CODE[tag] for tag in "ADP DET NOUN NOUN ADP".split()], np.int32)
    >>> has_adposition(tags, np.array([0, 5]), before=True).tolist()
    [False, False, True, False, False]
    >>> has_adposition(tags, np.array([0, 5]), before=False).tolist()
    [False, False, False, True, False]
    """
    lengths = np.diff(offsets)
    markable = np.isin(tags, [CODE[tag] for tag in MARKABLE])
    place = np.arange(tags.size) - np.repeat(offsets[:-1], lengths)
    if not before:
        is_last = place == np.repeat(lengths, lengths) - 1
        following = np.append(tags[1:], -1)[: tags.size]
        has_next: Flags = markable & ~is_last & (following == CODE["ADP"])
        return has_next
    ends = np.isin(tags, [CODE[tag] for tag in _ENDS_SEARCH])
    marked, searching = np.zeros(tags.size, np.bool_), markable.copy()
    for step in range(1, _MARK_REACH + 1):
        searching &= place >= step
        at = np.flatnonzero(searching)
        met = tags[at - step] == CODE["ADP"]
        marked[at[met]] = True
        searching[at[met | ends[at - step]]] = False
    return marked


def runs(mask: Flags, offsets: Offsets) -> Codes:
    """Return the numbers of unbroken runs in a mask, from 1, and 0 outside.

    >>> runs(np.array([True, True, False, True, True]), np.array([0, 4, 5])).tolist()
    [1, 1, 0, 2, 3]
    """
    begins = mask.copy()
    begins[1:] &= ~mask[:-1]
    first = offsets[:-1][np.diff(offsets) > 0]
    begins[first] = mask[first]
    numbers: Codes = np.where(mask, np.cumsum(begins), 0).astype(np.int32)
    return numbers


def main_verbs(tags: Codes, offsets: Offsets) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the main verb of every sentence that has verbs, and all verbs that are subordinate.

    A verb is subordinate if a subordinating conjunction stands between it and the verb before it
    (or the begin of the sentence). The main verb is the first that is not; else the first of all.

    >>> tags = np.array([CODE[tag] for tag in "SCONJ PRON VERB PRON VERB".split()], np.int32)
    >>> main, subordinate = main_verbs(tags, np.array([0, 5]))
    >>> main.tolist(), subordinate.tolist()
    ([4], [2])
    """
    verbs = np.flatnonzero(tags == CODE["VERB"])
    if not verbs.size:
        return verbs, verbs
    sentence = np.searchsorted(offsets, verbs, side="right") - 1
    is_first = np.append(True, sentence[1:] != sentence[:-1])
    since = np.where(is_first, offsets[sentence], np.append(0, verbs[:-1]))
    conjunctions = np.append(0, np.cumsum(tags == CODE["SCONJ"]))
    is_subordinate = conjunctions[verbs] > conjunctions[since]
    # The first by (subordinate, place) in each sentence.
    order = np.lexsort((verbs, is_subordinate, sentence))
    chosen = order[np.append(True, np.diff(sentence[order]) > 0)]
    return verbs[chosen], verbs[is_subordinate]

"""Which words are punctuation."""

from __future__ import annotations

import unicodedata

import numpy as np
from numpy.typing import NDArray

from treegauge.treebank.treebank import Treebank

PUNCTUATION_TAGS = frozenset({"PUNCT", "."})
"""What UD and the 12 universal tags of Petrov et al. call punctuation."""

# The Penn Treebank writes brackets as letters and opening quotes as backticks, which
# Unicode counts as symbols.
_PENN_PUNCTUATION = frozenset({"``", "`", "-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-"})


def punctuation_mask(treebank: Treebank) -> NDArray[np.bool_]:
    """Return which words are punctuation.

    By universal tag where the treebank has universal tags; otherwise by form, as the
    CoNLL shared tasks did: every character is Unicode punctuation. A blind copy without
    tags carries the mask of the treebank it was made from.
    """
    if treebank.punctuation is not None:
        return treebank.punctuation
    if treebank.upos.is_annotated:
        column = treebank.upos
        by_value = np.array([tag in PUNCTUATION_TAGS for tag in column.vocabulary], np.bool_)
    else:
        column = treebank.form
        by_value = np.array([is_punctuation_form(form) for form in column.vocabulary], np.bool_)
    mask: NDArray[np.bool_] = by_value[column.codes]
    return mask


def is_punctuation_form(form: str) -> bool:
    """Return whether a form consists of punctuation characters only.

    >>> [is_punctuation_form(form) for form in ("...", "-LRB-", "$", "don't", "")]
    [True, True, False, False, False]
    """
    if form in _PENN_PUNCTUATION:
        return True
    return bool(form) and all(unicodedata.category(char).startswith("P") for char in form)

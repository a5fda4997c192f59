"""Which words are punctuation."""

from __future__ import annotations

import unicodedata

import numpy as np
from numpy.typing import NDArray

from treegauge.treebank.errors import TreebankError
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
    return _mask(treebank, by_tag=treebank.upos.is_annotated)


def _mask(treebank: Treebank, *, by_tag: bool) -> NDArray[np.bool_]:
    if by_tag:
        column = treebank.upos
        by_value = np.array([tag in PUNCTUATION_TAGS for tag in column.vocabulary], np.bool_)
    else:
        column = treebank.form
        by_value = np.array([is_punctuation_form(form) for form in column.vocabulary], np.bool_)
    mask: NDArray[np.bool_] = by_value[column.codes]
    return mask


def unicode_punctuation_mask(treebank: Treebank) -> NDArray[np.bool_]:
    """Return which words consist of Unicode punctuation only, whatever their tags.

    This is the rule of the scorers of CoNLL-X and CoNLL 2007 (`eval.pl`). Unicode calls currency
    signs and backticks symbols, and `-LRB-` has letters: they are no punctuation here.
    """
    column = treebank.form
    by_value = np.array([is_unicode_punctuation(form) for form in column.vocabulary], np.bool_)
    mask: NDArray[np.bool_] = by_value[column.codes]
    return mask


def is_unicode_punctuation(form: str) -> bool:
    """Return whether all characters of a form are in a category of punctuation.

    >>> [is_unicode_punctuation(form) for form in ("...", "``", "$", "-LRB-", "")]
    [True, False, False, False, False]
    """
    return bool(form) and all(unicodedata.category(char).startswith("P") for char in form)


def is_punctuation_form(form: str) -> bool:
    """Return whether a form consists of punctuation characters only.

    >>> [is_punctuation_form(form) for form in ("...", "-LRB-", "$", "don't", "")]
    [True, True, False, False, False]
    """
    if form in _PENN_PUNCTUATION:
        return True
    return is_unicode_punctuation(form)


class PunctuationOfParts:
    """Which words of the parts of one treebank are punctuation: by tag in all, or by form in all.

    The first part with words decides.
    """

    def __init__(self) -> None:
        self._by_tag: bool | None = None

    def marked(self, part: Treebank) -> Treebank:
        """Return a part that says which of its words are punctuation.

        Raises
        ------
        TreebankError
            If tags begin in a later part: earlier ones would have been judged by them.
        """
        if self._by_tag is None and part.n_words:
            self._by_tag = part.upos.is_annotated
        if not self._by_tag and part.upos.is_annotated:
            raise TreebankError(
                f"{part.name}: universal tags, which say what is punctuation, begin in the middle "
                "of the stream\n  read it with --no-stream"
            )
        return part.replace(punctuation=_mask(part, by_tag=bool(self._by_tag)))

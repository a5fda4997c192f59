"""A text as numbers: a type for every word, the most frequent type first.

Types are numbered by frequency, then by first occurrence, so that nothing an inducer does can
depend on the order of a hash table, as bit strings of Liang's program do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.treebank import Column, Treebank, Vocabulary

_IS_DIGIT = str.maketrans({str(digit): "0" for digit in range(10)})


@dataclass(frozen=True)
class EncodedText:
    """The words of a text as types, and what the types are."""

    words: NDArray[np.int32]
    """The type of every word; -1 where it was left out for being rare."""
    offsets: NDArray[np.int64]
    """Where sentences begin, and the end."""
    counts: NDArray[np.int64]
    """How often every type occurs."""
    forms: Vocabulary
    """The types as strings."""

    @property
    def n_types(self) -> int:
        """The number of types."""
        return len(self.counts)

    def frequent(self, min_count: int) -> EncodedText:
        """Return the text without the types that occur less often; their places stay, as -1."""
        kept = int(np.searchsorted(-self.counts, -min_count, side="right"))
        if kept == self.n_types:
            return self
        return EncodedText(
            np.where(self.words < kept, self.words, np.int32(-1)),
            self.offsets,
            self.counts[:kept],
            self.forms.take(np.arange(kept, dtype=np.int32)),
        )


def encode(
    treebank: Treebank, *, fold_case: bool = False, conflate_digits: bool = False
) -> EncodedText:
    """Number the words of a treebank by type.

    >>> import treegauge as tg
    >>> text = encode(tg.parse("a/X b/X b/X\\n", format="slashed"))
    >>> list(text.forms), text.counts.tolist(), text.words.tolist()
    (['b', 'a'], [2, 1], [1, 0, 0])
    """
    forms = preprocessed(treebank.form, fold_case=fold_case, conflate_digits=conflate_digits)
    forms = forms.compact()
    counts = np.bincount(forms.codes, minlength=len(forms.vocabulary))
    # Codes are numbered by first occurrence, and the sort is stable.
    order = np.argsort(-counts, kind="stable").astype(np.int32)
    type_of_code = np.empty(len(order), np.int32)
    type_of_code[order] = np.arange(len(order), dtype=np.int32)
    return EncodedText(
        type_of_code[forms.codes],
        np.asarray(treebank.offsets, np.int64),
        counts[order].astype(np.int64),
        forms.vocabulary.take(order),
    )


def preprocessed(forms: Column, *, fold_case: bool, conflate_digits: bool) -> Column:
    """Return words in lower case, with every digit as 0, or as they are."""
    if fold_case:
        forms = forms.map(str.lower)
    if conflate_digits:
        forms = forms.map(lambda form: form.translate(_IS_DIGIT))
    return forms

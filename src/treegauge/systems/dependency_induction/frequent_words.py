"""Function words of bare text: they are frequent, and they lean to one side.

A text is all words without punctuation, in lower case. Function words are the types that make up
more than a small share of it; all other words are open. Function words stand before what they
belong to, as prepositions and articles do, or behind it: which of the two is seen at the edges of
stretches of words, since what leans on the next word cannot stand last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction.arc_scores import boundaries
from treegauge.treebank import Column, Treebank

Flags = NDArray[np.bool_]

FEWEST = 5
"""How often a function word occurs at least; in short texts everything makes up a large share."""
N_SHAPES = 3
_CAPITAL, _DIGIT = 1, 2
RIGHT, LEFT = 1, -1
"""Where the head of a function word stands."""


@dataclass(frozen=True, eq=False)
class BareText:
    """Words without punctuation, in lower case."""

    form: Column
    offsets: NDArray[np.int64]
    begins: Flags
    """Words at the begin of a sentence, or right behind punctuation."""
    shape: NDArray[np.int32]
    """Whether words have a digit (2), begin with a capital letter (1) or do neither (0); -1 for the
    first word of a sentence, if it is its place that makes the capital."""

    @classmethod
    def of(cls, words: Treebank) -> BareText:
        """Return the text of a treebank without punctuation."""
        first = words.offsets[:-1][words.lengths > 0]
        begins = boundaries(words)
        begins[first] = True
        shapes = np.array([_shape(form) for form in words.form.vocabulary], np.int32)
        shape = shapes[words.form.codes]
        shape[first[shape[first] == _CAPITAL]] = -1
        return cls(words.form.map(str.lower).compact(), words.offsets, begins, shape)

    @cached_property
    def ends(self) -> Flags:
        """Words at the end of a sentence, or right before punctuation."""
        return np.append(self.begins[1:], True)[: self.begins.size]

    @property
    def n_words(self) -> int:
        """The number of words."""
        return len(self.form.codes)

    def lookup(self, numbers: Mapping[str, int], otherwise: int) -> NDArray[np.int32]:
        """Return a number for every word."""
        by_type = [numbers.get(form, otherwise) for form in self.form.vocabulary]
        by_word: NDArray[np.int32] = np.array(by_type, np.int32)[self.form.codes]
        return by_word


def _shape(form: str) -> int:
    if any(map(str.isdigit, form)):
        return _DIGIT
    return _CAPITAL if form[:1].isupper() else 0


def frequent_words(text: BareText, share: float) -> tuple[str, ...]:
    """Return the types that make up more than a share of the words, the most frequent first.

    >>> import treegauge as tg
    >>> words = tg.parse("the/D cat/N saw/V the/D dog/N\\n" * 5, format="slashed")
    >>> frequent_words(BareText.of(words), 0.3)
    ('the',)
    """
    counts, order = types_by_frequency(text.form)
    is_frequent = (counts > share * text.n_words) & (counts >= FEWEST)
    strings = text.form.vocabulary.strings
    return tuple(strings[code] for code in order.tolist() if is_frequent[code])


def types_by_frequency(form: Column) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """Return how often types occur, and their codes, the most frequent first.

    Types that are equally frequent are in the order of their letters, so that nothing depends on
    which of them comes first in the text.
    """
    strings = form.vocabulary.strings
    counts = np.bincount(form.codes, minlength=len(strings)).astype(np.int64)
    order = sorted(range(len(strings)), key=lambda code: (-counts[code], strings[code]))
    return counts, np.array(order, np.intp)


def leaning_side(text: BareText, is_function: Flags) -> int:
    """Return where function words have their heads: behind them (1), or before them (-1).

    Of stretches of at least two words between punctuation or edges of sentences, more begin with
    a function word than end with one if function words lean to the right.

    >>> import treegauge as tg
    >>> from treegauge.treebank import without_punctuation
    >>> words = without_punctuation(tg.parse("the/D cat/N ,/PUNCT saw/V it/P\\n", format="slashed"))
    >>> leaning_side(BareText.of(words), np.array([True, False, False, False]))
    1
    """
    several = ~(text.begins & text.ends)
    begin = int((is_function & text.begins & several).sum())
    end = int((is_function & text.ends & several).sum())
    return RIGHT if begin > end else LEFT

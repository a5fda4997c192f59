"""How words are spelled in language models and their files, where blanks divide words."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.properties.errors import PropertyError
from treegauge.treebank import EMPTY, Column, Vocabulary

_BLANKS = b" \t\n\v\f\r\0"
_BLANK = re.compile(r"[ \t\n\v\f\r\0]")
_NO_BREAK_SPACE = "\u00a0"


def model_spelling(vocabulary: Vocabulary) -> Vocabulary:
    """Return the words with blanks inside made no-break spaces, and the empty one `_`.

    Two words may become one: the strings need not be distinct.

    >>> list(model_spelling(Vocabulary.from_strings(["10 000", ""])))
    ['10\\xa0000', '_']
    """
    has_blanks = np.isin(vocabulary.data, np.frombuffer(_BLANKS, np.uint8)).any()
    if not has_blanks and (np.diff(vocabulary.starts) > 0).all():
        return vocabulary
    return Vocabulary.from_strings(_BLANK.sub(_NO_BREAK_SPACE, w) or EMPTY for w in vocabulary)


def sentence_offsets(column: Column, offsets: ArrayLike) -> NDArray[np.int64]:
    """Return offsets as an array.

    Raises
    ------
    PropertyError
        If they are not those of a text of so many words.
    """
    # A copy, because kernels are compiled once more for arrays that must not change.
    array = np.array(offsets, np.int64)
    if array.ndim != 1 or not len(array) or array[0] or array[-1] != len(column):
        raise PropertyError(f"offsets of {len(column)} words begin with 0 and end with that number")
    if (np.diff(array) < 0).any():
        raise PropertyError("the offsets of sentences never decrease")
    return array

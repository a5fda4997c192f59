"""How the words of a text are looked up in a dictionary.

Conventions
-----------
Forms are compared in Unicode NFC. Casing is `exact`, `lower` (text and dictionary in lower case,
tags of entries that become one united) or `backoff` (as it stands, then in lower case: what finds
words at the beginning of a sentence). Punctuation is told by form, so that it is the same words
for every tagger.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.dictionaries.errors import DictionaryError
from treegauge.dictionaries.tag_dictionary import TagDictionary, normalised
from treegauge.dictionaries.tag_sets import Masks, Symbols, tag_mask
from treegauge.settings import Settings

Casing = Literal["exact", "lower", "backoff"]
Punctuation = Literal["counted", "ignored"]

# The digit is ours: without it, a full stop would be a number.
_NUMBER = re.compile(r"(?=.*[0-9])[0-9.,:/-]+")

MISSING = -1
"""The entry of a form that is in no dictionary."""


@dataclass(frozen=True)
class Matching(Settings):
    """What counts as a word of the dictionary.

    Attributes
    ----------
    casing : str
        `exact`, `lower` or `backoff`.
    punctuation : str
        `counted` or `ignored`.
    numbers : bool
        Whether a form of digits that the dictionary lacks may be tagged NUM.
    symbols : str
        What SYM of UD is among the 12 tags: `X` or `.`.
    """

    casing: Casing = "exact"
    punctuation: Punctuation = "counted"
    numbers: bool = False
    symbols: Symbols = "X"

    def __post_init__(self) -> None:
        self.check(place="matching", error=DictionaryError)


@dataclass(frozen=True)
class Entries:
    """Where the forms of a text are in a dictionary.

    Attributes
    ----------
    dictionary : TagDictionary
        In lower case if that was asked for.
    place : int array, one a form of the text
        Index in the dictionary; `len(dictionary)` for a number without an entry; `MISSING`.
    mask : uint16 array, one a form of the text
        Its tags, 0 where there is no entry.
    """

    dictionary: TagDictionary
    place: NDArray[np.int64]
    mask: Masks


def look_up(dictionary: TagDictionary, forms: Iterable[str], matching: Matching) -> Entries:
    """Look forms up in a dictionary.

    >>> english = TagDictionary.from_mapping({"the": ["DET"], "Bill": ["NOUN"]})
    >>> forms = ["The", "Bill", "1,000", "."]
    >>> look_up(english, forms, Matching()).place.tolist()
    [-1, 1, -1, -1]
    >>> look_up(english, forms, Matching(casing="backoff", numbers=True)).place.tolist()
    [0, 1, 2, -1]
    """
    strings = [normalised(form) for form in forms]
    if matching.casing == "lower":
        dictionary = dictionary.lower()
        strings = [normalised(form.lower()) for form in strings]
    place = dictionary.codes(strings)
    if matching.casing == "backoff":
        missing = np.flatnonzero(place < 0)
        place[missing] = dictionary.codes(normalised(strings[i].lower()) for i in missing.tolist())
    # One place more than there are entries: that of numbers.
    masks = np.append(dictionary.masks, np.uint16(tag_mask(["NUM"])))
    if matching.numbers:
        missing = np.flatnonzero(place < 0)
        is_number = [bool(_NUMBER.fullmatch(strings[i])) for i in missing.tolist()]
        place[missing[np.array(is_number, np.bool_)]] = len(dictionary)
    return Entries(dictionary, place, np.where(place >= 0, masks[place], np.uint16(0)))

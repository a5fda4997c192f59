"""Sets of the 12 universal tags as bits of a small integer.

Bit `i` of a mask says whether `TAGS[i]` is in the set, so that union is `|`, intersection is `&`,
and whether a tag is allowed is one shift.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.dictionaries.errors import DictionaryError
from treegauge.treebank import EMPTY, PETROV_TAGS, UD_TO_PETROV
from treegauge.wording import nearest

TAGS = tuple(sorted(PETROV_TAGS))
"""The 12 tags; a tag's place is its code."""

CODE = {tag: code for code, tag in enumerate(TAGS)}

ALL_TAGS = (1 << len(TAGS)) - 1
"""The mask of the set of all tags."""

Masks = NDArray[np.uint16]
Symbols = Literal["X", "."]
"""What SYM of UD is among the 12: X as in the published map, or punctuation."""

_KNOWN = {**UD_TO_PETROV, **{tag: tag for tag in PETROV_TAGS}}


def tag_code(tag: str, *, symbols: Symbols = "X") -> int:
    """Return the code of a universal tag, of UD or among the 12; -1 for any other text.

    A word without a tag, `_`, counts as X, which Petrov et al. (2012, section 2) keep for
    everything else.

    >>> TAGS[tag_code("AUX")], TAGS[tag_code("PRT")], tag_code("Noun")
    ('VERB', 'PRT', -1)
    """
    if tag == "SYM":
        return CODE[symbols]
    if tag in ("", EMPTY):
        return CODE["X"]
    return CODE[_KNOWN[tag]] if tag in _KNOWN else -1


def tag_mask(tags: Iterable[str]) -> int:
    """Return the set of some tags as a mask.

    >>> tag_mask(["NOUN", "PROPN"]) == tag_mask(["NOUN"])
    True
    """
    mask = 0
    for tag in tags:
        code = tag_code(tag) if tag not in ("", EMPTY) else -1
        if code < 0:
            raise DictionaryError(unknown_tag(tag))
        mask |= 1 << code
    return mask


def tags_of(mask: int) -> tuple[str, ...]:
    """Return the tags in a set, in the order of `TAGS`.

    >>> tags_of(tag_mask(["VERB", "NOUN"]))
    ('NOUN', 'VERB')
    """
    return tuple(tag for code, tag in enumerate(TAGS) if mask >> code & 1)


def unknown_tag(tag: str) -> str:
    """Return what to say of a text that is no universal tag.

    >>> unknown_tag("Noun")
    "'Noun' is no universal tag; did you mean NOUN?"
    """
    near = nearest(tag, sorted(_KNOWN), most=2)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {' '.join(TAGS)}"
    return f"{tag!r} is no universal tag; {hint}"


def set_sizes(masks: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return how many tags are in each set."""
    sizes: NDArray[np.int64] = _SIZE[masks]
    return sizes


_SIZE = np.array([mask.bit_count() for mask in range(ALL_TAGS + 1)], np.int64)

"""Types as sequences of characters, for models that know words by their characters' n-grams.

Every n-gram that occurs is a cell, in a restaurant that is its first n - 1 characters; its
parent is the n-gram without its first character. Words have starts before them, and an end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_START = "\ufdd0"
_END = "\ufdd1"
_OTHER = "\ufdd2"
"""Code points that are no characters and never will be."""


class Spelling(NamedTuple):
    """The n-grams of types: type w is `cells[starts[w]:starts[w + 1]]`."""

    starts: NDArray[np.int64]
    cells: NDArray[np.int32]
    order: NDArray[np.int32]
    """Of each cell: how many characters its context has."""
    context: NDArray[np.int32]
    """Of each cell: its restaurant."""
    parent: NDArray[np.int32]
    """Of each cell: that without its first character; -1 where a single character has none."""
    counts: NDArray[np.int64]
    """How often each type occurs."""
    n_symbols: int
    """Characters that can follow, the end among them."""
    n_contexts: int


def spell(
    forms: Iterable[str], counts: NDArray[np.int64], n: int, most_characters: int = 500
) -> Spelling:
    """Cut types into n-grams of characters; with n = 0 into none.

    Characters beyond the most frequent ones are all taken for one.

    >>> spelling = spell(["ab"], np.array([1]), 2)
    >>> spelling.cells.tolist(), spelling.parent.tolist()
    ([0, 2, 4], [1, -1, 3, -1, 5, -1])
    """
    forms = list(forms)
    known = Counter(character for form in forms for character in form).most_common()
    symbols = {
        character: character if rank < most_characters else _OTHER
        for rank, (character, _) in enumerate(known)
    }
    number: dict[str, int] = {}
    contexts: dict[str, int] = {}
    order: list[int] = []
    context: list[int] = []
    parent: list[int] = []
    starts = [0]
    cells: list[int] = []
    for form in forms if n else ():
        padded = _START * (n - 1) + "".join(map(symbols.__getitem__, form)) + _END
        for end in range(n, len(padded) + 1):
            gram = padded[end - n : end]
            if gram not in number:
                for begin in range(n):
                    part = gram[begin:]
                    if part in number:
                        parent[-1] = number[part]
                        break
                    number[part] = len(number)
                    order.append(len(part) - 1)
                    context.append(contexts.setdefault(part[:-1], len(contexts)))
                    parent.append(len(number) if len(part) > 1 else -1)
            cells.append(number[gram])
        starts.append(len(cells))
    return Spelling(
        np.array(starts if n else np.zeros(len(forms) + 1), np.int64),
        np.array(cells, np.int32),
        np.array(order, np.int32),
        np.array(context, np.int32),
        np.array(parent, np.int32),
        np.asarray(counts, np.int64),
        len(set(symbols.values())) + 1,
        len(contexts),
    )

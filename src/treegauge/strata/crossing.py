"""Two divisions at once."""

from __future__ import annotations

import numpy as np

from treegauge.strata.errors import StrataError
from treegauge.strata.strata import NO_STRATUM, Strata
from treegauge.wording import counted

CROSS = " × "
"""What stands between the names of two crossed strata."""


def cross(a: Strata, b: Strata) -> Strata:
    """Divide by both; only combinations that occur, those of the first stratum first.

    A word that has no stratum in one of them has none here.

    Raises
    ------
    StrataError
        If the two divide different numbers of words.

    Examples
    --------
    >>> relation = Strata(np.array([0, 1, 0], np.int32), ("nsubj", "obj"))
    >>> side = Strata(np.array([1, 0, -1], np.int32), ("left", "right"))
    >>> both = cross(relation, side)
    >>> both.names, both.codes.tolist()
    (('nsubj × right', 'obj × left'), [0, 1, -1])
    """
    if len(a.codes) != len(b.codes):
        raise StrataError(
            f"strata of {counted(len(a.codes), 'word')} cannot be crossed with strata of "
            f"{len(b.codes):,}\n"
            "  divide the same treebank twice"
        )
    placed = (a.codes != NO_STRATUM) & (b.codes != NO_STRATUM)
    pairs = a.codes[placed].astype(np.int64) * len(b) + b.codes[placed]
    occurs = np.zeros(len(a) * len(b), np.bool_)
    occurs[pairs] = True
    codes = np.full(len(a.codes), NO_STRATUM, np.int32)
    codes[placed] = np.cumsum(occurs, dtype=np.int32)[pairs] - 1
    names = [
        f"{a.names[pair // len(b)]}{CROSS}{b.names[pair % len(b)]}"
        for pair in np.flatnonzero(occurs).tolist()
    ]
    return Strata(codes, tuple(names))

"""A division of the words of a treebank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

NO_STRATUM = -1
"""The code of a word that belongs to no stratum."""


@dataclass(frozen=True, eq=False)
class Strata:
    """Which stratum every word belongs to, and what the strata are called.

    Attributes
    ----------
    codes : int32 array, one per word
        Index into `names`; -1 where the word belongs to none of them.
    names : tuple of str
        In the order in which a table shows them. Fixed bins are all here, also those that
        no word is in, so that tables of two treebanks have the same rows.

    Examples
    --------
    >>> strata = Strata(np.array([0, 1, 1, -1], np.int32), ("known", "unknown"))
    >>> strata.counts.tolist()
    [1, 2]
    """

    codes: NDArray[np.int32]
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        self.codes.setflags(write=False)

    def __reduce__(self) -> tuple[Any, ...]:
        # Unpickled NumPy arrays are writeable; going through the constructor freezes them.
        return Strata, (self.codes, self.names)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def counts(self) -> NDArray[np.int64]:
        """Words in every stratum."""
        placed = self.codes[self.codes != NO_STRATUM]
        return np.bincount(placed, minlength=len(self.names)).astype(np.int64, copy=False)

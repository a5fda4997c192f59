"""What was repaired while a system's output was read: words that no metric counts as right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.treebank.vocabulary import frozen


@dataclass(frozen=True)
class Repairs:
    """What a treebank remembers of a file that was repaired.

    Attributes
    ----------
    word : bool array, one per word
        Whether the word could not be read as it stands: its line or its position was repaired, or
        it is not there at all. It is wrong in every metric.
    head : bool array, one per word
        Whether only its head was repaired. It is wrong in every metric that uses heads.
    surplus : int32 array, one per sentence
        How many words more than gold the system has there; every one is wrong.
    counts : tuple of pairs
        How many repairs of every kind were made in the whole file.
    """

    word: NDArray[np.bool_]
    head: NDArray[np.bool_]
    surplus: NDArray[np.int32]
    counts: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        for name in ("word", "head", "surplus"):
            object.__setattr__(self, name, frozen(getattr(self, name)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Repairs, (self.word, self.head, self.surplus, self.counts)

    @property
    def spares_all_words(self) -> bool:
        """Whether every word could be read as it stands, and there are no others."""
        return not (self.word.any() or self.head.any() or self.surplus.any())

    @property
    def n_words(self) -> int:
        """Number of words that are wrong in some metric because something was repaired."""
        return int(np.count_nonzero(self.word | self.head))

    def take(self, sentences: NDArray[np.intp], words: NDArray[np.intp]) -> Repairs:
        """Return the repairs of some sentences, which have these words."""
        return Repairs(self.word[words], self.head[words], self.surplus[sentences], self.counts)

"""Where words stood before others were taken out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.treebank.vocabulary import frozen


@dataclass(frozen=True)
class Origin:
    """What a treebank remembers after words were taken out of it.

    Attributes
    ----------
    length : int32 array, one per sentence
        Words in the sentence as it was read.
    position : int32 array, one per word
        Where the word stood in that sentence, counted from 1.
    """

    length: NDArray[np.int32]
    position: NDArray[np.int32]

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", frozen(self.length))
        object.__setattr__(self, "position", frozen(self.position))

    def __reduce__(self) -> tuple[Any, ...]:
        return Origin, (self.length, self.position)

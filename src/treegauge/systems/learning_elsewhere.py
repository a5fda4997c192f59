"""Systems that can learn where treegauge is not installed, such as a machine with a GPU.

`write_codes` writes what they learn from as numbers; `python -m neural` (`systems/neural`) learns
from these with PyTorch and NumPy alone; `take_weights` takes back what it wrote.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from typing import Self

from treegauge.treebank import Treebank


class LearnsElsewhere(ABC):
    """A system that can."""

    @abstractmethod
    def write_codes(self, treebank: Treebank, path: str | os.PathLike[str]) -> None:
        """Write a treebank as the numbers that it would learn from."""

    @abstractmethod
    def take_weights(self, treebank: Treebank, path: str | os.PathLike[str]) -> Self:
        """Take what was learnt from the codes of this treebank."""

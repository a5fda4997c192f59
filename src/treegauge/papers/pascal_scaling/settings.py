"""What can be chosen about texts of several sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from treegauge.papers.paper import PaperSettings
from treegauge.settings import setting

INDUCERS = ("brown", "mkcls", "predictive-exchange", "bmmm", "pyp-hmm", "hmm", "lda-classes")
"""Those that are in the registry take part, samplers up to a size."""
_SMALLEST = 10_000


@dataclass(frozen=True)
class ScalingSettings(PaperSettings):
    """What is measured."""

    systems: Literal["fast", "all"] = setting("fast", "fast: no samplers. all: samplers too.")
    tokens: int = setting(1_000_000, "The size of the largest text, in tokens.", minimum=_SMALLEST)
    sizes: tuple[int, ...] = setting(
        (),
        "The sizes of the texts, in tokens. Default: 10,000 and ten times more "
        "each, up to --tokens.",
        minimum=1,
    )
    sampler_tokens: int = setting(
        100_000, "With --systems all: the size of the largest text for samplers, in tokens."
    )
    classes: int = setting(45, "The number of induced classes.", minimum=1)
    test_tokens: int = setting(
        20_000, "The size of the toy text that is scored, in tokens.", minimum=1
    )

    @property
    def all_sizes(self) -> tuple[int, ...]:
        """Tokens of all texts.

        >>> ScalingSettings(tokens=500_000).all_sizes
        (10000, 100000, 500000)
        """
        sizes = [_SMALLEST]
        while sizes[-1] * 10 <= self.tokens:
            sizes.append(sizes[-1] * 10)
        return self.sizes or tuple(dict.fromkeys((*sizes, self.tokens)))

"""What can be chosen about the uses of induced classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from treegauge.papers.paper import PaperSettings
from treegauge.settings import setting

_FAST = ("brown", "mkcls", "predictive-exchange")
INDUCERS = {"fast": _FAST, "all": (*_FAST, "lda-classes", "bmmm", "pyp-hmm", "hmm-pr")}
"""By the set of systems that is asked for."""


@dataclass(frozen=True)
class ExtrinsicSettings(PaperSettings):
    """What is measured; the defaults take minutes a treebank."""

    systems: Literal["fast", "all"] = setting("fast", "fast: no samplers. all: samplers too.")
    inducers: tuple[str, ...] = setting(
        (), "Use these inducers instead of a predefined set.", metavar="NAMES"
    )
    classes: int = setting(45, "The number of induced classes.", minimum=1)
    sentences: tuple[int, ...] = setting(
        (100, 300, 1000),
        "The numbers of labelled sentences that the tagger learns from.",
        metavar="NUMBERS",
    )
    draws: int = setting(
        3,
        "The number of random choices of labelled sentences. "
        "Smaller choices are parts of larger ones.",
        minimum=1,
    )
    tagger_iterations: int | None = setting(
        None, "Iterations of the tagger. Default: that of the tagger.", minimum=1
    )
    parser: str = setting("transition", "The parser that uses the classes.")
    parser_epochs: int = setting(5, "Epochs of the parser.", minimum=1)
    trials: int = setting(5000, "Trials of the tests between classes and no classes.", minimum=1)

    @property
    def all_inducers(self) -> tuple[str, ...]:
        """Those that were named, or those of the set."""
        return self.inducers or INDUCERS[self.systems]

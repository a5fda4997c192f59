"""What can be chosen about the paper on word order."""

from __future__ import annotations

from dataclasses import dataclass

from treegauge.papers.paper import PaperSettings, with_neural_parser
from treegauge.settings import setting

ORIGINAL = "original"
ORDERS = (ORIGINAL, "optdl", "left", "right")
"""The paper's orders; left and right are its LB and RB."""


@dataclass(frozen=True)
class WordOrderPaperSettings(PaperSettings):
    """What can be chosen about the grid of treebanks, orders and parsers."""

    parsers: tuple[str, ...] = setting(
        ("transition", "graph"), "transition,graph if missing.", metavar="NAMES"
    )
    neural: bool = setting(False, "Train `biaffine` too, which needs PyTorch.", flags="--neural")
    orders: tuple[str, ...] = setting(
        ORDERS,
        "original,optdl,left,right if missing; any order of `treegauge permute`.",
        metavar="NAMES",
    )
    keep_all: bool = setting(
        False,
        "Take every sentence, also those with punctuation inside.",
        flags="--keep-all",
    )
    transfer: bool = setting(
        False,
        "Also learn without words from one treebank for another.",
        flags="--transfer",
    )
    optimise: bool = setting(
        True,
        "Let `transition` choose its algorithm and features, but for left and right.",
        flags="--optimise/--no-optimise",
    )
    epochs: int | None = setting(
        None, "Epochs of all parsers; their own defaults if missing.", minimum=1
    )
    resamples: int = setting(1000, "Resamples for intervals and p-values.", minimum=0)

    @property
    def all_parsers(self) -> tuple[str, ...]:
        """The parsers that are named, and the neural one if it is wanted."""
        return with_neural_parser(self.parsers, wanted=self.neural)

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
        ("transition", "graph"), "The parsers to train and test.", metavar="NAMES"
    )
    neural: bool = setting(False, "Also train `biaffine`, which needs PyTorch.", flags="--neural")
    orders: tuple[str, ...] = setting(
        ORDERS,
        "The word orders: any orders of `treegauge permute`.",
        metavar="NAMES",
    )
    keep_all: bool = setting(
        False,
        "Keep every sentence, including those with punctuation inside.",
        flags="--keep-all",
    )
    transfer: bool = setting(
        False,
        "Also parse every treebank with delexicalised models of the others.",
        flags="--transfer",
    )
    optimise: bool = setting(
        True,
        "Let `transition` choose its algorithm and features, except for left and right.",
        flags="--optimise/--no-optimise",
    )
    epochs: int | None = setting(
        None, "Epochs of all parsers. Default: those of the parsers.", minimum=1
    )
    resamples: int = setting(1000, "Resamples of intervals and p-values.", minimum=0)

    @property
    def all_parsers(self) -> tuple[str, ...]:
        """The parsers that are named, and the neural one if it is wanted."""
        return with_neural_parser(self.parsers, wanted=self.neural)

"""What can be chosen about the paper on neutral edge direction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from treegauge.papers.paper import PaperSettings
from treegauge.settings import setting

MOST_SCALARS = 18
"""How many parameters may be changed (the paper's number)."""

ALGORITHMS: Mapping[str, str] = MappingProxyType(
    {"km04": "klein-manning-dmv", "cs09": "slndmv", "saj10a": "leapfrog"}
)
"""The paper's algorithms, and our systems for them."""

INDUCERS = (
    "left-branching",
    "right-branching",
    "harmonic",
    "dmv",
    "viterbi-dmv",
    "less-is-more",
    "baby-steps",
    "evg",
    "unambiguity",
    "soegaard-pagerank",
    "soegaard-rules",
)
"""What is ranked besides the paper's algorithms: what takes seconds."""

_NOT_RANKED = ("external", "random")


@dataclass(frozen=True)
class NedSettings(PaperSettings):
    """The options of the verb."""

    treebanks: tuple[str, ...] = setting(
        (),
        "A treebank with train and test parts, or a test file. May be repeated. Default: "
        "en_wsj_sample.",
        flags="--treebank,-t",
        metavar="TREEBANK",
    )
    train: str = setting("", "The train part of a test file.", metavar="FILE")
    other: str = setting(
        "", "Another annotation of the test part, to compare with.", metavar="FILE"
    )
    tags: str = setting("", "The tag column: u, u12, c, p or p:2. Default: p; u with --small.")
    algorithms: tuple[str, ...] = setting(
        tuple(ALGORITHMS),
        "Algorithms by the paper's names, or other grammar inducers.",
        metavar="NAMES",
    )
    systems: tuple[str, ...] = setting(
        INDUCERS, "More systems to rank; `all` for every inducer.", metavar="NAMES"
    )
    only_problematic: bool = setting(
        False, "Flip only edges of the paper's five structures.", flags="--only-problematic"
    )
    most_parameters: int = setting(
        MOST_SCALARS, "The largest number of parameters to change.", minimum=1
    )
    sentences_looked_at: int = setting(
        2000, "The number of training sentences in which flips are searched.", minimum=1
    )
    supervised_length: int = setting(
        20, "The longest training sentence of supervised models, in words.", minimum=1
    )
    smoothing: float = setting(0.1, "Smoothing of supervised models.", minimum=0)
    resamples: int = setting(1000, "Bootstrap resamples of the intervals.", minimum=0)


def all_inducers() -> tuple[str, ...]:
    """Return the names of all registered inducers of dependencies that can be ranked."""
    from treegauge.systems import systems

    return tuple(
        entry.name
        for entry in systems().values()
        if entry.task == "dependencies"
        and entry.supervision != "supervised"
        and entry.name not in _NOT_RANKED
    )

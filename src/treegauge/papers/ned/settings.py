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
    {"km04": "dmv", "cs09": "slndmv", "saj10a": "leapfrog"}
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
        "A name with train and test parts, or a test file; may be repeated. "
        "en_wsj_sample if missing.",
        flags="--treebank,-t",
        metavar="TREEBANK",
    )
    train: str = setting("", "The train part of a test file.", metavar="FILE")
    other: str = setting("", "Another annotation of the test part, to be compared.", metavar="FILE")
    tags: str = setting("", "The tag column: u, u12, c, p, p:2. p if missing, u if small.")
    tag_map: str = setting("", "Fill universal tags, which some systems need.", metavar="FILE")
    algorithms: tuple[str, ...] = setting(
        tuple(ALGORITHMS), "The paper's names, or other grammar inducers.", metavar="NAMES"
    )
    systems: tuple[str, ...] = setting(
        INDUCERS, "What else is ranked; `all` for every inducer.", metavar="NAMES"
    )
    only_problematic: bool = setting(
        False, "Flip edges of the paper's five structures, no others.", flags="--only-problematic"
    )
    most_parameters: int = setting(MOST_SCALARS, "Parameters that may be changed.", minimum=1)
    sentences_looked_at: int = setting(
        2000, "Sentences of the train part in which flips are looked for.", minimum=1
    )
    supervised_length: int = setting(
        20, "The longest sentence that supervised models learn from, in words.", minimum=1
    )
    smoothing: float = setting(0.1, "Smoothing of supervised models.", minimum=0)
    resamples: int = setting(1000, "For the intervals.", minimum=0)


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

"""What can be chosen about the challenge on grammar induction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from treegauge.papers.paper import PaperSettings
from treegauge.settings import setting


@dataclass(frozen=True)
class PascalSettings(PaperSettings):
    """What can be chosen about the challenge."""

    systems: Literal["small", "fast", "all"] = setting(
        "fast",
        "fast: systems that take minutes. all: every inducer. small: systems for toy languages.",
    )
    fit_on: Literal["union", "train"] = setting(
        "union", "Learn from the raw text of all parts, or of the train part only."
    )
    seeds: int = setting(1, "The number of seeds of systems that are not deterministic.", minimum=1)
    skip: tuple[str, ...] = setting(
        (),
        "Leave out a system, by its name in tables; * matches anything. May be repeated.",
        metavar="SYSTEM",
        commas=False,
    )
    show: str = setting(
        "", "The treebank of Tables 5 and 6 and Figure 1. Default: English.", metavar="TREEBANK"
    )
    full: bool = setting(
        False, "Show all tables, not only averages over treebanks.", flags="--full"
    )
    intervals: bool = setting(
        False, "Show intervals even for several treebanks.", flags="--intervals"
    )
    html: bool = setting(
        True, "Also write the report of the run as an HTML page.", flags="--html/--no-html"
    )
    resamples: int = setting(1000, "Bootstrap resamples of the intervals.", minimum=0)

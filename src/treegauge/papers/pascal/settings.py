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
        "fast", "fast: what ends in minutes; all: every inducer there is; small: for toy languages."
    )
    fit_on: Literal["union", "train"] = setting(
        "union", "The raw text of all parts, or of train alone."
    )
    seeds: int = setting(1, "Seeds of what is not deterministic.", minimum=1)
    skip: tuple[str, ...] = setting(
        (),
        "Leave out a system, by its name in tables; * is anything; may be repeated.",
        metavar="SYSTEM",
        commas=False,
    )
    show: str = setting(
        "", "The treebank of Tables 5 and 6 and Figure 1; English if missing.", metavar="TREEBANK"
    )
    tag_map: str = setting(
        "", "Fill universal tags of the Penn sample, for whole Tables 5 and 6.", metavar="FILE"
    )
    full: bool = setting(
        False, "Show every table, not only averages over treebanks.", flags="--full"
    )
    intervals: bool = setting(
        False, "Show intervals for several treebanks too.", flags="--intervals"
    )
    html: bool = setting(
        True, "Write the report of the run as a page too.", flags="--html/--no-html"
    )
    resamples: int = setting(1000, "Resamples for intervals.", minimum=0)

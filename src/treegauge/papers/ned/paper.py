"""Schwartz, Abend, Reichart and Rappoport (2011), as a paper that can be reproduced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from treegauge.papers.ned.settings import ALGORITHMS, MOST_SCALARS, NedSettings, all_inducers
from treegauge.papers.paper import (
    Frames,
    Measurements,
    MisuseError,
    Paper,
    Remark,
    Workbench,
)
from treegauge.wording import did_you_mean

if TYPE_CHECKING:
    from treegauge.tables import Table


class NeutralEdgeDirection(Paper[NedSettings]):
    """What a few flipped parameters change under three metrics."""

    name = "ned"
    citation = (
        "Schwartz, Abend, Reichart and Rappoport (2011), Neutralizing Linguistically Problematic "
        "Annotations in Unsupervised Dependency Parsing Evaluation"
    )
    summary = (
        "Neutral edge direction (Schwartz et al. 2011): the effect of a few flipped parameters.\n\n"
        "Flips the directions of edges that an inducer has learnt, scores it before and after "
        "under three metrics, ranks inducers under these metrics, and tests which annotation a "
        "supervised model learns better. Published figures are shown next to ours."
    )
    lead = (
        "Some edges of a gold tree could as well point the other way. This page shows how much "
        "the scores of inducers change when a few of their parameters are flipped, and which "
        "metrics notice it."
    )
    example = "treegauge reproduce ned --treebank en_ewt --data treebanks"
    settings_type = NedSettings
    default_treebanks = ("en_wsj_sample",)
    small_treebanks = ("toy:svo",)
    small_tokens = 6_000
    small_system_settings: ClassVar = MappingProxyType(
        {
            "slndmv": {"max_length": 6, "iterations": 5, "sweeps": 3},
            "leapfrog": {"strides": (15,), "iterations": 10},
        }
    )

    @property
    def remarks(self) -> Sequence[Remark]:
        """What the paper says that can be checked."""
        from treegauge.papers.ned.remarks import REMARKS

        return REMARKS

    def small(self, settings: NedSettings) -> NedSettings:
        """Return settings that take seconds, but for those that were chosen."""
        if settings.train or settings.other or settings.tag_map:
            raise MisuseError("--small has its own treebank")
        quick: dict[str, Any] = {
            "tags": "u",
            "systems": ("left-branching", "right-branching", "harmonic", "viterbi-dmv"),
            "sentences_looked_at": 200,
            "resamples": 200,
        }
        chosen = settings.deviations()
        return replace(settings, **{key: quick[key] for key in quick.keys() - chosen})

    def check(self, settings: NedSettings, workbench: Workbench) -> None:
        """Refuse what does not go together, systems that there are not or that have no grammar."""
        from treegauge.runs import ExperimentError
        from treegauge.systems import find_system, systems
        from treegauge.systems.dependency_induction.grammar_inducer import GrammarInducer

        is_missing = settings.treebanks == self.default_treebanks
        if settings.train and (is_missing or len(settings.treebanks) != 1):
            raise MisuseError("--train belongs to one --treebank, a test file")
        if settings.other and len(settings.treebanks) > 1:
            raise MisuseError("--other belongs to one --treebank")
        for name in settings.treebanks:
            if not settings.train and _is_file(name):
                raise MisuseError(
                    f"{name} is one file: give its train part with --train, or a folder with "
                    "both parts"
                )
        if settings.most_parameters > MOST_SCALARS:
            raise MisuseError(
                f"the paper changes at most {MOST_SCALARS} parameters; "
                f"found {settings.most_parameters}"
            )
        for name in workbench.system_settings:
            if name not in systems():
                near = did_you_mean(name, systems())
                raise ExperimentError(f"settings of an unknown system {name}{near}")
        if not settings.algorithms and not settings.systems:
            raise ExperimentError("nothing to do: no algorithm and no inducer")
        for name in settings.systems:
            if name != "all":
                find_system(name)
        for name in settings.algorithms:
            system = find_system(ALGORITHMS.get(name, name))
            if not issubclass(system.load(), GrammarInducer):
                raise ExperimentError(
                    f"{system.name} has no grammar whose parameters could be flipped"
                )

    def measure(self, settings: NedSettings, workbench: Workbench) -> Measurements[NedSettings]:
        """Run inducers, flip what algorithms have learnt, compare annotations."""
        from treegauge.papers.ned.measure import measure

        named = all_inducers() if settings.systems == ("all",) else settings.systems
        return measure(replace(settings, tags=settings.tags or "p", systems=named), workbench)

    def tables(self, measured: Measurements[NedSettings]) -> list[Table]:
        """Return the tables of every treebank."""
        from treegauge.papers.ned.tables import ned_tables

        return ned_tables(measured, self.published(), self.citation)

    def published(self) -> Frames:
        """Return what the paper's text says; a frame has the columns that it has figures for."""
        frames = self.read_published().partition_by("frame", as_dict=True, include_key=False)
        return {
            str(name): rows.select(column for column in rows if column.null_count() < rows.height)
            for (name,), rows in frames.items()
        }


def _is_file(text: str) -> bool:
    """Return whether a text is a file to be read as it is, a pipe too, and no folder or name."""
    try:
        return text == "-" or (Path(text).exists() and not Path(text).is_dir())
    except OSError:  # too long for a path, for example
        return False

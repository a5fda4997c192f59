"""A paper that nobody wrote, as CONTRIBUTING.md says a paper is added."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import polars as pl

from treegauge.metrics.conventions import preset
from treegauge.papers.paper import (
    Checked,
    Frames,
    Measurements,
    Paper,
    PaperSettings,
    Remark,
    Workbench,
)
from treegauge.runs import Experiment, Scoring, SystemChoice
from treegauge.settings import setting
from treegauge.tables import PERCENT, Cell, Column, Table


@dataclass(frozen=True)
class BranchingSettings(PaperSettings):
    systems: tuple[str, ...] = setting(("left-branching", "right-branching"), "What branches.")
    punctuation: Literal["pascal", "conll2006"] = setting("pascal", "The conventions.")
    longest: int | None = setting(None, "A cut-off that nobody needs.", minimum=1)
    shout: bool = setting(False, "Say it aloud.")


def right_is_better(frames: Frames) -> Checked | None:
    means = dict(frames["scores"].group_by("system").agg(pl.col("value").mean()).iter_rows())
    left, right = means.get("left-branching"), means.get("right-branching")
    if left is None or right is None:
        return None
    evidence = f"{100 * right:.1f} against {100 * left:.1f}"
    return Checked("holds" if right > left else "does not hold", evidence)


class Branching(Paper[BranchingSettings]):
    name = "branching"
    citation = "Nobody (1999), Branches. Proceedings of Nowhere"
    summary = "Branches (Nobody 1999): left or right?"
    example = "treegauge reproduce branching --small"
    settings_type = BranchingSettings
    default_treebanks = ("en_ewt",)
    small_treebanks = ("toy:svo",)
    remarks = (Remark("2", "Right-branching trees are better.", right_is_better),)

    def small(self, settings: BranchingSettings) -> BranchingSettings:
        return replace(settings, longest=10)

    def measure(
        self, settings: BranchingSettings, workbench: Workbench
    ) -> Measurements[BranchingSettings]:
        choices = [
            SystemChoice(name, name, tuple(workbench.system_settings.get(name, {}).items()))
            for name in settings.systems
        ]
        run = workbench.run(
            Experiment(
                name="branching",
                treebanks=settings.treebanks,
                systems=tuple(choices),
                scorings=(Scoring(preset(settings.punctuation), ("uas",)),),
                resamples=0,
            )
        )
        scores = run.table.select("treebank", "system", "value")
        failures = tuple(f"{failure.cell}: {failure.reason}" for failure in run.failures)
        return Measurements(settings, {"scores": scores}, failures=failures)

    def tables(self, measured: Measurements[BranchingSettings]) -> list[Table]:
        rows = [
            [system, treebank, Cell(value)]
            for treebank, system, value in measured.frames["scores"].iter_rows()
        ]
        columns = ["system", "treebank", Column("UAS", format=PERCENT)]
        return [Table(columns, rows, title="Table 1: who branches best")]

    def published(self) -> Frames:
        systems, values = ["left-branching", "right-branching"], [0.2, 0.3]
        frame = {"treebank": "nowhere", "system": systems, "value": values}
        return {"scores": pl.DataFrame(frame)}

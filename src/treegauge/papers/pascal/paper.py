"""The PASCAL challenge on grammar induction, as a paper that can be reproduced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treegauge.papers.paper import Frames, Measurements, MisuseError, Paper, Remark, Workbench
from treegauge.papers.pascal.settings import PascalSettings
from treegauge.results.published import PASCAL, published_scores

if TYPE_CHECKING:
    from treegauge.reports.charts import Figure
    from treegauge.reports.pages import Page
    from treegauge.tables import Table

_TRIALS = 1000
"""Of the tests between systems on the page; `treegauge report --trials` does more."""


class Pascal(Paper[PascalSettings]):
    """Gelling, Cohn, Blunsom and Graça (2012), The PASCAL Challenge on Grammar Induction."""

    name = "pascal"
    citation = PASCAL
    summary = (
        "The PASCAL challenge (Gelling et al. 2012): its three tracks, tables and figure.\n\n"
        "Tags from raw text, trees over given tags, and trees from raw text. Published figures "
        "are shown next to ours. Systems are grouped by supervision and by number of classes. "
        "Averages are printed. All tables are in tables.md of the folder; report.html has them "
        "with significance, figures and trees. The time estimate comes first. An interrupted "
        "run continues when it is started again."
    )
    example = "treegauge reproduce pascal --systems fast --data treebanks"
    settings_type = PascalSettings
    default_treebanks = ("pascal10",)
    small_treebanks = ("toy:svo", "toy:sov")
    small_tokens = 6000
    small_on_disk = True

    @property
    def remarks(self) -> Sequence[Remark]:
        """What the paper says that can be checked."""
        from treegauge.papers.pascal.remarks import REMARKS

        return REMARKS

    def small(self, settings: PascalSettings) -> PascalSettings:
        """Return the challenge with a handful of systems."""
        if settings.tag_map:
            raise MisuseError("--tag-map is for en_wsj_sample, which --small does without")
        return replace(settings, systems="small", resamples=min(settings.resamples, 200))

    def check(self, settings: PascalSettings, workbench: Workbench) -> None:
        """Refuse systems and treebanks that are not in the run."""
        from treegauge.papers.pascal.measure import check_choices

        check_choices(settings, workbench)

    def measure(
        self, settings: PascalSettings, workbench: Workbench
    ) -> Measurements[PascalSettings]:
        """Run all systems in all tracks, and read what the paper's tables show."""
        from treegauge.papers.pascal.measure import measure

        return measure(settings, workbench)

    def tables(self, measured: Measurements[PascalSettings]) -> list[Table]:
        """Return all tables of the paper, averages first."""
        from treegauge.papers.pascal.tables import full_tables

        return full_tables(measured)

    def shown_tables(self, measured: Measurements[PascalSettings]) -> list[Table]:
        """Return averages, or all tables with `--full`."""
        from treegauge.papers.pascal.tables import short_tables

        return self.tables(measured) if measured.settings.full else short_tables(measured)

    def figures(self, measured: Measurements[PascalSettings]) -> list[Figure]:
        """Return Figure 1, of one treebank, of the Penn sample and averaged."""
        from treegauge.papers.pascal.penn_tables import length_figures

        return length_figures(measured)

    def has_page(self, settings: PascalSettings) -> bool:
        """Return whether the page was asked for, which takes longer than the tables."""
        return settings.html

    def page(
        self,
        measured: Measurements[PascalSettings],
        workbench: Workbench,
        *,
        command: str = "",
    ) -> Page:
        """Return the report of the run, as `treegauge report` makes it, with the remarks."""
        from treegauge.reports import report
        from treegauge.reports.pages import remarks_part
        from treegauge.reports.pages.run_annotations import run_annotations

        run_report = report(workbench.folder)
        with workbench.progress("reading annotations"):
            annotations = run_annotations(
                run_report.results, run_report.folder, workbench.catalogue
            )
        for problem in annotations.problems:
            workbench.say(problem)
        with workbench.progress("testing systems against each other") as advance:
            page = run_report.page(
                annotations,
                run_command=command,
                trials=_TRIALS,
                on_progress=lambda share: advance(share, ""),
            )
        remarks = remarks_part(self.remark_table(measured.frames))
        return replace(page, parts=[*page.parts, *remarks])

    def published(self) -> Frames:
        """Return the paper's numbers, and the sizes of its training parts from Table 1."""
        return {"scores": published_scores(), "treebanks": self.read_published("treebanks.tsv")}

    def published_tables(self) -> list[Table]:
        """Return who wins the paper's tables."""
        from treegauge.papers.pascal.scores import winner_table

        return [winner_table(self.published())]

    def to_dict(self, measured: Measurements[PascalSettings]) -> dict[str, Any]:
        """Return everything but the long tables, which the folders of the runs have.

        Of the paper's numbers, those of the systems and test sets of this run.
        """
        import polars as pl

        scores = measured.frames["scores"]
        beside = published_scores().filter(
            pl.col("system").is_in(scores["system"].unique().to_list())
            & pl.col("test_set").is_in(scores["test_set"].unique().to_list())
        )
        long_tables = ("results", "penn")
        kept = {name: own for name, own in measured.frames.items() if name not in long_tables}
        document = super().to_dict(replace(measured, frames=kept))
        return {**document, "published": {"scores": beside.to_dicts()}}

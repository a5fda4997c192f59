"""The report of a run: systems by treebanks, by language, by system, and all trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from treegauge.reports.charts import Palette
from treegauge.reports.pages.annotations import LENGTHS
from treegauge.reports.pages.commands import command_of_run, program_of
from treegauge.reports.pages.grid import MOST_COLUMNS
from treegauge.reports.pages.page import (
    Block,
    Choice,
    Command,
    Facts,
    Fold,
    Listing,
    Page,
    Part,
    Prose,
    Side,
    Source,
)
from treegauge.reports.pages.run_annotations import RunAnnotations
from treegauge.reports.pages.run_evidence import Evidence, gather
from treegauge.reports.pages.run_figures import (
    agreement_figure,
    named,
    overview_figure,
    time_figure,
)
from treegauge.reports.pages.run_lengths import ByTreebank, mean_strata
from treegauge.reports.pages.run_scores import RunScores
from treegauge.reports.pages.shared_parts import (
    TREES,
    confusion_blocks,
    confusions_part,
    length_blocks,
    titled,
)
from treegauge.reports.run_facts import SystemFacts
from treegauge.reports.run_published import sources_table
from treegauge.reports.run_report import RunReport
from treegauge.reports.run_rows import SystemRow
from treegauge.reports.run_strata import stratum_tables
from treegauge.reports.run_tables import RunTable
from treegauge.results import TreebankScore
from treegauge.tables import duration
from treegauge.wording import counted


def make_run_page(
    report: RunReport,
    annotations: RunAnnotations,
    *,
    command: str = "",
    run_command: str = "",
    trials: int = 10_000,
    on_progress: Callable[[float], None] | None = None,
) -> Page:
    """Return the page of a run.

    Parameters
    ----------
    report : RunReport
        The tables of the run.
    annotations : RunAnnotations
        What systems said, beside gold.
    command : str
        What makes the page again.
    run_command : str
        What makes the run again; `treegauge run` with its experiment when missing.
    trials : int
        Of the tests between systems.
    on_progress : callable, optional
        Told the share of treebanks whose annotations have been looked at.
    """
    evidence = gather(
        report.results, report.scores, annotations, trials=trials, on_progress=on_progress
    )
    scores = RunScores(report, annotations, evidence.wins, program_of(command))
    run_command = run_command or command_of_run(report.folder, program_of(command))
    return _RunPage(report, annotations, evidence, scores, command, run_command).page()


@dataclass
class _RunPage:
    report: RunReport
    annotations: RunAnnotations
    evidence: Evidence
    scores: RunScores
    command: str
    run_command: str

    @property
    def tracks(self) -> list[str]:
        return self.scores.tracks

    @property
    def has_many_treebanks(self) -> bool:
        """Whether there are too many for a column or a section each."""
        return len(self.report.facts.treebanks) > MOST_COLUMNS

    @cached_property
    def palette(self) -> Palette:
        """One colour for every system of the page."""
        return Palette(sorted({one.system for one in self.report.facts.systems}))

    def page(self) -> Page:
        """Return all parts."""
        facts = self.report.facts
        trees = [
            replace(bank, name=f"{bank.name}, {track}") if len(self.tracks) > 1 else bank
            for track in self.tracks
            for bank in self.evidence.trees.get(track, [])
        ]
        parts = [
            self.summary(),
            self.results(),
            self.lengths(),
            self.confusions(),
            self.languages(),
            self.systems(),
            *([TREES] if trees else []),
            self.reproduction(),
        ]
        treebanks = counted(len(facts.treebanks), "treebank")
        if not self.has_many_treebanks:
            treebanks += f": {', '.join(facts.treebanks)}"
        return Page(
            facts.experiment,
            f"{counted(len(facts.systems), 'system')} on {treebanks}.",
            [part for part in parts if part.blocks],
            trees,
        )

    # ------------------------------------------------------------------ summary and results

    def summary(self) -> Part:
        """Return what a reader should see first."""
        run_facts = self.report.facts
        failed = sum(one.failed for one in run_facts.systems)
        facts = [
            (str(len(run_facts.treebanks)), "treebanks"),
            (str(len(run_facts.systems)), "systems"),
            (duration(sum(one.seconds for one in run_facts.systems)), "of computing"),
        ]
        facts += [(str(failed), "cells failed")] if failed else []
        bests = []
        figures: list[Block] = []
        for track in self.tracks:
            table = self.scores.tables(track)[0]
            for kind, best in _best_of_groups(table):
                value = table.format.show(best.common.value)
                bests.append((best.system, f"best {kind}: {named(table)} {value}"))
            drawn = (
                overview_figure(table, self.palette),
                time_figure(table, run_facts, self.palette),
            )
            figures.append(Side([figure for figure in drawn if figure is not None]))
        blocks = [Facts(facts), Facts(bests), *figures]
        blocks += map(Prose, (*self.annotations.problems, *self.report.without_values))
        return Part("summary", "Summary", blocks)

    def results(self) -> Part:
        """Return a table for every track and metric, one of which is seen."""
        tables = self.report.scores
        blocks: list[Block] = []
        if self.has_many_treebanks:
            blocks.append(self.scores.grid(tables))
        else:
            panes = {one.title: [self.scores.result_table(one)] for one in tables}
            blocks.append(Choice("Table", panes))
        drawn = (agreement_figure(self.scores.tables(t), self.palette) for t in self.tracks)
        blocks += [figure for figure in drawn if figure is not None]
        sources = sources_table(tables)
        blocks += [sources] if sources is not None else []
        return Part(
            "results", "Results", blocks, _ABOUT_GRID if self.has_many_treebanks else _ABOUT
        )

    # ------------------------------------------------------------------ lengths and confusions

    def _word_table(self, track: str) -> RunTable | None:
        """Return the first table of a track whose metric judges words."""
        return next((t for t in self.scores.tables(track) if t.spec.metric.outcome), None)

    def _strata(self, track: str) -> dict[str, ByTreebank]:
        """Return the scores of a track by length, in the order of the strata."""
        known = self.evidence.strata.get(track, {})
        return {by: known[by] for by in LENGTHS if by in known}

    def lengths(self) -> Part:
        """Return accuracy by edge length and sentence length, averaged over treebanks."""
        blocks: list[Block] = []
        for track in self.tracks:
            of_lengths = self._strata(track)
            table = self._word_table(track)
            if table is None or not of_lengths:
                continue
            where = "mean over treebanks" if len(table.treebanks) > 1 else ""
            blocks += length_blocks(
                titled(table.spec),
                {by: mean_strata(own) for by, own in of_lengths.items()},
                where=track if len(self.tracks) > 1 else where,
                palette=self.palette,
            )
        for by in self.report.by:
            if by not in LENGTHS:
                tables = [one.to_table() for one in stratum_tables(self.report.results, by)]
                blocks.append(Choice(by, {table.title: [table] for table in tables}))
        return Part("lengths", "By length", blocks)

    def confusions(self) -> Part:
        """Return what systems take for what, summed over treebanks."""
        panes: dict[str, list[Block]] = {}
        for track in self.tracks:
            for system in self.scores.systems(track):
                total = self.evidence.confusion(track, system)
                if total is not None:
                    name = f"{system}, {track}" if len(self.tracks) > 1 else system
                    panes[name] = confusion_blocks(name, total)
        every = self.report.facts.treebanks
        sources = [name for name in every if name in self.evidence.treebanks]
        where = "all treebanks of the run" if len(sources) == len(every) else ", ".join(sources)
        if self.has_many_treebanks and len(sources) < len(every):
            where = f"{len(sources)} of {len(every)} treebanks"
        return confusions_part(panes, f"Summed over {where}.")

    # ------------------------------------------------------------------ languages and systems

    def languages(self) -> Part:
        """Return a section for every treebank; of many, the grid has all that it would have."""
        folds: list[Block] = []
        if self.has_many_treebanks:
            return Part("languages", "Languages", folds)
        for treebank in self.report.facts.treebanks:
            blocks: list[Block] = []
            bests = []
            for track in self.tracks:
                own = [t for t in self.scores.tables(track) if treebank in t.treebanks]
                if not own:
                    continue
                best = _best_on(own[0], treebank)
                if best is not None:
                    system, score = best
                    value = own[0].format.show(score.value)
                    bests.append(f"{track}: {system} {titled(own[0].spec)} {value}")
                blocks.append(self.scores.treebank_table(track, treebank))
                blocks += self._lengths_of(track, treebank)
            if blocks:
                folds.append(Fold(treebank, "; ".join(bests), blocks))
        return Part("languages", "Languages", folds)

    def _lengths_of(self, track: str, treebank: str) -> list[Block]:
        of_lengths = self._strata(track)
        strata = {by: own[treebank] for by, own in of_lengths.items() if treebank in own}
        table = self._word_table(track)
        if table is None or not strata:
            return []
        return length_blocks(titled(table.spec), strata, where=treebank, palette=self.palette)

    def systems(self) -> Part:
        """Return a section for every system: settings, costs, scores by treebank."""
        folds: list[Block] = []
        for one in self.report.facts.systems:
            tables = self.scores.tables(one.track)
            rows = [(t, row) for t in tables for row in t.systems if row.system == one.system]
            if not rows:
                continue
            table, row = rows[0]
            summary = f"{one.track}, {one.supervision}"
            if row.common.value is not None:
                summary += f"; {titled(table.spec)} {table.format.show(row.common.value)}"
            blocks: list[Block] = [Listing(_about(one, row))]
            if not self.has_many_treebanks:
                blocks.append(self.scores.system_table(one.track, one.system))
            folds.append(Fold(one.system, summary, blocks))
        return Part("systems", "Systems", folds)

    # ------------------------------------------------------------------ reproduction

    def reproduction(self) -> Part:
        """Return the experiment, commands, costs and signatures."""
        file = self.report.folder.path.resolve() / "experiment.toml"
        blocks: list[Block] = []
        if self.run_command:
            blocks.append(
                Command("The whole run; finished cells are not run again", self.run_command)
            )
        if self.command:
            blocks.append(Command("This report", self.command))
        blocks.append(
            Prose(
                "Every number links to its signature and to the command that reproduces it from "
                "the output of its system."
            )
        )
        if file.exists():
            experiment = file.read_text("utf-8", errors="replace")
            blocks.append(Fold("The experiment", str(file), [Source(experiment)]))
        blocks.append(replace(self.report.facts.to_table(), title="What it cost"))
        signatures = {table.title: table.signature for table in self.report.scores}
        blocks.append(Listing(signatures, "Signatures"))
        return Part("reproduce", "How to reproduce this page", blocks)


_ABOUT = (
    "Systems are grouped by supervision, and the best of each group is bold. "
    "Every number has its interval below it. Select a number to see its signature and the "
    "command that reproduces it. Published figures are grey."
)
_ABOUT_GRID = (
    "Filter treebanks by language, family, genus and script. A row is a treebank, or the mean "
    "over the treebanks of a language, family, genus or script. The first row is the mean over all "
    "selected treebanks; (n) is their number where a system lacks some. The best of each kind of "
    "supervision is bold. Select the score of a treebank to see its signature and the command that "
    "reproduces it."
)


def _about(facts: SystemFacts, row: SystemRow) -> dict[str, str]:
    """Return what a system is and what it cost."""
    entries = {
        "supervision": facts.supervision,
        "method": row.method,
        "settings": row.remark or "none",
        "learnt from": row.fit_on,
        "time": f"{duration(facts.seconds)} for {counted(facts.cells, 'cell')}",
        "memory": f"{facts.peak_memory:,.0f} MiB at most" if facts.peak_memory else "–",
    }
    return {**entries, **({"failed": counted(facts.failed, "cell")} if facts.failed else {})}


def _best_of_groups(table: RunTable) -> list[tuple[str, SystemRow]]:
    """Return the best system of every kind of supervision, by its average."""
    sign = 1 if table.spec.metric.higher_is_better else -1
    bests = []
    for kind, members in table.groups:
        ours = [row for row in members if isinstance(row, SystemRow)]
        there = [row for row in ours if row.common.value is not None]
        if there:
            bests.append((kind, max(there, key=lambda row: sign * (row.common.value or 0.0))))
    return bests


def _best_on(table: RunTable, treebank: str) -> tuple[str, TreebankScore] | None:
    """Return the best system on a treebank, and its score."""
    sign = 1 if table.spec.metric.higher_is_better else -1
    scores: Sequence[tuple[str, TreebankScore]] = [
        (row.system, row.scores[treebank])
        for row in table.systems
        if row.scores[treebank].value is not None
    ]
    return max(scores, key=lambda pair: sign * (pair[1].value or 0.0), default=None)

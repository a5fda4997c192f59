"""The report of a run: systems by treebanks, by language, by system, and all trees."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any

import numpy as np
import polars as pl

from treegauge.errors import TreegaugeError
from treegauge.evaluation import StratumScore
from treegauge.reports.charts import (
    Bar,
    Figure,
    Point,
    Spot,
    bar_chart,
    file_name,
    scatter_chart,
)
from treegauge.reports.pages.annotations import LENGTHS, summed
from treegauge.reports.pages.commands import evaluate_command, options_of
from treegauge.reports.pages.data_table import Column, DataTable, Group, Number, Row, as_data_table
from treegauge.reports.pages.document import (
    Block,
    Choice,
    Command,
    Document,
    Facts,
    Fold,
    Listing,
    Numbering,
    Part,
    Prose,
    Side,
    Source,
    Trees,
)
from treegauge.reports.pages.evaluation_page import titled
from treegauge.reports.pages.run_annotations import RunAnnotations, Wins, wins
from treegauge.reports.pages.shared_parts import (
    ABOUT_LETTERS,
    confusion_blocks,
    length_blocks,
    letters_shown,
)
from treegauge.reports.pages.tree_data import tree_bank
from treegauge.reports.run_facts import RunFacts
from treegauge.reports.run_rows import FiguresRow, SystemRow
from treegauge.reports.run_strata import StratumTable, stratum_tables
from treegauge.reports.run_tables import RunTable, sources_table
from treegauge.reports.shown_numbers import Shown
from treegauge.results import Average, TreebankScore
from treegauge.runs import RunFolder
from treegauge.significance.letters import significance_letters
from treegauge.wording import counted


@dataclass(frozen=True)
class RunRequest:
    """What a report of a run is to show beside its tables."""

    command: str = ""
    """What was typed."""
    trials: int = 10_000
    by: Sequence[str] = ()
    """Further strata that the run was scored by."""


def run_document(
    results: pl.DataFrame,
    place: RunFolder,
    tables: Sequence[RunTable],
    facts: RunFacts,
    annotations: RunAnnotations,
    request: RunRequest,
    *,
    without_values: Sequence[str] = (),
    on_progress: Callable[[float], None] | None = None,
) -> Document:
    """Return the report of a run."""
    wanted: dict[tuple[str, str, str], list[str]] = {}
    for table in tables:
        wanted.setdefault((table.track, table.preset, table.tags), []).append(str(table.spec))
    tested = wins(annotations, wanted, trials=request.trials, on_progress=on_progress)
    report = _RunReport(results, place, tables, facts, annotations, request, tested)
    return report.document(without_values)


@dataclass
class _RunReport:
    results: pl.DataFrame
    place: RunFolder
    tables: Sequence[RunTable]
    facts: RunFacts
    annotations: RunAnnotations
    request: RunRequest
    wins: Wins
    signatures: Numbering = field(default_factory=Numbering)
    sources: Numbering = field(default_factory=Numbering)

    def __post_init__(self) -> None:
        self.cells: dict[tuple[str, str, str], dict[str, None]] = {}
        self.splits: dict[str, str] = {}
        self.signature_of: dict[tuple[str, ...], dict[tuple[str, str], str]] = {}
        """By track, treebank, system and preset; then by tags and metric."""
        self.by_length: dict[tuple[str, str], dict[str, dict[str, list[StratumScore]]]] = {}
        """By track and treebank; then by stratum and system. Filled by `lengths`."""
        whole = self.results.filter(pl.col("by") == "")
        for row in whole.sort("seed").iter_rows(named=True):
            about = (row["track"], row["treebank"], row["system"])
            self.cells.setdefault(about, {})[row["cell"]] = None
            self.splits[row["treebank"]] = row["split"]
            if row["signature"]:
                own = self.signature_of.setdefault((*about, row["preset"]), {})
                own.setdefault((row["tags"], row["metric"]), row["signature"])
        self.letters = {track: _letters_of(self._systems(track)) for track in self.tracks}

    @property
    def tracks(self) -> list[str]:
        return list(dict.fromkeys(table.track for table in self.tables))

    def _systems(self, track: str) -> list[str]:
        """Return the systems of a track in the order of the tables."""
        rows = (row for table in self.tables if table.track == track for row in table.systems)
        groups = [
            members for table in self.tables if table.track == track for _, members in table.groups
        ]
        ordered = [
            row.system for members in groups for row in members if isinstance(row, SystemRow)
        ]
        return list(dict.fromkeys([*ordered, *(row.system for row in rows)]))

    def main_table(self, track: str) -> RunTable:
        """Return the table that a track is summarised by: its first."""
        return next(table for table in self.tables if table.track == track)

    def document(self, without_values: Sequence[str]) -> Document:
        """Return all parts."""
        several = len(self.tracks) > 1
        trees = [
            replace(bank, name=f"{bank.name}, {track}") if several else bank
            for track in self.tracks
            for one in self.annotations.of_track.get(track, {}).values()
            if (bank := tree_bank(one)) is not None
        ]
        parts = [
            self.summary(without_values),
            self.results_part(),
            self.lengths(),
            self.confusions(),
            self.languages(),
            self.systems(),
        ]
        if trees:
            parts.append(
                Part("trees", "Trees", [Trees()], "Gold above the words, a system below them.")
            )
        parts.append(self.reproduction())
        n = len(self.facts.treebanks)
        return Document(
            self.facts.experiment,
            f"{counted(len(self.facts.systems), 'system')} on {counted(n, 'treebank')}: "
            f"{', '.join(self.facts.treebanks)}.",
            [part for part in parts if part.blocks],
            self.signatures.texts,
            self.sources.texts,
            trees,
        )

    # ------------------------------------------------------------------ summary

    def summary(self, without_values: Sequence[str]) -> Part:
        """Return what a reader should see first."""
        seconds = sum(one.seconds for one in self.facts.systems)
        failed = sum(one.failed for one in self.facts.systems)
        facts = [
            (str(len(self.facts.treebanks)), "treebanks"),
            (str(len(self.facts.systems)), "systems"),
            (_duration(seconds), "of computing"),
        ]
        if failed:
            facts.append((str(failed), "cells failed"))
        bests = []
        blocks: list[Block] = []
        for track in self.tracks:
            table = self.main_table(track)
            for kind, best in _best_of_groups(table):
                mean = best.common if len(table.treebanks) > 1 else best.available
                shown = Shown.of(table.spec).number(mean.value or 0.0)
                bests.append((best.system, f"best {kind}: {_named(table)} {shown}"))
            figures = [self.overview(table), self.times(table)]
            blocks.append(Side([figure for figure in figures if figure is not None]))
        blocks = [Facts(facts), Facts(bests), *blocks]
        blocks += [Prose(line) for line in (*self.annotations.problems, *without_values)]
        return Part("summary", "Summary", blocks)

    def overview(self, table: RunTable) -> Figure:
        """Draw the average of every system, a dot for every treebank, and published averages."""
        shown = Shown.of(table.spec)
        scale = 100 if table.spec.metric.is_share else 1
        sign = -1 if table.spec.metric.higher_is_better else 1
        groups: dict[str, list[Bar]] = {}
        for kind, members in table.groups:
            bars: list[tuple[float, Bar]] = []
            for row in members:
                if not isinstance(row, SystemRow) or row.common.value is None:
                    continue
                mean = row.common
                value = mean.value or 0.0
                dots = [
                    (scale * score.value, f"{row.system} on {name}: {_said(shown, score)}")
                    for name, score in row.scores.items()
                    if score.value is not None
                ]
                published = [
                    (
                        scale * figure.common.value,
                        f"{figure.label}: {shown.number(figure.common.value, 1)}",
                    )
                    for figure in table.figures
                    if figure.counterpart == row.system and figure.common.value is not None
                ]
                over = counted(len(mean.treebanks), "treebank")
                said = (
                    f"{row.system}: {shown.with_deviation(value, mean.deviation)}\nmean of {over}"
                )
                text = shown.number(value)
                single = next(iter(row.scores.values())) if len(row.scores) == 1 else None
                low = scale * single.low if single and single.low is not None else None
                high = scale * single.high if single and single.high is not None else None
                point = Point(scale * value, low, high, said)
                own = [] if single else dots
                bars.append((sign * value, Bar(row.system, point, text, own, published)))
            groups[kind] = [bar for _, bar in sorted(bars, key=lambda pair: pair[0])]
        several = len(table.treebanks) > 1
        remark = "dots are treebanks" if several else ""
        if table.figures:
            remark += ("; " if remark else "") + "dashed grey lines are published figures"
        over = f"mean over {len(table.common)} treebanks" if several else table.treebanks[0]
        unit = ", per cent" if table.spec.metric.is_share else ""
        return bar_chart(
            file_name(table.track, titled(table.spec), "overview"),
            f"{_named(table)}, {table.track}",
            x_title=f"{over}{unit}",
            groups={kind: bars for kind, bars in groups.items() if bars},
            remark=remark,
        )

    def times(self, table: RunTable) -> Figure | None:
        """Draw what systems reach against the time they take."""
        shown = Shown.of(table.spec)
        scale = 100 if table.spec.metric.is_share else 1
        facts = {one.system: one for one in self.facts.systems if one.track == table.track}
        spots = []
        for row in table.systems:
            own = facts.get(row.system)
            if own is None or row.common.value is None or own.cells <= own.failed:
                continue
            seconds = own.seconds / max(own.cells - own.failed, 1)
            said = (
                f"{row.system}\n{_named(table)} {shown.number(row.common.value)}\n"
                f"{seconds:.1f} seconds a treebank"
            )
            spots.append(Spot(row.system, seconds, scale * row.common.value, said))
        if len([spot for spot in spots if spot.x > 0]) < 2:
            return None
        return scatter_chart(
            file_name(table.track, titled(table.spec), "and time"),
            f"{_named(table)} and time, {table.track}",
            x_title="seconds a treebank, mean (logarithmic)",
            y_title=_named(table) + (", %" if scale == 100 else ""),
            spots=spots,
            logarithmic=True,
        )

    # ------------------------------------------------------------------ results

    def results_part(self) -> Part:
        """Return a table for every track and metric, one of which is seen."""
        panes: dict[str, list[Block]] = {
            table.title: [self.result_table(table)] for table in self.tables
        }
        blocks: list[Block] = [Choice("Table", panes)]
        blocks += self.metric_scatters()
        sources = sources_table(self.tables)
        if sources is not None:
            blocks.append(as_data_table(sources))
        return Part(
            "results",
            "Results",
            blocks,
            "Systems of one kind of supervision stand together, the best of each kind in bold. "
            "A number has its interval below it; choose one to see its signature and the command "
            "that makes it again. Published figures are in grey.",
        )

    def result_table(self, table: RunTable) -> DataTable:
        """Return systems in rows and treebanks in columns."""
        bold = {
            (i, j)
            for i, own in enumerate(table.to_table().rows)
            for j, cell in enumerate(own.cells)
            if cell.best
        }
        columns = [Column("system", is_number=False)]
        for name in table.treebanks:
            n = max((row.scores[name].n for row in table.systems), default=0)
            columns.append(Column(name, below=f"n = {n:,}" if n else ""))
        columns += [Column(label, below=f"of {number}") for label, _, number in _means(table)]
        groups = []
        at = 0
        for kind, members in table.groups:
            rows: list[Row] = []
            for row in members:
                if isinstance(row, FiguresRow):
                    cells = self._published(table, row)
                    one = Row([row.label, *cells], is_published=True, remark=_remark(row))
                    if rows and not rows[-1].is_published and row.beside:
                        rows[-1] = replace(rows[-1], followers=[*rows[-1].followers, one])
                    else:
                        rows.append(one)
                else:
                    bests = {j for i, j in bold if i == at}
                    rows.append(self._system_row(table, row, bests))
                at += 1
            groups.append(Group(rows, kind))
        notes = list(table.to_table(intervals=True).all_notes())
        if self.wins.beaten:
            notes.insert(0, ABOUT_LETTERS + "; of several seeds, the first")
        return DataTable(table.title, columns, groups, notes, self._arguments(table))

    def _arguments(self, table: RunTable) -> str:
        return f"-m {table.spec} {self._options(table)}"

    def _options(self, table: RunTable) -> str:
        conventions = self.annotations.conventions_of(table.preset, table.tags)
        if conventions is not None:
            return options_of(conventions)
        return f"--preset {table.preset}" + (f" --tags {table.tags}" if table.tags else "")

    def _system_row(self, table: RunTable, row: SystemRow, bests: set[int]) -> Row:
        cells = [
            self._number(table, row, name, is_best=j in bests)
            for j, name in enumerate(table.treebanks, start=1)
        ]
        for _, k, number in _means(table):
            is_best = len(table.treebanks) + 1 + k in bests
            cells.append(_mean(table, (row.available, row.common)[k], number, is_best))
        return Row(
            [row.system, *cells],
            letter=self._letter(table.track, row.system),
            remark=_settings(row.settings),
        )

    def _letter(self, track: str, system: str) -> str:
        return self.letters[track][system] if self.wins.beaten else ""

    def _number(
        self, table: RunTable, row: SystemRow, treebank: str, *, is_best: bool = False
    ) -> Number:
        score = row.scores[treebank]
        shown = Shown.of(table.spec)
        reasons = "; ".join(score.missing)
        if score.value is None:
            return Number("–", remark=reasons)
        key = f"{table.preset} {table.tags} {table.spec}"
        beaten = self.wins.of(key, table.track, treebank, row.system)
        letters = [self.letters[table.track][name] for name in beaten]
        interval = ""
        if score.low is not None and score.high is not None:
            interval = f"{shown.number(score.low)}, {shown.number(score.high)}"
        elif score.deviation is not None:
            interval = f"± {shown.number(score.deviation)}, {len(score.by_seed)} seeds"
        return Number(
            shown.number(score.value),
            score.value,
            interval,
            score.n,
            letters_shown(sorted(letters, key=lambda letter: (len(letter), letter))),
            is_best,
            reasons,
            self._signature(table, row, treebank),
            self._source(table.track, treebank, row.system),
        )

    def _signature(self, table: RunTable, row: SystemRow, treebank: str) -> int | None:
        about = (table.track, treebank, row.system, table.preset)
        for (tags, metric), signature in self.signature_of.get(about, {}).items():
            if metric == str(table.spec) and (not table.tags or tags == table.tags):
                return self.signatures(signature)
        return None

    def _source(self, track: str, treebank: str, system: str) -> int:
        split = self.splits[treebank]
        gold = f"{treebank}:{split}" if split in ("train", "dev", "test") else treebank
        files = [
            str(self.place.cell(key) / f"{split}.conllu.gz")
            for key in self.cells[track, treebank, system]
        ]
        return self.sources(evaluate_command(gold, files))

    def _published(self, table: RunTable, row: FiguresRow) -> list[Number]:
        shown = Shown.of(table.spec)
        decimals = row.published.decimals
        numbers = [row.values.get(name) for name in table.treebanks]
        numbers += [(row.available, row.common)[k].value for _, k, _ in _means(table)]
        return [
            Number("–") if value is None else Number(shown.number(value, decimals), value)
            for value in numbers
        ]

    def metric_scatters(self) -> list[Figure]:
        """Draw two metrics of every track against each other, to see whether they agree."""
        figures = []
        for track in self.tracks:
            own = [t for t in self.tables if t.track == track and t.spec.metric.is_share]
            if len(own) < 2:
                continue
            x = own[0]
            y = next(
                (t for t in own[1:] if t.spec.name == "ned" and t.spec.cut_off == x.spec.cut_off),
                own[1],
            )
            values = {row.system: row.common.value for row in y.systems}
            spots = [
                Spot(
                    row.system,
                    100 * row.common.value,
                    100 * other,
                    f"{row.system}\n{titled(x.spec)} {100 * row.common.value:.2f}\n"
                    f"{titled(y.spec)} {100 * other:.2f}",
                )
                for row in x.systems
                if row.common.value is not None and (other := values.get(row.system)) is not None
            ]
            if len(spots) > 1:
                figures.append(
                    scatter_chart(
                        file_name(track, titled(y.spec), "against", titled(x.spec)),
                        f"{titled(y.spec)} against {titled(x.spec)}, {track}",
                        x_title=f"{titled(x.spec)} (%), mean over treebanks",
                        y_title=f"{titled(y.spec)} (%)",
                        spots=spots,
                    )
                )
        return figures

    # ------------------------------------------------------------------ by length

    def lengths(self) -> Part:
        """Return accuracy by edge length and sentence length, averaged over treebanks."""
        blocks: list[Block] = []
        for track in self.tracks:
            table = next(
                (t for t in self.tables if t.track == track and t.spec.metric.outcome), None
            )
            if table is None:
                continue
            means: dict[str, dict[str, list[StratumScore]]] = {}
            for by in LENGTHS:
                of_treebanks = self._strata(table, by)
                for treebank, cells in of_treebanks.items():
                    self.by_length.setdefault((track, treebank), {})[by] = cells
                if of_treebanks:
                    means[by] = mean_strata(of_treebanks)
            if means:
                several = len(table.treebanks) > 1
                blocks += length_blocks(
                    titled(table.spec),
                    means,
                    where=track
                    if len(self.tracks) > 1
                    else ("mean over treebanks" if several else ""),
                )
        for by in self.request.by:
            if by in LENGTHS:
                continue
            panes: dict[str, list[Block]] = {}
            for one in stratum_tables(self.results, by):
                caption = one.to_table().title
                panes[caption] = [as_data_table(one.to_table())]
            blocks.append(Choice(by, panes))
        return Part("lengths", "By length", blocks)

    def _strata(self, table: RunTable, by: str) -> dict[str, dict[str, list[StratumScore]]]:
        """Return cells by treebank and system: what the run was scored by, or from annotations."""
        kept = self._kept_strata(table, by)
        if kept:
            return kept
        found = {}
        for treebank, one in self.annotations.of_track.get(table.track, {}).items():
            if by == "edge_length" and not one.gold.has_heads:
                continue
            try:
                found[treebank] = one.strata(by, table.spec, resamples=0)
            except TreegaugeError:
                continue
        return found

    def _kept_strata(self, table: RunTable, by: str) -> dict[str, dict[str, list[StratumScore]]]:
        if self.results.filter(pl.col("by") == by).is_empty():
            return {}
        tables: list[StratumTable] = stratum_tables(
            self.results, by, metrics=[str(table.spec)], tracks=[table.track]
        )
        return {
            one.treebank: {
                system: [
                    StratumScore(stratum, cells[system].value, None, None, one.sizes[stratum])
                    for stratum, cells in one.cells.items()
                    if system in cells
                ]
                for system in one.systems
            }
            for one in tables
            if one.treebank and one.preset == table.preset and one.tags == table.tags
        }

    # ------------------------------------------------------------------ confusions

    def confusions(self) -> Part:
        """Return what systems take for what, summed over treebanks."""
        panes: dict[str, list[Block]] = {}
        for track in self.tracks:
            banks = self.annotations.of_track.get(track, {})
            for system in self._systems(track):
                found = [
                    confusion
                    for one in banks.values()
                    if system in one.systems and (confusion := one.confusion(system)) is not None
                ]
                columns = {confusion.column for confusion in found}
                if len(columns) == 1:
                    name = f"{system}, {track}" if len(self.tracks) > 1 else system
                    panes[name] = confusion_blocks(name, summed(found))
        blocks: list[Block] = [Choice("System", panes)] if panes else []
        return Part(
            "confusions", "What is taken for what", blocks, "Summed over all treebanks of the run."
        )

    # ------------------------------------------------------------------ languages and systems

    def languages(self) -> Part:
        """Return a section for every treebank."""
        folds: list[Block] = []
        for treebank in self.facts.treebanks:
            blocks: list[Block] = []
            said = []
            for track in self.tracks:
                own = [t for t in self.tables if t.track == track and treebank in t.treebanks]
                if not own:
                    continue
                best = _best_on(own[0], treebank)
                if best is not None:
                    row, score = best
                    number = Shown.of(own[0].spec).number(score.value or 0.0)
                    said.append(f"{track}: {row.system} {titled(own[0].spec)} {number}")
                blocks.append(self._table_of_treebank(own, track, treebank))
                strata = self.by_length.get((track, treebank))
                if strata:
                    first = next(t for t in own if t.spec.metric.outcome)
                    figures = length_blocks(titled(first.spec), strata, where=treebank)
                    blocks += figures
            if blocks:
                folds.append(Fold(treebank, "; ".join(said), blocks))
        return Part("languages", "Languages", folds)

    def _table_of_treebank(
        self, tables: Sequence[RunTable], track: str, treebank: str
    ) -> DataTable:
        columns = [Column("system", is_number=False)]
        for table in tables:
            n = max((row.scores[treebank].n for row in table.systems), default=0)
            label = _named(table)
            columns.append(
                Column(
                    label,
                    below=f"n = {n:,}",
                    arguments=self._arguments(table),
                    explained=table.title,
                )
            )
        rows_of = [{row.system: row for row in table.systems} for table in tables]
        groups = []
        for kind, members in tables[0].groups:
            rows = []
            for member in members:
                if not isinstance(member, SystemRow):
                    continue
                numbers = [
                    self._number(table, rows_of[k][member.system], treebank)
                    if member.system in rows_of[k]
                    else Number("–")
                    for k, table in enumerate(tables)
                ]
                letter = self._letter(track, member.system)
                rows.append(Row([member.system, *numbers], letter=letter))
            if rows:
                groups.append(Group(rows, kind))
        return DataTable(f"{treebank}: {track}", columns, groups)

    def systems(self) -> Part:
        """Return a section for every system: settings, costs, scores by treebank."""
        folds: list[Block] = []
        for one in self.facts.systems:
            own = [t for t in self.tables if t.track == one.track]
            rows = [row for t in own for row in t.systems if row.system == one.system]
            if not rows:
                continue
            entries = {
                "supervision": one.supervision,
                "method": rows[0].method,
                "settings": _settings(rows[0].settings) or "none",
                "learnt from": rows[0].fit_on,
                "time": f"{_duration(one.seconds)} for {counted(one.cells, 'cell')}",
                "memory": f"{one.peak_memory:,.0f} MiB at most" if one.peak_memory else "–",
            }
            if one.failed:
                entries["failed"] = counted(one.failed, "cell")
            mean = rows[0].common.value
            shown = Shown.of(own[0].spec)
            said = f"{one.track}, {one.supervision}"
            if mean is not None:
                said += f"; {titled(own[0].spec)} {shown.number(mean)}"
            folds.append(
                Fold(one.system, said, [Listing(entries), self._table_of_system(own, one.system)])
            )
        return Part("systems", "Systems", folds)

    def _table_of_system(self, tables: Sequence[RunTable], system: str) -> DataTable:
        with_row = [(t, row) for t in tables for row in t.systems if row.system == system]
        columns = [Column("treebank", is_number=False)]
        columns += [
            Column(
                _named(table),
                arguments=self._arguments(table),
                explained=table.title,
            )
            for table, _ in with_row
        ]
        columns.append(Column("n"))
        rows = []
        for treebank in tables[0].treebanks:
            numbers = [
                self._number(table, row, treebank) if treebank in row.scores else Number("–")
                for table, row in with_row
            ]
            n = max((number.n or 0 for number in numbers), default=0)
            rows.append(Row([treebank, *numbers, Number(f"{n:,}", n)]))
        return DataTable(f"{system} on every treebank", columns, [Group(rows)])

    # ------------------------------------------------------------------ reproduction

    def reproduction(self) -> Part:
        """Return the experiment, commands, costs and signatures."""
        path = self.place.path
        file = path / "experiment.toml"
        blocks: list[Block] = [
            Command(
                "The whole run, where no cell is done twice",
                f"treegauge run {file} --folder {path}",
            ),
        ]
        if self.request.command:
            blocks.append(Command("This report", self.request.command))
        blocks.append(
            Prose(
                "Every number is a link to the command that makes it again from what its system "
                "said, and to its signature."
            )
        )
        if file.exists():
            blocks.append(Fold("The experiment", str(file), [Source(file.read_text("utf-8"))]))
        costs = as_data_table(self.facts.to_table(), caption="What it cost")
        *rows, total = costs.groups[0].rows
        blocks.append(replace(costs, groups=[Group(rows), Group([total])]))
        signatures = {table.title: table.signature for table in self.tables}
        blocks.append(Listing(signatures, "Signatures"))
        return Part("reproduce", "How to make it again", blocks)


def mean_strata(
    of_treebanks: Mapping[str, Mapping[str, Sequence[StratumScore]]],
) -> dict[str, list[StratumScore]]:
    """Return the mean over treebanks, stratum by stratum; n is the sum.

    >>> one = {"a": {"ours": [StratumScore("1", 0.5, None, None, 10)]}}
    >>> two = {"b": {"ours": [StratumScore("1", 1.0, None, None, 30)]}}
    >>> mean_strata({**one, **two})["ours"][0]
    StratumScore(stratum='1', value=0.75, low=None, high=None, n=40)
    """
    found: dict[str, dict[str, list[StratumScore]]] = {}
    order: dict[str, None] = {}
    longest = max(
        (cells for own in of_treebanks.values() for cells in own.values()), key=len, default=[]
    )
    for cell in longest:
        order[cell.stratum] = None
    for own in of_treebanks.values():
        for system, cells in own.items():
            for cell in cells:
                order.setdefault(cell.stratum, None)
                found.setdefault(system, {}).setdefault(cell.stratum, []).append(cell)
    means: dict[str, list[StratumScore]] = {}
    for system, strata in found.items():
        means[system] = []
        for stratum in order:
            values = [cell.value for cell in strata.get(stratum, []) if cell.value is not None]
            if values:
                n = sum(cell.n for cell in strata[stratum])
                means[system].append(StratumScore(stratum, fmean(values), None, None, n))
    return means


def _letters_of(systems: Sequence[str]) -> dict[str, str]:
    """Return the letter of every system: the same in all tables of a track."""
    nobody = np.zeros((len(systems), len(systems)), np.bool_)
    return {one.name: one.letter for one in significance_letters(systems, nobody)}


def _named(table: RunTable) -> str:
    """Return what a table's metric is called, with the gold tags that it is about."""
    return titled(table.spec) + (f" ({table.tags})" if table.tags else "")


def _best_of_groups(table: RunTable) -> list[tuple[str, SystemRow]]:
    """Return the best system of every kind of supervision, by its average."""
    sign = 1 if table.spec.metric.higher_is_better else -1
    found = []
    for kind, members in table.groups:
        ours = [
            row for row in members if isinstance(row, SystemRow) and row.common.value is not None
        ]
        if ours:
            found.append((kind, max(ours, key=lambda row: sign * (row.common.value or 0.0))))
    return found


def _best_on(table: RunTable, treebank: str) -> tuple[SystemRow, TreebankScore] | None:
    sign = 1 if table.spec.metric.higher_is_better else -1
    there = [
        (row, row.scores[treebank])
        for row in table.systems
        if row.scores[treebank].value is not None
    ]
    return max(there, key=lambda pair: sign * (pair[1].value or 0.0), default=None)


def _means(table: RunTable) -> list[tuple[str, int, int]]:
    """Return the averages of a table: their name, which of two, and over how many treebanks.

    Where all systems have all treebanks, the two are one.
    """
    whole, common = len(table.treebanks), len(table.common)
    if whole < 2:
        return []
    if common == whole:
        return [("mean", 1, common)]
    return [("mean (available)", 0, whole), ("mean (common)", 1, common)]


def _mean(table: RunTable, mean: Average, expected: int, is_best: bool) -> Number:
    if mean.value is None:
        return Number("–")
    shown = Shown.of(table.spec)
    other = len(mean.treebanks) != expected
    below = f"± {shown.number(mean.deviation)}" if mean.deviation is not None else ""
    if other:
        below += f" of {len(mean.treebanks)}"
    return Number(
        shown.number(mean.value),
        mean.value,
        below.strip(),
        is_best=is_best,
        remark=f"mean of {', '.join(mean.treebanks)}",
    )


def _remark(row: FiguresRow) -> str:
    return f"Table {row.published.table} of the paper; {row.published.system.remark}".strip("; ")


def _said(shown: Shown, score: TreebankScore) -> str:
    text = shown.with_deviation(score.value or 0.0, score.deviation)
    if score.low is not None and score.high is not None:
        text += f" [{shown.number(score.low)}, {shown.number(score.high)}]"
    return f"{text}\nn = {score.n:,}"


def _settings(settings: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in settings.items()
    )


def _duration(seconds: float) -> str:
    """Return a time as people say it.

    >>> _duration(12.34), _duration(3700)
    ('12 s', '1 h 02 min')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"

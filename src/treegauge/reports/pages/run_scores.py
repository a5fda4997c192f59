"""The scores of a run as its page shows them: with letters, signatures and commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from treegauge.reports.pages.commands import evaluate_command, number_command, options_of
from treegauge.reports.pages.evaluation_page import Provenance
from treegauge.reports.pages.grid import Grid, GridSystem, GridTable, described
from treegauge.reports.pages.run_annotations import RunAnnotations
from treegauge.reports.pages.run_evidence import Wins
from treegauge.reports.pages.shared_parts import ABOUT_LETTERS, letters_shown, with_first_column
from treegauge.reports.run_notes import table_notes
from treegauge.reports.run_report import RunReport
from treegauge.reports.run_rows import AVERAGES, SystemRow
from treegauge.reports.run_tables import RunTable
from treegauge.significance.letters import significance_letters
from treegauge.tables import Cell, Scores, Table
from treegauge.tables.scores import Place


class RunScores:
    """All scores of a run, by track, system, treebank and metric.

    Parameters
    ----------
    report : RunReport
        The tables of the run.
    annotations : RunAnnotations
        The conventions of the run, which commands need.
    wins : Wins
        Who is significantly better than whom.
    program : sequence of str
        How commands begin.
    """

    def __init__(
        self,
        report: RunReport,
        annotations: RunAnnotations,
        wins: Wins,
        program: Sequence[str] = ("treegauge",),
    ) -> None:
        self._program = program
        self._report = report
        self._annotations = annotations
        self._wins = wins
        self._cells: dict[tuple[str, str, str], dict[str, None]] = {}
        self._splits: dict[str, str] = {}
        self._signatures: dict[tuple[str, ...], str] = {}
        whole = report.results.filter(pl.col("by") == "")
        for row in whole.sort("seed").iter_rows(named=True):
            about = (row["track"], row["treebank"], row["system"])
            self._cells.setdefault(about, {})[row["cell"]] = None
            self._splits[row["treebank"]] = row["split"]
            if row["signature"]:
                for tags in (row["tags"], ""):
                    key = (*about, row["preset"], tags, row["metric"])
                    self._signatures.setdefault(key, row["signature"])
        self._letters = {track: _letters_of(self.systems(track)) for track in self.tracks}
        self._presets = {(table.track, table.preset) for table in report.scores}
        self._of_tables = {table.title: self._scores(table) for table in report.scores}
        self._of_tracks = {track: self._joined(track) for track in self.tracks}

    @property
    def tracks(self) -> list[str]:
        """The tracks of the run."""
        return list(dict.fromkeys(table.track for table in self._report.scores))

    def tables(self, track: str) -> list[RunTable]:
        """Return the tables of a track, one per metric."""
        return [table for table in self._report.scores if table.track == track]

    def systems(self, track: str) -> list[str]:
        """Return the systems of a track in the order of the tables."""
        return list(
            dict.fromkeys(
                row.system
                for table in self.tables(track)
                for _, members in table.groups
                for row in members
                if isinstance(row, SystemRow)
            )
        )

    # ------------------------------------------------------------------ tables

    def result_table(self, table: RunTable) -> Table:
        """Return systems in rows and treebanks in columns; equal averages once."""
        scores = self._of_tables[table.title]
        notes = table_notes(table, intervals=True)
        if self._wins.beaten:
            notes.insert(0, f"{ABOUT_LETTERS}; of several seeds, the first")
        (wide,) = scores.tables("systems", "treebanks", title=table.title, notes=notes)
        if scores.averages and len(table.common) == len(table.treebanks):
            wide = wide.with_columns(range(len(wide.columns) - 1))
            last = replace(wide.columns[-1], title="average")
            wide = replace(wide, columns=(*wide.columns[:-1], last))
        return with_first_column(wide, "system")

    def grid(self, tables: Sequence[RunTable]) -> Grid:
        """Return treebanks in rows and systems in columns, for many treebanks; ours only."""
        names = dict.fromkeys(name for table in tables for name in table.treebanks)
        facts = {name: described(name, self._splits[name]) for name in names}
        return Grid(facts, [self._grid_table(table) for table in tables])

    def _grid_table(self, table: RunTable) -> GridTable:
        scores = self._of_tables[table.title]
        notes = table_notes(table, intervals=True)
        if self._wins.beaten:
            notes.insert(0, f"{ABOUT_LETTERS}; of several seeds, the first")
        return GridTable(
            table.title,
            table.format,
            table.spec.metric.higher_is_better,
            [GridSystem(s.name, s.group, s.letter) for s in scores.systems if not s.published],
            {(system, treebank): cell for (system, treebank, _), cell in scores.cells.items()},
            notes,
        )

    def treebank_table(self, track: str, treebank: str) -> Table:
        """Return systems in rows and metrics in columns."""
        scores = self._of_tracks[track].only(treebanks=[treebank])
        (table,) = scores.tables("systems", "metrics", title=f"{treebank}: {track}")
        return with_first_column(table, "system")

    def system_table(self, track: str, system: str) -> Table:
        """Return treebanks in rows and metrics in columns."""
        title = f"{system} on every treebank"
        whole = self._of_tracks[track]
        treebanks = [name for name in whole.treebanks if name not in AVERAGES]
        scores = whole.only(systems=[system], treebanks=treebanks)
        (table,) = scores.tables("treebanks", "metrics", title=title, sizes=True)
        return with_first_column(table, "treebank")

    # ------------------------------------------------------------------ what belongs to numbers

    def _scores(self, table: RunTable) -> Scores:
        """Return the scores of a table, which has one metric."""
        scores = table.scores()
        (metric,) = scores.metrics
        if len([track for track, _ in self._presets if track == table.track]) > 1:
            # The same metric by other conventions is another one.
            metric = replace(metric, key=f"{metric.key}:{table.preset}")

        def marked(place: Place, cell: Cell) -> Cell:
            system, treebank, _ = place
            if (table.track, treebank, system) not in self._cells or cell.value is None:
                return cell
            return replace(
                cell,
                letters=self._beaten(table, treebank, system),
                signature=self._signature(table, treebank, system),
                command=self._command(table, treebank, system),
            )

        cells = {(*place[:2], metric.key): marked(place, c) for place, c in scores.cells.items()}
        letters = self._letters[table.track] if self._wins.beaten else {}
        systems = [replace(one, letter=letters.get(one.name, "")) for one in scores.systems]
        return replace(scores, systems=systems, metrics=[metric], cells=cells)

    def _joined(self, track: str) -> Scores:
        """Return the scores of a track under all its metrics, ours only."""
        whole = Scores.joined([self._of_tables[table.title] for table in self.tables(track)])
        return whole.only(systems=[one.name for one in whole.systems if not one.published])

    def _beaten(self, table: RunTable, treebank: str, system: str) -> str:
        """Return the letters of the systems that one is significantly better than."""
        key = f"{table.preset} {table.tags} {table.spec}"
        beaten = self._wins.of(key, table.track, treebank, system)
        letters = [self._letters[table.track][name] for name in beaten]
        return letters_shown(sorted(letters, key=lambda letter: (len(letter), letter)))

    def _signature(self, table: RunTable, treebank: str, system: str) -> str:
        key = (table.track, treebank, system, table.preset, table.tags, str(table.spec))
        return self._signatures.get(key, "")

    def _command(self, table: RunTable, treebank: str, system: str) -> str:
        """Return what scores the annotations of all seeds again; nothing without gold."""
        gold = self._annotations.golds.get(treebank)
        if gold is None:
            return ""
        folder, split = self._report.folder, self._splits[treebank]
        files = [
            str((folder.cell(key) / f"{split}.conllu.gz").resolve())
            for key in self._cells[table.track, treebank, system]
        ]
        options = self._options(table)
        if self._annotations.resamples != Provenance.resamples:
            options += f" --resamples {self._annotations.resamples}"
        command = evaluate_command(gold, files, self._program)
        return number_command(command, str(table.spec), options)

    def _options(self, table: RunTable) -> str:
        conventions = self._annotations.conventions_of(table.preset, table.tags)
        if conventions is not None:
            return options_of(conventions)
        return f"--preset {table.preset}" + (f" --tags {table.tags}" if table.tags else "")


def _letters_of(systems: Sequence[str]) -> dict[str, str]:
    """Return the letter of every system: the same in all tables of a track."""
    nobody = np.zeros((len(systems), len(systems)), np.bool_)
    return {one.name: one.letter for one in significance_letters(systems, nobody)}

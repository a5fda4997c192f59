"""How a table of a run is laid out for people: cells, the best in bold, and notes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treegauge.reports.old_tables import NOTHING, Cell, Table
from treegauge.reports.run_rows import AVERAGES, FiguresRow, Row, SystemRow
from treegauge.reports.shown_numbers import Shown
from treegauge.results import TreebankScore
from treegauge.results.published import PASCAL, STANDS_FOR
from treegauge.systems import SystemsError, find_system

if TYPE_CHECKING:
    from treegauge.reports.run_tables import RunTable


class Layout:
    """Lays out one table, and numbers the notes on missing cells as it comes to them."""

    def __init__(self, table: RunTable, intervals: bool) -> None:
        self.of = table
        self.intervals = intervals
        self.shown = Shown.of(table.spec)
        self.has_averages = len(table.treebanks) > 1
        self.reasons: dict[str, int] = {}

    def table(self) -> Table:
        """Return the table."""
        rows: list[list[Cell]] = []
        headings: set[int] = set()
        bold: set[tuple[int, int]] = set()
        columns = [*self.of.treebanks, *(AVERAGES if self.has_averages else ())]
        for kind, members in self.of.groups:
            headings.add(len(rows))
            rows.append([kind, *[None] * len(columns)])
            bold |= self._bold(members, len(rows))
            rows += [self._row(row) for row in members]
        return Table(
            ["", *columns],
            rows,
            title=self.of.title,
            notes=self._notes(),
            bold=frozenset(bold),
            headings=frozenset(headings),
            right=frozenset(range(1, len(columns) + 1)),
        )

    def _row(self, row: Row) -> list[Cell]:
        if isinstance(row, FiguresRow):
            decimals = row.published.decimals
            cells: list[Cell] = [
                self.shown.number(row.values[name], decimals) if name in row.values else None
                for name in self.of.treebanks
            ]
            means = [
                None if mean.value is None else self.shown.number(mean.value, decimals)
                for mean in (row.available, row.common)
            ]
            label = row.label
        else:
            cells = [self._cell(row.scores[name]) for name in self.of.treebanks]
            means = [
                None
                if mean.value is None
                else self.shown.with_deviation(mean.value, mean.deviation)
                for mean in (row.available, row.common)
            ]
            label = row.system
        if self.has_averages:
            expected = (len(self.of.treebanks), len(self.of.common))
            for text, mean, number in zip(
                means, (row.available, row.common), expected, strict=True
            ):
                other = len(mean.treebanks) not in (number, 0)
                cells.append(f"{text} ({len(mean.treebanks)})" if other else text)
        return [label, *cells]

    def _cell(self, score: TreebankScore) -> str:
        text = NOTHING
        if score.value is not None:
            text = self.shown.with_deviation(score.value, score.deviation)
            if self.intervals and score.low is not None and score.high is not None:
                bounds = self.shown.number(score.low), self.shown.number(score.high)
                text += f" [{', '.join(bounds)}]"
        marks = [self.reasons.setdefault(reason, len(self.reasons) + 1) for reason in score.missing]
        return text + "".join(f"[{mark}]" for mark in marks)

    def _bold(self, members: list[Row], first: int) -> set[tuple[int, int]]:
        """Return the best cells of a group: of ours only, and only what can be compared."""
        ours = [(i, row) for i, row in enumerate(members) if isinstance(row, SystemRow)]
        columns: list[list[float | None]] = [
            [row.scores[name].value for _, row in ours] for name in self.of.treebanks
        ]
        if self.has_averages:
            over = {row.available.treebanks for _, row in ours if row.available.treebanks}
            available = [row.available.value for _, row in ours]
            # Averages over different treebanks cannot be compared.
            columns.append(available if len(over) == 1 else [None] * len(ours))
            columns.append([row.common.value for _, row in ours])
        return {
            (first + ours[place][0], j)
            for j, column in enumerate(columns, start=1)
            for place in self.shown.best(column)
        }

    # ------------------------------------------------------------------ notes

    def _notes(self) -> list[str]:
        table = self.of
        notes = [f"[{mark}] {reason}" for reason, mark in self.reasons.items()]
        if self.has_averages:
            notes.append(self._note_on_averages())
        seeds = {
            len(score.by_seed) + sum(score.missing.values())
            for row in table.systems
            for score in row.scores.values()
            if score.deviation is not None
        }
        if seeds:
            number = " or ".join(map(str, sorted(seeds)))
            notes.append(f"±: standard deviation over {number} seeds")
        if self.intervals and any(
            score.low is not None for row in table.systems for score in row.scores.values()
        ):
            notes.append("[low, high]: 95% interval over sentences, where there is one seed")
        if not table.spec.metric.higher_is_better:
            notes.append("↓: lower is better")
        if table.tags:
            notes += note_on_types(table.systems)
        notes.append(signature_note(table.signature, table.systems))
        return [*notes, *self._notes_on_figures()]

    def _note_on_averages(self) -> str:
        table = self.of
        left_out = [name for name in table.treebanks if name not in table.common]
        without_any = [row.system for row in table.systems if not row.available.treebanks]
        rows: list[Row] = [*table.systems, *table.figures]
        available = f"all {len(table.treebanks)}"
        if any(len(row.available.treebanks) not in (0, len(table.treebanks)) for row in rows):
            available += ", or as many as (n) says"
        common = f"the {len(table.common)} for which all systems have a score"
        if left_out:
            common += f", without {', '.join(left_out)}"
        if any(len(row.common.treebanks) not in (0, len(table.common)) for row in rows):
            common += ", or as many of them as (n) says"
        if without_any:
            common += f"; left aside: {', '.join(without_any)}, without any score"
        return (
            f"averages: unweighted means over treebanks; available: {available}; common: {common}"
        )

    def _notes_on_figures(self) -> list[str]:
        table = self.of
        if not table.figures:
            return []
        numbers = sorted({row.published.table for row in table.figures})
        others = [
            f"{name} ({STANDS_FOR[name].data})"
            for name in table.treebanks
            if name in STANDS_FOR and STANDS_FOR[name].is_other
        ]
        note = (
            f"published: {PASCAL}, Table {' and '.join(map(str, numbers))}; not on these "
            "treebanks, but on other versions of them"
        )
        if others:
            note += f", and on other treebanks for {', '.join(others)}"
        means = [
            f"{row.published.column} {self.shown.number(row.published.average, decimals)}"
            for row in table.figures
            if (decimals := row.published.decimals)
        ]
        notes = [note, f"averages that the paper prints: {', '.join(means)}"]
        theirs = table.other_punctuation
        if theirs:
            notes.append(f"the paper's figures here are with punct:{theirs}, ours are not")
        for row in table.figures:
            if not row.beside:
                remark = row.published.system.remark or row.supervision
                notes.append(
                    f"{row.published.column} is what {row.counterpart} follows, but "
                    f"{row.supervision}: {remark}"
                )
        return notes


def note_on_types(rows: Sequence[SystemRow]) -> list[str]:
    """Return which systems give all tokens of a type one tag, and which look at each token."""
    members: dict[bool, list[str]] = {}
    for row in rows:
        # A parser over induced tags has those of its inducer.
        source = str(row.settings.get("tags_from", "")).partition(":")[0]
        try:
            of_types = getattr(find_system(source or row.method).load(), "tags_types", None)
        except SystemsError:  # one that is not installed here
            continue
        if of_types is not None:
            members.setdefault(of_types, []).append(row.system)
    words = {True: "one tag for all tokens of a type", False: "a tag for every token by itself"}
    said = [f"{words[kind]}: {', '.join(members[kind])}" for kind in words if kind in members]
    return ["; ".join(said)] if said else []


def signature_note(signature: str, systems: Sequence[SystemRow]) -> str:
    """Return the signature, and what systems learnt from if that differs."""
    note = f"signature: {signature}"
    learnt: dict[str, list[str]] = {}
    for row in systems:
        if row.fit_on != "nothing":
            learnt.setdefault(row.fit_on, []).append(row.system)
    if len(learnt) == 1:
        note += f"|fit_on:{next(iter(learnt))}"
    elif learnt:
        note += "; " + "; ".join(
            f"fit_on:{fit_on} for {', '.join(names)}" for fit_on, names in learnt.items()
        )
    return note

"""Notes below the tables of a run: averages, seeds, signatures, published numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from treegauge.reports.run_rows import Row, SystemRow
from treegauge.results.published import PASCAL, STANDS_FOR
from treegauge.systems import SystemsError, find_system

if TYPE_CHECKING:
    from treegauge.reports.run_tables import RunTable


_MOST_NAMED = 20
"""How many treebanks without a common score are named."""


def table_notes(table: RunTable, *, intervals: bool) -> list[str]:
    """Return all notes but those on missing cells, which cells have themselves."""
    notes = [_note_on_averages(table)] if len(table.treebanks) > 1 else []
    seeds = {
        len(score.by_seed) + sum(score.missing.values())
        for row in table.systems
        for score in row.scores.values()
        if score.deviation is not None
    }
    if seeds:
        number = " or ".join(map(str, sorted(seeds)))
        notes.append(f"±: standard deviation over {number} seeds")
    if intervals and any(
        score.low is not None for row in table.systems for score in row.scores.values()
    ):
        notes.append("[low, high]: 95% bootstrap interval over sentences, if there is one seed")
    if not table.spec.metric.higher_is_better:
        notes.append("↓: lower is better")
    if table.tags:
        notes += note_on_types(table.systems)
    notes.append(signature_note(table.signature, table.systems))
    return [*notes, *_notes_on_published(table)]


def _note_on_averages(table: RunTable) -> str:
    left_out = [name for name in table.treebanks if name not in table.common]
    without_any = [row.system for row in table.systems if not row.available.treebanks]
    rows: list[Row] = [*table.systems, *table.published]
    available = f"all {len(table.treebanks)}"
    if any(len(row.available.treebanks) not in (0, len(table.treebanks)) for row in rows):
        available += ", or the number in (n)"
    common = f"the {len(table.common)} for which all systems have a score"
    if left_out:
        named = ", ".join(left_out[:_MOST_NAMED])
        more = len(left_out) - _MOST_NAMED
        common += f", without {named}{f' and {more} more' if more > 0 else ''}"
    if any(len(row.common.treebanks) not in (0, len(table.common)) for row in rows):
        common += ", or the number in (n)"
    if without_any:
        common += f"; left out: {', '.join(without_any)}, without any score"
    return f"averages: unweighted means over treebanks; available: {available}; common: {common}"


def _notes_on_published(table: RunTable) -> list[str]:
    if not table.published:
        return []
    numbers = sorted({row.published.table for row in table.published})
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
        f"{row.published.column} "
        + replace(table.format, decimals=row.published.decimals).show(row.published.average)
        for row in table.published
    ]
    is_recomputed = len(table.treebanks) > 1 and any(
        row.available.value != row.published.average for row in table.published
    )
    recomputed = "; those in the table are recomputed over its treebanks" if is_recomputed else ""
    notes = [note, f"averages that the paper prints: {', '.join(means)}{recomputed}"]
    theirs = table.other_punctuation
    if theirs:
        notes.append(f"the paper's figures here are with punct:{theirs}, ours are not")
    for row in table.published:
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
            of_types = find_system(source or row.method).load().tags_types
        except SystemsError:  # one that is not installed here
            continue
        if of_types is not None:
            members.setdefault(of_types, []).append(row.system)
    words = {True: "one tag per word type", False: "one tag per token"}
    notes = [f"{words[kind]}: {', '.join(members[kind])}" for kind in words if kind in members]
    return ["; ".join(notes)] if notes else []


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

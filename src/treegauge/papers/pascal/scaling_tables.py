"""Tables of what the challenge's paper asks for and does not do: more and more raw text."""

from __future__ import annotations

from treegauge.metrics import MetricSpec
from treegauge.papers.pascal.scaling import Grown, Scaling
from treegauge.reports.old_tables import Cell, Table
from treegauge.reports.shown_numbers import Shown

_SHOWN = Shown.of(MetricSpec.parse("v_measure"))


def scaling_tables(found: Scaling) -> list[Table]:
    """Return accuracy, time and memory by the size of the text, a table for every text."""
    settings = found.settings
    notes = [
        "scored on test, which is learnt from as well; seconds and memory of one cell on one "
        "thread: reading, learning, annotating, and compiling where it is the first"
    ]
    if settings.largest_for_samplers:
        notes.append(f"samplers up to {settings.largest_for_samplers:,} tokens")
    tables = []
    for text in dict.fromkeys(row.text for row in found.rows):
        own = [row for row in found.rows if row.text == text]
        tables.append(
            Table(
                ["system", "tokens", "types", "M-1", "VM", "seconds", "peak MiB"],
                [_row(row) for row in sorted(own, key=lambda row: (row.system, row.tokens))],
                title=f"More raw text of {text}: {settings.classes} classes",
                notes=[*notes, *found.failures],
                right=frozenset(range(1, 7)),
            )
        )
    return tables


def _row(row: Grown) -> list[Cell]:
    return [
        *(row.system, row.tokens, row.types),
        *(None if v is None else _SHOWN.number(v) for v in (row.many_to_one, row.v_measure)),
        None if row.seconds is None else f"{row.seconds:.1f}",
        None if row.peak_memory is None else f"{row.peak_memory:.0f}",
    ]

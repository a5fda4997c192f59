"""A run in short: averages over treebanks, and what came of its cells."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from treegauge.reports.run_tables import RunTable, run_tables
from treegauge.runs import Run
from treegauge.tables import NUMBER, PERCENT, Column, Table

_MOST_METRICS_SHOWN = 6


def summary_tables(run: Run) -> list[Table]:
    """Return a table for every track: averages over treebanks, the first few metrics."""
    groups: dict[tuple[str, str], list[RunTable]] = {}
    for table in run_tables(run.table, published=False):
        groups.setdefault((table.track, table.preset), []).append(table)
    return [
        _summary(f"{track}, {preset}: averages over treebanks", tables[:_MOST_METRICS_SHOWN])
        for (track, preset), tables in groups.items()
    ]


def _summary(title: str, tables: list[RunTable]) -> Table:
    systems = {row.system: row.supervision for table in tables for row in table.systems}
    averages = [{row.system: row.available for row in table.systems} for table in tables]
    rows = []
    for name, supervision in systems.items():
        own = [average.get(name) for average in averages]
        treebanks = max((len(one.treebanks) for one in own if one), default=0)
        rows.append((name, supervision, treebanks, *(one.value if one else None for one in own)))
    heads = [
        Column(
            f"{table.spec}{f' ({table.tags})' if table.tags else ''}",
            format=PERCENT if table.spec.metric.is_share else NUMBER,
        )
        for table in tables
    ]
    return Table(("system", "supervision", "treebanks", *heads), rows, title=title)


def run_document(run: Run) -> dict[str, Any]:
    """Return what came of a run as JSON has it."""
    return {
        "schema": 1,
        "folder": str(run.folder),
        "results": str(run.folder / "results.parquet"),
        "cells": run.cells,
        "run_now": run.run_now,
        "not_run": run.not_run,
        "failures": [
            {"cell": one.cell, "reason": one.reason, "folder": str(one.folder)}
            for one in run.failures
        ],
        **({"broken": [asdict(bank) for bank in run.broken]} if run.broken else {}),
        "averages": [
            {
                "track": table.track,
                "preset": table.preset,
                "tags": table.tags or None,
                "metric": str(table.spec),
                "system": row.system,
                "supervision": row.supervision,
                "available": row.available.value,
                "available_treebanks": list(row.available.treebanks),
                "common": row.common.value,
                "common_treebanks": list(row.common.treebanks),
            }
            for table in run_tables(run.table, published=False)
            for row in table.systems
        ],
    }

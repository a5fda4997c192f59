"""The rows of a run's long table: scores of its cells, and why there are none."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treegauge.metrics import MetricSpec
from treegauge.runs.cell import Bank, Cell
from treegauge.runs.errors import ExperimentError
from treegauge.runs.experiment import Scoring, Tuning
from treegauge.runs.planning import Plan
from treegauge.runs.run_folder import CellRecord, RunFolder
from treegauge.runs.scoring import rows_without_scores, scores_of


@dataclass(frozen=True)
class Failure:
    """A cell without a result.

    Attributes
    ----------
    cell : str
        The name of the cell.
    reason : str
        Why it has no result.
    folder : Path
        The folder of the cell, with its output.

    Examples
    --------
    >>> print(Failure("dmv on en_ewt", "took longer than 60 s", Path("runs/small")))
    dmv on en_ewt: took longer than 60 s
    """

    cell: str
    reason: str
    folder: Path

    def __str__(self) -> str:
        return f"{self.cell}: {self.reason}"


def rows_of_run(
    plan: Plan, place: RunFolder, on_scored: Callable[[float], None], *, anew: bool
) -> tuple[list[dict[str, Any]], list[Failure], int]:
    """Return the rows of all cells, the cells that failed, and how many were not run."""
    rows: list[dict[str, Any]] = []
    failures: dict[str, Failure] = {}
    not_run = set()
    pairs = [(bank, choice) for bank in plan.banks for choice in plan.experiment.systems]
    for number, (bank, choice) in enumerate(pairs):
        on_scored(number / len(pairs))
        cells = plan.of(bank, choice)
        for cell in cells:
            record = place.record(cell.key)
            if record is None:
                not_run.add(cell.key)
            elif not record.is_done:
                failures[cell.key] = Failure(str(cell), record.reason, place.cell(cell.key))
        chosen = _chosen(plan, place, cells, choice.tuning, anew) if choice.tuning else cells
        for cell in chosen:
            for scoring in plan.experiment.scorings:
                rows += _rows_of(plan, place, cell, scoring, anew)
    on_scored(1.0)
    return rows, list(failures.values()), len(not_run)


def _chosen(
    plan: Plan, place: RunFolder, cells: list[Cell], tuning: Tuning, anew: bool
) -> list[Cell]:
    """Return, for every seed, the point of the grid that is best on dev; the first of equals."""
    metric = MetricSpec.parse(tuning.metric)
    sign = 1 if metric.metric.higher_is_better else -1
    scoring = Scoring(plan.experiment.scorings[0].conventions, (str(metric),))
    chosen = []
    for seed in dict.fromkeys(cell.seed for cell in cells):
        points = [cell for cell in cells if cell.seed == seed]
        values = {}
        for cell in points:
            record = place.record(cell.key)
            if record is not None and record.is_done:
                (row,) = scores_of(place, cell, scoring, part="dev", resamples=0, anew=anew)
                if row["value"] is None:
                    raise ExperimentError(
                        f"{cell}: settings cannot be chosen by {metric} on dev: {row['reason']}"
                    )
                values[cell] = sign * row["value"]
        chosen.append(max(values, key=values.__getitem__) if values else points[0])
    return chosen


def _rows_of(
    plan: Plan, place: RunFolder, cell: Cell, scoring: Scoring, anew: bool
) -> list[dict[str, Any]]:
    record = place.record(cell.key)
    part = cell.bank.split
    if record is None:
        scores = rows_without_scores(cell, scoring, "not run")
    elif not record.is_done:
        scores = rows_without_scores(cell, scoring, record.reason)
    else:
        scores = scores_of(
            place, cell, scoring, part=part, resamples=plan.experiment.resamples, anew=anew
        )
    shared = _shared(plan, cell, scoring, record, cell.bank)
    tail = f"|fit_on:{cell.fit_on}|track:{cell.track}"
    # Scores of parsers over gold tags and over a tagger's are not to be compared.
    settings = cell.system.settings.to_dict()
    if "tags_from" in settings:
        tail += f"|tags_from:{settings['tags_from']}"
        tail += f"|reads:{settings['tags']}" if "tags" in settings else ""
    if len(cell.long_sentences):
        tail += f"|longest_whole:{cell.system.longest_whole}"
    return [
        {
            **shared,
            **score,
            "value": math.nan if score["value"] is None else score["value"],
            "signature": score["signature"] + tail if score["signature"] else "",
        }
        for score in scores
    ]


def _shared(
    plan: Plan, cell: Cell, scoring: Scoring, record: CellRecord | None, bank: Bank
) -> dict[str, Any]:
    """Return what all rows of a cell have in common."""
    return {
        "experiment": plan.experiment.name,
        "track": cell.track,
        "treebank": bank.name,
        "split": bank.split,
        "system": cell.choice.label,
        "method": cell.choice.system,
        "settings": json.dumps(cell.described_settings, ensure_ascii=False),
        "seed": cell.seed,
        "fit_on": cell.fit_on,
        "supervision": cell.supervision,
        "preset": scoring.conventions.preset,
        "tags": scoring.conventions.tags,
        "seconds": record.seconds if record else None,
        "peak_memory": record.peak_memory if record else None,
        "cell": cell.key,
    }

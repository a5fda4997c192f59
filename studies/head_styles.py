"""Asks whether content heads or function heads are what an inducer finds.

    python -m studies.head_styles [RUN...]

Scores the trees of runs (`tree-substitution`, `reducibility` and `dependency-induction` by default)
against gold as it is and against gold in the style `functional`, in which adpositions, auxiliaries,
copulas and subordinators are heads. Nothing is learnt anew. The averages are over the treebanks
that every system of the runs has, and go to docs/systems.md.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import polars as pl

import treegauge as tg
from studies.measured import RUNS, current_commit
from studies.pages import SYSTEMS, averages_of, filled
from treegauge.metrics.conventions import preset
from treegauge.runs.run_folder import RunFolder
from treegauge.treebank import Treebank

DEFAULT_RUNS = ("tree-substitution", "reducibility", "dependency-induction")
METHODS = ("dmv", "tsg-dmv", "reducibility")
STYLES = {"content heads (UD)": "ud", "function heads": "functional"}
METRICS = ("uas", "undirected")


def main() -> None:
    """Score and write."""
    names = sys.argv[1:] or [*DEFAULT_RUNS]
    data = os.environ.get("TREEGAUGE_DATA", "../shared/treebanks")
    scores = pl.concat(_scores(RUNS / name, data) for name in names)
    page = SYSTEMS.read_text(encoding="utf-8")
    SYSTEMS.write_text(filled(page, "head-styles", table(scores)), encoding="utf-8")


def table(scores: pl.DataFrame) -> str:
    """Return averages over the treebanks that all systems have, both styles beside each other."""
    treebanks = set.intersection(*(set(rows["treebank"]) for _, rows in scores.group_by("system")))
    shared = scores.filter(pl.col("treebank").is_in(sorted(treebanks)))
    heads = [f"{metric.upper()}, {style}" for metric in METRICS for style in STYLES]
    lines = [
        f"Averages over {', '.join(f'`{name}`' for name in sorted(treebanks))} in per cent, "
        f"± half a 95% interval. Measured at commit `{current_commit()}`.\n",
        f"| system | {' | '.join(heads)} |".replace("UNDIRECTED", "undirected"),
        "| :-- |" + " --: |" * len(heads),
    ]
    for system in shared["system"].unique(maintain_order=True):
        mine = shared.filter(pl.col("system") == system)
        by_style = {
            style: averages_of(mine.filter(pl.col("style") == style)) for style in STYLES.values()
        }
        cells = [
            "{:.1f} ± {:.1f}".format(*(100 * number for number in by_style[style][metric][:2]))
            for metric in METRICS
            for style in STYLES.values()
        ]
        lines.append(f"| `{system}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n\n"


def _scores(run: Path, data: str) -> pl.DataFrame:
    """Return scores of the run's inducers that are of interest, in both styles."""
    rows = []
    golds: dict[str, Treebank] = {}
    for cell, annotated in RunFolder(run).annotations("test"):
        if cell.system.partition("(")[0] not in METHODS:
            continue
        if cell.treebank not in golds:
            golds[cell.treebank] = tg.load(f"{cell.treebank}:test", data=[data])
        rows += _scores_of(golds[cell.treebank], annotated, cell.system, cell.seed)
    return pl.DataFrame(rows, orient="row", schema=_SCHEMA)


_SCHEMA = {
    "system": pl.String,
    "treebank": pl.String,
    "seed": pl.Int64,
    "style": pl.String,
    "metric": pl.String,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}


def _scores_of(
    gold: Treebank, annotated: Treebank, system: str, seed: int
) -> list[tuple[object, ...]]:
    return [
        (system, gold.name, seed, style, metric, score.value, score.low, score.high)
        for style in STYLES.values()
        for metric, score in tg.evaluate(
            gold if style == "ud" else tg.to_style(gold, style),
            annotated,
            metrics=METRICS,
            conventions=preset("pascal"),
        )
        .systems[0]
        .scores.items()
    ]


if __name__ == "__main__":
    main()

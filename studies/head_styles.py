"""Asks whether content heads or function heads are what an inducer finds.

    python -m studies.head_styles [RUN...]

Scores the trees of runs (`tree-substitution`, `reducibility` and `dependency-induction` by default)
against gold as it is and against gold in the style `functional`, in which adpositions, auxiliaries,
copulas and subordinators are heads. Nothing is learnt anew. The scores go to
docs/data/head-styles.tsv, of which `studies.pages` makes a table in docs/systems.md.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

import treegauge as tg
from studies._inducer_tables import averages_of
from studies.measured import FOLDER, RUNS, keep_table, measured_at, timed
from treegauge.metrics.conventions import preset
from treegauge.runs.run_folder import RunFolder
from treegauge.treebank import Treebank

DEFAULT_RUNS = ("tree-substitution", "reducibility", "dependency-induction")
TABLE = FOLDER / "head-styles.tsv"
METHODS = ("klein-manning-dmv", "tsg-dmv", "reducibility")
STYLES = {"content heads (UD)": "ud", "function heads": "functional"}
METRICS = ("uas", "undirected")


def main() -> None:
    """Score, and keep the scores."""
    names = sys.argv[1:] or [*DEFAULT_RUNS]
    data = os.environ.get("TREEGAUGE_DATA", "../shared/treebanks")
    rows = (row for name in names for row in timed(_scores(RUNS / name, data)))
    keep_table(pl.DataFrame(list(rows)), TABLE)


def page_table() -> str | None:
    """Return averages over the treebanks that all systems have, both styles beside each other."""
    if not TABLE.exists():
        return None
    scores = pl.read_csv(TABLE, separator="\t")
    treebanks = set.intersection(*(set(rows["treebank"]) for _, rows in scores.group_by("system")))
    shared = scores.filter(pl.col("treebank").is_in(sorted(treebanks)))
    heads = [f"{metric.upper()}, {style}" for metric in METRICS for style in STYLES]
    lines = [
        f"Averages over {', '.join(f'`{name}`' for name in sorted(treebanks))} in per cent, "
        f"± half a 95% interval. {measured_at(scores)}\n",
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


def _scores(run: Path, data: str) -> Iterator[dict[str, Any]]:
    """Give the scores of the run's inducers that are of interest, in both styles."""
    golds: dict[str, Treebank] = {}
    for cell, annotated in RunFolder(run).annotations("test"):
        if cell.system.partition("(")[0] not in METHODS:
            continue
        if cell.treebank not in golds:
            golds[cell.treebank] = tg.load(f"{cell.treebank}:test", data=[data])
        yield from _scores_of(golds[cell.treebank], annotated, cell.system, cell.seed)


def _scores_of(
    gold: Treebank, annotated: Treebank, system: str, seed: int
) -> Iterator[dict[str, Any]]:
    for style in STYLES.values():
        evaluation = tg.evaluate(
            gold if style == "ud" else tg.to_style(gold, style),
            annotated,
            metrics=METRICS,
            conventions=preset("pascal"),
        )
        for metric, score in evaluation.systems[0].scores.items():
            yield {
                "system": system,
                "treebank": gold.name,
                "seed": seed,
                "style": style,
                "metric": metric,
                "value": score.value,
                "low": score.low,
                "high": score.high,
                "signature": str(score.signature),
            }


if __name__ == "__main__":
    main()

"""Scores one kind of head rules against another, as Schwartz et al. (2011, section 5) did.

    python -m studies.head_rules [--measure]

The trees of the sample of the Wall Street Journal get heads by the rules of Collins and by those of
Yamada and Matsumoto; the latter are gold. With --measure, the scores go to
docs/data/head-rules.tsv (seconds); the table in docs/head_rules.md is made from these.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

import treegauge as tg
from studies._markers import Markers, filled
from studies.measured import FOLDER, keep_table, measured_at, timed
from studies.word_order_texts import DATA
from treegauge.formats import read_brackets
from treegauge.metrics.conventions import preset
from treegauge.papers import find_paper
from treegauge.rewrite.head_rules import choose_heads

TREES = DATA / "en_wsj_sample" / "trees.mrg.xz"
PAGE = Path("docs/head_rules.md")
TABLE = FOLDER / "head-rules.tsv"
MARKERS: Markers = {PAGE: {"head-rules": (TABLE.stem,)}}
GOLD, SYSTEM = "yamada-matsumoto", "collins"
METRICS = {"uas": "UAS", "undirected": "undirected", "ned": "NED"}
PRESETS = ("pascal", "conll2018")


def main() -> None:
    """Measure, if that is asked for, and write."""
    if "--measure" in sys.argv:
        keep_table(pl.DataFrame(list(timed(_measured()))), TABLE)
    page = filled(PAGE.read_text(encoding="utf-8"), "head-rules", table())
    PAGE.write_text(page, encoding="utf-8")


def table() -> str:
    """Return scores under both presets, and the published ones of section 23."""
    rows = pl.read_csv(TABLE, separator="\t")
    lines = [
        f"| Collins against Yamada-Matsumoto | {' | '.join(METRICS.values())} |",
        "| :-- |" + " --: |" * len(METRICS),
    ]
    for name in PRESETS:
        own = {row["metric"]: row for row in rows.filter(preset=name).to_dicts()}
        cells = (f"{100 * own[metric]['value']:.2f}" for metric in METRICS)
        lines.append(f"| preset `{name}` | {' | '.join(cells)} |")
    cells = (f"{100 * value:.1f}" for value in published().values())
    lines.append(f"| published, section 23 | {' | '.join(cells)} |")
    halves = 50 * (rows["high"] - rows["low"])
    return "\n".join(lines) + (
        f"\n\nPer cent; half a 95% interval over sentences is at most {halves.max():.2f} points. "
        f"{measured_at(rows)}\n\n"
    )


def published() -> dict[str, float]:
    """Return what the paper prints, by metric."""
    rows = find_paper("ned").read_published().filter(frame="schemes", annotation="Collins")
    return rows.select(*METRICS).row(0, named=True)


def _measured() -> Iterator[dict[str, Any]]:
    trees = read_brackets(TREES)
    gold, system = (choose_heads(trees, heads, name=heads) for heads in (GOLD, SYSTEM))
    for name in PRESETS:
        (scored,) = tg.evaluate(
            gold, system, metrics=[*METRICS], conventions=preset(name), trials=0
        ).systems
        for metric, score in scored.scores.items():
            yield {
                "preset": name,
                "metric": metric,
                "value": score.value,
                "low": score.low,
                "high": score.high,
                "n": score.n,
                "signature": str(score.signature),
            }


if __name__ == "__main__":
    main()

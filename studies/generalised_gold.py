"""Scores inducers against the references of Table 5 by UAS, and by TedEval against all of them.

    python -m studies.generalised_gold [--measure]

With --measure, the trees of `runs/ned-wsj` (`python -m studies.reproduced ned-wsj`) are scored
against the five conversions of the sample of the Wall Street Journal; nothing is trained. The
scores go to docs/data/generalised-gold.tsv, and the table in docs/results/measures.md is made from
these.

References
----------
Gelling, Cohn, Blunsom and Graça (2012), section 6.4, Table 5 and footnote 12. Tsarfaty, Nivre and
Andersson (2011), Evaluating dependency parsing: robust and heuristics-free cross-annotation
evaluation.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path

import polars as pl

import treegauge as tg
from studies._markers import Markers, filled
from studies.measured import FOLDER, RUNS, keep_table, measured_at
from studies.word_order_texts import DATA
from treegauge.metrics.conventions import preset
from treegauge.papers.pascal.references import BEST, references_of
from treegauge.runs.run_folder import RunFolder
from treegauge.significance import kendall_tau_b
from treegauge.treebank import Treebank

TREEBANK = "en_wsj_sample"
RUN = RUNS / "ned-wsj" / TREEBANK
TABLE = FOLDER / "generalised-gold.tsv"
PAGE = Path("docs/results/measures.md")
MARKERS: Markers = {PAGE: {"generalised-gold": (TABLE.stem,)}}
METRICS = ("uas", "tedeval")


def main() -> None:
    """Measure, if that is asked for, and write."""
    if "--measure" in sys.argv:
        keep_table(_measured(), TABLE)
    page = filled(PAGE.read_text(encoding="utf-8"), "generalised-gold", table())
    PAGE.write_text(page, encoding="utf-8")


def table() -> str:
    """Return the best of references by UAS and by TedEval, with ranks and the best reference."""
    scores = pl.read_csv(TABLE, separator="\t")
    best = {
        metric: scores.filter(metric=metric, reference=BEST).sort("value", descending=True)
        for metric in METRICS
    }
    lines = [
        "| system | best UAS (rank) | against | TedEval (rank) | against |",
        "| :-- | --: | :-- | --: | :-- |",
    ]
    for system in best["uas"]["system"]:
        cells = [_cell(scores, best[metric], system, metric) for metric in METRICS]
        lines.append(f"| `{system}` | {' | '.join(cells)} |")
    both = best["uas"].join(best["tedeval"], on="system", suffix="_of_tedeval")
    tau = kendall_tau_b(both["value"].to_list(), both["value_of_tedeval"].to_list())
    return (
        "\n".join(lines) + f"\n\n`{TREEBANK}`, in per cent, five head rules as references; "
        f"Kendall's tau-b between the two rankings of {len(both)} systems: {tau:.2f}. "
        f"95% intervals over sentences, against that reference. {measured_at(scores)}\n\n"
    )


def _cell(scores: pl.DataFrame, best: pl.DataFrame, system: str, metric: str) -> str:
    rank = best["system"].to_list().index(system) + 1
    own = scores.filter(
        pl.col("metric") == metric, pl.col("system") == system, pl.col("reference") != BEST
    )
    nearest = own.filter(pl.col("value") == pl.col("value").max())
    value, low, high = (100 * nearest[0, name] for name in ("value", "low", "high"))
    return f"{value:.1f} [{low:.1f}, {high:.1f}] ({rank}) | {', '.join(nearest['reference'])}"


def _measured() -> pl.DataFrame:
    gold = tg.load(f"{TREEBANK}:test", data=[DATA])
    references = references_of(gold, DATA / TREEBANK)
    trees = {cell.system: one for cell, one in RunFolder(RUN).annotations("test")}
    return pl.concat(scored(metric, references, trees) for metric in METRICS)


def scored(
    metric: str, references: Mapping[str, Treebank], trees: Mapping[str, Treebank]
) -> pl.DataFrame:
    """Return what trees score by a metric, with intervals; all seconds stand in the first row."""
    started = time.process_time()
    gold, *others = (one.replace(name=name) for name, one in references.items())
    evaluation = tg.evaluate(
        gold,
        *(one.replace(name=system) for system, one in trees.items()),
        metrics=[metric],
        references=others,
        conventions=preset("pascal"),
        trials=0,
    )
    scores = [
        (metric, name, system, score.value, score.low, score.high, str(score.signature))
        for name, own in (evaluation.references or {gold.name: evaluation}).items()
        for system, one in zip(trees, own.systems, strict=True)
        for score in (one.scores[metric],)
    ]
    columns = ["metric", "reference", "system", "value", "low", "high", "signature"]
    frame = pl.DataFrame(scores, columns, orient="row")
    best = frame.sort("value", descending=True).unique("system", maintain_order=True)
    rows = pl.concat([frame, best.with_columns(pl.lit(BEST).alias("reference"))])
    seconds = round(time.process_time() - started, 2)
    is_first = pl.int_range(pl.len()) == 0
    return rows.select(
        *columns[:-1],
        pl.when(is_first).then(seconds).otherwise(0.0).alias("seconds"),
        "signature",
    )


if __name__ == "__main__":
    main()

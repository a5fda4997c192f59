"""Measures how often confidence intervals contain the true score, by number of sentences.

    python -m studies.interval_coverage [--measure]

The test part of a treebank is the population, so that the true score is known. Samples of 10 to
200 sentences are drawn from it with replacement, and each kind of interval is computed for each.
Everything has a seed. With --measure, the numbers go to docs/data/interval-coverage.tsv; the table
in docs/metrics.md is made from these.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

import treegauge as tg
from studies._markers import Markers, filled
from studies.measured import FOLDER, keep_table, measured_at, timed
from treegauge.metrics import Statistics
from treegauge.significance import (
    Resampler,
    bca_interval,
    interval,
    moments,
    studentised_interval,
)

TREEBANK = "da_ddt"
SIZES = (10, 20, 30, 50, 100, 200)
KINDS = ("percentile", "BCa", "studentised")
METRICS = {"uas": 1000, "las": 1000, "v_measure": 300}
"""Measures, and how many samples of each size are drawn."""
CONFIDENCE = 0.95
RESAMPLES = 1000
PAGE = Path("docs/metrics.md")
DATA = FOLDER / "interval-coverage.tsv"
MARKERS: Markers = {PAGE: {"interval-coverage": (DATA.stem,)}}

Floats = NDArray[np.float64]
Ends = tuple[float, float]


def main() -> None:
    """Measure, if that is asked for, and write."""
    if "--measure" in sys.argv:
        keep_table(pl.DataFrame(list(timed(_measured()))), DATA)
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(filled(page, "interval-coverage", table()), encoding="utf-8")


def table() -> str:
    """Return coverage and mean width, in per cent."""
    rows = pl.read_csv(DATA, separator="\t")
    lines = [
        f"Coverage of 95% intervals in per cent, and their mean width in points. `{TREEBANK}:test` "
        f"is the population; {RESAMPLES:,} resamples. Standard errors of coverage are at most "
        f"{100 * _largest_error(rows):.1f} points.\n",
        f"| measure | sentences | {' | '.join(KINDS)} |",
        "| :-- | --: |" + " --: |" * len(KINDS),
    ]
    for metric, n in rows.select("metric", "sentences").unique(maintain_order=True).iter_rows():
        own = {row["kind"]: row for row in rows.filter(metric=metric, sentences=n).to_dicts()}
        cells = [
            f"{100 * own[kind]['coverage']:.1f} ({100 * own[kind]['width']:.1f})"
            if kind in own
            else "–"
            for kind in KINDS
        ]
        lines.append(f"| {metric} | {n} | {' | '.join(cells)} |")
    return "\n".join(lines) + f"\n\n{measured_at(rows)}\n\n"


def _largest_error(rows: pl.DataFrame) -> float:
    share, n = rows["coverage"], rows["samples"]
    return float((share * (1 - share) / n).sqrt().max())  # type: ignore[arg-type]


def _measured() -> Iterator[dict[str, Any]]:
    populations = _populations()
    for metric, samples in METRICS.items():
        own, signature = populations[metric]
        truth = float(own.score(np.asarray(own.per_sentence.sum(axis=0), np.float64).ravel()))
        for n in SIZES:
            found = [_intervals(own, n, sample) for sample in range(samples)]
            for kind in found[0]:
                ends = np.array([one[kind] for one in found])
                yield {
                    "metric": metric,
                    "sentences": n,
                    "kind": kind,
                    "samples": samples,
                    "truth": truth,
                    "coverage": float(((ends[:, 0] <= truth) & (truth <= ends[:, 1])).mean()),
                    "too_low": float((ends[:, 1] < truth).mean()),
                    "too_high": float((ends[:, 0] > truth).mean()),
                    "width": float((ends[:, 1] - ends[:, 0]).mean()),
                    "signature": signature,
                }


def _populations() -> dict[str, tuple[Statistics, str]]:
    """Return statistics and signatures of a parser and of an inducer of classes, on test."""
    data = [os.environ.get("TREEGAUGE_DATA", "../shared/treebanks")]
    train, test = (tg.load(f"{TREEBANK}:{part}", data=data) for part in ("train", "test"))
    parsed = tg.make_system("transition", seed=0).fit(train).annotate(test)
    classes = tg.make_system("brown", classes=20).fit(train).annotate(test)
    found = {}
    for one, metrics in ((parsed, ["uas", "las"]), (classes, ["v_measure"])):
        (scored,) = tg.evaluate(test, one, metrics=metrics, resamples=0, trials=0).systems
        for metric in metrics:
            found[metric] = scored.statistics[metric], str(scored.scores[metric].signature)
    return found


def _intervals(statistics: Statistics, n: int, sample: int) -> dict[str, Ends]:
    """Return the intervals of one sample."""
    random = np.random.default_rng([n, sample])
    table = statistics.per_sentence[random.integers(statistics.per_sentence.shape[0], size=n)]
    if not isinstance(table, np.ndarray):
        table = table.toarray()
    whole = table.sum(axis=0)
    resampler = Resampler(n, resamples=RESAMPLES, seed=sample)
    estimate, left_out = float(statistics.score(whole)), statistics.score(whole - table)
    is_ratio = table.shape[1] == 3
    if is_ratio:
        parts = moments(2 * table[:, 0], table[:, 1] + table[:, 2])
        sums = resampler.sums(parts)
        scores = sums[:, 0] / sums[:, 1]
    else:
        scores = resampler.scores(table, statistics.score)
    found = {
        "percentile": interval(scores, confidence=CONFIDENCE),
        "BCa": bca_interval(scores, estimate, left_out, confidence=CONFIDENCE),
    }
    if is_ratio:
        studentised = studentised_interval(sums, parts.sum(axis=0), confidence=CONFIDENCE)
        found["studentised"] = studentised or found["percentile"]
    return {kind: (ends.low, ends.high) for kind, ends in found.items() if ends is not None}


if __name__ == "__main__":
    main()

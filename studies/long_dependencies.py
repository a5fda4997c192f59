"""Asks how much parsers lose on long dependencies, in the run of `reproduce word-order --neural`.

    python -m studies.long_dependencies

reads `runs/neural-original` and writes `docs/data/long-dependencies.tsv`: UAS by the length of
gold dependencies, of every parser on every treebank in its own order, with intervals over
sentences. `studies.pages` makes a table of it. Nothing is trained.
"""

from __future__ import annotations

import math

import polars as pl

import treegauge as tg
from studies.measured import FOLDER, keep_table, measured_at
from studies.reproduced import REPRODUCTIONS, commit_of
from treegauge.metrics.conventions import preset
from treegauge.runs.run_folder import RunFolder

NAME = "neural-original"
RUN = f"runs/{NAME}/natural"
TABLE = FOLDER / "long-dependencies.tsv"
_SETTINGS = REPRODUCTIONS[NAME].system_settings
_COSTS = ["clock_seconds", "peak_memory", "device"]
_COLUMNS = ["parser", "treebank", "length", "value", "low", "high", "n", "signature", *_COSTS]
_ORDER = "-original"
"""How names of treebanks in their own order end."""
SHOWN = ("1", "2", "3", "5", "10+")
"""Lengths that the page shows; the table has all."""


def main() -> None:
    """Score the trees of the run by length, and keep the scores."""
    rows = []
    run = RunFolder(RUN)
    for cell, parsed in run.annotations("test"):
        if not cell.treebank.endswith(_ORDER):
            continue
        gold = tg.read(f"{RUN}/treebanks/{cell.treebank}/test.conllu")
        evaluation = tg.evaluate(
            gold, parsed, metrics="uas", by="edge_length", conventions=preset("conll2006")
        )
        by_length = evaluation.strata[0]
        signature = f"{evaluation['uas'].signature}|by:edge_length"
        (scores,) = by_length.systems.values()
        name = cell.treebank.removesuffix(_ORDER)
        record = run.record(cell.key)
        device = _SETTINGS.get(cell.system, {}).get("device", "cpu")
        costs = (record.seconds, record.peak_memory, device)
        rows += [
            (cell.system, name, one.stratum, one.value, one.low, one.high, one.n, signature, *costs)
            for one in scores
        ]
    table = pl.DataFrame(rows, schema=_COLUMNS, orient="row")
    # The commit of the training: nothing is learnt here.
    keep_table(table.with_columns(pl.lit(commit_of(NAME)).alias("commit")), TABLE)


def page_table() -> str:
    """Return averages over treebanks, and what is lost from the shortest to the longest."""
    table = pl.read_csv(TABLE, separator="\t", schema_overrides={"length": pl.String})
    heads = [f"length {length}" for length in SHOWN]
    n = table["treebank"].n_unique()
    lines = [
        f"| parser | {' | '.join(heads)} | lost | seconds | MiB |",
        "| :-- |" + " --: |" * (len(heads) + 3),
    ]
    for parser in table["parser"].unique(maintain_order=True):
        means = {
            length: _mean(table.filter(parser=parser, length=length).drop_nulls())
            for length in SHOWN
        }
        cells = [f"{100 * mean:.1f} ± {100 * half:.1f}" for mean, half in means.values()]
        (first, half), (last, other_half) = means[SHOWN[0]], means[SHOWN[-1]]
        lost = f"{100 * (first - last):.1f} ± {100 * math.hypot(half, other_half):.1f}"
        once = table.filter(parser=parser).unique("treebank")
        cells += [lost, *(f"{once[name].median():.0f}" for name in _COSTS[:2])]
        lines.append(f"| `{parser}` | {' | '.join(cells)} |")
    return (
        "\n".join(lines)
        + f"\n\nUAS in per cent by the length of the gold dependency, {n} treebanks "
        "in their own order, averages ± half a 95% interval over sentences; lost: "
        f"from length {SHOWN[0]} to {SHOWN[-1]}. Seconds of learning and parsing on the clock of "
        f"a busy machine, and memory, are medians. {measured_at(table)}\n\n"
    )


def _mean(rows: pl.DataFrame) -> tuple[float, float]:
    """Return the mean over treebanks, and half its interval: half-widths add in squares."""
    halves = (rows["high"] - rows["low"]) / 2
    return float(rows["value"].mean()), math.sqrt((halves**2).sum()) / rows.height


if __name__ == "__main__":
    main()

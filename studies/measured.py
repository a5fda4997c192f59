"""Results of studies that take hours, kept beside them so that another machine can finish them.

    python -m studies.measured NAME...

adds what `runs/NAME` has, finished or not, to `studies/measured/NAME.tsv`; rows about the same
system, treebank, seed and metric are replaced. Pages are written from these tables and from `runs`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

from treegauge.results.long_table import COLUMNS, read_long_table

RUNS = Path("runs")
FOLDER = Path(__file__).parent / "measured"
_SAME = (
    "track",
    "preset",
    "tags",
    "metric",
    "by",
    "stratum",
    "treebank",
    "system",
    "seed",
    "split",
)
_NOT_RUN = "not run"
"""The reason why a cell that is still to come has no score."""
_SCHEMA = {name: kind for name, (kind, _) in COLUMNS.items()}


def main() -> None:
    """Keep the results of the runs that are named."""
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:]:
        results = results_of(name)
        if results is None:
            sys.exit(f"{RUNS / name}: there are no results")
        results.write_csv(_path(name), separator="\t")


def results_of(name: str) -> pl.DataFrame | None:
    """Return all results of a study: those that were kept, and those of its run."""
    tables = []
    if _path(name).exists():
        kept = pl.read_csv(_path(name), separator="\t", schema=_SCHEMA)
        tables.append(kept.with_columns(pl.col(pl.String).fill_null("")))
    if (run := RUNS / name / "results.parquet").exists():
        results = read_long_table(run).select(*COLUMNS)
        tables.append(results.filter(pl.col("reason") != _NOT_RUN))
    if not tables:
        return None
    return pl.concat(tables).unique(_SAME, keep="last", maintain_order=True).sort(_SAME)


def whole_results_of(name: str) -> pl.DataFrame | None:
    """Return all results of a study if every system has the same seeds on the same treebanks."""
    results = results_of(name)
    if results is None:
        return None
    treebanks = set(results["treebank"])
    for _, rows in results.group_by("system"):
        seeds = [set(own["seed"]) for _, own in rows.group_by("treebank")]
        if set(rows["treebank"]) != treebanks or any(one != seeds[0] for one in seeds):
            return None
    return results


def _path(name: str) -> Path:
    return FOLDER / f"{name}.tsv"


if __name__ == "__main__":
    main()

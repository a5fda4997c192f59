"""The measured numbers behind the pages: one long table per study, in docs/data.

    python -m studies.measured NAME...     keeps what `runs/NAME` has, finished or not

`docs/data/NAME.tsv` has a row for every score of a study, with its signature, and with the commit
and the device that it was measured at. Rows about the same system, treebank, seed and metric are
replaced, so that a study can be run in parts and on several machines. Pages are written from these
tables alone (`python -m studies.pages`).
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from treegauge import __version__
from treegauge.results import Signature
from treegauge.results.long_table import COLUMNS, read_long_table
from treegauge.temporaries import replacing
from treegauge.treebank import Treebank

RUNS = Path("runs")
FOLDER = Path("docs/data")
STUDIES = Path(__file__).parent
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
COMPRESSED = ("pascal", "pascal-penn")
"""Tables of many thousand rows: `docs/data/NAME.tsv.gz`."""
_NOT_RUN = "not run"
"""The reason why a cell that is still to come has no score."""
_DIGITS = 7
"""Of numbers in the tables: pages show four."""
_SCHEMA = {name: kind for name, (kind, _) in COLUMNS.items()} | {
    "commit": pl.String,
    "device": pl.String,
}


def main() -> None:
    """Keep the results of the runs that are named."""
    for name in sys.argv[1:]:
        keep(name)


def keep(name: str) -> None:
    """Add the results of a run to the table of its study."""
    run = RUNS / name / "results.parquet"
    if not run.exists():
        sys.exit(f"{run.parent}: there are no results")
    add(name, read_long_table(run))


def add(name: str, rows: pl.DataFrame) -> None:
    """Add rows of results to the table of a study, instead of older ones about the same."""
    new = rows.select(*COLUMNS).filter(pl.col("reason") != _NOT_RUN)
    # Where treebanks lie is a matter of the machine.
    places = f"{os.environ.get('TREEGAUGE_DATA', '../shared/treebanks')}/"
    new = new.with_columns(
        pl.lit(current_commit()).alias("commit"),
        pl.col("settings").map_elements(_device, pl.String).alias("device"),
        pl.col("settings").str.replace_all(places, "", literal=True),
    )
    tables = [one for one in (results_of(name), new) if one is not None]
    table = pl.concat(tables).unique(_SAME, keep="last", maintain_order=True)
    # Settings are long, and the same for all scores of a system in a cell: only the first has them.
    # Two systems may share a cell: with as many coarse as fine tags, `brown (c)` is `brown (p)`.
    is_first = pl.int_range(pl.len()).over("cell", "system") == 0
    table = table.sort("treebank", "system", "seed", *_SAME).with_columns(
        pl.when(is_first).then("settings").otherwise(pl.lit("")).alias("settings")
    )
    FOLDER.mkdir(parents=True, exist_ok=True)
    content = table.write_csv(separator="\t", float_precision=_DIGITS).encode("utf-8")
    with replacing(_path(name)) as temporary:
        temporary.write_bytes(gzip.compress(content, mtime=0) if name in COMPRESSED else content)


def keep_table(rows: pl.DataFrame, path: Path) -> None:
    """Write figures that come from no run, with commit and device where these are missing."""
    for column, value in (("commit", current_commit()), ("device", "cpu")):
        if column not in rows.columns:
            rows = rows.with_columns(pl.lit(value).alias(column))
    with replacing(path) as temporary:
        rows.write_csv(temporary, separator="\t", float_precision=_DIGITS)


def timed(rows: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Give rows with the processor seconds that each took."""
    started = time.process_time()
    for row in rows:
        yield {**row, "seconds": round(time.process_time() - started, 2)}
        started = time.process_time()


def signature_of(what: str, treebank: Treebank, **conventions: object) -> str:
    """Return how a number that is no score was made, in the form of signatures of scores."""
    fields = {
        **conventions,
        "data": f"{treebank.name}#{treebank.fingerprint[:8]}",
        "v": __version__,
    }
    return str(Signature(what, tuple((name, str(value)) for name, value in fields.items())))


def measured_at(table: pl.DataFrame) -> str:
    """Return at which commit and on which device figures were measured, and how long it took."""
    commits = ", ".join(f"`{one}`" for one in table["commit"].unique().sort())
    devices = ", ".join(table["device"].unique().sort())
    took = f", {table['seconds'].sum():.0f} processor seconds" if "seconds" in table else ""
    return f"Measured at commit {commits}, {devices}{took}."


def results_of(name: str) -> pl.DataFrame | None:
    """Return all results of a study that were kept; None where there are none."""
    if not _path(name).exists():
        return None
    kept = pl.read_csv(_path(name), separator="\t", schema=_SCHEMA)
    kept = kept.with_columns(pl.col(pl.String).fill_null(""))
    return kept.with_columns(pl.col("settings").first().over("cell", "system")).sort(_SAME)


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


def provenance(results: pl.DataFrame) -> str:
    """Return at which commits and on which devices numbers were measured, and how long it took."""
    commits = ", ".join(f"`{one}`" for one in results["commit"].unique().sort())
    devices = ", ".join(results["device"].unique().sort())
    hours = results.unique("cell")["seconds"].sum() / 3600
    many = "commits" if "," in commits else "commit"
    return f"Measured at {many} {commits}, {devices}, {hours:.1f} hours of cells."


def current_commit() -> str:
    """Return the commit that is checked out, with a plus if code was changed since.

    Data and pages may change: a run writes them itself, before the next one begins.
    """
    git = partial(subprocess.check_output, text=True, cwd=STUDIES.parent)
    commit = git(["git", "rev-parse", "--short", "HEAD"]).strip()
    is_changed = git(["git", "diff", "--name-only", "HEAD", "--", "src", "studies"]).strip()
    return f"{commit}+" if is_changed else commit


def _device(settings: str) -> str:
    """Return where a system ran; `auto` is a CPU, as no study has run on another device yet."""
    device = json.loads(settings).get("device", "cpu")
    return "cpu" if device == "auto" else str(device)


def _path(name: str) -> Path:
    return FOLDER / f"{name}.tsv{'.gz' if name in COMPRESSED else ''}"


if __name__ == "__main__":
    main()

"""The long table of results: one row for every number, and nothing that is not in a row.

Reports only read this table. Its schema is versioned: a file says which version it has, and a
column never changes its meaning within a version.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from treegauge.errors import TreegaugeError
from treegauge.temporaries import replacing

SCHEMA_VERSION = 1

COLUMNS: dict[str, tuple[Any, str]] = {
    "experiment": (pl.String, "the name of the experiment"),
    "track": (pl.String, "tags, dependencies or joint"),
    "treebank": (pl.String, "the treebank's name"),
    "split": (pl.String, "the part that was scored"),
    "system": (pl.String, "the name in tables (its label)"),
    "method": (pl.String, "the system in the list of systems"),
    "settings": (pl.String, "all its settings, as JSON"),
    "seed": (pl.Int64, "the seed"),
    "fit_on": (pl.String, "the training data: train, union of all parts, or nothing"),
    "supervision": (
        pl.String,
        "unsupervised, universal rules, dev-tuned, dictionary, cross-lingual or supervised",
    ),
    "preset": (pl.String, "the conventions of the score"),
    "tags": (pl.String, "the gold tags that induced tags are compared with"),
    "metric": (pl.String, "the metric with its cut-off"),
    "by": (pl.String, "what the score is broken down by; empty for the whole"),
    "stratum": (pl.String, "the stratum; empty for the whole"),
    "value": (pl.Float64, "the score in 0..1, or in bits; NaN if there is no value"),
    "low": (pl.Float64, "the lower end of the interval"),
    "high": (pl.Float64, "its upper end"),
    "n": (pl.Int64, "number of scored words or sentences"),
    "seconds": (pl.Float64, "for learning and annotating, without compilation"),
    "peak_memory": (pl.Float64, "MiB, of the cell's process, compilation included"),
    "signature": (pl.String, "the signature of the score"),
    "reason": (pl.String, "why there is no value; empty if there is one"),
    "cell": (pl.String, "the key of the cell, which is the name of its folder"),
}
"""Every column: its type and what it says."""

MEASURED = ("seconds", "peak_memory")
"""Columns that differ from run to run; all others are the same for the same experiment."""

_ORDER = ("track", "preset", "tags", "metric", "by", "stratum", "treebank", "system", "seed")


class ResultsError(TreegaugeError):
    """A file of results cannot be read, or a run does not have the results that were asked for.

    Examples
    --------
    >>> import tempfile, treegauge as tg
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     try:
    ...         tg.report(folder)
    ...     except ResultsError as error:
    ...         print(str(error).partition(": ")[2])
    this is not the folder of a run: it has no results.parquet
      `treegauge run EXPERIMENT.toml` makes one
    """


def long_table(rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Return rows as a table, with every column of the schema, in an order of its own."""
    schema = {name: kind for name, (kind, _) in COLUMNS.items()}
    table = pl.DataFrame([dict(row) for row in rows], schema=schema, orient="row")
    return table.sort(_ORDER, maintain_order=True)


def write_long_table(table: pl.DataFrame, path: str | os.PathLike[str]) -> None:
    """Write a table under a temporary name, and rename it."""
    path = Path(path)
    # Opened here: Polars does not take paths that are no UTF-8.
    with replacing(path) as temporary, temporary.open("wb") as file:
        table.write_parquet(file, metadata={"treegauge.schema": str(SCHEMA_VERSION)})


def read_long_table(path: str | os.PathLike[str]) -> pl.DataFrame:
    """Read a table that `write_long_table` wrote."""
    path = Path(path)
    if not path.exists():
        raise ResultsError(f"{path}: there are no results yet")
    try:
        content = path.read_bytes()
        version = pl.read_parquet_metadata(io.BytesIO(content)).get("treegauge.schema")
        table = pl.read_parquet(io.BytesIO(content))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise ResultsError(f"{path}: this is not a table of results ({error})") from error
    if version != str(SCHEMA_VERSION):
        raise ResultsError(
            f"{path}: a table of schema {version or 'unknown'}; this version of treegauge "
            f"reads schema {SCHEMA_VERSION}"
        )
    return table

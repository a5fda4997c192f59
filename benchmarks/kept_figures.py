"""Figures that benchmarks measured, kept as tables in docs/data for pages to show."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import polars.selectors as cs

from treegauge import __version__

FOLDER = Path("docs/data")
_DIGITS = 6


def keep(name: str, rows: pl.DataFrame, key: Sequence[str]) -> None:
    """Add rows to a table; those with the same key are replaced."""
    asked = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
    commit = subprocess.check_output(asked, text=True).strip()
    fields = "|".join(f"{column}:{{}}" for column in key)
    new = rows.with_columns(
        pl.format(f"{name}|{fields}|v:{__version__}", *key).alias("signature"),
        pl.lit(f"{datetime.now(UTC):%Y-%m-%d}").alias("date"),
        pl.lit(commit).alias("commit"),
        pl.lit("cpu").alias("device"),
    )
    path = FOLDER / f"{name}.tsv"
    if path.exists():
        new = pl.concat([kept(name), new], how="diagonal_relaxed")
    new = new.unique(key, keep="last", maintain_order=True).sort(key)
    new.with_columns(cs.float().round_sig_figs(_DIGITS)).write_csv(path, separator="\t")


def kept(name: str) -> pl.DataFrame:
    """Return a table."""
    path = FOLDER / f"{name}.tsv"
    return pl.read_csv(path, separator="\t", schema_overrides={"commit": pl.String})

"""Rows of the long table, made up."""

from __future__ import annotations

import math
from typing import Any

import polars as pl

from treegauge.results.long_table import long_table

CONVENTIONS = "punct:removed|subtypes:yes|average:micro"


def row(
    treebank: str = "ar_padt",
    system: str = "dmv",
    value: float | None = 0.5,
    *,
    metric: str = "uas",
    seed: int = 0,
    track: str = "dependencies",
    tags: str = "u",
    conventions: str = CONVENTIONS,
    **other: Any,
) -> dict[str, Any]:
    """A row with what is said, and something sensible in every other column."""
    name, _, length = metric.partition("@")
    of_tags = f"|tags:{tags}|induced:xpos" if name in ("many_to_one", "vi", "v_measure") else ""
    signature = f"{name}|{conventions}|len:{length or 'all'}{of_tags}|data:{treebank}#1234|v:0.1.0"
    made = {
        "experiment": "made-up",
        "track": track,
        "treebank": treebank,
        "split": "test",
        "system": system,
        "method": system,
        "settings": "{}",
        "seed": seed,
        "fit_on": "union",
        "supervision": "unsupervised",
        "preset": "pascal",
        "tags": tags,
        "metric": metric,
        "by": "",
        "stratum": "",
        "value": math.nan if value is None else value,
        "low": None,
        "high": None,
        "n": 100,
        "seconds": 2.0,
        "peak_memory": 100.0,
        "signature": "" if value is None else f"{signature}|fit_on:union|track:{track}",
        "reason": "failed: out of memory" if value is None else "",
        "cell": f"{track}-{system}-{treebank}-{seed}",
    }
    return made | other


def results(*rows: dict[str, Any]) -> pl.DataFrame:
    """The long table of rows."""
    return long_table(rows)

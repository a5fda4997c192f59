"""What a text takes that is larger than any that was measured: by the growth of those that were.

Everything comes from `docs/data/scale-shards.tsv` and `docs/data/scale-parts.tsv`
(`benchmarks.shards`). A figure grows with words as it does between the two largest texts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import polars as pl

from benchmarks.kept_figures import kept
from benchmarks.shards import PARTS


@dataclass(frozen=True)
class Part:
    """A part of a task: seconds of a processor."""

    on_shards: float
    """What any number of threads or workers can share."""
    in_one_process: float


def measured(task: str) -> pl.DataFrame:
    """Return the figures of a task, the largest text last."""
    return kept("scale-shards").filter(pl.col("task") == task).sort("words")


def growth(figures: pl.DataFrame, of: str) -> float:
    """Return the exponent of words by which something grows between the two largest texts."""
    (words, value), (more_words, larger) = figures.sort("words").select("words", of).rows()[-2:]
    return math.log(larger / value) / math.log(more_words / words)


def grown(task: str, of: str, words: float) -> float:
    """Return a figure for another number of words."""
    figures = measured(task)
    last = figures.row(-1, named=True)
    return float(last[of] * (words / last["words"]) ** growth(figures, of))


def parts(task: str, words: float) -> dict[str, Part]:
    """Return what the parts of a task take, in order.

    Their sum grows as measured; their shares are those of the text whose parts were measured.
    """
    figures = measured_parts(task)
    total = figures["on shards"].sum() + figures["in one process"].sum()
    factor = grown(task, "processor seconds", words) / total
    return {
        part: Part(factor * on_shards, factor * beside)
        for part, on_shards, beside in figures.select("part", "on shards", "in one process").rows()
    }


def measured_parts(task: str) -> pl.DataFrame:
    """Return the figures of a task's parts, in order, for the largest text there is."""
    figures = kept("scale-parts").filter(pl.col("task") == task)
    figures = figures.filter(pl.col("words") == pl.col("words").max())
    places = {part: place for place, part in enumerate(PARTS)}
    return figures.sort(pl.col("part").replace_strict(places))


def disk_bytes(task: str, words: float) -> float:
    """Return what a task keeps on disk beside the text, at the most: as much for every word."""
    figures = measured_parts(task)
    return float((figures["disk megabytes"] / figures["words"]).max()) * 1e6 * words

"""The tables of docs/scale.md, from what benchmarks measured and what follows from it.

Measured figures are in `docs/data/scale-*.tsv`. What is simulated is computed anew, from these
figures and from the assumptions below.
"""

from __future__ import annotations

import math
from dataclasses import replace

import polars as pl

from benchmarks.cluster_simulation import Cluster, Load, simulate
from benchmarks.kept_figures import kept

CELLS = Load(10_000, 120.0, bytes_once=250e6, bytes_back=1.2e6)
"""Cells of two minutes on 50 treebanks, 100 parts of 2.5 MB which a worker gets once."""
SHARD = 5_000_000
"""Words of a shard of a large text."""
LARGE_TEXT = 10**10
_BYTES_OF_A_SHARD = 3e6
"""The types of a shard, which come back."""
GIGABIT = 1.25e8
"""Bytes per second."""
MACHINES, CORES = (2, 4, 16), (2, 16)
"""For which it is computed when E-steps on workers pay off."""


def tables() -> dict[str, str]:
    """Return what stands between the markers of the page, by their names."""
    return {
        "shards": _shards(),
        "e-steps": _e_steps(),
        "costs": _costs_table(),
        "runs": _runs(),
        "simulation": _simulation(),
        "large-model": _large_model(),
    }


def _table(heads: str, sides: str, rows: list[str]) -> str:
    marks = {"l": ":--", "r": "--:"}
    return "\n".join([f"| {heads} |", f"| {' | '.join(marks[s] for s in sides)} |", *rows]) + "\n\n"


def _measured(table: pl.DataFrame) -> str:
    commits = ", ".join(f"`{one}`" for one in table["commit"].unique().sort())
    return f"Measured {' and '.join(table['date'].unique().sort())} at {commits}.\n\n"


# ---------------------------------------------------------------------- counting


def _shards() -> str:
    figures = kept("scale-shards").sort("task", "words", descending=[True, False])
    rows = []
    for row in figures.iter_rows(named=True):
        n_grams = f"{row['n-grams']:,}" if row["n-grams"] is not None else ""
        task = "trigram model" if row["task"] == "trigrams" else f"`{row['task']}`"
        rows.append(
            f"| {row['words'] / 1e6:,.0f} million | {row['types']:,} | {task} "
            f"| {row['processor seconds']:.0f} | {row['seconds']:.0f} "
            f"| {row['peak megabytes']:,} | {n_grams} |"
        )
    text = _table(
        "words | types | task | processor, s | clock, s | peak, MB | n-grams", "rrlrrrr", rows
    )
    exponents = []
    for task in figures["task"].unique(maintain_order=True):
        own = figures.filter(pl.col("task") == task)
        grown = _growth(own, "processor seconds")
        exponents.append(f"{grown:.2f} ({'trigrams' if task == 'trigrams' else f'`{task}`'})")
    return (
        f"{text}From the second largest to the largest text, time grows with the number of words "
        f"to the power of {' and '.join(exponents)}. {_measured(figures)}"
    )


def _growth(figures: pl.DataFrame, of: str) -> float:
    """Return the exponent of words by which something grows between the two largest texts."""
    (words, value), (more_words, larger) = figures.sort("words").select("words", of).rows()[-2:]
    return math.log(larger / value) / math.log(more_words / words)


def _trigrams() -> pl.DataFrame:
    return kept("scale-shards").filter(pl.col("task") == "trigrams").sort("words")


def _large_model() -> str:
    figures = _trigrams()
    last = figures.row(-1, named=True)
    grown = (LARGE_TEXT / last["words"]) ** _growth(figures, "n-grams")
    n_grams = last["n-grams"] * grown
    size = n_grams * last["peak megabytes"] / last["n-grams"] / 1000
    return (
        f"At the growth of the table above, a trigram model of {LARGE_TEXT // 10**9} billion words "
        f"would have {n_grams / 1e9:.1f} billion n-grams and take {size:.0f} GB.\n"
    )


# ---------------------------------------------------------------------- E-steps


def _e_steps() -> str:
    figures = kept("scale-e-steps")
    rows = []
    for (tags, words), own in figures.group_by("tags", "words", maintain_order=True):
        here = own.filter(pl.col("workers") == 0).row(0, named=True)
        cells = [f"{here['charts']:.2f}"]
        for row in own.filter(pl.col("workers") > 0).sort("workers").iter_rows(named=True):
            cells += [f"{row['handing_out']:.2f}", f"{row['on_workers']:.2f}"]
        rows.append(f"| {tags} | {words:,} | {' | '.join(cells)} |")
    heads = "tags | words | charts, one thread | 1 worker: handing out | on the worker "
    heads += "| 2 workers: handing out | on the workers"
    text = _table(heads, "rrrrrrr", rows)
    text += f"CPU seconds per iteration. {_measured(figures)}"
    paying = []
    for tags in figures["tags"].unique().sort():
        handing_out, beside = _costs_of_an_iteration(figures.filter(pl.col("tags") == tags))
        for cores in CORES:
            sizes = [pays_off_from(handing_out, beside, one, cores) for one in MACHINES]
            cells = [f"{seconds:.2f} s" for seconds in sizes]
            paying.append(f"| {tags} | {cores} | {' | '.join(cells)} |")
    heads = f"tags | cores | {' | '.join(f'{machines} machines' for machines in MACHINES)}"
    return text + _table(heads, "rr" + "r" * len(MACHINES), paying)


def pays_off_from(handing_out: float, beside: float, machines: int, cores: int) -> float:
    """Return the seconds of an iteration on one machine from which several are faster.

    Charts of C seconds take C / cores on one machine, and on several
    handing out + (C + what workers do beside charts) / (machines * cores).

    >>> round(pays_off_from(0.2, 0.0, machines=2, cores=16), 3)
    0.4
    """
    return (handing_out + beside / (machines * cores)) / (1 - 1 / machines)


def _costs_of_an_iteration(figures: pl.DataFrame) -> tuple[float, float]:
    """Return what handing out costs, and what workers do beside charts, of two workers."""
    two = figures.filter(pl.col("workers") == 2)
    beside = two["on_workers"] - two["charts"]
    return float(two["handing_out"].median()), max(float(beside.median()), 0.0)


# ---------------------------------------------------------------------- runs


def _costs() -> dict[str, float]:
    return dict(kept("scale-costs").select("cost", "value").iter_rows())


def _costs_table() -> str:
    costs = _costs()
    shown = (
        ("handing out a task", 1000, "CPU ms, in the run and in the scheduler"),
        ("handing out a task with data", 1000, "ms; each time, 1 MB gets a fingerprint"),
        ("handing out a cell", 1000, "CPU ms, in the run and in the scheduler"),
        ("starting a cell", 1, "s on the clock, beside the work of its system"),
        ("warm-up, nothing compiled", 1, "CPU s, for `dmv`"),
        ("warm-up, all compiled", 1, "CPU s, for `dmv`"),
        ("bytes per word", 1, "bytes of a blind treebank on its way to a worker"),
        ("bytes per second", 1e-6, "MB per second from a run to a worker on the same machine"),
    )
    rows = [f"| {name} | {factor * costs[name]:.3g} | {unit} |" for name, factor, unit in shown]
    return _table("what | value | unit", "lrl", rows) + _measured(kept("scale-costs"))


def _runs() -> str:
    costs, figures = _costs(), kept("scale-runs")
    rows = []
    for row in figures.sort("kind", "workers", descending=[True, False]).iter_rows(named=True):
        is_cell = row["kind"] == "cells"
        load = Load(
            row["tasks"],
            row["mean_seconds"],
            bytes_once=row["bytes_once"],
            seconds_to_start=costs["starting a cell"] if is_cell else 0.0,
        )
        cluster = Cluster(
            row["workers"],
            bytes_per_second=costs["bytes per second"],
            seconds_to_hand_out=costs[
                "handing out a cell" if is_cell else "handing out a task with data"
            ],
        )
        expected = simulate(load, cluster, seed=row["seed"]).seconds
        error = expected / row["measured"] - 1
        rows.append(
            f"| {row['tasks']} {row['kind']} of {row['mean_seconds']:g} s | {row['workers']} "
            f"| {row['measured']:.1f} | {expected:.1f} | {error:+.0%} |"
        )
    heads = "load | workers | measured, s | simulated, s | error"
    return _table(heads, "lrrrr", rows) + _measured(figures)


def _simulation() -> str:
    costs, last = _costs(), _trigrams().row(-1, named=True)
    cells = replace(CELLS, seconds_to_start=costs["starting a cell"])
    shard_seconds = last["processor seconds"] / last["words"] * SHARD
    shards = Load(LARGE_TEXT // SHARD, shard_seconds, is_spread=False, bytes_back=_BYTES_OF_A_SHARD)
    never = float("inf")
    rows = []
    for name, load, workers, link, between, passes_on in (
        ("10,000 cells", cells, 500, 1, never, False),
        ("10,000 cells", cells, 500, 1, never, True),
        ("10,000 cells", cells, 500, 10, never, False),
        ("10,000 cells", cells, 500, 10, 10.0, False),
        ("10,000 cells", cells, 50, 1, never, False),
        ("10 billion words", shards, 4, 1, never, False),
        ("10 billion words", shards, 32, 1, never, False),
        ("10 billion words", shards, 500, 1, never, False),
    ):
        cluster = Cluster(
            workers,
            setup_seconds=costs["warm-up, nothing compiled"] if load is cells else 0.0,
            bytes_per_second=link * GIGABIT,
            seconds_to_hand_out=costs[f"handing out a {'cell' if load is cells else 'task'}"],
            hours_between_failures=between,
            passes_on=passes_on,
        )
        course = simulate(load, cluster)
        rows.append(
            f"| {name} | {workers} | {link} Gbit/s{', passed on' if passes_on else ''} "
            f"| {course.failures} | {course.seconds / 3600:.2f} | {course.busy:.0%} "
            f"| {course.link:.0%} | {course.handing_out:.0%} |"
        )
    heads = "load | workers | link | failures | hours | workers busy | link busy | handing out"
    return _table(heads, "lrrrrrrr", rows)

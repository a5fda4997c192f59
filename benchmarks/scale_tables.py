"""The tables of docs/scale.md, from what benchmarks measured and what follows from it.

Measured figures are in `docs/data/scale-*.tsv`. What is simulated is computed anew, from these
figures and from the assumptions of `benchmarks.cluster_simulation`.
"""

from __future__ import annotations

import math

import polars as pl

from benchmarks import large_text
from benchmarks.cluster_simulation import (
    GIGABIT,
    READS,
    SECONDS_OF_A_READ,
    Cluster,
    Load,
    measured_costs,
    simulate,
    simulate_cells,
    simulate_text,
)
from benchmarks.kept_figures import kept
from treegauge.shards.windows import CHUNK

LARGE_TEXT = 10**10
LARGE_CHUNK = 2**26
"""Words of larger shards of a large text."""
MACHINES, CORES = (2, 4, 16), (2, 16)
"""For which it is computed when E-steps on workers pay off."""
MARKERS = {
    "shards": ("scale-shards",),
    "parts": ("scale-parts",),
    "e-steps": ("scale-e-steps",),
    "costs": ("scale-costs",),
    "runs": ("scale-costs", "scale-runs"),
    "simulation": ("scale-costs", "scale-shards"),
    "large-text": ("scale-costs", "scale-parts", "scale-shards"),
    "large-model": ("scale-shards",),
    "lookups": (),
}
"""Markers of the page, and the tables in docs/data that they come from."""


def tables() -> dict[str, str]:
    """Return what stands between the markers of the page, by their names."""
    return {
        "shards": _shards(),
        "parts": _parts(),
        "e-steps": _e_steps(),
        "costs": _costs_table(),
        "runs": _runs(),
        "simulation": _simulation(),
        "large-text": _large_text(),
        "large-model": _large_model(),
        "lookups": _lookups(),
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
        rows.append(
            f"| {row['words'] / 1e6:,.0f} million | {row['types']:,} | {_name(row['task'])} "
            f"| {row['processor seconds']:.0f} | {row['seconds']:.0f} "
            f"| {row['peak megabytes']:,} | {n_grams} |"
        )
    text = _table(
        "words | types | task | processor, s | clock, s | peak, MB | n-grams", "rrlrrrr", rows
    )
    exponents = []
    for task in figures["task"].unique(maintain_order=True):
        own = figures.filter(pl.col("task") == task)
        grown = large_text.growth(own, "processor seconds")
        exponents.append(f"{grown:.2f} ({'trigrams' if task == 'trigrams' else f'`{task}`'})")
    return (
        f"{text}From the second largest to the largest text, time grows with the number of words "
        f"to the power of {' and '.join(exponents)}. {_measured(figures)}"
    )


def _parts() -> str:
    rows, figures = [], []
    for task in ("trigrams", "predictive-exchange"):
        own = large_text.measured_parts(task)
        shared = own.filter(pl.col("part") != "model")["on shards"]
        cells = [f"{seconds:.1f}" for seconds in (*shared, own["in one process"].sum())]
        disk = large_text.disk_bytes(task, 1)
        rows.append(
            f"| {own['words'][0] / 1e6:,.0f} million | {_name(task)} | {' | '.join(cells)} "
            f"| {disk:.0f} |"
        )
        figures.append(own)
    heads = "words | task | reading | counting | merging | one process | disk, bytes per word"
    return _table(heads, "rlrrrrr", rows) + (
        "Seconds of a processor, without imports; the disk does not include the text. "
        + _measured(pl.concat(figures))
    )


def _large_model() -> str:
    n_grams = large_text.grown("trigrams", "n-grams", LARGE_TEXT)
    last = large_text.measured("trigrams").row(-1, named=True)
    size = n_grams * last["peak megabytes"] / last["n-grams"] / 1000
    types = large_text.grown("predictive-exchange", "types", LARGE_TEXT)
    memory = large_text.grown("predictive-exchange", "peak megabytes", LARGE_TEXT)
    disk = large_text.disk_bytes("trigrams", LARGE_TEXT)
    return (
        f"At the growth of counting on shards, a trigram model of {LARGE_TEXT // 10**9} billion "
        f"words would have {n_grams / 1e9:.1f} billion n-grams and take {size:.0f} GB. "
        f"`predictive-exchange` would cluster {types / 1e6:.0f} million types and take "
        f"{memory / 1000:.0f} GB. Counting needs up to {disk / 1e9:.0f} GB of disk.\n"
    )


def _large_text() -> str:
    rows = []
    for task, chunk, workers in (
        *(("trigrams", CHUNK, workers) for workers in (4, 32, 500)),
        *(("trigrams", LARGE_CHUNK, workers) for workers in (4, 32)),
        *(("predictive-exchange", LARGE_CHUNK, workers) for workers in (4, 32)),
    ):
        text = simulate_text(task, LARGE_TEXT, Cluster(workers), chunk)
        seconds = [*(course.seconds for course in text.passes.values()), text.in_one_process]
        cells = [f"{one / 3600:.2f}" for one in (*seconds, text.seconds)]
        rows.append(
            f"| {_name(task)} | {chunk / 1e6:.0f} million | {workers} | {' | '.join(cells)} "
            f"| {workers * text.seconds / 3600:,.0f} "
            f"| {(text.on_shards + text.in_one_process) / 3600:.1f} |"
        )
    heads = "task | words of a shard | workers | reading, h | counting, h | merging, h "
    heads += "| one process, h | in all, h | hours of workers paid | hours of work"
    return _table(heads, "lrrrrrrrrr", rows)


def _lookups() -> str:
    sentences = []
    for chunk in (CHUNK, LARGE_CHUNK):
        shards = math.ceil(LARGE_TEXT / chunk)
        hours = shards**2 * READS * SECONDS_OF_A_READ / 3600
        sentences.append(
            f"With shards of {chunk / 1e6:.0f} million words, {shards:,} ranges are looked up in "
            f"the counts of {shards:,} shards, and workers wait {hours:.1f} hours for the disk, "
            "all together."
        )
    return " ".join(sentences) + "\n"


def _name(task: str) -> str:
    return "trigram model" if task == "trigrams" else f"`{task}`"


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


def _costs_table() -> str:
    costs = measured_costs()
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
    costs, figures = measured_costs(), kept("scale-runs")
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
    never = float("inf")
    rows = []
    for workers, link, between, passes_on in (
        (500, 1, never, False),
        (500, 1, never, True),
        (500, 10, never, False),
        (500, 10, 10.0, False),
        (50, 1, never, False),
    ):
        cluster = Cluster(
            workers,
            bytes_per_second=link * GIGABIT,
            hours_between_failures=between,
            passes_on=passes_on,
        )
        course = simulate_cells(10_000, cluster)
        rows.append(
            f"| 10,000 cells | {workers} | {link} Gbit/s{', passed on' if passes_on else ''} "
            f"| {course.failures} | {course.seconds / 3600:.2f} | {course.busy:.0%} "
            f"| {course.link:.0%} | {course.handing_out:.0%} "
            f"| {workers * course.seconds / 3600:,.0f} |"
        )
    heads = "load | workers | link | failures | hours | workers busy | link busy | handing out "
    heads += "| hours of workers paid"
    return _table(heads, "lrrrrrrrr", rows)

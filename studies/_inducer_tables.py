"""Tables of inducers of trees and of word classes, for `studies.pages`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

import numpy as np
import polars as pl

from studies.measured import provenance
from treegauge.catalogue.sets import BUILT_IN_SETS
from treegauge.results.published import counterparts, find_published_scores
from treegauge.settings import describe_settings
from treegauge.systems import find_system
from treegauge.systems.system import Supervision

METRICS = ("uas", "undirected", "ned", "uas@10", "undirected@10", "ned@10")
DEV_METRICS = ("uas", "uas@10", "ned")
CLASS_METRICS = {"many_to_one": "M-1", "v_measure": "V-measure"}
SAMPLE_METRICS = ("uas", "ned", "uas@10")
COST_HEADS = ["seconds", "MiB", "device"]


def averages_of(
    rows: pl.DataFrame, metrics: Sequence[str] = METRICS
) -> dict[str, tuple[float, float, int]]:
    """Return, for every metric, the mean over treebanks, half its interval, and their number.

    Seeds are averaged first. Treebanks are independent samples, so the half-widths of their
    intervals add in squares. The order of sums is fixed, since tables are sorted by them.
    """
    found = {}
    for metric in metrics:
        by_treebank = (
            rows.filter((pl.col("metric") == metric) & pl.col("value").is_not_nan())
            .group_by("treebank")
            .agg(
                pl.col("value").mean(), ((pl.col("high") - pl.col("low")) / 2).mean().alias("half")
            )
            .sort("treebank")
        )
        n = by_treebank.height
        if n:
            half = math.sqrt((by_treebank["half"] ** 2).sum()) / n
            found[metric] = (by_treebank["value"].mean(), half, n)
    return found


def overview(results: pl.DataFrame, seen: str, *, with_costs: bool) -> str:
    """Return averages of every system, kinds of supervision apart."""
    heads = ["UAS", "undirected", "NED", "UAS@10", "undirected@10", "NED@10"]
    heads += COST_HEADS if with_costs else []
    costs = "; seconds and memory are medians over treebanks" if with_costs else ""
    lines = [
        f"`pascal10`, {seen}, learnt from train, scored on test, preset `pascal`; averages "
        f"over treebanks in per cent, ± half a 95% interval{costs}. {provenance(results)}\n",
        f"| system | supervision | {' | '.join(heads)} |",
        "| :-- | :-- |" + " --: |" * len(heads),
    ]
    order = get_args(Supervision)
    rows = []
    for label, supervision in results.select("system", "supervision").unique().iter_rows():
        averages = averages_of(results.filter(pl.col("system") == label))
        if averages:
            place = (order.index(supervision), -averages["uas"][0], label)
            rows.append((place, supervision, averages))
    for (_, _, label), supervision, averages in sorted(rows, key=lambda row: row[0]):
        cells = [f"{100 * averages[m][0]:.1f} ± {100 * averages[m][1]:.1f}" for m in METRICS]
        if with_costs:
            cells += costs_of(results.filter(pl.col("system") == label))
        lines.append(f"| `{label}` | {supervision} | {' | '.join(cells)} |")
    failed = results.filter(pl.col("value").is_nan())
    if failed.height:
        lines.append(f"\n{failed['cell'].n_unique()} cells have no score; see the run.")
    return "\n".join(lines) + "\n\n"


def costs_of(rows: pl.DataFrame) -> list[str]:
    """Return the median seconds and memory of the cells of one system, and its device."""
    cells = rows.unique("cell")
    seconds, memory = (cells[name].median() for name in ("seconds", "peak_memory"))
    return [f"{seconds:.0f}", f"{memory:.0f}", cells["device"][0]]


def sample_table(results: pl.DataFrame, seen: str) -> str:
    """Return accuracy and costs on one treebank, in the order of the run."""
    lines = [
        f"{seen}, learnt from train, scored on test, preset `pascal`; in per cent, ± half a 95% "
        f"interval. {provenance(results)}\n",
        f"| system | supervision | UAS | NED | UAS@10 | {' | '.join(COST_HEADS)} |",
        "| :-- | :-- |" + " --: |" * (len(SAMPLE_METRICS) + len(COST_HEADS)),
    ]
    for label in results["system"].unique(maintain_order=True):
        mine = results.filter(pl.col("system") == label)
        averages = averages_of(mine)
        cells = [f"{100 * averages[m][0]:.1f} ± {100 * averages[m][1]:.1f}" for m in SAMPLE_METRICS]
        cells += costs_of(mine)
        lines.append(f"| `{label}` | {mine['supervision'][0]} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n\n"


def dev_table(results: pl.DataFrame, base: str = "") -> str:
    """Return averages on dev parts, of `pascal10` and of other treebanks.

    With a system as base, also how much more UAS each system has on average.
    """
    is_pascal = pl.col("treebank").is_in(BUILT_IN_SETS["pascal10"])
    groups = {
        "{} of `pascal10`": results.filter(is_pascal),
        "{} others": results.filter(~is_pascal),
    }
    heads = [name.format(rows["treebank"].n_unique()) for name, rows in groups.items()]
    heads += ["gain in UAS"] if base else []
    gains = f" Gain: over `{base}`, with 95% intervals over treebanks." if base else ""
    lines = [
        "Dev parts, learnt from train, preset `pascal`: averages of UAS / UAS@10 / NED, in per "
        f"cent.{gains} {provenance(results)}\n",
        f"| system | {' | '.join(heads)} |",
        "| :-- |" + " --: |" * len(heads),
    ]
    for label in results["system"].unique(maintain_order=True):
        cells = []
        for rows in groups.values():
            averages = averages_of(rows.filter(pl.col("system") == label))
            cells.append(" / ".join(f"{100 * averages[m][0]:.1f}" for m in DEV_METRICS))
        if base:
            cells.append("–" if label == base else _gain(results, label, base))
        lines.append(f"| `{label}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n\n"


def _gain(results: pl.DataFrame, system: str, base: str) -> str:
    """Return the mean gain in UAS over a system, and its interval over treebanks."""
    own, other = (
        results.filter(metric="uas", system=name).sort("treebank")["value"].to_numpy()
        for name in (system, base)
    )
    gains = own - other
    drawn = np.random.default_rng(0).choice(gains, (_RESAMPLES, len(gains))).mean(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return f"{100 * gains.mean():+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]"


_RESAMPLES = 10_000


def classes_table(results: pl.DataFrame, what: str) -> str:
    """Return scores of word classes: means over seeds, and how far these are spread."""
    lines = [
        f"{what}, 45 classes, in per cent; means, ± the standard deviation over seeds. Seconds on "
        f"the clock and memory without the GPU's are medians over seeds. {provenance(results)}\n",
        f"| system | seeds | {' | '.join([*CLASS_METRICS.values(), *COST_HEADS])} |",
        "| :-- | --: |" + " --: |" * (len(CLASS_METRICS) + len(COST_HEADS)),
    ]
    for label in results["system"].unique(maintain_order=True):
        rows = results.filter((pl.col("system") == label) & pl.col("value").is_not_nan())
        cells = []
        for metric in CLASS_METRICS:
            values = 100 * rows.filter(pl.col("metric") == metric)["value"]
            spread = f" ± {values.std():.1f}" if len(values) > 1 else ""
            cells.append(f"{values.mean():.1f}{spread}")
        cells += costs_of(rows)
        lines.append(f"| `{label}` | {rows['seed'].n_unique()} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n\n"


def by_treebank(results: pl.DataFrame, what: str, metrics: Mapping[str, str]) -> str:
    """Return a table for every metric: systems against treebanks, and the means over these."""
    names = results["treebank"].unique().sort()
    heads = [*(f"`{name}`" for name in names), "mean"]
    lines = [f"{what}, in per cent, ± half a 95% interval over sentences. {provenance(results)}\n"]
    for metric, title in metrics.items():
        lines += [f"| {title} | {' | '.join(heads)} |", "| :-- |" + " --: |" * len(heads)]
        for label in results["system"].unique(maintain_order=True):
            mine = results.filter(pl.col("system") == label)
            parts = [mine.filter(pl.col("treebank") == name) for name in names]
            cells = [averages_of(rows, (metric,)).get(metric) for rows in (*parts, mine)]
            shown = [f"{100 * one[0]:.1f} ± {100 * one[1]:.1f}" if one else "–" for one in cells]
            lines.append(f"| `{label}` | {' | '.join(shown)} |")
        lines.append("")
    return "\n".join(lines) + "\n"


def system_lines(rows: pl.DataFrame, name: str) -> str:
    """Return what is said of one system: scores, published ones, and settings."""
    lines = []
    for label in rows["system"].unique(maintain_order=True):
        mine = rows.filter(pl.col("system") == label)
        averages = averages_of(mine)
        seconds = mine.group_by("treebank", "seed").agg(pl.col("seconds").first())["seconds"]
        cells = ", ".join(
            f"{metric} {100 * averages[metric][0]:.1f} ± {100 * averages[metric][1]:.1f}"
            for metric in ("uas", "ned", "uas@10")
        )
        lines.append(
            f"- `{label}`: {cells}{_spread(mine)}; "
            f"{seconds.median():.1f} s per treebank (median, one thread)"
        )
    lines += [f"- published: {line}" for line in _published(name)]
    settings = describe_settings(find_system(name).load().settings_type)
    if settings:
        listed = ", ".join(f"`{row.name}` {row.default}" for row in settings)
        lines.append(f"- settings: {listed}")
    return "\n".join(lines) + "\n\n"


def _spread(rows: pl.DataFrame) -> str:
    """Return between which averages seeds lie, if there are several."""
    means = rows.filter(pl.col("metric") == "uas").group_by("seed").agg(pl.col("value").mean())
    if means.height < 2:
        return ""
    low, high = (100 * value for value in (means["value"].min(), means["value"].max()))
    return f"; uas of {means.height} seeds {low:.1f} to {high:.1f}"


def _published(name: str) -> Iterator[str]:
    """Give the challenge's averages of what corresponds to a system."""
    for system in counterparts("dependencies", name, {"tags": "u"}):
        rows = {m: find_published_scores("dependencies", m, "", system) for m in METRICS}
        cells = [f"{m} {100 * row.average:.1f}" for m, row in rows.items() if row]
        if cells:
            yield f"{system} of the challenge, on its own treebanks: {', '.join(cells)}"


def curves(tables: dict[str, pl.DataFrame], seen: Mapping[str, str]) -> str:
    """Return accuracy after so many iterations, a table for every study."""
    lines = []
    for name, table in tables.items():
        uas = table.filter(pl.col("metric") == "uas").with_columns(
            pl.col("settings").str.extract(r'"iterations": (\d+)').cast(pl.Int64).alias("step")
        )
        methods = uas["method"].unique(maintain_order=True).sort()
        rows = {f"`{method}`": uas.filter(pl.col("method") == method) for method in methods}
        lines += [
            f"UAS after so many iterations; {seen[name]}. {provenance(table)}\n",
            *_curve_table("system", rows),
        ]
        if uas["treebank"].n_unique() > 1:
            plain = uas.filter(pl.col("method") == "klein-manning-dmv")
            names = plain["treebank"].unique().sort()
            rows = {f"`{one}`": plain.filter(pl.col("treebank") == one) for one in names}
            lines += ["Plain EM on each, the highest in bold:\n", *_curve_table("treebank", rows)]
    return "\n".join(lines) + "\n"


def _curve_table(what: str, rows: dict[str, pl.DataFrame]) -> list[str]:
    steps = sorted({step for table in rows.values() for step in table["step"]})
    lines = [f"| {what} | {' | '.join(map(str, steps))} |", "| :-- |" + " --: |" * len(steps)]
    for name, table in rows.items():
        means = dict(table.group_by("step").agg(pl.col("value").mean()).iter_rows())
        best = max(means.values())
        cells = [f"{100 * means[step]:.1f}" for step in steps]
        cells = [
            f"**{cell}**" if means[step] == best else cell
            for cell, step in zip(cells, steps, strict=True)
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return [*lines, ""]
